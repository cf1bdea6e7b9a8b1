(** Leaky ResNets: what the identity costs, with a bias and without, and what constants have to do with it. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets Constants.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Theorems *)
Section Theorems.
Variables (R : realFieldType) (w n : nat).
Implicit Types A : 'M[R]_(w, n).
Notation one := (ones R n).

Lemma relu_nonnegative A : (forall i j, 0 <= A i j) -> relu A = A.
Proof. by move=> A0; apply/matrixP => i j; rewrite mxE max_r. Qed.

(** [leaky_resnets.cost_of_identity.nonnegative] *)
Theorem cost_is_the_rank A : (forall i j, 0 <= A i j) -> cost_without_bias A = (\rank A)%:R.
Proof. by move=> A0; rewrite /cost_without_bias relu_nonnegative // norm2_projection. Qed.

Section Costs.
Variable A : 'M[R]_(w, n).
Notation K := (kernel A).
Notation P := (pinv (sigma A) *m (pinv (sigma A))^T).
Notation F := (relu A).
Lemma inverse_kernelE : P = pinv K. Proof. by rewrite /kernel pinv_gram. Qed.
Lemma cost_parts : cost A = norm2 (A *m P *m F^T) + norm2 (A *m P *m one).
Proof. by rewrite /cost /sigma weights_parts -/(sigma A) -/K -inverse_kernelE /norm2 inner_row_mx. Qed.

Lemma size_inside : has_constants F -> (one^T *m P *m one) 0 0 = size_of_constants F / (1 + size_of_constants F).
Proof.
move=> inside.
have -> : (one^T *m P *m one) 0 0 = norm2 (one^T *m pinv (sigma A)).
  by rewrite inverse_kernelE /kernel -size_of_constantsE.
rewrite norm_inside //.
have -> : one^T *m pinv (F^T *m F) *m one = (size_of_constants F)%:M by rewrite [LHS]mx11_scalar -size_of_constantsE.
rewrite -/(size_of_constants F) /norm2 /inner tr_scalar_mx -scalar_mxM /mxtrace big_ord1 mxE eqxx mulr1n.
have := size_ge0 F; move: (size_of_constants F) => s s0; field.
by rewrite gt_eqF // ltr_spaddl ?ltr01.
Qed.
End Costs.

(** [leaky_resnets.prop_2.ones] *)
Theorem constants_have_norm_at_most_1 A :
  let P := pinv (sigma A) *m (pinv (sigma A))^T in
  let c := (one^T *m P *m one) 0 0 in let s := size_of_constants (relu A) in
  c = (if has_constants (relu A) then s / (1 + s) else 1) /\ c <= 1.
Proof.
move=> P c s; have e : c = if has_constants (relu A) then s / (1 + s) else 1.
  case: ifP => [inside | /negbT outside]; first exact: size_inside.
  rewrite /c /P inverse_kernelE /kernel -size_of_constantsE /size_of_constants /sigma outside_ones //.
  by rewrite /norm2 inner_row_mx inner0l add0r /inner trmx1 mulmx1 mxtrace1.
split=> //; rewrite e; case: ifP => // _; have s0 : 0 <= s by exact: size_ge0.
by rewrite ler_pdivr_mulr ?mul1r ?ler_addr ?ler01 // ltr_spaddl ?ltr01.
Qed.

Section Nonnegative.
Variable A : 'M[R]_(w, n).
Hypothesis A0 : forall i j, 0 <= A i j.
Notation s := (size_of_constants A).
Let A_relu : relu A = A. Proof. exact: relu_nonnegative. Qed.
Let sigmaE : sigma A = col_mx A one^T. Proof. by rewrite /sigma A_relu. Qed.
Lemma nonnegative_is_finite : is_finite A.
Proof.
rewrite /is_finite; apply/eqP; rewrite -in_row_space; apply/submxP; exists (row_mx 1%:M 0).
by rewrite sigmaE mul_row_col mul0mx addr0 mul1mx.
Qed.
Lemma cost_inside : has_constants A -> cost A = cost_without_bias A - s / (1 + s) /\
  norm2 (A *m (pinv (sigma A) *m (pinv (sigma A))^T) *m one) = s / (1 + s) ^+ 2.
