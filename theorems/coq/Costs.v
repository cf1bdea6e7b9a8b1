(** What costs at least something: an example with several minimisers, square roots of outputs, minimisers below a loss. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive Constants Networks OperatorNorms FeatureLearning Representations Neurons Tuples.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * An example with minimisers of rank 1 and 2 *)
Section Minimisers.
Variables (R : realFieldType) (k : nat) (w beta nu alpha : 'I_k -> R) (gamma : R).
(** The outputs at -1 and 1, over the root of 3, and the squared norm; alpha are the masses of the neurons. *)
Definition output (x : R) : R := \sum_i alpha i * nu i * Num.max 0 (beta i + x * w i) + gamma / 3%:R.
Definition norm_with_masses : R := \sum_i alpha i * (w i ^+ 2 + 3%:R * beta i ^+ 2 + 3%:R * nu i ^+ 2) + gamma ^+ 2.

(** [feature_learning.cor_9] *)
Theorem cost_is_at_least : (forall i, 0 <= alpha i) -> 3%:R * (output (- 1) + output 1) - 1 <= norm_with_masses.
Proof.
move=> a0; pose both i := 3%:R * (nu i * Num.max 0 (beta i + - 1 * w i) + nu i * Num.max 0 (beta i + 1 * w i)).
have one i : both i <= w i ^+ 2 + 3%:R * beta i ^+ 2 + 3%:R * nu i ^+ 2.
  have three (x : R) : 0 <= 3%:R * x ^+ 2 by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
  rewrite -subr_ge0 /both mulN1r mul1r; move: (w i) (beta i) (nu i) => a b n.
  case: (leP 0 (b - a)) => _; case: (leP 0 (b + a)) => _; rewrite ?mulr0 ?addr0 ?add0r.
  - have -> : a ^+ 2 + 3%:R * b ^+ 2 + 3%:R * n ^+ 2 - 3%:R * (n * (b - a) + n * (b + a)) = 3%:R * (n - b) ^+ 2 + a ^+ 2 by ring.
    by rewrite addr_ge0 ?sqr_ge0.
  - have -> : a ^+ 2 + 3%:R * b ^+ 2 + 3%:R * n ^+ 2 - 3%:R * (n * (b - a))
      = 3%:R * (n - (b - a) / 2%:R) ^+ 2 + ((b - a) / 2%:R + (b + a)) ^+ 2 by field.
    by rewrite addr_ge0 ?sqr_ge0.
  - have -> : a ^+ 2 + 3%:R * b ^+ 2 + 3%:R * n ^+ 2 - 3%:R * (n * (b + a))
      = 3%:R * (n - (b + a) / 2%:R) ^+ 2 + ((b + a) / 2%:R + (b - a)) ^+ 2 by field.
    by rewrite addr_ge0 ?sqr_ge0.
  - by rewrite mulr0 subr0 !addr_ge0 ?sqr_ge0.
have -> : 3%:R * (output (- 1) + output 1) - 1 = \sum_i alpha i * both i + (2%:R * gamma - 1).
  rewrite /output; set s := \sum_i _; set s' := \sum_i _ * _ * Num.max 0 (beta _ + 1 * _).
  have -> : \sum_i alpha i * both i = 3%:R * (s + s').
    by rewrite /s /s' -big_split mulr_sumr; apply: eq_bigr => i _; rewrite /both /=; move: (Num.max _ _) (Num.max _ _) => *; ring.
  by move: s s' => *; field.
apply: ler_add; first by apply: ler_sum => i _; exact: ler_wpmul2l.
by rewrite -subr_ge0; have -> : gamma ^+ 2 - (2%:R * gamma - 1) = (gamma - 1) ^+ 2 by [ring]; exact: sqr_ge0.
Qed.
End Minimisers.

(** The pseudo-inverse undoes the rows of a matrix. *)
Lemma kept_by (R : realFieldType) p q N (E : 'M[R]_(p, N)) (X : 'M[R]_(q, N)) : (E <= X)%MS -> E *m pinv X *m X = E.
Proof. by case/submxP => D ->; rewrite -!mulmxA (mulmxA X) mul_pinv_mul. Qed.
(** * Outputs with a square root *)
Section Roots.
Variables (R : realFieldType) (n N k : nat) (A : 'M[R]_N) (Y : 'M[R]_(n, N)).
(** A is the square root of Y^T Y. *)
Hypotheses (A_psd : positive_semidefinite A) (A_root : A *m A = Y^T *m Y).
Let A_sym : A^T = A. Proof. by case: A_psd. Qed.

Lemma root_below m (K : 'M[R]_(m, N)) : (Y <= K)%MS -> (A <= K)%MS.
Proof.
move=> YK; have e : A = pinv A *m (A *m A).
  by apply/esym; rewrite mulmxA -[LHS]trmxK trmx_mul A_sym pinv_mul_sym mulmxA mul_pinv_mul A_sym.
by rewrite e A_root !mulmxA; apply: submx_trans YK; exact: submxMl.
Qed.
Lemma inverse_sym (K : 'M[R]_N) : K^T = K -> (pinv K)^T = pinv K.
Proof. by move=> s; rewrite -pinv_tr s. Qed.
Lemma through_inverse (X K P : 'M[R]_N) : P^T = P -> P *m K *m P = P -> X *m P *m X^T = (P *m X^T)^T *m K *m (P *m X^T).
Proof. by move=> s h; rewrite trmx_mul trmxK s -{1}h !mulmxA. Qed.
Lemma tr3 (X Z W : 'M[R]_N) : (X *m Z *m W)^T = W^T *m Z^T *m X^T. Proof. by rewrite !trmx_mul mulmxA. Qed.
Variables (V : 'M[R]_(k, N)) (alpha : 'I_k -> R) (d : R).
Let S := map_mx (two_slopes 1 d) V.
Definition covariance (Z : 'M[R]_(k, N)) : 'M[R]_N := Z^T *m (diag_mx (\row_i alpha i) *m Z).
Let K := covariance V.
Let K_sigma := covariance S.
Let P := pinv K_sigma.

(** [feature_learning.prop_14]: for vectors V with masses alpha, of which the outputs are combinations *)
Theorem root_is_optimal : (forall i, 0 <= alpha i) -> -1 <= d <= 1 -> (Y <= K_sigma)%MS ->
  let cost := \tr K + \tr (Y *m P *m Y^T) in
  let negative := (1 - d ^+ 2) * (\sum_i alpha i * (\sum_j Num.max 0 (- V i j) ^+ 2)) in
  let distance := \tr ((K_sigma - A) *m P *m (K_sigma - A)^T) in
  [/\ cost = 2%:R * \tr A + negative + distance, 2%:R * \tr A <= cost, 0 <= negative & 0 <= distance].
Proof.
move=> a0 /andP[d1 d2] reached cost negative distance.
have cov_trace (Z : 'M[R]_(k, N)) : \tr (covariance Z) = \sum_i alpha i * (\sum_j Z i j ^+ 2).
  rewrite /mxtrace; under eq_bigr => j _ do rewrite mxE; rewrite exchange_big; apply: eq_bigr => i _.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mxE mul_diag_mx !mxE expr2 mulrCA.
have n0 : 0 <= negative.
  apply: mulr_ge0; last by apply: sumr_ge0 => i _; apply: mulr_ge0 => //; apply: sumr_ge0 => j _; exact: sqr_ge0.
  have -> : 1 - d ^+ 2 = (1 - d) * (1 + d) by ring.
  by apply: mulr_ge0; rewrite ?subr_ge0 // addrC -ler_subl_addr sub0r.
have K_s : K_sigma^T = K_sigma by rewrite /K_sigma /covariance !trmx_mul trmxK tr_diag_mx mulmxA.
have P_s : P^T = P by exact: inverse_sym.
have d0 : 0 <= distance.
  have -> : distance = \tr (covariance (S *m (P *m (K_sigma - A)^T))).
    have inside (X : 'M[R]_N) : covariance (S *m X) = X^T *m K_sigma *m X.
      by rewrite /K_sigma /covariance trmx_mul !mulmxA.
    by rewrite inside /distance (through_inverse _ P_s (pinv_mul_pinv K_sigma)).
  by rewrite cov_trace; apply: sumr_ge0 => i _; apply: mulr_ge0 => //; apply: sumr_ge0 => j _; exact: sqr_ge0.
have AP : A *m P *m K_sigma = A.
  by apply: kept_by; exact: root_below reached.
have PA : K_sigma *m P *m A = A by rewrite -[LHS]trmxK tr3 A_sym K_s P_s AP A_sym.
have e : cost = 2%:R * \tr A + negative + distance.
  have split : \tr K = \tr K_sigma + negative.
    rewrite /K /K_sigma !cov_trace /negative mulr_sumr -big_split; apply: eq_bigr => i _ /=.
    rewrite !mulr_sumr -big_split; apply: eq_bigr => j _ /=; rewrite mxE /two_slopes /slope_of.
    case: (leP 0 (V i j)) => h.
      by rewrite mul1r max_l ?oppr_le0 // expr0n /= !mulr0 addr0.
    by rewrite max_r ?oppr_ge0 ?ltW // sqrrN; move: (V i j) (alpha i) => v a; ring.
  rewrite /cost split; have -> : \tr (Y *m P *m Y^T) = \tr (A *m P *m A).
    by rewrite mxtrace_mulC mulmxA -A_root mxtrace_mulC mulmxA [RHS]mxtrace_mulC mulmxA [RHS]mxtrace_mulC mulmxA.
  rewrite /distance [(K_sigma - A)^T]linearB /= K_s A_sym.
  move: AP PA (mul_pinv_mul K_sigma); rewrite -/P; move: (K_sigma) (P) => X Q AP PA same.
  rewrite !(mulmxBl, mulmxBr) same AP PA.
  rewrite !linearB /=; move: (\tr K_sigma) (\tr A) (\tr _) (negative) => *; ring.
by split=> //; rewrite e -addrA ler_addl addr_ge0.
Qed.

(** [feature_learning.prop_14.attained] *)
Theorem twice_the_nuclear_norm (B : 'M[R]_(k, N)) : (forall i j, 0 <= B i j) -> A = gram B ->
  let W2 := Y *m pinv B in W2 *m relu B = Y /\ norm2 B + norm2 W2 = 2%:R * \tr A.
Proof.
move=> B0 e W2; have -> : relu B = B by apply/matrixP => i j; rewrite mxE max_r.
have AB : A *m (pinv B *m B) = A by rewrite e /gram -!mulmxA (mulmxA B) mul_pinv_mul.
have YB : Y *m (pinv B *m B) = Y.
  apply/eqP; rewrite -subr_eq0; apply/eqP/norm2_eq0.
  rewrite -norm2N opprB norm2B /norm2 /inner [(Y *m _)^T]trmx_mul pinv_mul_sym.
  have -> : Y^T *m (Y *m (pinv B *m B)) = Y^T *m Y by rewrite mulmxA -A_root -mulmxA AB.
  have -> : pinv B *m B *m Y^T *m (Y *m (pinv B *m B)) = pinv B *m B *m (Y^T *m Y) by rewrite -!mulmxA (mulmxA Y^T Y) -A_root -(mulmxA A) AB.
  have -> : pinv B *m B *m (Y^T *m Y) = Y^T *m Y.
    rewrite -A_root mulmxA; congr (_ *m A); rewrite -[LHS]trmxK trmx_mul A_sym pinv_mul_sym AB; exact: A_sym.
  by move: (\tr _) => t; ring.
split; first by rewrite /W2 -mulmxA.
have -> : norm2 W2 = \tr A.
  rewrite /W2 trace_identity -A_root -/(gram B) -e mxtrace_mulC mulmxA; congr (\tr _).
  by rewrite -[LHS]trmxK trmx_mul A_sym pinv_mul_sym mulmxA mul_pinv_mul A_sym.
have -> : norm2 B = \tr A by rewrite e.
by move: (\tr A) => t; ring.
Qed.
End Roots.

(** * Mixtures of two pairs *)
Section Mixtures.
Variables (R : realFieldType) (N m n q : nat) (activation : R -> R) (beta : R).
(** The cost of a layer and of the outputs behind it, from rows of which the Gram matrices are those of the layer. *)
Definition cost_of_pair p l (before : 'M[R]_(q, N)) (Z : 'M[R]_(p, N)) (S : 'M[R]_(l, N)) (last : 'M[R]_(m, N)) : R :=
  norm2 (before *m Z^T) + norm2 (last *m pinv S).
(** [feature_learning.prop_5.convex]: s^2 + t^2 = 1 are the shares, and the outputs are in the images of both *)
Theorem cost_is_convex (before : 'M[R]_(q, N)) (Z Z' : 'M[R]_(n, N)) (last : 'M[R]_(m, N)) (s t : R) : s ^+ 2 + t ^+ 2 = 1 ->
  let S := features activation beta Z in let S' := features activation beta Z' in
  (last <= S)%MS -> (last <= S')%MS ->
  cost_of_pair before (col_mx (s *: Z) (t *: Z')) (col_mx (s *: S) (t *: S')) last
  <= s ^+ 2 * cost_of_pair before Z S last + t ^+ 2 * cost_of_pair before Z' S' last.
Proof.
move=> one S S' in_S in_S'.
pose W := row_mx (s *: (last *m pinv S)) (t *: (last *m pinv S')).
have WE : W *m col_mx (s *: S) (t *: S') = last.
  by rewrite mul_row_col -!scalemxAl -!scalemxAr !scalerA (kept_by in_S) (kept_by in_S') -scalerDl -!expr2 one scale1r.
have least : norm2 (last *m pinv (col_mx (s *: S) (t *: S'))) <= norm2 W.
  by rewrite (norm2_parts (col_mx (s *: S) (t *: S')) W) WE ler_addl norm2_ge0.
rewrite /cost_of_pair tr_col_mx mul_mx_row norm2_row ![(_ *: _)^T]linearZ /= -!scalemxAr !norm2Z.
move: least; rewrite /W norm2_row !norm2Z => least.
by rewrite !mulrDr addrACA ler_add2l.
Qed.
End Mixtures.

(** * Networks with no larger a loss than that of Theorem 1 *)
Section TrueFunction.
Variables (R : realFieldType) (slope : R).
Notation value := (value slope).
(** [notion_of_rank.prop_5]: the labels are h(g(x)), and C depends on g, h and the shift s alone *)
Theorem cost_of_minimiser n k m N (h : network R n k) (g : network R k m) (s : 'cV[R]_k) d (f : network R n m)
    (x : 'I_N -> 'cV[R]_m) (lam : R) :
  0 < lam -> (0 < N)%N -> (forall l i j, 0 <= (value g (x l) + s) i j) -> depth f = (depth g + depth h + d)%N ->
  let L : R := (depth f)%:R in
  let data_loss (one : network R n m) := (\sum_l norm2 (value one (x l) - value h (value g (x l)))) / N%:R in
  let loss one := data_loss one + lam / L * norm one in
  let C := norm_but_last g + \sum_i before g s i + \sum_i after h i + norm2 (first_biases h - first_weights h *m s)
    + norm_but_first h - k%:R * (depth g + depth h)%:R in
  loss f <= loss (through h s (const_mx 1) d g) -> norm f <= k%:R * L + C /\ L * data_loss f <= lam * (k%:R * L + C).
Proof.
move=> lam0 N0 pos deep L data_loss loss C better.
have L0 : 0 < L by rewrite ltr0n; exact: depth_gt0.
have norm_true : norm (through h s (const_mx 1) d g) = k%:R * L + C.
  rewrite norm_through /C /L deep !natrD natrM.
  have -> : \sum_i (const_mx 1 : 'cV[R]_k) i 0 ^+ 2 * before g s i = \sum_i before g s i.
    by apply: eq_bigr => i _; rewrite mxE expr1n mul1r.
  have -> : \sum_i after h i / (const_mx 1 : 'cV[R]_k) i 0 ^+ 2 = \sum_i after h i.
    by apply: eq_bigr => i _; rewrite mxE expr1n divr1.
  move: (\sum_i before _ _ _) (\sum_i after _ _) (norm2 _) (norm_but_last _) (norm_but_first _) => *; ring.
have true_fits : data_loss (through h s (const_mx 1) d g) = 0.
  rewrite /data_loss big1 ?mul0r // => l _.
  have one i j : 0 < (const_mx 1 : 'cV[R]_k) i j by rewrite mxE ltr01.
  by have [-> _] := construction h d one (pos l); rewrite subrr /norm2 inner0l.
have data0 : 0 <= data_loss f.
  by rewrite divr_ge0 ?ler0n // sumr_ge0 // => l _; exact: norm2_ge0.
have norm0 : 0 <= norm f by elim: (f) => *; rewrite /= ?addr_ge0 ?norm2_ge0.
move: better; rewrite /loss true_fits add0r norm_true => better.
have share0 : 0 < lam / L by rewrite divr_gt0.
split.
  by rewrite -(ler_pmul2l share0); apply: le_trans better; rewrite ler_addr.
rewrite -(ler_pmul2l (_ : 0 < L^-1)) ?invr_gt0 // mulrA mulVf ?gt_eqF // mul1r mulrCA mulrA.
by apply: le_trans better; rewrite ler_addl mulr_ge0 // ltW.
Qed.
End TrueFunction.

(** * Neurons of one gap *)
Section Gaps.
Variable R : rcfType.
(** The vector of a neuron with the slope s, of either sign, and a cusp t; sigma (u (x, beta)) is its value at x. *)
Definition gap_neuron (s t beta : R) : 'rV[R]_2 := \row_j (if j == 0 then s else - (s * t) / beta).
Definition at_point (x beta : R) : 'cV[R]_2 := \col_i (if i == 0 then x else beta).
(** [feature_learning.prop_15.merging]: slopes s and s' of one sign, cusps in the gap [p, q], x not inside it *)
Theorem two_neurons_merge (s s' t t' p q x beta : R) (rising : bool) : 0 <= s -> 0 <= s' -> 0 < beta ->
  p <= t <= q -> p <= t' <= q -> x <= p \/ q <= x ->
  let side := if rising then 1 else -1 in
  let u := gap_neuron (side * s) t beta in let u' := gap_neuron (side * s') t' beta in let X := at_point x beta in
  [/\ relu ((u + u') *m X) = relu (u *m X) + relu (u' *m X), p * (s + s') <= s * t + s' * t',
      s * t + s' * t' <= q * (s + s') & Num.sqrt (norm2 (u + u')) <= Num.sqrt (norm2 u) + Num.sqrt (norm2 u')].
Proof.
move=> s0 s'0 beta0 /andP[pt tq] /andP[pt' t'q] outside side u u' X.
have value a c : gap_neuron a c beta *m X = (a * (x - c))%:M.
  by apply/matrixP => i j; rewrite !ord1 !mxE !big_ord_recl big_ord0 !mxE /= mulr1n addr0 !mulNr divfK ?gt_eqF // mulrBr.
split.
- rewrite mulmxDl /u /u' !value; apply/matrixP => i j; rewrite !ord1 !mxE /= !mulr1n -!mulrA /side.
  case: outside => out.
    have h : s * (x - t) <= 0 by rewrite mulr_ge0_le0 // subr_le0 (le_trans out).
    have h' : s' * (x - t') <= 0 by rewrite mulr_ge0_le0 // subr_le0 (le_trans out).
    have hh : s * (x - t) + s' * (x - t') <= 0 by rewrite -[0]addr0 ler_add.
    case: (rising); rewrite ?mul1r ?mulN1r; first by rewrite !max_l ?addr0.
    by rewrite -opprD !max_r ?oppr_ge0 // opprD.
  have h : 0 <= s * (x - t) by rewrite mulr_ge0 // subr_ge0 (le_trans tq).
  have h' : 0 <= s' * (x - t') by rewrite mulr_ge0 // subr_ge0 (le_trans t'q).
  case: (rising); rewrite ?mul1r ?mulN1r; first by rewrite !max_r // addr_ge0.
  by rewrite -opprD !max_l ?addr0 // oppr_le0 // addr_ge0.
- by rewrite mulrDr ![p * _]mulrC ler_add // ler_wpmul2l.
- by rewrite mulrDr ![q * _]mulrC ler_add // ler_wpmul2l.
have root0 (v : 'rV[R]_2) : 0 <= Num.sqrt (norm2 v) by exact: sqrtr_ge0.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?addr_ge0 // sqrrD !sqr_sqrtr ?norm2_ge0 // norm2D ler_add2r ler_add2l.
rewrite -[(_ * _) *+ 2]mulr_natl ler_pmul2l ?ltr0n //; apply: le_trans (ler_norm _) _.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 ?normr_ge0 // real_normK ?num_real // exprMn !sqr_sqrtr ?norm2_ge0 //.
exact: cauchy_schwarz.
Qed.
End Gaps.

(** * Ranks of pairs *)
Section Necessary.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
(** A pair is a sum of c terms (v v^T, sigma(v) sigma(v)^T), its covariance of the biases aside; its rank is the least such c. *)
Definition sum_of_terms (K K_sigma : 'M[R]_N) (c : nat) :=
  exists V : 'M[R]_(c, N), K = gram V /\ K_sigma = gram (map_mx activation V).
Definition rank_of_pair (K K_sigma : 'M[R]_N) (c : nat) :=
  sum_of_terms K K_sigma c /\ forall c', sum_of_terms K K_sigma c' -> (c <= c')%N.
Fixpoint within_the_widths widths : representations R N p widths -> Prop :=
  if widths is n :: others return representations R N p widths -> Prop
  then fun Z => let K := gram Z.1 in let K_sigma := gram (features activation beta Z.1) - const_mx (beta ^+ 2) in
    [/\ forall c, rank_of_pair K K_sigma c -> (c <= n)%N, (maxn (\rank K) (\rank K_sigma) <= n)%N & within_the_widths Z.2]
  else fun _ => True.
(** [feature_learning.prop_8.necessary]: in every hidden layer of any network *)
Theorem width_bounds_the_rank d widths (x : 'M_(d, N)) (W : weights R p (d + 1) widths) :
  within_the_widths (of_weights activation beta (with_bias beta x) W).
Proof.
move: (with_bias beta x); move: (addn d 1) W => m W F; elim: widths m W F => [|n widths IH] m //= W F.
set Z := W.1 *m F; have e : gram (features activation beta Z) - const_mx (beta ^+ 2) = gram (map_mx activation Z).
  by rewrite /features /with_bias gram_col gram_bias addrK.
have small (X : 'M[R]_(n, N)) : (\rank (gram X) <= n)%N by apply: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
split; [|by rewrite e geq_max !small|exact: IH].
by rewrite e => c [_ least]; apply: least; exists Z.
Qed.
End Necessary.
