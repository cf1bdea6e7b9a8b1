(** Networks of bottleneck rank one that take the mean labels of any data: a piecewise linear curve along a direction. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
(** N + 1 points and their labels, as columns, and a direction u. *)
Variables (R : realFieldType) (m n N : nat) (X : 'M[R]_(m, N.+1)) (Y : 'M[R]_(n, N.+1)) (u : 'rV[R]_m).

(** The points on the line, their order, and the mean of the labels of all points that are equal to one. *)
Definition projection i : R := (u *m col i X) 0 0.
Definition order := sort (fun i j => projection i <= projection j) (enum 'I_N.+1).
Definition place j := nth ord0 order j.
Definition same i := [pred k | col k X == col i X].
Definition mean_label i : 'cV[R]_n := #|same i|%:R^-1 *: \sum_(k in same i) col k Y.
(** Distinct points have distinct places on the line. *)
Definition separated := forall i j, projection i = projection j -> col i X = col j X.

(** Knots in ascending order, the first of which is 0, and labels there; slopes, which stay where a knot is repeated. *)
Definition offset : R := - projection (place 0).
Definition knot j : R := projection (place j) + offset.
Definition label j := mean_label (place j).
Fixpoint slope_after j : 'cV[R]_n :=
  if knot j.+1 == knot j then (if j is j'.+1 then slope_after j' else 0)
  else (knot j.+1 - knot j)^-1 *: (label j.+1 - label j).

(** The changes of slope, for an activation of the slope alpha below 0, and the value at the first knot. *)
Variable alpha : R.
Definition bend_behind j : 'cV[R]_n := (1 - alpha)^-1 *: (slope_after j.+1 - slope_after j).
Definition bend j : 'cV[R]_n := if j is j'.+1 then bend_behind j' else slope_after 0 - alpha *: (\sum_(k < N.-1) bend_behind k).
Definition start : 'cV[R]_n := label 0 + alpha *: (\sum_(j < N) knot j *: bend j).

(** The network, of depth 2 and of depth d + 3, with factors a of its N neurons. *)
Variable a : 'cV[R]_N.
Definition out_of : 'M[R]_(n, N) := \matrix_(l, j) (bend j l 0 / a j 0).
Definition shallow : network R n m := Layer (a *m u) (\col_j (a j 0 * (offset - knot j))) (Last out_of start).
Definition deep d : network R n m :=
  Layer u offset%:M (identities d (Layer a (\col_j (- (a j 0 * knot j))) (Last out_of start))).
End Definitions.
Lemma slope_afterE (R : realFieldType) m n N (X : 'M[R]_(m, N.+1)) (Y : 'M_(n, N.+1)) u j : slope_after X Y u j =
  if knot X u j.+1 == knot X u j then (if j is j'.+1 then slope_after X Y u j' else 0)
  else (knot X u j.+1 - knot X u j)^-1 *: (label X Y u j.+1 - label X Y u j).
Proof. by case: j. Qed.
Arguments slope_after : simpl never.

Section Interpolants.
Variables (R : realFieldType) (m n N : nat) (X : 'M[R]_(m, N.+1)) (Y : 'M[R]_(n, N.+1)) (u : 'rV[R]_m) (alpha : R).
Notation projection := (projection X u).
Notation order := (order X u).
Notation place := (place X u).
Notation knot := (knot X u).
Notation offset := (offset X u).
Notation mean_label := (mean_label X Y).
Notation label := (label X Y u).
Notation slope_after := (slope_after X Y u).
Notation bend := (bend X Y u alpha).
Notation bend_behind := (bend_behind X Y u alpha).
Notation start := (start X Y u alpha).
Hypothesis apart : separated X u.

Lemma size_order : size order = N.+1. Proof. by rewrite size_sort size_enum_ord. Qed.
Lemma knot0 : knot 0 = 0. Proof. exact: addrN. Qed.
Lemma knots_ascend i j : (i <= j <= N)%N -> knot i <= knot j.
Proof.
case/andP=> ij jN; rewrite ler_add2r; pose leT i' j' := projection i' <= projection j'.
have leT_trans : transitive leT by move=> y x z; exact: le_trans.
apply: (sorted_leq_nth leT_trans (fun _ => lexx _)); rewrite ?inE ?size_order ?ltnS //; last exact: leq_trans ij jN.
by apply: sort_sorted => x y; exact: le_total.
Qed.
Lemma every_point_has_a_place i : exists2 j, (j <= N)%N & place j = i.
Proof.
have : i \in order by rewrite mem_sort mem_enum.
by move=> /(nthP ord0)[j jN <-]; exists j; rewrite // -ltnS -size_order.
Qed.
Lemma mean_label_same i j : col i X = col j X -> mean_label i = mean_label j.
Proof. by move=> e; rewrite /Interpolants.mean_label /same e. Qed.
Lemma label_of_knot i j : knot i = knot j -> label i = label j.
Proof. by move/addIr/apart; exact: mean_label_same. Qed.
Lemma slope_step j : label j.+1 = label j + (knot j.+1 - knot j) *: slope_after j.
Proof.
have [e | ne] := eqVneq (knot j.+1) (knot j); first by rewrite (label_of_knot e) e subrr scale0r addr0.
by rewrite slope_afterE (negPf ne) scalerA mulfV ?subr_eq0 // scale1r addrC subrK.
Qed.

(** The curve at its knots. *)
Lemma act_parts t : act alpha t = alpha * t + (1 - alpha) * Num.max 0 t.
Proof. by rewrite /act; case: (leP 0 t) => h; ring. Qed.
Lemma label_by_slopes i : label i = label 0 + knot i *: slope_after 0
  + \sum_(k < i) (knot i - knot k.+1) *: (slope_after k.+1 - slope_after k).
Proof.
elim: i => [|i IH]; first by rewrite knot0 scale0r addr0 big_ord0 addr0.
rewrite slope_step big_ord_recr /= subrr scale0r addr0 {}IH.
have -> : slope_after i = slope_after 0 + \sum_(k < i) (slope_after k.+1 - slope_after k).
  by rewrite -(big_mkord xpredT (fun k => slope_after k.+1 - slope_after k)) telescope_sumr // addrC subrK.
have -> : \sum_(k < i) (knot i.+1 - knot k.+1) *: (slope_after k.+1 - slope_after k)
  = \sum_(k < i) (knot i - knot k.+1) *: (slope_after k.+1 - slope_after k)
    + (knot i.+1 - knot i) *: (\sum_(k < i) (slope_after k.+1 - slope_after k)).
  rewrite scaler_sumr -big_split /=; apply: eq_bigr => k _; rewrite -scalerDl; congr (_ *: _); ring.
set S := \sum_(k < i) (slope_after k.+1 - _); set T := \sum_(k < i) _.
move: S T (slope_after 0) (label 0) (knot i.+1) (knot i) => S T v y t s.
by apply/matrixP => l c; rewrite !mxE; move: (y l c) (v l c) (S l c) (T l c) => *; ring.
Qed.
(** Knots that are not behind count alone. *)
Lemma knots_before i (d : nat -> 'cV[R]_n) : (i <= N)%N ->
  \sum_(k < N.-1) Num.max 0 (knot i - knot k.+1) *: d k = \sum_(k < i) (knot i - knot k.+1) *: d k.
Proof.
have zero k : (i <= k.+1)%N -> (k < N)%N -> Num.max 0 (knot i - knot k.+1) = 0.
  by move=> ik kN; rewrite max_l // subr_le0 knots_ascend // ik.
case: i zero => [|p] zero pN.
  rewrite big_ord0 big1 // => k _; rewrite zero ?scale0r //; have := ltn_ord k; case: (N) k pN {zero} => [[]|M k _] //=.
  by move=> h; exact: ltnW.
rewrite [RHS]big_ord_recr /= subrr scale0r addr0.
have pM : (p <= N.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ pN).
rewrite -(big_mkord xpredT (fun k => Num.max 0 (knot p.+1 - knot k.+1) *: d k)) (big_cat_nat _ _ _ (leq0n p) pM) /=.
rewrite [X in _ + X]big1_seq ?addr0 => [|k /andP[_]]; last first.
  rewrite mem_index_iota => /andP[pk kN]; rewrite zero ?scale0r // ?ltnS //.
  by rewrite (leq_trans kN) // leq_pred.
rewrite big_mkord; apply: eq_bigr => k _; rewrite max_r // subr_ge0 knots_ascend // ltnW ?ltnS ?ltn_ord //=.
Qed.
Lemma curve_at_knots i : alpha != 1 -> (i <= N)%N -> start + \sum_(j < N) act alpha (knot i - knot j) *: bend j = label i.
Proof.
move=> alpha1 iN; have an : 1 - alpha != 0 by rewrite subr_eq0 eq_sym.
set S := \sum_(k < N.-1) bend_behind k; set t := knot i.
have parts : \sum_(j < N) act alpha (t - knot j) *: bend j
  = alpha *: (t *: (\sum_(j < N) bend j) - \sum_(j < N) knot j *: bend j)
    + (1 - alpha) *: (\sum_(j < N) Num.max 0 (t - knot j) *: bend j).
  rewrite scaler_sumr -sumrB !scaler_sumr -big_split /=; apply: eq_bigr => j _.
  by rewrite act_parts -scalerBl !scalerA -scalerDl.
have first : t *: (\sum_(j < N) bend j) = t *: (slope_after 0 + (1 - alpha) *: S) /\
    \sum_(j < N) Num.max 0 (t - knot j) *: bend j
    = t *: (slope_after 0 - alpha *: S) + \sum_(k < N.-1) Num.max 0 (t - knot k.+1) *: bend_behind k.
  have t0 : 0 <= t by rewrite -knot0 knots_ascend.
  have [N0 | N0] := posnP N.
    have none (F : nat -> 'cV[R]_n) M : (M <= N)%N -> \sum_(j < M) F j = 0.
      by move=> MN; rewrite big1 // => j _; move: (leq_trans (ltn_ord j) MN); rewrite N0.
    have -> : t = 0 by rewrite /t -knot0; congr knot; move: iN; rewrite N0 leqn0 => /eqP.
    split; rewrite !scale0r // (none (fun j => Num.max 0 (0 - knot j) *: bend j)) //.
    by rewrite (none (fun k => Num.max 0 (0 - knot k.+1) *: bend_behind k)) ?leq_pred ?addr0.
  have split_first (F : nat -> 'cV[R]_n) : \sum_(j < N) F j = F 0%N + \sum_(k < N.-1) F k.+1.
    by rewrite -(big_mkord xpredT F) big_ltn // -{1}(prednK N0) big_add1 big_mkord.
  rewrite (split_first bend) (split_first (fun j => Num.max 0 (t - knot j) *: bend j)) knot0 subr0 max_r //; split=> //.
  by congr (_ *: _); rewrite scalerBl scale1r addrA addrAC.
have {first} [first second] := first; rewrite parts first second (knots_before bend_behind iN) label_by_slopes -/t.
have -> : \sum_(k < i) (t - knot k.+1) *: bend_behind k
  = (1 - alpha)^-1 *: (\sum_(k < i) (t - knot k.+1) *: (slope_after k.+1 - slope_after k)).
  by rewrite scaler_sumr; apply: eq_bigr => k _; rewrite !scalerA mulrC.
rewrite /start; set Z := \sum_(j < N) _; set T := \sum_(k < i) _.
move: (S) (Z) (T) (slope_after 0) (label 0) => {first second parts Z T} S' Z T v y; apply/matrixP => l c; rewrite !mxE.
by move: (S' l c) (Z l c) (T l c) (v l c) (y l c) => *; field.
Qed.

Section Networks.
Variables (a : 'cV[R]_N) (d : nat).
Hypotheses (alpha1 : alpha != 1) (a_pos : forall j, 0 < a j 0).
Notation out_of := (out_of X Y u alpha a).
Lemma point_on_the_line i : exists2 j, (j <= N)%N & place j = i /\ u *m col i X + offset%:M = (knot j)%:M.
Proof.
have [j jN e] := every_point_has_a_place i; exists j => //; split=> //.
by rewrite /Interpolants.knot e raddfD /=; congr (_ + _); exact: mx11_scalar.
Qed.
Lemma last_layer i : (i <= N)%N -> out_of *m activation alpha (\col_j (a j 0 * (knot i - knot j))) + start = label i.
Proof.
move=> iN; rewrite -(curve_at_knots alpha1 iN) addrC; congr (_ + _); apply/matrixP => l c.
rewrite mxE summxE; apply: eq_bigr => j _; rewrite !mxE ord1.
have -> : act alpha (a j 0 * (knot i - knot j)) = a j 0 * act alpha (knot i - knot j).
  by rewrite !act_parts -(mulr0 (a j 0)) -maxr_pmulr ?ltW // mulr0; ring.
by rewrite mulrA divfK ?gt_eqF // mulrC.
Qed.
Lemma norm_of_last : norm2 out_of = \sum_(j < N) norm2 (bend j) / a j 0 ^+ 2.
Proof.
rewrite norm2E; apply: eq_bigr => j _; rewrite norm2E big_ord1 mulr_suml; apply: eq_bigr => l _.
by rewrite mxE exprMn exprVn.
Qed.
Lemma norm2_factors (g : 'I_N -> R) : norm2 (\col_j (a j 0 * g j)) = \sum_j a j 0 ^+ 2 * g j ^+ 2.
Proof. by rewrite norm2E big_ord1; apply: eq_bigr => j _; rewrite mxE exprMn. Qed.

(** [notion_of_rank.prop_2]: of depth d + 3, and of depth 2; i is any point *)
Theorem interpolates i :
  [/\ value alpha (deep X Y u alpha a d) (col i X) = mean_label i,
      norm (deep X Y u alpha a d) = d%:R + norm2 u + offset ^+ 2 + \sum_(j < N) a j 0 ^+ 2 * (1 + knot j ^+ 2)
        + \sum_(j < N) norm2 (bend j) / a j 0 ^+ 2 + norm2 start,
      value alpha (shallow X Y u alpha a) (col i X) = mean_label i &
      norm (shallow X Y u alpha a) = \sum_(j < N) a j 0 ^+ 2 * (norm2 u + (offset - knot j) ^+ 2)
        + \sum_(j < N) norm2 (bend j) / a j 0 ^+ 2 + norm2 start].
Proof.
have [j jN [placed e]] := point_on_the_line i; have knot0' : 0 <= knot j by rewrite -knot0 knots_ascend.
have goal : mean_label i = label j by rewrite /Interpolants.label placed.
split.
- rewrite /= e nonnegative_activation; last by move=> k c; rewrite !ord1 mxE.
  rewrite value_identities; last by move=> k c; rewrite !ord1 mxE.
  rewrite /= goal -(last_layer jN); congr (_ *m activation _ _ + _).
  by apply/matrixP => k c; rewrite !mxE big_ord1 !mxE !ord1 mulr1n -mulrBr.
- rewrite /= norm_identities /= norm_of_last muln1; have -> : norm2 (offset%:M : 'M[R]_1) = offset ^+ 2.
    by rewrite norm2E !big_ord1 mxE mulr1n.
  have -> : \col_k (- (a k 0 * knot k)) = \col_k (a k 0 * - knot k) by apply/matrixP => k c; rewrite !mxE mulrN.
  rewrite (norm2_factors (fun k => - knot k)); have -> : norm2 a = \sum_k a k 0 ^+ 2 by rewrite norm2E big_ord1.
  under [\sum_j _ * (1 + _)]eq_bigr do rewrite mulrDr mulr1; rewrite big_split /=.
  under [\sum_k _ * (- _) ^+ 2]eq_bigr do rewrite sqrrN.
  move: (\sum_k a k 0 ^+ 2) (\sum_k a k 0 ^+ 2 * _) (\sum_j norm2 _ / _) (offset ^+ 2) (d%:R) => *; numbers; ring.
- rewrite /= goal -(last_layer jN); congr (_ *m activation _ _ + _).
  have e' : u *m col i X = (knot j)%:M - offset%:M by rewrite -e addrK.
  by rewrite -mulmxA e'; apply/matrixP => k c; rewrite !mxE big_ord1 !mxE !ord1 !mulr1n -mulrDr addrA subrK.
- rewrite /= norm_of_last (norm2_factors (fun k => offset - knot k)); have -> : norm2 (a *m u) = \sum_k a k 0 ^+ 2 * norm2 u.
    rewrite norm2E exchange_big /=; apply: eq_bigr => k _; rewrite norm2E mulr_sumr; apply: eq_bigr => l _.
    by rewrite big_ord1 !mxE big_ord1 exprMn.
  by rewrite addrA -big_split /=; congr (_ + _ + _); apply: eq_bigr => k _; rewrite mulrDr.
Qed.

(** No function of the points is nearer to the labels than their means. *)
Lemma means_are_nearest (g : 'I_N.+1 -> 'cV[R]_n) : (forall i j, col i X = col j X -> g i = g j) ->
  \sum_i norm2 (mean_label i - col i Y) <= \sum_i norm2 (g i - col i Y).
Proof.
move=> g_same; pose D i := g i - mean_label i.
have D_same i j : col i X = col j X -> D i = D j by move=> e; rewrite /D (g_same i j) // (mean_label_same e).
have same_sym i k : (k \in same X i) = (i \in same X k) by rewrite !inE eq_sym.
have card_same i k : k \in same X i -> #|same X i| = #|same X k|.
  by rewrite inE => /eqP e; apply: eq_card => l; rewrite !inE e.
have card0 i : #|same X i|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i; rewrite inE.
have inner_sum A (P : pred 'I_N.+1) (F : 'I_N.+1 -> 'cV[R]_n) : inner A (\sum_(k | P k) F k) = \sum_(k | P k) inner A (F k).
  by apply: (big_morph (inner A)) => [y z|]; rewrite ?innerDr // innerC inner0l.
have orthogonal : \sum_i inner (D i) (mean_label i) = \sum_i inner (D i) (col i Y).
  under eq_bigr => i _ do rewrite innerZr inner_sum mulr_sumr.
  rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => k _.
  have -> : \sum_(i | k \in same X i) #|same X i|%:R^-1 * inner (D i) (col k Y)
    = \sum_(i in same X k) #|same X k|%:R^-1 * inner (D k) (col k Y).
    apply: eq_big => [i | i ki]; first exact: same_sym.
    by rewrite (card_same i k ki) (D_same i k) //; move: ki; rewrite inE => /eqP.
  by rewrite sumr_const -[LHS]mulr_natl mulVKf ?card0.
have split_sum : \sum_i norm2 (g i - col i Y) = \sum_i norm2 (D i) + \sum_i norm2 (mean_label i - col i Y).
  have -> : \sum_i norm2 (g i - col i Y) = \sum_i norm2 (D i) + 2%:R * (\sum_i inner (D i) (mean_label i - col i Y))
      + \sum_i norm2 (mean_label i - col i Y).
    rewrite mulr_sumr -!big_split /=; apply: eq_bigr => i _; rewrite -norm2D; congr norm2.
    by rewrite /D addrA subrK.
  suff -> : \sum_i inner (D i) (mean_label i - col i Y) = 0 by rewrite mulr0 addr0.
  by under eq_bigr do rewrite innerDr innerNr; rewrite big_split /= orthogonal sumrN subrr.
by rewrite split_sum ler_addr sumr_ge0 // => i _; exact: norm2_ge0.
Qed.
(** The squared error of a network, and its ridge_loss with the ridge lam, which is divided by the depth. *)
Definition error (F : network R n m) : R := (\sum_i norm2 (value alpha F (col i X) - col i Y)) / N.+1%:R.
Definition ridge_loss (lam : R) (F : network R n m) : R := error F + lam / (depth F)%:R * norm F.
(** [notion_of_rank.prop_2.minimisers]: F is no worse than what has the mean labels as values and the norm c, as the interpolant
    has, and no worse than the zero network; of any direction, scales and slope *)
Theorem norm_of_minimiser (F : network R n m) (lam c : R) : 0 < lam ->
  ridge_loss lam F <= (\sum_i norm2 (mean_label i - col i Y)) / N.+1%:R + lam / (depth F)%:R * c ->
  ridge_loss lam F <= norm2 Y / N.+1%:R ->
  norm F <= c /\ norm F <= (depth F)%:R / (lam * N.+1%:R) * norm2 Y.
Proof.
move=> lam0 no_worse no_worse_than_zero; have N0 : 0 < N.+1%:R :> R by rewrite ltr0n.
have L0 : 0 < lam / (depth F)%:R by rewrite divr_gt0 // ltr0n depth_gt0.
have error0 : 0 <= error F by rewrite divr_ge0 ?ler0n // sumr_ge0 // => i _; exact: norm2_ge0.
split.
  have errors : (\sum_i norm2 (mean_label i - col i Y)) / N.+1%:R <= error F.
    by rewrite ler_pmul2r ?invr_gt0 //; apply: (means_are_nearest (g := fun i => value alpha F (col i X))) => i j ->.
  rewrite -(ler_pmul2l L0) -(ler_add2l ((\sum_i norm2 (mean_label i - col i Y)) / N.+1%:R)); apply: le_trans _ no_worse.
  by rewrite /ridge_loss ler_add2r.
rewrite -(ler_pmul2l L0); apply: le_trans (_ : ridge_loss lam F <= _); first by rewrite ler_addr.
apply: le_trans no_worse_than_zero _; rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (norm2 Y) => y.
have Ln : (depth F)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n depth_gt0.
have Nn : 1 + N%:R != 0 :> R by rewrite -mulrS pnatr_eq0.
by field; rewrite Nn Ln gt_eqF.
Qed.
(** Where the direction separates the points the interpolant G of the same depth is such a network. *)
Lemma loss_of_interpolant (F G : network R n m) (lam : R) : G = deep X Y u alpha a d \/ G = shallow X Y u alpha a ->
  depth F = depth G ->
  ridge_loss lam G = (\sum_i norm2 (mean_label i - col i Y)) / N.+1%:R + lam / (depth F)%:R * norm G.
Proof.
move=> G_is ->; rewrite /ridge_loss /error; congr (_ / _ + _); apply: eq_bigr => i _.
by have [deep_is _ shallow_is _] := interpolates i; case: G_is => ->; rewrite ?deep_is ?shallow_is.
Qed.
End Networks.
End Interpolants.
