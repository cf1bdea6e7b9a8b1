(** Symmetric positive semidefinite matrices, and the products of matrices by them. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (w n : nat).
Implicit Types M N : 'M[R]_(w, n).

(** The product of M and N by a symmetric matrix P, and the squared norm of K + gamma I. *)
Definition product (P : 'M[R]_n) M N : R := inner (M *m P) N.
Definition kernel_norm2 M (K : 'M[R]_n) (gamma : R) : R := product (invmx (K + gamma%:M)) M M.
Definition positive_semidefinite (K : 'M[R]_n) := K^T = K /\ forall x : 'rV[R]_n, 0 <= inner (x *m K) x.
End Definitions.

Section Products.
Variables (R : realFieldType) (w n : nat).
Implicit Types (M N Q : 'M[R]_(w, n)) (P K : 'M[R]_n).

Lemma productDl P M N Q : product P (M + N) Q = product P M Q + product P N Q.
Proof. by rewrite /product mulmxDl innerDl. Qed.
Lemma productZl P (a : R) M Q : product P (a *: M) Q = a * product P M Q.
Proof. by rewrite /product -scalemxAl innerZl. Qed.
Lemma productC P M N : P^T = P -> product P M N = product P N M.
Proof. by move=> S; rewrite /product inner_mulr S innerC. Qed.
Lemma productDr P M N Q : P^T = P -> product P Q (M + N) = product P Q M + product P Q N.
Proof. by move=> S; rewrite productC // productDl !(productC _ Q). Qed.
Lemma productZr P (a : R) M Q : P^T = P -> product P Q (a *: M) = a * product P Q M.
Proof. by move=> S; rewrite productC // productZl (productC _ Q). Qed.
Lemma productNl P M Q : product P (- M) Q = - product P M Q.
Proof. by rewrite -scaleN1r productZl mulN1r. Qed.
Lemma productNr P M Q : P^T = P -> product P Q (- M) = - product P Q M.
Proof. by move=> S; rewrite -scaleN1r productZr // mulN1r. Qed.
Lemma product_ge0 P M : positive_semidefinite P -> 0 <= product P M M.
Proof.
case=> S H; rewrite /product -inner_tr innerE; apply: sumr_ge0 => i _.
have := H (row i M); rewrite -inner_tr innerE big_ord1; set a := \sum_k _; set b := \sum_k _.
suff -> : a = b by [].
by apply: eq_bigr => k _; rewrite -row_mul !mxE.
Qed.

(** The inequality of Cauchy and Schwarz. *)
Lemma cauchy P M N : positive_semidefinite P -> product P M N ^+ 2 <= product P M M * product P N N.
Proof.
move=> H; have [S _] := H.
set a := product P N N; set b := product P M N; set c := product P M M.
have a0 : 0 <= a by apply: product_ge0.
have q t : 0 <= c + 2%:R * t * b + t ^+ 2 * a.
  have := product_ge0 (M + t *: N) H; rewrite productDl !productDr // !productZl !productZr // (productC N M) // -/a -/b -/c.
  by suff -> : c + t * b + (t * b + t * (t * a)) = c + 2%:R * t * b + t ^+ 2 * a by []; ring.
have [a_eq|a_ne] := eqVneq a 0.
  suff -> : b = 0 by rewrite a_eq expr0n /= mulr0.
  apply/eqP; apply: contraT => b_ne.
  have := q (- (c + 1) / (2%:R * b)); rewrite a_eq mulr0 addr0.
  have -> : c + 2%:R * (- (c + 1) / (2%:R * b)) * b = - 1 by move: b_ne; clear; move: c b => c b b_ne; field.
  by rewrite oppr_ge0 ler10.
have a_pos : 0 < a by rewrite lt0r a_ne.
have := q (- b / a); rewrite -(pmulr_rge0 _ a_pos) => h; rewrite -subr_ge0.
suff <- : a * (c + 2%:R * (- b / a) * b + (- b / a) ^+ 2 * a) = c * a - b ^+ 2 by [].
by move: a_ne; clear; move: a b c => a b c a_ne; field.
Qed.
End Products.

Lemma gram_psd (R : realFieldType) m n (F : 'M[R]_(m, n)) : positive_semidefinite (F^T *m F).
Proof.
split=> [|x]; first by rewrite trmx_mul trmxK.
by rewrite mulmxA inner_mulr norm2_ge0.
Qed.
(** A square is convex. *)
Lemma product_midpoint (R : realFieldType) m n (P : 'M[R]_n) (M N : 'M[R]_(m, n)) : positive_semidefinite P ->
  let Z := 2%:R^-1 *: (M + N) in 2%:R * product P Z Z <= product P M M + product P N N.
Proof.
move=> H; have [s _] := H; have := product_ge0 (M - N) H.
rewrite /= productDl !productDr // !productNl !productNr // opprK !productZl !productZr // productDl !productDr // (productC N M) //.
move: (product P M M) (product P M N) (product P N N) => a b c h; rewrite -subr_ge0.
have -> : a + c - 2%:R * (2%:R^-1 * (2%:R^-1 * (a + b + (b + c)))) = 2%:R^-1 * (a - b + (- b + c)) by field.
by rewrite mulr_ge0 // invr_ge0 ler0n.
Qed.

Section Stable.
Variables (R : realFieldType) (w n : nat) (K : 'M[R]_n) (gamma : R).
Hypotheses (K_psd : positive_semidefinite K) (gamma_pos : 0 < gamma).
Let S := K + gamma%:M.
Let P := invmx S.
Lemma S_sym : S^T = S. Proof. by rewrite /S linearD /= tr_scalar_mx (proj1 K_psd). Qed.
Lemma S_unit : S \in unitmx.
Proof.
rewrite -row_free_unit -kermx_eq0; apply/rowV0P => x /sub_kermxP xS.
have : inner (x *m S) x = 0 by rewrite xS inner0l.
rewrite /S mulmxDr innerDl mul_mx_scalar innerZl => E.
have k0 := (proj2 K_psd) x; have x0 := norm2_ge0 x.
have : gamma * norm2 x = 0 by apply/eqP; rewrite eq_le (mulr_ge0 (ltW gamma_pos) x0) andbT -E ler_addr.
by move/eqP; rewrite mulf_eq0 gt_eqF //= => /eqP /norm2_eq0.
Qed.
Lemma P_sym : P^T = P. Proof. by rewrite /P trmx_inv S_sym. Qed.
Lemma PS : P *m S = 1%:M. Proof. exact: mulVmx S_unit. Qed.
Lemma SP : S *m P = 1%:M. Proof. exact: mulmxV S_unit. Qed.
Lemma product_P m (M N : 'M[R]_(m, n)) : product P M N = product S (M *m P) (N *m P).
Proof. by rewrite /product -[M *m P *m S]mulmxA PS mulmx1 [RHS]innerC [RHS]inner_mulr P_sym [RHS]innerC. Qed.
Lemma S_split m (M : 'M[R]_(m, n)) : product S M M = product K M M + gamma * norm2 M.
Proof. by rewrite /product /S mulmxDr innerDl mul_mx_scalar innerZl. Qed.
Lemma P_psd : positive_semidefinite P.
Proof.
split=> [|x]; first exact: P_sym.
rewrite -/(product P x x) product_P S_split addr_ge0 ?mulr_ge0 ?(ltW gamma_pos) ?norm2_ge0 //.
exact: (proj2 K_psd).
Qed.
(** gamma |M|^2 in the norm of K + gamma I is at most |M|^2. *)
Lemma stable_le (M : 'M[R]_(w, n)) : gamma * product P M M <= norm2 M.
Proof.
set Y := M *m P; have MY : M = Y *m K + gamma *: Y by rewrite -mul_mx_scalar -mulmxDr /Y -mulmxA PS mulmx1.
have -> : norm2 M = norm2 (Y *m K) + gamma * product K Y Y + gamma * product S Y Y.
  by rewrite {1}MY norm2D norm2Z innerZr S_split -/(product K Y Y) /product; numbers; ring.
rewrite product_P -/Y ler_addr addr_ge0 ?norm2_ge0 // mulr_ge0 ?(ltW gamma_pos) //; exact: product_ge0.
Qed.
End Stable.
