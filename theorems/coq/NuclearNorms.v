(** Nuclear norms: bounds of the cost of the identity by them, and the ranks that they lie between. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets OperatorNorms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The positive singular values of A, with the singular vectors as columns; their sum is the nuclear norm. *)
Definition singular_values m n k (A : 'M[R]_(m, n)) (U : 'M[R]_(m, k)) (s : 'rV[R]_k) (V : 'M[R]_(n, k)) :=
  [/\ U^T *m U = 1%:M, V^T *m V = 1%:M, forall i, 0 < s 0 i & A = U *m diag_mx s *m V^T].
Definition nuclear_norm m n (A : 'M[R]_(m, n)) (c : R) :=
  exists k (U : 'M[R]_(m, k)) s V, singular_values A U s V /\ c = \sum_i s 0 i.
End Definitions.

(** * Theorems *)
Section Nuclear.
Variables (R : realFieldType) (w n : nat).
Implicit Types A : 'M[R]_(w, n).

Lemma norm2_orthonormal m k p (U : 'M[R]_(m, k)) (X : 'M_(k, p)) : U^T *m U = 1%:M -> norm2 (U *m X) = norm2 X.
Proof. by move=> h; rewrite -form_kernel h mul1mx. Qed.
Lemma orthonormal_contracts m k (U : 'M[R]_(m, k)) p (X : 'M_(m, p)) : U^T *m U = 1%:M -> norm2 (U^T *m X) <= norm2 X.
Proof.
move=> h; have e : norm2 (X - U *m (U^T *m X)) = norm2 X - norm2 (U^T *m X).
  by rewrite norm2B norm2_orthonormal // [inner X _]innerC inner_mull -/(norm2 _); ring.
by rewrite -subr_ge0 -e norm2_ge0.
Qed.
(** The nuclear norm of a product is at most the product of the norms. *)
Lemma nuclear_product p (W : 'M[R]_(w, p)) (F : 'M_(p, n)) c : nuclear_norm (W *m F) c -> c ^+ 2 <= norm2 W * norm2 F.
Proof.
case=> k [U [s [V [[hU hV _ e] ->]]]].
have -> : \sum_i s 0 i = inner W (U *m (F *m V)^T).
  rewrite trmx_mul mulmxA -inner_mulr e inner_mulr trmxK -mulmxA hV mulmx1 inner_mull hU.
  by rewrite /inner mulmx1 tr_diag_mx mxtrace_diag.
apply: le_trans (cauchy_schwarz _ _) _; rewrite ler_wpmul2l ?norm2_ge0 // norm2_orthonormal //.
by rewrite norm2_tr -norm2_tr trmx_mul; apply: le_trans (orthonormal_contracts _ hV) _; rewrite norm2_tr.
Qed.

Lemma norm2_relu A : norm2 (relu A) <= norm2 A.
Proof. by rewrite -subr_ge0 -relu_sq norm2_ge0. Qed.
(** [leaky_resnets.prop_1]: where the cost without bias is finite, c is the nuclear norm *)
Theorem effective_dimension_bound A (c : R) : A *m pinv (relu A) *m relu A = A -> nuclear_norm A c ->
  c ^+ 2 <= cost_without_bias A * norm2 A.
Proof.
move=> finite; rewrite -{1}finite => /nuclear_product h; apply: le_trans h _.
by rewrite ler_wpmul2l ?norm2_ge0 ?norm2_relu.
Qed.
(** [leaky_resnets.prop_1.chain]: where the cost without bias is finite, c is the nuclear norm *)
Theorem chain_of_bounds A (c : R) : A *m pinv (relu A) *m relu A = A -> nuclear_norm A c ->
  c ^+ 2 <= cost_without_bias A * norm2 (relu A) /\ norm2 (relu A) <= norm2 A.
Proof. by move=> finite; rewrite -{1}finite => /nuclear_product h; split; rewrite ?norm2_relu. Qed.
(** [leaky_resnets.prop_1.with_bias]: where the cost is finite, c is the nuclear norm *)
Theorem bound_with_bias A (c : R) : is_finite A -> nuclear_norm A c ->
  c ^+ 2 <= cost A * (norm2 (relu A) + n%:R).
Proof.
move=> finite; rewrite -{1}finite => /nuclear_product h; apply: le_trans h _.
rewrite ler_wpmul2l ?norm2_ge0 // -norm2_tr /sigma tr_col_mx /norm2 inner_row_mx -!/(norm2 _) norm2_tr ler_add2l.
by rewrite norm2E; under eq_bigr do under eq_bigr do rewrite !mxE expr1n; rewrite exchange_big big_ord1 sumr_const card_ord.
Qed.
(** [leaky_resnets.prop_1.minimiser]: the rows of A are combinations of those of B, c is the nuclear norm of A *)
Theorem smallest_product m A (B : 'M[R]_(m, n)) (c : R) : A *m pinv B *m B = A -> nuclear_norm A c ->
  c ^+ 2 <= norm2 (A *m pinv B) * norm2 B.
Proof.
by move=> finite; rewrite -{1}finite => /nuclear_product.
Qed.

(** The largest of numbers, which is 0 of none. *)
Section Largest.
Variables (k : nat) (F : 'I_k -> R).
Lemma max_ge i : F i <= \big[Num.max/0]_i F i.
Proof.
have := mem_index_enum i; elim: index_enum => //= a r IH; rewrite inE big_cons le_maxr => /orP[/eqP <- | /IH ->].
  by rewrite lexx.
by rewrite orbT.
Qed.
Lemma max_ge0 : 0 <= \big[Num.max/0]_i F i.
Proof. by elim: index_enum => [|a r IH]; rewrite ?big_nil // big_cons le_maxr IH orbT. Qed.
Lemma max_le c : 0 <= c -> (forall i, F i <= c) -> \big[Num.max/0]_i F i <= c.
Proof. by move=> c0 h; elim: index_enum => [|a r IH]; rewrite ?big_nil // big_cons le_maxl h. Qed.
End Largest.

Section SingularValues.
Variables (k : nat) (A : 'M[R]_(w, n)) (U : 'M[R]_(w, k)) (s : 'rV[R]_k) (V : 'M[R]_(n, k)).
Hypothesis svd : singular_values A U s V.
Lemma norm2_diag : norm2 (diag_mx s) = \sum_i s 0 i ^+ 2.
Proof.
rewrite norm2E; apply: eq_bigr => j _; rewrite (bigD1 j) //= mxE eqxx mulr1n big1 ?addr0 // => i ij.
by rewrite mxE (negbTE ij) mulr0n expr0n.
Qed.
Lemma norm2_svd : norm2 A = \sum_i s 0 i ^+ 2.
Proof.
case: svd => hU hV _ ->; rewrite -mulmxA norm2_orthonormal // -norm2_tr trmx_mul trmxK norm2_orthonormal //.
by rewrite norm2_tr norm2_diag.
Qed.
Lemma rank_svd : \rank A = k.
Proof.
case: svd => hU hV s0 e; apply/eqP; rewrite eqn_leq; apply/andP; split.
  by rewrite e -mulmxA; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
have D : diag_mx s = U^T *m A *m V by rewrite e !mulmxA hU mul1mx -mulmxA hV mulmx1.
have <- : \rank (diag_mx s) = k.
  apply: mxrank_unit; rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => i _; exact: lt0r_neq0.
by rewrite D; apply: leq_trans (mxrankM_maxl _ _) (mxrankM_maxr _ _).
Qed.
Lemma largest_singular_value c : operator_norm A c -> c = \big[Num.max/0]_i s 0 i.
Proof.
case: svd => hU hV s0 e [c0 hc least]; apply/eqP; rewrite eq_le; apply/andP; split.
  have top_ge i : s 0 i <= \big[Num.max/0]_i s 0 i by exact: max_ge.
  have top0 : 0 <= \big[Num.max/0]_i s 0 i by exact: max_ge0.
  apply: least => // x; rewrite e -!mulmxA norm2_orthonormal //.
  apply: le_trans (_ : _ <= (\big[Num.max/0]_i s 0 i) ^+ 2 * norm2 (V^T *m x)) _; last first.
    by rewrite ler_wpmul2l ?sqr_ge0 // orthonormal_contracts.
  rewrite !norm2E mulr_sumr; apply: ler_sum => j _; rewrite mulr_sumr; apply: ler_sum => i _.
  rewrite mul_diag_mx !mxE exprMn ler_wpmul2r ?sqr_ge0 // ler_pexpn2r ?nnegrE //; exact: ltW.
apply: max_le => // i.
have := hc (V *m delta_mx i 0); rewrite {1}e -!mulmxA (mulmxA V^T) hV mul1mx (norm2_orthonormal _ hU) (norm2_orthonormal _ hV).
have -> : diag_mx s *m delta_mx i (0 : 'I_1) = s 0 i *: delta_mx i 0.
  by apply/matrixP => a b; rewrite mul_diag_mx !mxE; case: eqP => [-> | _] //; rewrite !mulr0.
have d1 : norm2 (delta_mx i 0 : 'cV[R]_k) = 1.
  rewrite norm2E big_ord1 (bigD1 i) //= mxE !eqxx expr1n big1 ?addr0 // => j ji.
  by rewrite mxE (negbTE ji) expr0n.
by rewrite norm2Z d1 !mulr1 ler_pexpn2r ?nnegrE // ltW.
Qed.
End SingularValues.

(** [leaky_resnets.stable_rank]: v is the nuclear norm, c the operator norm *)
Theorem stable_rank A (v c : R) : norm2 A != 0 -> nuclear_norm A v -> operator_norm A c ->
  norm2 A / c ^+ 2 <= v ^+ 2 / norm2 A /\ v ^+ 2 / norm2 A <= (\rank A)%:R.
Proof.
move=> An [k [U [s [V [svd ->]]]]] op; have top := largest_singular_value svd op; have [c0 _ _] := op.
have [_ _ s0 _] := svd; have s_le i : s 0 i <= c by rewrite top; exact: max_ge.
have A0 : 0 < norm2 A by rewrite lt0r norm2_ge0 andbT.
have A_le : norm2 A <= c * \sum_i s 0 i.
  rewrite (norm2_svd svd) mulr_sumr; apply: ler_sum => i _; rewrite expr2 ler_wpmul2r //; exact: ltW.
have c_pos : 0 < c.
  rewrite lt0r c0 andbT; apply: contraTneq A_le => ->; by rewrite mul0r -ltNge.
split.
  rewrite ler_pdivr_mulr ?exprn_gt0 // mulrAC ler_pdivl_mulr // -expr2 -exprMn [_ * c]mulrC.
  by rewrite ler_pexpn2r ?nnegrE ?norm2_ge0 //; apply: le_trans A_le; exact: norm2_ge0.
rewrite ler_pdivr_mulr // (rank_svd svd) (norm2_svd svd) -norm2_diag -mxtrace_diag.
exact: trace_bound.
Qed.

(** [leaky_resnets.stable_rank.equality]: s are the positive singular values, c is the operator norm *)
Theorem gaps_to_equality k A (U : 'M[R]_(w, k)) (s : 'rV[R]_k) (V : 'M[R]_(n, k)) (c : R) :
  singular_values A U s V -> operator_norm A c ->
  let v := \sum_i s 0 i in let largest := \big[Num.max/0]_i s 0 i in
  (\rank A)%:R * norm2 A = v ^+ 2 + (\sum_i \sum_j (s 0 i - s 0 j) ^+ 2) / 2%:R /\
  c * v = norm2 A + \sum_i s 0 i * (largest - s 0 i).
Proof.
move=> svd op v largest; split.
  rewrite (rank_svd svd) (norm2_svd svd); set q := \sum_i s 0 i ^+ 2.
  have -> : \sum_i \sum_j (s 0 i - s 0 j) ^+ 2 = 2%:R * (k%:R * q - v ^+ 2).
    have a : \sum_(i < k) \sum_j s 0 j ^+ 2 = k%:R * q by rewrite sumr_const card_ord -mulr_natl.
    have b : \sum_i \sum_(j < k) s 0 i ^+ 2 = k%:R * q by rewrite exchange_big a.
    have d : \sum_i \sum_j s 0 i * s 0 j = v ^+ 2 by rewrite expr2 mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
    have -> : 2%:R * (k%:R * q - v ^+ 2)
        = \sum_i \sum_j (s 0 i ^+ 2 + s 0 j ^+ 2 - 2%:R * (s 0 i * s 0 j)).
      have d2 : \sum_i \sum_j 2%:R * (s 0 i * s 0 j) = 2%:R * v ^+ 2.
        by rewrite -d mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr.
      under [RHS]eq_bigr => i _ do rewrite sumrB big_split /=.
      by rewrite sumrB big_split /= a b d2; ring.
    by apply: eq_bigr => i _; apply: eq_bigr => j _; ring.
  by rewrite mulrAC mulfV ?pnatr_eq0 // mul1r addrC subrK.
rewrite (largest_singular_value svd op) -/largest (norm2_svd svd) -big_split /= mulr_sumr.
by apply: eq_bigr => i _; move: (s 0 i) => x; ring.
Qed.
End Nuclear.
