(** Feature learning in L2-regularised networks: weights, representations and their norms. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Theorems.
Variable R : realFieldType.

(** [feature_learning.prop_3.trace_identity] *)
Theorem trace_identity m k n (Z : 'M[R]_(m, n)) (A : 'M[R]_(k, n)) :
  norm2 (Z *m pinv A) = \tr (Z^T *m Z *m pinv (A^T *m A)).
Proof. by rewrite pinv_gram /norm2 /inner trmx_mul -!mulmxA [LHS]mxtrace_mulC !mulmxA. Qed.

(** [feature_learning.remark_23.representation_cost] *)
Theorem representation_cost m n (W1 : 'M[R]_(m, n)) (W2 : 'M[R]_(n, m)) :
  2%:R * \tr (W2 *m relu W1) <= norm2 W1 + norm2 W2.
Proof.
have le_relu : norm2 (relu W1) <= norm2 W1 by have := norm2_ge0 (W1 - relu W1); rewrite relu_sq subr_ge0.
have := norm2_ge0 (W2^T - relu W1); rewrite norm2B norm2_tr /inner trmxK => h.
apply: le_trans (_ : norm2 (relu W1) + norm2 W2 <= _); last by rewrite ler_add2r.
by rewrite -subr_ge0; have -> : norm2 (relu W1) + norm2 W2 - 2%:R * \tr (W2 *m relu W1)
  = norm2 W2 - 2%:R * \tr (W2 *m relu W1) + norm2 (relu W1) by move: (\tr _); numbers => *; ring.
Qed.

(** [feature_learning.weight_decomposition]: of a layer, with its weights W and its inputs S *)
Theorem weights_decompose m k n (W : 'M[R]_(m, k)) (S : 'M[R]_(k, n)) :
  let first := W *m (S *m pinv S) in let rest := W - first in
  [/\ first + rest = W, rest *m S = 0 & norm2 W = norm2 first + norm2 rest].
Proof.
move=> first rest; split; first by rewrite addrC subrK.
- by rewrite mulmxBl -mulmxA mul_pinv_mul subrr.
- by rewrite /rest /first mulmxA; exact: norm2_parts.
Qed.

(** [feature_learning.weight_decomposition.minimal] *)
Theorem weight_decomposition_minimal m k n (W V : 'M[R]_(m, k)) (S : 'M[R]_(k, n)) :
  let first := W *m (S *m pinv S) in let other := first + (V - V *m (S *m pinv S)) in
  let given := norm2 W + norm2 V in
  [/\ given + norm2 first <= given + norm2 other, (other - V) *m S = (W - V) *m S
    & given + norm2 other = given + norm2 first + norm2 (other - first)].
Proof.
move=> first other given.
have e : norm2 other = norm2 first + norm2 (other - first).
  rewrite /other [first + _ - first]addrAC subrr add0r [LHS]norm2D /first inner_seen ?mulr0 ?addr0 //.
  by rewrite mulmxA mul_pinv_mul.
split; [by rewrite ler_add2l e ler_addl norm2_ge0 | | by rewrite {1}e addrA].
rewrite /other /first !(mulmxDl, mulNmx) -!mulmxA (mulmxA S) mul_pinv_mul.
by rewrite subrr addr0.
Qed.

Section Eliminated.
Variables (m k n : nat) (S : 'M[R]_(k, n)) (Y : 'M[R]_(m, n)) (lam rho : R).
Hypotheses (lam_pos : 0 < lam) (rho_pos : 0 < rho).
Definition loss (V : 'M[R]_(m, k)) := rho * norm2 (V *m S - Y) + lam * norm2 V.
Definition resolvent := invmx (S^T *m S + (lam / rho)%:M).
Definition smallest := lam * inner Y (Y *m resolvent).
Let M := S^T *m S + (lam / rho)%:M.
Let mu_pos : 0 < lam / rho. Proof. exact: divr_gt0. Qed.
Let M_sym : M^T = M. Proof. by apply: S_sym; exact: gram_psd. Qed.
Let M_unit : M \in unitmx. Proof. by apply: S_unit => //; exact: gram_psd. Qed.
Let best := Y *m resolvent *m S^T.
(** What other weights lose. *)
Lemma loss_split V : loss V = smallest + (rho * norm2 ((V - best) *m S) + lam * norm2 (V - best)).
Proof.
have RM : resolvent *m M = 1%:M by exact: mulVmx.
have R_sym : resolvent^T = resolvent by rewrite /resolvent trmx_inv M_sym.
have YE : Y = best *m S + (lam / rho) *: (Y *m resolvent).
  by rewrite -mul_mx_scalar /best -!mulmxA -mulmxDr -mulmxDr -/M RM mulmx1.
set D := V - best; have VE : V = best + D by rewrite /D addrC subrK.
set Q := Y *m resolvent in YE *; set mu := lam / rho in YE *.
have lamE : lam = rho * mu by rewrite /mu mulrCA mulfV ?mulr1 // gt_eqF.
have e1 : V *m S - Y = D *m S - mu *: Q by rewrite {1}YE VE mulmxDl opprD addrACA subrr add0r.
have e3 : inner best D = inner (D *m S) Q by rewrite /best -/Q innerC [RHS]inner_mulr.
have e4 : inner Y Q = mu * norm2 Q + norm2 best.
  by rewrite {1}YE innerDl innerZl /best -/Q -/(norm2 Q) inner_mulr -/(norm2 (Q *m S^T)) addrC.
rewrite /loss e1 VE (norm2D best D) e3 norm2B norm2Z innerZr /smallest -/Q e4 lamE.
by move: (inner _ _); numbers => *; ring.
Qed.
(** [feature_learning.frank_wolfe.eliminated]: lam is the ridge, rho the weight of the error *)
Theorem eliminated (V : 'M[R]_(m, k)) : smallest <= loss V /\ loss best = smallest.
Proof.
split; rewrite loss_split; last by rewrite subrr mul0mx /norm2 !inner0l !mulr0 !addr0.
by rewrite ler_addl addr_ge0 // mulr_ge0 ?norm2_ge0 // ltW.
Qed.
End Eliminated.

Section Outputs.
Variables (m k n : nat) (F : 'M[R]_(k, n)) (Y : 'M[R]_(m, n)) (lam : R).
Hypothesis lam_ge0 : 0 <= lam.
Definition loss_of_outputs (Z : 'M[R]_(m, n)) := norm2 (Z - Y) + lam * \tr (Z *m invmx (F^T *m F + 1%:M) *m Z^T).
(** [feature_learning.prop_5.outputs]: at the midpoint of Z and Z_other *)
Theorem outputs (Z Z_other : 'M[R]_(m, n)) :
  2%:R * loss_of_outputs (2%:R^-1 *: (Z + Z_other)) <= loss_of_outputs Z + loss_of_outputs Z_other.
Proof.
pose P := invmx (F^T *m F + 1%:M); have P_p : positive_semidefinite P by apply: P_psd; [exact: gram_psd | exact: ltr01].
have one_p : positive_semidefinite (1%:M : 'M[R]_n).
  by split=> [|x]; [rewrite trmx1 | rewrite mulmx1 norm2_ge0].
have lossE X : loss_of_outputs X = product 1%:M (X - Y) (X - Y) + lam * product P X X.
  by rewrite /loss_of_outputs /product mulmx1 -/P inner_mulr {2}/inner mxtrace_mulC (proj1 P_p).
have e : 2%:R^-1 *: (Z + Z_other) - Y = 2%:R^-1 *: ((Z - Y) + (Z_other - Y)).
  rewrite addrACA -opprD scalerBr; congr (_ - _); rewrite -mulr2n -scaler_nat scalerA mulVf ?scale1r //.
  by rewrite pnatr_eq0.
rewrite !lossE e mulrDr mulrCA [X in _ <= X]addrACA -mulrDr ler_add //; first exact: product_midpoint.
by apply: ler_wpmul2l => //; exact: product_midpoint.
Qed.
End Outputs.

Section Balanced.
Variables (a b c d e : nat).
Variables (after : 'M[R]_(a, b)) (W2 : 'M[R]_(b, c)) (W1 : 'M[R]_(c, d)) (before : 'M[R]_(d, e)) (G : 'M[R]_(a, e)).
Variable lam : R.
Definition gradient2 := after^T *m G *m (W1 *m before)^T + (2%:R * lam) *: W2.
Definition gradient1 := (after *m W2)^T *m G *m before^T + (2%:R * lam) *: W1.
(** [feature_learning.interpolation.balanced]: two layers, between any products after and before them *)
Theorem balanced :
  W2^T *m gradient2 - gradient1 *m W1^T = (2%:R * lam) *: (W2^T *m W2 - W1 *m W1^T).
Proof.
rewrite /gradient2 /gradient1 mulmxDr mulmxDl !trmx_mul !mulmxA opprD addrACA subrr add0r.
by rewrite -scalemxAr -scalemxAl scalerBr.
Qed.
End Balanced.
End Theorems.
