(** Operator norms: a gamma in proportion to the norm of the kernel. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** M lengthens no vector by more than c; c is the operator norm of M, the least such number. *)
Definition bounds m n (M : 'M[R]_(m, n)) (c : R) := forall x : 'cV[R]_n, norm2 (M *m x) <= c ^+ 2 * norm2 x.
Definition operator_norm m n (M : 'M[R]_(m, n)) (c : R) :=
  [/\ 0 <= c, bounds M c & forall d, 0 <= d -> bounds M d -> c <= d].

(** The kernel without the ones of the bias. *)
Definition kernel_without_bias w n (A : 'M[R]_(w, n)) : 'M[R]_n := (relu A)^T *m relu A.
End Definitions.

(** * Bounds *)
Section Bounds.
Variable R : realFieldType.

Lemma cauchy_schwarz m n (M N : 'M[R]_(m, n)) : inner M N ^+ 2 <= norm2 M * norm2 N.
Proof.
have I_psd : positive_semidefinite (1%:M : 'M[R]_n) by split=> [|x]; rewrite ?trmx1 // mulmx1 norm2_ge0.
by have := cauchy M N I_psd; rewrite /product !mulmx1.
Qed.
Lemma norm2_cols m n (X : 'M[R]_(m, n)) : norm2 X = \sum_j norm2 (col j X).
Proof.
rewrite norm2E; apply: eq_bigr => j _; rewrite norm2E big_ord1.
by apply: eq_bigr => i _; rewrite mxE.
Qed.
Lemma bounds_matrix m n p (M : 'M[R]_(m, n)) c (X : 'M_(n, p)) : bounds M c -> norm2 (M *m X) <= c ^+ 2 * norm2 X.
Proof.
move=> h; rewrite !norm2_cols mulr_sumr; apply: ler_sum => j _.
by rewrite colE -mulmxA -colE; exact: h.
Qed.
(** A square that is at most itself times a number. *)
Lemma square_le (x y : R) : 0 <= x -> 0 <= y -> x ^+ 2 <= y * x -> x <= y.
Proof.
move=> x0 y0; have [-> // | xn] := eqVneq x 0; rewrite expr2 ler_pmul2r // lt0r xn; exact: x0.
Qed.
Lemma scaled_ge0 m n (c : R) (X : 'M[R]_(m, n)) : 0 <= c ^+ 2 * norm2 X.
Proof. by apply: mulr_ge0; [exact: sqr_ge0 | exact: norm2_ge0]. Qed.
Lemma bounds_tr m n (M : 'M[R]_(m, n)) c : bounds M c -> bounds M^T c.
Proof.
move=> h y; apply: square_le; [exact: norm2_ge0 | exact: scaled_ge0 | ].
have e : norm2 (M^T *m y) = inner y (M *m (M^T *m y)) by rewrite /norm2 inner_mull trmxK.
rewrite {1}e; apply: le_trans (cauchy_schwarz _ _) _; rewrite [_ * norm2 y]mulrC -mulrA.
by rewrite ler_wpmul2l ?norm2_ge0.
Qed.
Lemma inner_psd_ge0 n (S : 'M[R]_n) (x : 'cV_n) : positive_semidefinite S -> 0 <= inner x (S *m x).
Proof.
move=> [sym h]; have := h x^T; rewrite -inner_tr trmx_mul sym trmxK; rewrite -[X in inner (_ *m X) _]trmxK innerC.
by rewrite trmxK.
Qed.
(** What the quadratic form of a symmetric matrix says of its norm, and conversely. *)
Section Form.
Variables (n : nat) (S : 'M[R]_n) (b : R).
Hypotheses (psd : positive_semidefinite S) (b0 : 0 <= b) (form : forall x : 'cV_n, inner x (S *m x) <= b * norm2 x).
Lemma form_square (x : 'cV_n) : norm2 (S *m x) <= b * inner x (S *m x).
Proof.
have [sym _] := psd.
have inS (y z : 'cV_n) : product S y^T z^T = inner y (S *m z).
  by rewrite /product -inner_tr trmx_mul !trmxK sym inner_mull sym.
apply: square_le; [exact: norm2_ge0 | by apply: mulr_ge0 => //; exact: inner_psd_ge0 | ].
have e : norm2 (S *m x) = product S x^T (S *m x)^T by rewrite inS /norm2 inner_mull sym.
rewrite {1}e; apply: le_trans (cauchy _ _ psd) _; rewrite !inS [b * _]mulrC -mulrA.
by rewrite ler_wpmul2l ?form //; exact: inner_psd_ge0.
Qed.
Lemma form_square_matrix p (X : 'M_(n, p)) : norm2 (S *m X) <= b * inner X (S *m X).
Proof.
rewrite norm2_cols innerE mulr_sumr; apply: ler_sum => j _; rewrite colE -mulmxA -colE.
apply: le_trans (form_square _) _; have -> : S *m col j X = col j (S *m X) by rewrite !colE mulmxA.
rewrite innerE big_ord1 le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); apply: eq_bigr => i _; by rewrite !mxE.
Qed.
Lemma bounds_psd : bounds S b.
Proof.
move=> x; apply: le_trans (form_square x) _; rewrite expr2 -mulrA.
by rewrite ler_wpmul2l.
Qed.
End Form.
Lemma form_le n (S : 'M[R]_n) b (x : 'cV_n) : 0 <= b -> bounds S b -> inner x (S *m x) <= b * norm2 x.
Proof.
move=> b0 h; have [neg | pos] := ltP (inner x (S *m x)) 0.
  by apply: le_trans (ltW neg) _; rewrite mulr_ge0 ?norm2_ge0.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 ?norm2_ge0 //.
apply: le_trans (cauchy_schwarz _ _) _; rewrite exprMn [norm2 x ^+ 2]expr2 mulrCA.
by rewrite ler_wpmul2l ?norm2_ge0.
Qed.
Lemma form_kernel m n (F : 'M[R]_(m, n)) p (X : 'M_(n, p)) : inner X (F^T *m F *m X) = norm2 (F *m X).
Proof. by rewrite /norm2 -mulmxA innerC inner_mull trmxK. Qed.
Lemma form_matrix n (S : 'M[R]_n) b p (X : 'M_(n, p)) : 0 <= b -> bounds S b -> inner X (S *m X) <= b * norm2 X.
Proof.
move=> b0 h; rewrite norm2_cols mulr_sumr innerE; apply: ler_sum => j _.
apply: le_trans (form_le (col j X) b0 h).
have -> : S *m col j X = col j (S *m X) by rewrite !colE mulmxA.
rewrite innerE big_ord1.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; rewrite !mxE.
Qed.
End Bounds.

(** * Gamma in proportion to the norm of the kernel *)
Section Gamma.
Variables (R : rcfType) (w n : nat).
Implicit Types A B : 'M[R]_(w, n).

(** [leaky_resnets.gamma_choice]: f is the norm of the features, k that of the kernel *)
Theorem norms_agree A (gamma f k : R) : operator_norm (sigma A) f -> operator_norm (kernel A) k ->
  gamma * f ^+ 2 = gamma * k.
Proof.
move=> [f0 hf f_least] [k0 hk k_least]; congr (_ * _); apply/eqP; rewrite eq_le; apply/andP; split.
  have h : bounds (sigma A) (Num.sqrt k).
    move=> x; rewrite sqr_sqrtr //; apply: le_trans (form_le x k0 hk).
    by rewrite /kernel form_kernel.
  have : f ^+ 2 <= Num.sqrt k ^+ 2 by rewrite ler_pexpn2r ?nnegrE ?sqrtr_ge0 // f_least ?sqrtr_ge0.
  by rewrite sqr_sqrtr.
apply: k_least; first exact: sqr_ge0.
apply: bounds_psd; rewrite ?sqr_ge0 //; first exact: gram_psd.
by move=> x; rewrite form_kernel; exact: hf.
Qed.
End Gamma.

Section GammaOfAField.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B : 'M[R]_(w, n).

(** [leaky_resnets.gamma_choice.spectrum]: the characteristic polynomials of both, at t *)
Theorem spectra_agree A (t : R) : let F := sigma A in
  t ^+ (w + 1) * \det (t%:M - F^T *m F) = t ^+ n * \det (t%:M - F *m F^T).
Proof.
move=> F; pose M := block_mx t%:M F^T F (1%:M : 'M[R]_(w + 1)).
have e1 : \det M = \det (t%:M - F^T *m F).
  have : M *m block_mx 1%:M 0 (- F) 1%:M = block_mx (t%:M - F^T *m F) F^T 0 1%:M.
    by rewrite /M mulmx_block !mulmx1 !mulmx0 !mul1mx !add0r mulmxN subrr.
  by move/(congr1 determinant); rewrite det_mulmx det_lblock !det1 !mulr1 det_ublock det1 mulr1.
have e2 : \det M * t ^+ (w + 1) = t ^+ n * \det (t%:M - F *m F^T).
  have : M *m block_mx 1%:M (- F^T) 0 t%:M = block_mx t%:M 0 F (t%:M - F *m F^T).
    rewrite /M mulmx_block !mulmx1 !mulmx0 !mul1mx !addr0 !mulmxN mul_scalar_mx mul_mx_scalar addNr.
    by rewrite [X in block_mx _ _ _ X]addrC.
  by move/(congr1 determinant); rewrite det_mulmx det_ublock det1 mul1r det_lblock !det_scalar.
by rewrite mulrC -e1 e2.
Qed.

(** [leaky_resnets.gamma_choice.bounds]: k is the norm of the kernel, r that of the features without the ones *)
Theorem norm_of_the_kernel A (k r : R) : operator_norm (kernel A) k -> operator_norm (relu A) r ->
  let mean := n%:R + norm2 (relu A *m ones R n) / n%:R in
  [/\ n%:R <= mean, mean <= k & k <= n%:R + r ^+ 2].
Proof.
move=> [k0 hk k_least] [r0 hr r_least] mean; split.
- by rewrite ler_addl divr_ge0 ?norm2_ge0 ?ler0n.
- have one2 : norm2 (ones R n) = n%:R.
    by rewrite norm2E big_ord1; under eq_bigr do rewrite mxE expr1n; rewrite sumr_const card_ord.
  case: (posnP n) => [n0 | n_pos]; first by rewrite /mean (_ : n%:R = 0 :> R) ?n0 // add0r invr0 mulr0.
  have := form_le (ones R n) k0 hk; rewrite one2 /kernel form_kernel /sigma mul_col_mx.
  rewrite -norm2_tr tr_col_mx /norm2 inner_row_mx -!/(norm2 _) !norm2_tr.
  have -> : norm2 ((ones R n)^T *m ones R n) = n%:R ^+ 2.
    by rewrite [(ones R n)^T *m _]mx11_scalar /norm2 /inner tr_scalar_mx -scalar_mxM mxtrace_scalar -one2 /norm2 /inner /mxtrace big_ord1 expr2.
  rewrite -ler_pdivr_mulr ?ltr0n // mulrDl expr2 mulfK ?pnatr_eq0 -?lt0n //.
  by rewrite addrC.
- apply: k_least; first by rewrite addr_ge0 ?ler0n ?sqr_ge0.
  apply: bounds_psd; rewrite ?addr_ge0 ?ler0n ?sqr_ge0 //; first exact: gram_psd.
  move=> x; rewrite form_kernel /sigma mul_col_mx -norm2_tr tr_col_mx /norm2 inner_row_mx -!/(norm2 _) !norm2_tr.
  rewrite mulrDl addrC; apply: ler_add; last exact: hr.
  have one2 : norm2 (ones R n) = n%:R.
    by rewrite norm2E big_ord1; under eq_bigr do rewrite mxE expr1n; rewrite sumr_const card_ord.
  rewrite -one2 [(ones R n)^T *m x]mx11_scalar /norm2 /inner tr_scalar_mx -scalar_mxM mxtrace_scalar -expr2.
  have := cauchy_schwarz (ones R n) x; rewrite /inner /mxtrace big_ord1 -/(norm2 _).
  by rewrite /norm2 /inner /mxtrace !big_ord1.
Qed.

(** [leaky_resnets.gamma_choice.condition]: k is the norm of the kernel *)
Theorem condition A (Q : 'M[R]_(w, n)) (gamma k : R) : 0 <= gamma -> operator_norm (kernel A) k ->
  let M := Q *m kernel A + (gamma * k) *: Q in
  norm2 M <= (1 + gamma) * k * inner Q M /\ gamma * k * inner Q M <= norm2 M.
Proof.
move=> g0 [k0 hk _] M; have psd := gram_psd (sigma A); rewrite -/(kernel A) in psd; have [sym _] := psd.
have a0 : 0 <= gamma * k by exact: mulr_ge0.
set a := gamma * k in a0 M *; pose S := kernel A + a%:M.
have S_psd : positive_semidefinite S.
  split=> [|x]; first by rewrite /S linearD /= tr_scalar_mx sym.
  by rewrite /S mulmxDr innerDl addr_ge0 ?(proj2 psd) // mul_mx_scalar innerZl mulr_ge0 ?norm2_ge0.
have ME : M = Q *m S by rewrite /M /S mulmxDr mul_mx_scalar.
have inM : inner Q M = inner Q (Q *m kernel A) + a * norm2 Q by rewrite /M innerDr innerZr.
split.
  have [S_sym _] := S_psd; rewrite ME -norm2_tr -[inner Q _]inner_tr trmx_mul S_sym.
  apply: form_square_matrix => //; first by rewrite mulr_ge0 // addr_ge0 ?ler01.
  move=> x; rewrite /S mulmxDl innerDr mul_scalar_mx innerZr !mulrDl mul1r -/a.
  by rewrite ler_add2r; exact: form_le.
rewrite inM /M norm2D norm2Z innerZr mulrDr.
have q0 : 0 <= inner Q (Q *m kernel A).
  by rewrite -inner_tr trmx_mul sym /kernel form_kernel norm2_ge0.
rewrite [inner (Q *m _) Q]innerC -subr_ge0.
have -> : norm2 (Q *m kernel A) + 2%:R * (a * inner Q (Q *m kernel A)) + a ^+ 2 * norm2 Q
    - (a * inner Q (Q *m kernel A) + a * (a * norm2 Q)) = norm2 (Q *m kernel A) + a * inner Q (Q *m kernel A) by numbers => *; ring.
by rewrite addr_ge0 ?norm2_ge0 // mulr_ge0.
Qed.

(** [leaky_resnets.gamma_choice.weights]: the weights over L, k is the norm of the kernel *)
Theorem weights_bound A B (gamma k : R) : 0 <= gamma -> operator_norm (kernel A) k ->
  gamma * norm2 (B *m (sigma A)^T) <= gamma * k * norm2 B.
Proof.
move=> g0 [k0 hk _]; rewrite -mulrA; apply: ler_wpmul2l => //.
rewrite -norm2_tr trmx_mul trmxK -form_kernel -[norm2 B]norm2_tr; exact: form_matrix.
Qed.

Lemma operator_normZ m p (M : 'M[R]_(m, p)) (a k k' : R) : 0 < a ->
  operator_norm M k -> operator_norm (a *: M) k' -> k' = a * k.
Proof.
move=> a0 [k0 hk k_least] [k0' hk' k_least']; apply/eqP; rewrite eq_le; apply/andP; split.
  apply: k_least'; first by rewrite mulr_ge0 // ltW.
  by move=> x; rewrite -scalemxAl norm2Z exprMn -(mulrA (a ^+ 2)) ler_pmul2l ?exprn_gt0.
rewrite -ler_pdivl_mull //; apply: k_least; first by rewrite mulr_ge0 // invr_ge0 ltW.
move=> x; have := hk' x; rewrite -scalemxAl norm2Z exprMn exprVn -(mulrA (a ^+ 2)^-1).
by rewrite ler_pdivl_mull ?exprn_gt0.
Qed.
(** [leaky_resnets.gamma_choice.invariance]: k and k' are the norms of the kernels without bias *)
Theorem invariance A B (gamma c k k' : R) : 0 < c ->
  operator_norm (kernel_without_bias A) k -> operator_norm (kernel_without_bias (c *: A)) k' ->
  gamma * k * norm2 B = gamma * k' * norm2 (c^-1 *: B) /\ B *m (relu A)^T = c^-1 *: B *m (relu (c *: A))^T.
Proof.
move=> c0 hk; have KE : kernel_without_bias (c *: A) = c ^+ 2 *: kernel_without_bias A.
  by rewrite /kernel_without_bias reluZ ?ltW // [(c *: relu A)^T]linearZ /= -scalemxAl -scalemxAr scalerA expr2.
rewrite KE => hk'; have cn : c != 0 by rewrite gt_eqF.
rewrite (operator_normZ _ hk hk') ?exprn_gt0 //; split.
  by rewrite norm2Z; move: (norm2 B) => x; field.
by rewrite reluZ ?ltW // [(c *: relu A)^T]linearZ /= -scalemxAl -scalemxAr scalerA mulVf // scale1r.
Qed.

(** [leaky_resnets.cost_of_identity.zero]: f is the norm of the features *)
Theorem only_zero_costs_nothing A (f : R) : is_finite A -> operator_norm (sigma A) f -> norm2 A <= cost A * f ^+ 2.
Proof.
move=> finite [f0 hf _]; rewrite -{1}finite -norm2_tr trmx_mul mulrC /cost -[norm2 (A *m _)]norm2_tr.
by apply: bounds_matrix; exact: bounds_tr.
Qed.
End GammaOfAField.
