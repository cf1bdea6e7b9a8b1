(** Counting: how many numbers of a list can be large. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Counting.
Variable R : realFieldType.
Implicit Types d : seq R.

(** The smallest numbers first, and the largest. *)
Definition ascending d := sort <=%R d.
Definition descending d := sort >=%R d.

Lemma sum_of d e : perm_eq d e -> \sum_(x <- d) x = \sum_(x <- e) x. Proof. exact: perm_big. Qed.
(** As many numbers as follow one that is smaller. *)
Lemma rest_of_ascending d k : (forall x, x \in d -> 0 <= x) -> (k < size d)%N ->
  nth 0 (ascending d) k * (size d - k)%:R <= \sum_(x <- d) x.
Proof.
move=> d0 kd; rewrite -(sum_of (permEl (perm_sort <=%R d))) -/(ascending d).
have sized : size (ascending d) = size d by rewrite size_sort.
have e0 x : x \in ascending d -> 0 <= x by rewrite mem_sort; exact: d0.
rewrite -[X in \sum_(x <- X) x](cat_take_drop k) big_cat /= -sized -size_drop mulr_natr.
apply: ler_paddl; first by rewrite big_seq sumr_ge0 // => x /mem_take/e0.
have <- : \sum_(x <- drop k (ascending d)) nth 0 (ascending d) k = nth 0 (ascending d) k *+ size (drop k (ascending d)).
  by rewrite big_const_seq iter_addr_0 count_predT.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x /(nthP 0)[i]; rewrite size_drop nth_drop => i_lt <-.
apply: (sorted_leq_nth le_trans le_refl); rewrite ?inE ?sized ?leq_addr //.
  by apply: sort_sorted; exact: le_total.
by rewrite -sized -ltn_subRL.
Qed.
(** The largest ones. *)
Lemma first_of_descending d j : (forall x, x \in d -> 0 <= x) -> (j < size d)%N ->
  j.+1%:R * nth 0 (descending d) j <= \sum_(x <- d) x.
Proof.
move=> d0 jd; rewrite -(sum_of (permEl (perm_sort >=%R d))) -/(descending d).
have sized : size (descending d) = size d by rewrite size_sort.
have e0 x : x \in descending d -> 0 <= x by rewrite mem_sort; exact: d0.
rewrite -[X in \sum_(x <- X) x](cat_take_drop j.+1) big_cat /= mulr_natl.
apply: ler_paddr; first by rewrite big_seq sumr_ge0 // => x /mem_drop/e0.
have size_t : size (take j.+1 (descending d)) = j.+1 by rewrite size_takel ?sized.
have <- : \sum_(x <- take j.+1 (descending d)) nth 0 (descending d) j = nth 0 (descending d) j *+ j.+1.
  by rewrite big_const_seq iter_addr_0 count_predT size_t.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x /(nthP 0)[i]; rewrite size_t => i_lt <-; rewrite nth_take //.
have ge_trans : transitive (>=%R : rel R) by move=> y u v h1 h2; exact: le_trans h2 h1.
apply: (sorted_leq_nth ge_trans (@lexx _ _)); rewrite ?inE ?sized //.
  by apply: sort_sorted => u v; rewrite /= orbC; exact: le_total.
by rewrite (leq_trans i_lt).
Qed.

Lemma descends d i j : (i <= j)%N -> (j < size d)%N -> nth 0 (descending d) j <= nth 0 (descending d) i.
Proof.
move=> ij jd; have ge_trans : transitive (>=%R : rel R) by move=> y u v h1 h2; exact: le_trans h2 h1.
apply: (sorted_leq_nth ge_trans (@lexx _ _)); rewrite ?inE ?size_sort ?(leq_ltn_trans ij) //.
by apply: sort_sorted => u v; rewrite /= orbC; exact: le_total.
Qed.
(** Weights between 0 and 1, of the sum k, give no more than the k largest numbers. *)
Lemma largest_of_weighted p (t w : 'I_p -> R) k : (forall i, 0 <= t i) -> (forall i, 0 <= w i <= 1) -> \sum_i w i <= k%:R ->
  \sum_i t i * w i <= \sum_(x <- take k (descending [seq t i | i <- enum 'I_p])) x.
Proof.
move=> t0 w01 wk; set d := [seq t i | i <- enum 'I_p]; have size_d : size d = p by rewrite size_map size_enum_ord.
pose c := nth 0 (descending d) k.
have d0 x : x \in descending d -> 0 <= x by rewrite mem_sort => /mapP[i _ ->].
have c0 : 0 <= c.
  by rewrite /c; have [h | h] := ltnP k (size (descending d)); [exact/d0/mem_nth | rewrite nth_default].
apply: le_trans (_ : \sum_i Num.max 0 (t i - c) + c * k%:R <= _).
  apply: le_trans (_ : \sum_i (Num.max 0 (t i - c) + c * w i) <= _); last first.
    by rewrite big_split -mulr_sumr ler_add2l ler_wpmul2l.
  apply: ler_sum => i _; have /andP[wi0 wi1] := w01 i; rewrite -ler_subl_addr -mulrBl.
  case: (leP 0 (t i - c)) => h; first by rewrite ler_pimulr.
  by rewrite mulr_le0_ge0 // ltW.
have -> : \sum_i Num.max 0 (t i - c) = \sum_(x <- descending d) Num.max 0 (x - c).
  by rewrite (perm_big _ (permEl (perm_sort >=%R d))) /= /d big_map big_enum.
have [kp | pk] := ltnP k p; last first.
  have -> : c = 0 by rewrite /c nth_default // size_sort size_d.
  rewrite mul0r addr0 take_oversize ?size_sort ?size_d // big_seq [X in _ <= X]big_seq; apply: ler_sum => x /d0 x0.
  by rewrite subr0 max_r.
rewrite -[X in \sum_(x <- X) Num.max _ _](cat_take_drop k) big_cat /=.
have -> : \sum_(x <- drop k (descending d)) Num.max 0 (x - c) = 0.
  rewrite big_seq big1 // => x /(nthP 0)[i]; rewrite size_drop size_sort size_d nth_drop ltn_subRL => i_lt <-.
  by rewrite max_l // subr_le0 descends ?leq_addr ?size_d.
rewrite addr0; have size_t : size (take k (descending d)) = k by rewrite size_takel // size_sort size_d ltnW.
have -> : c * k%:R = \sum_(x <- take k (descending d)) c by rewrite big_const_seq iter_addr_0 count_predT size_t mulr_natr.
rewrite -big_split big_seq [X in _ <= X]big_seq; apply: ler_sum => x /(nthP 0)[i]; rewrite size_t => i_lt <-.
rewrite nth_take //= max_r ?subrK //.
by rewrite subr_ge0 descends ?size_d // ltnW.
Qed.
(** More than k of them are at least as large as the one behind the k largest. *)
Lemma many_are_large p (t : 'I_p -> R) k : (k < p)%N ->
  (k < #|[pred i | (nth 0 (descending [seq t i | i <- enum 'I_p]) k <= t i)%R]|)%N.
Proof.
move=> kp; set d := [seq t i | i <- enum 'I_p]; have size_d : size d = p by rewrite size_map size_enum_ord.
set c := nth 0 _ k.
have -> : #|[pred i | c <= t i]| = count (fun x => c <= x) (descending d).
  rewrite (permP (permEl (perm_sort >=%R d))) /d count_map -sum1_count big_enum_cond -sum1_card /=.
  by apply: eq_bigl => i; rewrite inE.
rewrite -[X in count _ X](cat_take_drop k.+1) count_cat; apply: leq_trans (leq_addr _ _).
have size_t : size (take k.+1 (descending d)) = k.+1 by rewrite size_takel // size_sort size_d.
rewrite -[X in (X <= _)%N]size_t leq_eqVlt eq_sym -all_count; apply/orP; left; apply/(all_nthP 0) => i.
by rewrite size_t => i_lt; rewrite nth_take // /c descends ?size_d // -ltnS.
Qed.

(** [bottleneck_structure.path_length.counting]: of lengths in ascending order *)
Theorem many_are_short d k : (forall x, x \in d -> 0 <= x) -> (k < size d)%N ->
  nth 0 (ascending d) k * (size d - k)%:R <= \sum_(x <- d) x.
Proof. exact: rest_of_ascending. Qed.
End Counting.
