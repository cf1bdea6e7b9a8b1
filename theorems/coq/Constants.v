(** Constants beside features: pseudo-inverses of a kernel that gets a further feature, and whether the rows make constants. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** Whether the constants are a combination of the rows, the squared norm of the smallest weights that make them (s, or
    1^T K^+ 1 for the kernel K of the rows), and what a bias saves of a cost. *)
Definition has_constants m n (F : 'M[R]_(m, n)) : bool := ((ones R n)^T <= F)%MS.
Definition size_of_constants m n (F : 'M[R]_(m, n)) : R := norm2 ((ones R n)^T *m pinv F).
Definition seen_constants m n (F : 'M[R]_(m, n)) : R := if has_constants F then size_of_constants F else 0.
Definition saved m n (F : 'M[R]_(m, n)) : R := seen_constants F / (1 + seen_constants F).
End Definitions.

(** * Ranks, and pseudo-inverses of a kernel that gets a further feature *)
Section Updates.
Variable R : realFieldType.

Lemma in_row_space k m n (M : 'M[R]_(k, n)) (F : 'M_(m, n)) : (M <= F)%MS = (M *m pinv F *m F == M).
Proof.
apply/idP/eqP => [/submxP[D ->] | <-]; last exact: submxMl.
by rewrite -!mulmxA (mulmxA F) mul_pinv_mul.
Qed.
Lemma trace_pinv m n (F : 'M[R]_(m, n)) : \tr (F *m pinv F) = (\rank F)%:R.
Proof.
have CC : (col_base F)^T *m col_base F \in unitmx.
  by rewrite -{2}[col_base F]trmxK; apply: gram_unit; rewrite /row_free mxrank_tr; exact: col_base_full.
have BB : row_base F *m (row_base F)^T \in unitmx by apply: gram_unit; apply: row_base_free.
rewrite /pinv -lock -{1}(mulmx_base F) mul_pinv_of //.
by rewrite -mulmxA mxtrace_mulC -mulmxA mulVmx // mxtrace1.
Qed.
Lemma norm2_projection m n (F : 'M[R]_(m, n)) : norm2 (F *m pinv F) = (\rank F)%:R.
Proof. by rewrite /norm2 /inner mul_pinv_sym mulmxA mul_pinv_mul trace_pinv. Qed.

Lemma pinv_tr m n (F : 'M[R]_(m, n)) : pinv F^T = (pinv F)^T.
Proof.
symmetry; apply: pinv_unique.
- by rewrite -!trmx_mul mulmxA mul_pinv_mul.
- by rewrite -!trmx_mul mulmxA pinv_mul_pinv.
- by rewrite -trmx_mul !pinv_mul_sym.
- by rewrite -trmx_mul !mul_pinv_sym.
Qed.
Lemma quadratic n (P : 'M[R]_n) m (M : 'M_(m, n)) (u : 'cV_n) : P^T = P ->
  inner (M *m (P *m u *m (u^T *m P))) M = norm2 (M *m P *m u).
Proof. by move=> sym; rewrite (mulmxA M) (inner_mulr _ (u^T *m P)) trmx_mul trmxK sym !mulmxA. Qed.

(** The formula of Sherman and Morrison where the kernel sees the further feature. *)
Section Update.
Variables (n : nat) (K : 'M[R]_n) (u : 'cV[R]_n) (t : R).
Hypotheses (sym : K^T = K) (seen : K *m pinv K *m u = u).
Notation P := (pinv K).
Notation c := ((u^T *m P *m u) 0 0).
Hypothesis nonzero : 1 + t * c != 0.
Let P_sym : P^T = P. Proof. by rewrite -pinv_tr sym. Qed.
Let KP_PK : P *m K = K *m P. Proof. by rewrite -[RHS]mul_pinv_sym trmx_mul P_sym sym. Qed.
Lemma pinv_update : pinv (K + t *: (u *m u^T)) = P - (t / (1 + t * c)) *: (P *m u *m (u^T *m P)).
Proof.
set K' := K + _; set P' := P - _.
have uPu : u *m u^T *m (P *m u *m (u^T *m P)) = c *: (u *m (u^T *m P)).
  by rewrite -!mulmxA (mulmxA u^T) (mulmxA (u^T *m P)) [u^T *m P *m u]mx11_scalar mul_scalar_mx -scalemxAr mulmxA.
have e1 : K' *m P' = K *m P.
  have eK : K *m (P *m u *m (u^T *m P)) = u *m (u^T *m P) by rewrite !mulmxA seen.
  rewrite /K' /P' mulmxDl !mulmxBr -!scalemxAl -!scalemxAr eK uPu -(mulmxA u).
  move: nonzero (K *m P) (u *m (u^T *m P)); move: c => x h X Y; apply/matrixP => i j; rewrite !mxE.
  by move: (X i j) (Y i j) => a b; field.
have e2 : P' *m K' = K *m P.
  have K'_sym : K'^T = K' by rewrite /K' linearD linearZ /= trmx_mul trmxK sym.
  have P'_sym : P'^T = P' by rewrite /P' linearB linearZ /= !trmx_mul trmxK P_sym mulmxA.
  by rewrite -{1}P'_sym -{1}K'_sym -trmx_mul e1 trmx_mul P_sym sym KP_PK.
have proj_K' : K *m P *m K' = K'.
  by rewrite /K' mulmxDr mul_pinv_mul -scalemxAr (mulmxA _ u) seen.
symmetry; apply: pinv_unique.
- by rewrite e1.
- by rewrite e2 /P' mulmxBr -KP_PK pinv_mul_pinv -scalemxAr !mulmxA pinv_mul_pinv.
- by rewrite e1 mul_pinv_sym.
- by rewrite e2 mul_pinv_sym.
Qed.
Lemma norm_update m (M : 'M_(m, n)) :
  inner (M *m pinv (K + t *: (u *m u^T))) M = inner (M *m P) M - t / (1 + t * c) * norm2 (M *m P *m u).
Proof. by rewrite pinv_update mulmxBr innerDl innerNl -scalemxAr innerZl quadratic. Qed.
End Update.

Lemma norm_by_kernel k m n (M : 'M[R]_(k, n)) (F : 'M_(m, n)) : norm2 (M *m pinv F) = inner (M *m pinv (F^T *m F)) M.
Proof. by rewrite pinv_gram mulmxA (inner_mulr (M *m pinv F)) trmxK. Qed.
End Updates.

(** * Constants beside features *)
Section Constants.
Variables (R : realFieldType) (m n : nat) (F : 'M[R]_(m, n)).
Notation one := (ones R n).
Notation F1 := (col_mx F one^T).
Notation G := (pinv (F^T *m F)).
Lemma kernel_with_ones : F1^T *m F1 = F^T *m F + one *m one^T.
Proof. by rewrite tr_col_mx mul_row_col trmxK. Qed.
Lemma size_of_constantsE : size_of_constants F = (one^T *m G *m one) 0 0.
Proof.
by rewrite /size_of_constants norm_by_kernel -inner_tr /inner !trmxK /mxtrace big_ord1.
Qed.
Lemma size_ge0 : 0 <= size_of_constants F. Proof. exact: norm2_ge0. Qed.
Lemma seen_ge0 : 0 <= seen_constants F. Proof. by rewrite /seen_constants; case: ifP; rewrite ?size_ge0. Qed.
Lemma one_size_gt0 : 0 < 1 + seen_constants F. Proof. by rewrite ltr_spaddl ?ltr01 ?seen_ge0. Qed.

Section Inside.
Hypothesis inside : has_constants F.
Lemma one_seen : pinv F *m F *m one = one.
Proof.
have := inside; rewrite /has_constants in_row_space => /eqP h.
by rewrite -[LHS]trmxK trmx_mul pinv_mul_sym mulmxA h trmxK.
Qed.
Lemma kernel_projection : F^T *m F *m G = pinv F *m F.
Proof. by rewrite pinv_gram -mulmxA (mulmxA F) mulmxA tr_mul_pinv tr_tr_pinv. Qed.
Lemma norm_inside k (M : 'M_(k, n)) :
  norm2 (M *m pinv F1) = norm2 (M *m pinv F) - (1 + size_of_constants F)^-1 * norm2 (M *m G *m one).
Proof.
rewrite !norm_by_kernel kernel_with_ones -[one *m one^T]scale1r norm_update.
- by rewrite -size_of_constantsE !mul1r.
- by rewrite trmx_mul trmxK.
- by rewrite kernel_projection one_seen.
- by rewrite -size_of_constantsE mul1r gt_eqF // ltr_spaddl ?ltr01 ?size_ge0.
Qed.
End Inside.

Section Outside.
Hypothesis outside : ~~ has_constants F.
(** What of the constants the features do not make. *)
Let r := one - pinv F *m F *m one.
Let Fr : F *m r = 0. Proof. by rewrite /r mulmxBr !mulmxA mul_pinv_mul subrr. Qed.
Let oneE : one = r + pinv F *m F *m one. Proof. by rewrite /r subrK. Qed.
Let r1 : r^T *m one = (norm2 r)%:M.
Proof.
rewrite {1}oneE mulmxDr mulmxA -(pinv_mul_sym F) trmx_mul mulmxA -trmx_mul Fr trmx0 !mul0mx addr0.
by rewrite [LHS]mx11_scalar /norm2 /inner /mxtrace big_ord1.
Qed.
Let d0 : norm2 r != 0.
Proof.
apply: contra outside => /eqP /norm2_eq0 r0; rewrite /has_constants in_row_space.
have e := oneE; rewrite r0 add0r in e.
by rewrite -mulmxA -[pinv F *m F]pinv_mul_sym -trmx_mul -e.
Qed.
Let rF : r^T *m F^T = 0. Proof. by rewrite -trmx_mul Fr trmx0. Qed.
Lemma kept_without_bias k (M : 'M_(k, n)) (e : 'cV_k) :
  let W := row_mx (M *m pinv F) e in W *m F1 *m pinv F1 = W.
Proof.
move=> W; pose X := M *m G + (norm2 r)^-1 *: ((e - M *m G *m one) *m r^T).
have GF : G *m F^T = pinv F by rewrite pinv_gram -mulmxA tr_pinv_tr mulmxA pinv_mul_pinv.
suff -> : W = X *m F1^T by rewrite -!mulmxA tr_mul_pinv.
rewrite tr_col_mx trmxK mul_mx_row /W /X; congr row_mx.
  by rewrite mulmxDl -scalemxAl -!mulmxA rF !mulmx0 scaler0 addr0 GF.
rewrite mulmxDl -scalemxAl -[_ *m r^T *m _]mulmxA r1 mul_mx_scalar scalerA mulVf // scale1r.
by rewrite addrC subrK.
Qed.
Lemma outside_weights k (M : 'M_(k, n)) : M *m pinv F *m F = M -> M *m pinv F1 = row_mx (M *m pinv F) 0.
Proof.
move=> h; rewrite -{1}h.
have -> : M *m pinv F *m F = row_mx (M *m pinv F) (0 : 'cV_k) *m F1 by rewrite mul_row_col mul0mx addr0.
exact: kept_without_bias.
Qed.
Lemma outside_ones : one^T *m pinv F1 = row_mx 0 1%:M.
Proof.
have := @kept_without_bias 1 0 1%:M; rewrite /= mul0mx => <-.
by rewrite mul_row_col mul0mx add0r mul1mx.
Qed.
End Outside.

Lemma pinv_by_kernel : pinv F1 = pinv (F1^T *m F1) *m F1^T.
Proof. by rewrite pinv_gram -mulmxA tr_pinv_tr mulmxA pinv_mul_pinv. Qed.
Lemma weights_parts k (M : 'M_(k, n)) :
  let P := pinv (F1^T *m F1) in M *m pinv F1 = row_mx (M *m P *m F^T) (M *m P *m one).
Proof. by rewrite /= {1}pinv_by_kernel tr_col_mx trmxK mulmxA mul_mx_row. Qed.
Lemma ones_seen : F1^T *m F1 *m pinv (F1^T *m F1) *m one = one.
Proof.
have e : F1^T *m (row_mx 0 1%:M)^T = one by rewrite -trmx_mul mul_row_col mul0mx add0r mul1mx trmxK.
have h : F1^T *m F1 *m pinv (F1^T *m F1) *m F1^T = F1^T.
  by rewrite pinv_gram mulmxA -(mulmxA F1^T F1) tr_mul_pinv -mulmxA tr_pinv_tr tr_mul_pinv.
by move/(congr1 (mulmx^~ (row_mx 0 1%:M)^T)): h; rewrite /= -[LHS]mulmxA e.
Qed.
End Constants.
