(** Covariances bound their pre-images, and change continuously with them, for every activation that contracts. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive OperatorNorms Networks Representations Steps Kernels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable R : rcfType.
(** The Frobenius norm; and that an activation is 0 at 0 and has slopes between -1 and 1. *)
Definition frobenius m n (A : 'M[R]_(m, n)) : R := Num.sqrt (norm2 A).
Definition contracts (activation : R -> R) := activation 0 = 0 /\ forall s t, `|activation s - activation t| <= `|s - t|.
End Definitions.

Section Continuity.
Variables (R : rcfType) (n N : nat) (activation : R -> R) (beta : R).
Hypothesis small_slopes : contracts activation.
Notation features := (features activation beta).

Lemma frobenius_ge0 m p (A : 'M[R]_(m, p)) : 0 <= frobenius A. Proof. exact: sqrtr_ge0. Qed.
Lemma frobenius_sq m p (A : 'M[R]_(m, p)) : frobenius A ^+ 2 = norm2 A. Proof. by rewrite sqr_sqrtr ?norm2_ge0. Qed.
Lemma frobenius_tr m p (A : 'M[R]_(m, p)) : frobenius A^T = frobenius A. Proof. by rewrite /frobenius norm2_tr. Qed.
Lemma frobenius_le m p q r (A : 'M[R]_(m, p)) (B : 'M_(q, r)) : norm2 A <= norm2 B -> frobenius A <= frobenius B.
Proof. exact: ler_wsqrtr. Qed.
Lemma frobenius_triangle m p (A B : 'M[R]_(m, p)) : frobenius (A + B) <= frobenius A + frobenius B.
Proof.
apply: le_of_squares; first by rewrite addr_ge0 ?frobenius_ge0.
rewrite frobenius_sq norm2D -(frobenius_sq A) -(frobenius_sq B) -subr_ge0.
have -> : (frobenius A + frobenius B) ^+ 2 - (frobenius A ^+ 2 + 2%:R * inner A B + frobenius B ^+ 2)
  = 2%:R * (frobenius A * frobenius B - inner A B) by ring.
rewrite mulr_ge0 ?ler0n // subr_ge0.
apply: le_of_squares; first by rewrite mulr_ge0 ?frobenius_ge0.
by rewrite exprMn !frobenius_sq cauchy_schwarz.
Qed.
Lemma frobenius_product m p q (A : 'M[R]_(m, p)) (B : 'M_(p, q)) : frobenius (A *m B) <= frobenius A * frobenius B.
Proof.
apply: le_of_squares; first by rewrite mulr_ge0 ?frobenius_ge0.
by rewrite exprMn !frobenius_sq product_le.
Qed.
Lemma gram_changes m (A B : 'M[R]_(m, N)) :
  frobenius (gram B - gram A) <= (frobenius A + frobenius B) * frobenius (B - A).
Proof.
have -> : gram B - gram A = (B - A)^T *m A + B^T *m (B - A).
  by rewrite /gram [(B - A)^T]linearB /= mulmxBl mulmxBr [RHS]addrC addrA subrK.
apply: le_trans (frobenius_triangle _ _) _; rewrite mulrDl; apply: ler_add; apply: le_trans (frobenius_product _ _) _.
  by rewrite frobenius_tr mulrC.
by rewrite frobenius_tr.
Qed.
Lemma activation_contracts_sq (A B : 'M[R]_(n, N)) : norm2 (map_mx activation B - map_mx activation A) <= norm2 (B - A).
Proof.
rewrite !norm2E; apply: ler_sum => j _; apply: ler_sum => i _; rewrite !mxE.
rewrite -[X in X <= _]real_normK ?num_real // -[X in _ <= X]real_normK ?num_real //.
by rewrite ler_pexpn2r ?nnegrE ?normr_ge0 ?(proj2 small_slopes).
Qed.
Lemma features_gram (Z : 'M[R]_(n, N)) :
  gram (features Z) = gram (map_mx activation Z) + (const_mx beta : 'M_(1, N))^T *m const_mx beta.
Proof. by rewrite /gram /features /with_bias tr_col_mx mul_row_col. Qed.
Lemma activated_le (Z : 'M[R]_(n, N)) : norm2 (map_mx activation Z) <= norm2 Z.
Proof.
have := activation_contracts_sq 0 Z; rewrite subr0; suff -> : map_mx activation 0 = 0 :> 'M_(n, N) by rewrite subr0.
by apply/matrixP => i j; rewrite !mxE (proj1 small_slopes).
Qed.

(** [feature_learning.prop_18]: of pre-images Z and Z + D *)
Theorem covariances_are_continuous (Z D : 'M[R]_(n, N)) :
  [/\ \tr (gram (features Z)) - N%:R * beta ^+ 2 <= \tr (gram Z),
      frobenius (gram (Z + D) - gram Z) <= (frobenius Z + frobenius (Z + D)) * frobenius D
    & frobenius (gram (features (Z + D)) - gram (features Z)) <= (frobenius Z + frobenius (Z + D)) * frobenius D].
Proof.
have DE : D = Z + D - Z by rewrite addrC addKr.
split.
- rewrite features_gram mxtraceD; have -> : \tr ((const_mx beta : 'M_(1, N))^T *m const_mx beta) = N%:R * beta ^+ 2.
    rewrite -[LHS]/(norm2 (const_mx beta : 'M_(1, N))) norm2E; under eq_bigr do rewrite big_ord1 mxE.
    by rewrite sumr_const card_ord mulr_natl.
  by rewrite addrK; exact: activated_le.
- by rewrite {3}DE; exact: gram_changes.
- rewrite !features_gram opprD addrACA subrr addr0; apply: le_trans (gram_changes _ _) _.
  by apply: ler_pmul; rewrite ?addr_ge0 ?frobenius_ge0 ?ler_add ?frobenius_le ?activated_le // {2}DE activation_contracts_sq.
Qed.
End Continuity.
