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

(** [bottleneck_structure.path_length.counting]: of lengths in ascending order *)
Theorem many_are_short d k : (forall x, x \in d -> 0 <= x) -> (k < size d)%N ->
  nth 0 (ascending d) k * (size d - k)%:R <= \sum_(x <- d) x.
Proof. exact: rest_of_ascending. Qed.
End Counting.