Proof.
move=> inside; have s0 : 1 + s != 0 by rewrite gt_eqF // ltr_spaddl ?ltr01 ?size_ge0.
have G1 : norm2 (A *m pinv (A^T *m A) *m one) = s.
  have -> : A *m pinv (A^T *m A) = (pinv A)^T.
    by rewrite pinv_gram mulmxA -mul_pinv_sym -trmx_mul mulmxA pinv_mul_pinv.
  by rewrite -norm2_tr trmx_mul trmxK.
split; first by rewrite /cost sigmaE norm_inside // G1 /cost_without_bias A_relu [s / _]mulrC.
rewrite inverse_kernelE /kernel sigmaE kernel_with_ones -[one *m one^T]scale1r pinv_update.
- rewrite -size_of_constantsE !mul1r mulmxBr mulmxBl -scalemxAr -scalemxAl.
  have -> : A *m (pinv (A^T *m A) *m one *m (one^T *m pinv (A^T *m A))) *m one
      = s *: (A *m pinv (A^T *m A) *m one).
    rewrite -!mulmxA (mulmxA one^T) [one^T *m _ *m one]mx11_scalar -size_of_constantsE.
    by rewrite !mul_mx_scalar -!scalemxAr.
  rewrite scalerA -[X in X - _]scale1r -scalerBl norm2Z G1; move: s s0 => x h; by field.
- by rewrite trmx_mul trmxK.
- by rewrite kernel_projection one_seen.
- by rewrite -size_of_constantsE mul1r.
Qed.
Lemma cost_outside : ~~ has_constants A -> cost A = cost_without_bias A /\
  norm2 (A *m (pinv (sigma A) *m (pinv (sigma A))^T) *m one) = 0.
Proof.
move=> outside; have e : A *m pinv (sigma A) = row_mx (A *m pinv A) 0.
  by rewrite sigmaE outside_weights // mul_pinv_mul.
have : cost A = norm2 (A *m pinv A) by rewrite /cost e /norm2 inner_row_mx inner0l addr0.
split; first by rewrite /cost_without_bias A_relu.
have := weights_parts A A; rewrite /= -sigmaE e => /eq_row_mx[_].
by rewrite inverse_kernelE /kernel => <-; rewrite /norm2 inner0l.
Qed.
End Nonnegative.

(** [leaky_resnets.cost_of_identity.nonnegative_with_bias] *)
Theorem bias_saves_less_than_1 A : (forall i j, 0 <= A i j) ->
  cost A + saved A = (\rank A)%:R /\ (\rank A)%:R <= cost A + 1.
Proof.
move=> A0; have e : cost A + saved A = (\rank A)%:R.
  rewrite -cost_is_the_rank // /saved /seen_constants; case: ifP => [inside | /negbT outside].
    by rewrite (proj1 (cost_inside A0 inside)) subrK.
  by rewrite (proj1 (cost_outside A0 outside)) mul0r addr0.
split=> //; rewrite -e ler_add2l /saved ler_pdivr_mulr ?one_size_gt0 // mul1r ler_addr; exact: ler01.
Qed.

(** [leaky_resnets.prop_2.value] *)
Theorem costs_of_a_stable_minimum A : (forall i j, 0 <= A i j) ->
  let s := seen_constants A in
  [/\ norm2 (lsubmx (A *m pinv (sigma A))) + s / (1 + s) ^+ 2 = cost A,
      cost A + s / (1 + s) = cost_without_bias A & (\rank A <= n - 1 + has_constants A)%N].
Proof.
move=> A0 s; have parts := cost_parts A.
have VE : norm2 (lsubmx (A *m pinv (sigma A))) = norm2 (A *m (pinv (sigma A) *m (pinv (sigma A))^T) *m (relu A)^T).
  by rewrite /sigma weights_parts row_mxKl -/(sigma A) -/(kernel A) -inverse_kernelE.
rewrite VE; rewrite /s /seen_constants; case: ifP => [inside | /negbT outside].
  have [e1 e2] := cost_inside A0 inside; split; first by rewrite -e2 -parts.
  - by rewrite e1 subrK.
  - by rewrite addn1 (leq_trans (rank_leq_col A)) //; case: (n) => // k; rewrite subn1.
have [e1 e2] := cost_outside A0 outside; split.
- by rewrite mul0r addr0 parts e2 addr0.
- by rewrite mul0r addr0 e1.
- rewrite addn0; have := rank_leq_col A; rewrite leq_eqVlt => /orP[full | ]; last by move=> h; rewrite subn1 -ltnS (ltn_predK h).
  by case/negP: outside; rewrite /has_constants; apply: submx_full; rewrite /row_full.
Qed.

(** [leaky_resnets.prop_2.infinite]: z are the values of a new neuron *)
Theorem no_neuron_helps A (z : 'rV[R]_n) : (forall i j, A i j < 0) ->
  let whole := col_mx A z in let F := sigma whole in
  (\rank (col_mx A one^T) - 2 <= \rank (col_mx F whole) - \rank F)%N.
Proof.
move=> neg /=; set whole := col_mx A z; set F := sigma whole; have Fz : relu whole = col_mx 0 (relu z).
  by rewrite /relu map_col_mx; congr col_mx; apply/matrixP => i j; rewrite !mxE max_l // ltW.
have le2 : (\rank F <= 2)%N.
  rewrite /F /sigma Fz -addsmxE -[2%N]/(1 + 1)%N; apply: leq_trans (mxrank_adds_leqif _ _) _.
  by apply: leq_add; rewrite ?rank_col_0mx rank_leq_row.
have above m1 m2 (X : 'M[R]_(m1, n)) (Y : 'M_(m2, n)) : (X <= col_mx X Y)%MS by rewrite -addsmxE addsmxSl.
have below m1 m2 (X : 'M[R]_(m1, n)) (Y : 'M_(m2, n)) : (Y <= col_mx X Y)%MS by rewrite -addsmxE addsmxSr.
apply: leq_sub => //; apply: mxrankS; rewrite col_mx_sub; apply/andP; split.
- exact: submx_trans (above _ _ A z) (below _ _ _ _).
- exact: submx_trans (below _ _ _ _) (above _ _ F whole).
Qed.

(** [leaky_resnets.prop_2.scaling]: b are the biases of the smallest weights *)
Theorem scaling A (s : R) : 0 < s ->
  let P := pinv (sigma A) *m (pinv (sigma A))^T in let b := A *m P *m one in
  let c := (one^T *m P *m one) 0 0 in let h := 1 / s ^+ 2 - 1 in
  cost (s *: A) + h * norm2 b / (1 + h * c) = cost A /\
  2%:R * cost A = 2%:R * norm2 b + 2%:R * \tr (A *m P *m (relu A)^T *m relu A *m (A *m P)^T).
Proof.
move=> s0 P b c h; split; last first.
  rewrite -mulrDr; congr (_ * _); rewrite cost_parts addrC; congr (_ + _).
  rewrite /norm2 /inner [LHS]mxtrace_mulC trmx_mul trmxK -[in LHS]mulmxA.
  by rewrite !mulmxA.
have [_ c1] := constants_have_norm_at_most_1 A; rewrite -/P -/c in c1.
have c0 : 0 <= c.
  by rewrite /c /P inverse_kernelE /kernel -size_of_constantsE size_ge0.
have s2 : 0 < s ^+ 2 by rewrite exprn_gt0.
have positive : 0 < 1 + h * c.
  have -> : 1 + h * c = (1 - c) + c / s ^+ 2 by rewrite /h; move: (s ^+ 2) s2 => x /lt0r_neq0 x0; field.
  have [-> | cn] := eqVneq c 0; first by rewrite subr0 mul0r addr0 ltr01.
  by rewrite ltr_paddl ?subr_ge0 // divr_gt0 // lt0r cn.
have scaled : kernel (s *: A) = s ^+ 2 *: (kernel A + h *: (one *m one^T)).
  rewrite !kernelE reluZ ?ltW // [(s *: relu A)^T]linearZ /= -scalemxAl -scalemxAr scalerA -expr2 -addrA scalerDr; congr (_ + _).
  rewrite -{2}[one *m one^T]scale1r -scalerDl scalerA /h addrC subrK.
  by rewrite mul1r mulfV ?scale1r // gt_eqF.
have pinvZ (M : 'M[R]_n) (a : R) : a != 0 -> pinv (a *: M) = a^-1 *: pinv M.
  move=> a0; have e1 : a *: M *m (a^-1 *: pinv M) = M *m pinv M.
    by rewrite -scalemxAl -scalemxAr scalerA mulfV // scale1r.
  have e2 : a^-1 *: pinv M *m (a *: M) = pinv M *m M.
    by rewrite -scalemxAl -scalemxAr scalerA mulVf // scale1r.
  symmetry; apply: pinv_unique; rewrite ?e1 ?e2 ?mul_pinv_sym ?pinv_mul_sym // -scalemxAr ?mul_pinv_mul ?pinv_mul_pinv //.
have K_sym : (kernel A)^T = kernel A by rewrite /kernel trmx_mul trmxK.
rewrite {1}/cost norm_by_kernel -/(kernel _) scaled pinvZ ?gt_eqF // -scalemxAl -scalemxAr scalerA innerZl innerZr.
rewrite norm_update //; last 2 first.
- exact: ones_seen.
- by rewrite -inverse_kernelE -/P -/c gt_eqF.
rewrite -inverse_kernelE -/P -/c -/b mulrA.
have -> : s / s ^+ 2 * s = 1 by rewrite expr2 invfM mulrA mulfV ?gt_eqF // mul1r mulVf ?gt_eqF.
by rewrite mul1r mulrAC subrK /cost norm_by_kernel -/(kernel A) -inverse_kernelE.
Qed.

(** [leaky_resnets.prop_3.saddle]: of a constant negative neuron *)
Theorem constant_neuron A (epsilon : R) : 0 < epsilon ->
  let least := norm2 (one^T *m pinv (sigma A)) in let K := (sigma A)^T *m sigma A in
  cost (col_mx A (- epsilon *: one^T)) = cost A + epsilon ^+ 2 * least /\
  n%:R ^+ 2 <= least * (one^T *m K *m one) 0 0.
Proof.
move=> e0 least K; split.
  set B := col_mx A _; have KE : kernel B = kernel A.
    rewrite !kernelE; congr (_ + _); rewrite /relu map_col_mx -/(relu A) tr_col_mx mul_row_col.
    have -> : map_mx (Num.max 0) (- epsilon *: one^T) = 0.
      by apply/matrixP => i j; rewrite !mxE mulr1 max_l // oppr_le0 ltW.
    by rewrite mulmx0 addr0.
  rewrite /cost !norm_by_kernel -/(kernel B) -/(kernel A) KE /B mul_col_mx -inner_tr !tr_col_mx inner_row_mx !inner_tr.
  by congr (_ + _); rewrite -scalemxAl innerZl innerZr mulrA mulrNN -expr2 /least norm_by_kernel.
have I_psd : positive_semidefinite (1%:M : 'M[R]_(w + 1)).
  by split=> [|x]; rewrite ?trmx1 // mulmx1 norm2_ge0.
have := cauchy (one^T *m pinv (sigma A)) (sigma A *m one)^T I_psd; rewrite /product !mulmx1.
have -> : inner (one^T *m pinv (sigma A)) (sigma A *m one)^T = n%:R.
  rewrite inner_mulr trmx_mul -mulmxA -trmx_mul pinv_mul_sym.
  have := ones_seen (relu A); rewrite -/(sigma A) kernel_projection => seen.
  rewrite -pinv_mul_sym -trmx_mul seen -/(norm2 _) norm2E.
  by under eq_bigr do under eq_bigr do rewrite !mxE expr1n; rewrite !big_const_ord !iter_addr_0 mulr1n.
rewrite -!/(norm2 _) -/least norm2_tr; suff -> : norm2 (sigma A *m one) = (one^T *m K *m one) 0 0 by [].
by rewrite /norm2 /inner trmx_mul /mxtrace big_ord1 /K !mulmxA.
Qed.

Lemma sigma0 : sigma (0 : 'M[R]_(w, n)) = col_mx 0 one^T.
Proof. by rewrite /sigma; congr col_mx; apply/matrixP => i j; rewrite !mxE maxxx. Qed.
(** [leaky_resnets.zero_representation.velocity] *)
Theorem velocity_at_zero (v : 'cV[R]_w) (dA : 'M[R]_(w, n)) (first : 'I_n) : let F := sigma (0 : 'M[R]_(w, n)) in
  ((dA <= F)%MS <-> forall i j, dA i j = dA i first) /\ norm2 (v *m one^T *m pinv F) = norm2 v.
Proof.
move=> F; have n0 : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n (leq_ltn_trans _ (ltn_ord first)).
split.
  split=> [/submxP[D ->] i j | same].
    by rewrite /F sigma0 -[D]hsubmxK mul_row_col mulmx0 add0r !mxE; apply: eq_bigr => k _; rewrite !mxE.
  apply/submxP; exists (row_mx 0 (\col_i dA i first)).
  rewrite /F sigma0 mul_row_col mul0mx add0r; apply/matrixP => i j.
  by rewrite !mxE big_ord1 !mxE mulr1 same.
have one2 : one^T *m one = n%:R%:M.
  by rewrite [LHS]mx11_scalar !mxE; under eq_bigr do rewrite !mxE mulr1; rewrite sumr_const card_ord.
have -> : pinv F = n%:R^-1 *: F^T.
  have FF : F *m F^T = block_mx 0 0 0 n%:R%:M.
    by rewrite /F sigma0 tr_col_mx mul_col_row trmx0 !mul0mx !mulmx0 trmxK one2.
  have e : F *m F^T *m F = n%:R *: F.
    by rewrite FF /F sigma0 mul_block_col !mul0mx !addr0 add0r mul_scalar_mx scale_col_mx scaler0.
  symmetry; apply: pinv_unique.
  - by rewrite -scalemxAr -scalemxAl e scalerA mulVf // scale1r.
  - rewrite -!scalemxAl -scalemxAr.
    have := congr1 trmx e; rewrite [RHS]linearZ /= !trmx_mul trmxK mulmxA => ->.
    by rewrite !scalerA mulfVK.
  - by rewrite -scalemxAr linearZ /= trmx_mul trmxK.
  - by rewrite -scalemxAl linearZ /= trmx_mul trmxK.
rewrite -scalemxAr /F sigma0 tr_col_mx trmx0 trmxK mul_mx_row mulmx0 -mulmxA one2 mul_mx_scalar.
by rewrite scale_row_mx scaler0 scalerA mulVf // scale1r /norm2 inner_row_mx inner0l add0r.
Qed.

(** [leaky_resnets.energy_split.finite] *)
Theorem kinetic_energy_is_finite A (dA : 'M[R]_(w, n)) (L : R) :
  (A <= sigma A)%MS -> ((L *: A + dA)%R <= sigma A)%MS -> (dA <= sigma A)%MS.
Proof.
move=> finite total; rewrite -[dA](addKr (L *: A)); apply: addmx_sub; last exact: total.
by rewrite -scaleNr; exact: scalemx_sub.
Qed.

(** [leaky_resnets.bottleneck_rank.from_below] *)
Theorem energy_is_below_the_rank A (B : 'M[R]_(w, n)) : (forall i j, 0 <= A i j) ->
  - (2%:R * hamiltonian A B) <= (\rank A)%:R.
Proof.
move=> A0; apply: le_trans (speed_law_lower_bound B (nonnegative_is_finite A0)) _.
rewrite -cost_is_the_rank //; apply: bias_is_cheaper.
by rewrite relu_nonnegative // mul_pinv_mul.
Qed.

End Theorems.
