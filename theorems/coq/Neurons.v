(** Neurons of a hidden layer: aligned ones, and the forces of attraction and repulsion. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive Networks FeatureLearning Representations.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (N : nat).
(** The pseudo-inverse of the covariance of features. *)
Definition kernel_inverse n (F : 'M[R]_(n, N)) : 'M[R]_N := pinv F *m (pinv F)^T.
(** The homogeneous activation with the slopes a and d, and its slope: at a kink it is a. *)
Definition slope_of (a d t : R) : R := if 0 <= t then a else d.
Definition two_slopes (a d t : R) : R := slope_of a d t * t.
(** The force of the layer before, and of the layer behind. *)
Definition attraction m n (before : 'M[R]_(m, N)) (Z : 'M[R]_(n, N)) : 'M[R]_(n, N) := 2%:R *: Z *m kernel_inverse before.
Definition repulsion (activation slope : R -> R) (beta : R) n q (Z : 'M[R]_(n, N)) (after : 'M[R]_(q, N)) : 'M[R]_(n, N) :=
  let P := kernel_inverse (features activation beta Z) in
  - 2%:R *: entrywise (map_mx slope Z) (map_mx activation Z *m P *m gram after *m P).
(** The weights into the layer, and out of it, without the bias weights. *)
Definition incoming m n (before : 'M[R]_(m, N)) (Z : 'M[R]_(n, N)) : 'M[R]_(n, m) := Z *m pinv before.
Definition outgoing (activation : R -> R) (beta : R) n q (Z : 'M[R]_(n, N)) (after : 'M[R]_(q, N)) : 'M[R]_(q, n) :=
  lsubmx (after *m pinv (features activation beta Z)).
End Definitions.

Section Facts.
Variable R : realFieldType.
Lemma gram_col m n N (A : 'M[R]_(m, N)) (B : 'M[R]_(n, N)) : gram (col_mx A B) = gram A + gram B.
Proof. by rewrite /gram tr_col_mx mul_row_col. Qed.
Lemma gramD n N (A B : 'M[R]_(n, N)) : gram (A + B) = gram A + (A^T *m B + B^T *m A + gram B).
Proof. by rewrite /gram [(A + B)^T]linearD /= mulmxDl !mulmxDr -!addrA. Qed.
(** The norm of a product is at most the product of the norms. *)
Lemma norm2_mul m k n (A : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) : norm2 (A *m B) <= norm2 A * norm2 B.
Proof.
have one_psd : positive_semidefinite (1%:M : 'M[R]_1) by split=> [|x]; rewrite ?trmx1 // mulmx1 norm2_ge0.
have entry i j : (A *m B) i j ^+ 2 <= (\sum_l A i l ^+ 2) * \sum_l B l j ^+ 2.
  have := cauchy (row i A)^T (col j B) one_psd; rewrite /product !mulmx1 -!/(norm2 _) !norm2E innerE !big_ord1 mxE.
  by under eq_bigr do rewrite !mxE; under [X in _ <= X * _ -> _]eq_bigr do rewrite !mxE;
    under [X in _ <= _ * X -> _]eq_bigr do rewrite mxE.
rewrite norm2E (norm2E B) mulr_sumr; apply: ler_sum => j _.
rewrite -(norm2_tr A) norm2E mulr_suml; apply: ler_sum => i _.
by apply: le_trans (entry i j) _; under [X in _ <= X * _]eq_bigr do rewrite mxE.
Qed.
End Facts.

(** * Aligned neurons *)
Section Aligned.
Variables (R : realFieldType) (N k o : nat) (activation : R -> R) (beta : R).
Hypothesis activation_homogeneous : homogeneous activation.
(** The factors of a group of k neurons, not negative, and their length. *)
Variables (factors : 'cV[R]_k) (length : R).
Hypotheses (factors_ge0 : forall i j, 0 <= factors i j) (length_pos : 0 < length) (length_sq : norm2 factors = length ^+ 2).
Lemma gram_group m (z : 'rV[R]_m) : gram (length *: z) = gram (factors *m z).
Proof.
rewrite /gram [(length *: z)^T]linearZ /= -scalemxAl -scalemxAr scalerA -expr2 -length_sq trmx_mul mulmxA -(mulmxA z^T).
by rewrite [factors^T *m _]mx11_scalar -mulmxA mul_scalar_mx -scalemxAr; congr (_ *: _); rewrite /norm2 /inner /mxtrace big_ord1.
Qed.
Lemma activation_group (z : 'rV[R]_N) : map_mx activation (factors *m z) = factors *m map_mx activation z.
Proof. by apply/matrixP => i j; rewrite !mxE !big_ord1 !mxE activation_homogeneous. Qed.

(** [feature_learning.aligned_neurons] *)
Theorem group_is_one_neuron m q (z : 'rV_N) (others : 'M_(o, N)) (before : 'M_(m, N)) (after : 'M_(q, N)) :
  let Z := col_mx (factors *m z) others in let Z_new := col_mx (length *: z) others in
  let S := features activation beta Z in let S_new := features activation beta Z_new in
  [/\ gram Z_new = gram Z, gram S_new = gram S, norm2 (Z_new *m pinv before) = norm2 (Z *m pinv before)
    & norm2 (after *m pinv S_new) = norm2 (after *m pinv S)].
Proof.
move=> Z Z_new S S_new; have gramZ : gram Z_new = gram Z by rewrite !gram_col gram_group.
have gramS : gram S_new = gram S.
  rewrite /S_new /S /Representations.features /Representations.with_bias !gram_col !map_col_mx !gram_col activation_group -gram_group.
  by congr (gram _ + _ + _); apply: map_homogeneous => //; exact: ltW.
split=> //; last by rewrite !trace_identity; have := gramS; rewrite /gram => ->.
by rewrite !trace_identity; have := gramZ; rewrite /gram => ->.
Qed.

(** [feature_learning.aligned_neurons.network]: incoming weights w, outgoing weights c, those of other neurons, and biases b *)
Theorem one_neuron_does_it d q (w : 'rV_(d + 1)) (c : 'M_(k, q)) (others : 'M_(o, d + 1)) (last : 'M_(q, o)) (b : 'M_(q, 1))
    (x : 'M_(d, N)) :
  let W : weights R q (d + 1) [:: (k + o)%N] := (col_mx (factors *m w) others, row_mx (row_mx c^T last) b) in
  let W_new : weights R q (d + 1) [:: (1 + o)%N] :=
    (col_mx (length *: w) others, row_mx (row_mx (length^-1 *: (factors^T *m c))^T last) b) in
  outputs (of_weights activation beta (with_bias beta x) W_new) = outputs (of_weights activation beta (with_bias beta x) W) /\
  squared_norm W_new <= squared_norm W.
Proof.
have length_ne : length != 0 by rewrite gt_eqF.
move=> W W_new; split; rewrite /W /W_new /=.
  rewrite /Representations.features /Representations.with_bias !mul_col_mx !map_col_mx !mul_row_col -mulmxA activation_group -scalemxAl.
  rewrite map_homogeneous ?ltW // [(length^-1 *: _)^T]linearZ /= trmx_mul trmxK -scalemxAl -scalemxAr scalerA mulVf // scale1r.
  by rewrite !mulmxA.
rewrite !norm2_col !norm2_row norm2_tr !norm2Z norm2_tr; set s := length ^+ 2.
have s_pos : 0 < s by rewrite exprn_gt0.
have -> : norm2 (factors *m w) = s * norm2 w.
  by rewrite -[LHS]/(\tr (gram (factors *m w))) -gram_group -[LHS]/(norm2 (length *: w)) norm2Z.
have le_c : length^-1 ^+ 2 * norm2 (factors^T *m c) <= norm2 c.
  rewrite -(ler_pmul2l s_pos) mulrA -exprMn mulfV // expr1n mul1r /s -length_sq -(norm2_tr factors).
  exact: norm2_mul.
by rewrite ler_add2l !ler_add2r.
Qed.
End Aligned.

(** * Forces *)
Section Forces.
Variables (R : realFieldType) (N m n q : nat) (before : 'M[R]_(m, N)) (Z : 'M[R]_(n, N)) (after : 'M[R]_(q, N)) (beta : R).

(** Of any activation: steps D that take no entry across a kink, at full rank before and after the step. *)
Section Derivatives.
Variables (activation slope : R -> R) (D : 'M[R]_(n, N)).
Hypothesis no_kink_is_crossed :
  map_mx activation (Z + D) = map_mx activation Z + entrywise (map_mx slope Z) D.
Let K := gram (features activation beta Z).
Let K_new := gram (features activation beta (Z + D)).
Hypotheses (full_rank : K \in unitmx) (full_rank_after : K_new \in unitmx).
Lemma pinv_unit (A : 'M[R]_N) : A \in unitmx -> pinv A = invmx A.
Proof. by move=> h; symmetry; apply: pinv_unique; rewrite ?mulmxV ?mulVmx ?mul1mx ?trmx1. Qed.
Lemma kernel_inverse_gram p (F : 'M[R]_(p, N)) : kernel_inverse F = pinv (gram F).
Proof. by rewrite /gram pinv_gram. Qed.

(** [feature_learning.forces] *)
Theorem forces_are_derivatives :
  let E := K_new - K in let S := entrywise (map_mx slope Z) D in let M := invmx K *m gram after *m invmx K in
  norm2 ((Z + D) *m pinv before) = norm2 (Z *m pinv before) + (inner (attraction before Z) D + norm2 (D *m pinv before)) /\
  norm2 (after *m pinv (features activation beta (Z + D))) = norm2 (after *m pinv (features activation beta Z)) +
    (inner (repulsion activation slope beta Z after) D + (inner M (E *m invmx K_new *m E) - inner M (gram S))).
Proof.
move=> E S M; split.
  have e : inner (Z *m pinv before *m (pinv before)^T) D = inner (Z *m pinv before) (D *m pinv before).
    by rewrite [LHS]inner_mulr trmxK.
  by rewrite mulmxDl norm2D /attraction /kernel_inverse -scalemxAl innerZl mulmxA e addrA.
have K_sym : K^T = K by rewrite /K /gram trmx_mul trmxK.
have G_sym : (gram after)^T = gram after by rewrite /gram trmx_mul trmxK.
have sandwiched (A B : 'M[R]_N) : A^T = A -> B^T = B -> (A *m B *m A)^T = A *m B *m A.
  by move=> sA sB; rewrite trmx_mul trmx_mul sA sB mulmxA.
have M_sym : M^T = M by apply: sandwiched; rewrite // trmx_inv K_sym.
rewrite !trace_identity -/(gram (features activation beta Z)) -/(gram (features activation beta (Z + D))).
rewrite -/K -/K_new -/(gram after).
rewrite !pinv_unit //.
have inverse_new : invmx K_new = invmx K - invmx K *m E *m invmx K + invmx K *m E *m invmx K_new *m E *m invmx K.
  have e1 : invmx K *m E = invmx K *m K_new - 1%:M by rewrite mulmxBr mulVmx.
  have e2 : invmx K *m E *m invmx K_new = invmx K - invmx K_new by rewrite e1 mulmxBl mul1mx -mulmxA mulmxV // mulmx1.
  have e3 : invmx K_new *m E *m invmx K = invmx K - invmx K_new.
    by rewrite /E mulmxBr mulVmx // mulmxBl mul1mx -mulmxA mulmxV // mulmx1.
  have -> : invmx K *m E *m invmx K_new *m E *m invmx K = invmx K *m E *m (invmx K_new *m E *m invmx K) by rewrite !mulmxA.
  by rewrite e3 (mulmxBr (invmx K *m E)) e2 addrA subrK opprB addrC subrK.
have E_split : E = (map_mx activation Z)^T *m S + S^T *m map_mx activation Z + gram S.
  rewrite /E /K_new /K /Representations.features /Representations.with_bias !gram_col no_kink_is_crossed -/S gramD.
  by rewrite opprD addrACA subrr addr0 addrC addKr.
have tr_M X : inner M X = \tr (M *m X) by rewrite /inner M_sym.
have tr_cycle X : \tr (gram after *m (invmx K *m X *m invmx K)) = \tr (M *m X).
  by rewrite /M -!mulmxA [RHS]mxtrace_mulC !mulmxA.
have RD : inner (repulsion activation slope beta Z after) D = - 2%:R * \tr (M *m ((map_mx activation Z)^T *m S)).
  rewrite /repulsion kernel_inverse_gram -/K pinv_unit // innerZl inner_entrywise -/S.
  have -> : map_mx activation Z *m invmx K *m gram after *m invmx K = map_mx activation Z *m M by rewrite /M !mulmxA.
  by rewrite /inner trmx_mul M_sym mulmxA.
have S_part : \tr (M *m (S^T *m map_mx activation Z)) = \tr (M *m ((map_mx activation Z)^T *m S)).
  by rewrite -mxtrace_tr trmx_mul trmx_mul trmxK M_sym mxtrace_mulC.
have {}inverse_new : invmx K_new = invmx K - invmx K *m E *m invmx K + invmx K *m (E *m invmx K_new *m E) *m invmx K.
  by rewrite {1}inverse_new !mulmxA.
clearbody E; rewrite [in LHS]inverse_new mulmxDr mulmxBr !mxtraceD linearN /= !tr_cycle RD !tr_M.
rewrite {1}E_split !mulmxDr !mxtraceD S_part.
by move: (\tr _) (\tr _) (\tr _) (\tr _) => *; ring.
Qed.
End Derivatives.

(** Of homogeneous activations, at any rank. *)
Section Homogeneous.
Variables a d : R.
Notation activation := (two_slopes a d).

Lemma along k p (A B : 'M[R]_(k, p)) i : \sum_j A i j * B i j = (A *m B^T) i i.
Proof. by rewrite mxE; apply: eq_bigr => j _; rewrite mxE. Qed.
Lemma norm_along k p (A : 'M[R]_(k, p)) i : \sum_j A i j ^+ 2 = (A *m A^T) i i.
Proof. by rewrite -along; apply: eq_bigr => j _; rewrite expr2. Qed.
Lemma attraction_along i : \sum_j Z i j * attraction before Z i j = 2%:R * \sum_j incoming before Z i j ^+ 2.
Proof.
rewrite along norm_along /attraction /kernel_inverse -scalemxAl [(2%:R *: _)^T]linearZ /= -scalemxAr mxE; congr (_ * _).
by rewrite /incoming !trmx_mul trmxK !mulmxA.
Qed.
(** The rows of the pseudo-inverse that belong to neurons, not to the bias. *)
Let S := features activation beta Z.
Let Q := lsubmx (pinv S).
Lemma activation_kernel_inverse : map_mx activation Z *m kernel_inverse S = Q^T.
Proof.
have -> : map_mx activation Z = usubmx S by rewrite /S /Representations.features /with_bias col_mxKu.
rewrite mul_usub_mx /Q trmx_lsub; congr usubmx; rewrite /kernel_inverse mulmxA -tr_pinv_tr -trmx_mul -trmx_mul.
by rewrite mulmxA pinv_mul_pinv.
Qed.
Lemma repulsion_along i :
  \sum_j Z i j * repulsion (two_slopes a d) (slope_of a d) beta Z after i j
  = - 2%:R * \sum_l outgoing (two_slopes a d) beta Z after l i ^+ 2.
Proof.
set X := map_mx activation Z *m kernel_inverse S *m gram after *m kernel_inverse S.
have -> : \sum_j Z i j * repulsion (two_slopes a d) (slope_of a d) beta Z after i j
    = - 2%:R * \sum_j map_mx activation Z i j * X i j.
  rewrite mulr_sumr; apply: eq_bigr => j _; rewrite /Neurons.repulsion -/S -/X mxE mxE [map_mx (slope_of a d) Z i j]mxE.
  by rewrite [map_mx activation Z i j]mxE /two_slopes; move: (X i j) (Z i j) (slope_of _ _ _) => *; ring.
congr (_ * _); rewrite along /X activation_kernel_inverse.
have -> : (Q^T *m gram after *m kernel_inverse S)^T = kernel_inverse S *m (gram after *m Q).
  by rewrite /kernel_inverse /gram !trmx_mul !trmxK !mulmxA.
rewrite mulmxA activation_kernel_inverse.
have -> : Q^T *m (gram after *m Q) = (outgoing (two_slopes a d) beta Z after)^T *m outgoing (two_slopes a d) beta Z after.
  by rewrite /Neurons.outgoing -/S -mulmx_lsub -/Q /gram trmx_mul !mulmxA.
by rewrite mxE; apply: eq_bigr => l _; rewrite mxE expr2.
Qed.

(** [feature_learning.forces.along_a_neuron] *)
Theorem forces_along_a_neuron i :
  \sum_j Z i j * attraction before Z i j = 2%:R * (\sum_j incoming before Z i j ^+ 2) /\
  \sum_j Z i j * repulsion (two_slopes a d) (slope_of a d) beta Z after i j
    = - 2%:R * (\sum_l outgoing (two_slopes a d) beta Z after l i ^+ 2).
Proof. by split; [exact: attraction_along | exact: repulsion_along]. Qed.

(** [feature_learning.forces.along_the_layer] *)
Theorem forces_along_the_layer :
  inner Z (attraction before Z) = 2%:R * norm2 (incoming before Z) /\
  inner Z (repulsion (two_slopes a d) (slope_of a d) beta Z after) = - 2%:R * norm2 (outgoing (two_slopes a d) beta Z after).
Proof.
split; rewrite innerE exchange_big norm2E; last by rewrite mulr_sumr; apply: eq_bigr => i _; exact: repulsion_along.
by rewrite [in RHS]exchange_big mulr_sumr; apply: eq_bigr => i _; exact: attraction_along.
Qed.

(** [feature_learning.forces.aligned_neurons] *)
Theorem aligned_neurons_have_aligned_forces (i k : 'I_n) (alpha : R) : 0 < alpha -> row k Z = alpha *: row i Z ->
  row k (attraction before Z) = alpha *: row i (attraction before Z) /\
  row k (repulsion (two_slopes a d) (slope_of a d) beta Z after)
    = alpha *: row i (repulsion (two_slopes a d) (slope_of a d) beta Z after).
Proof.
move=> alpha0 aligned; have entry j : Z k j = alpha * Z i j by move/rowP/(_ j): aligned; rewrite !mxE.
split; first by rewrite /attraction !row_mul !linearZ /= aligned -!scalemxAl scalerA mulrC -scalerA.
have slope_entry j : slope_of a d (Z k j) = slope_of a d (Z i j) by rewrite /slope_of entry pmulr_rge0.
set X := map_mx activation Z *m kernel_inverse S *m gram after *m kernel_inverse S.
have X_entry j : X k j = alpha * X i j.
  have -> : X k j = row k X 0 j by rewrite [RHS]mxE.
  have -> : X i j = row i X 0 j by rewrite [RHS]mxE.
  rewrite /X !row_mul; have -> : row k (map_mx activation Z) = alpha *: row i (map_mx activation Z).
    by apply/rowP => l; rewrite !mxE /two_slopes slope_entry entry mulrCA.
  by rewrite -!scalemxAl mxE.
have R_entry i' j : repulsion (two_slopes a d) (slope_of a d) beta Z after i' j = - 2%:R * (slope_of a d (Z i' j) * X i' j).
  by rewrite /Neurons.repulsion -/S -/X mxE mxE [map_mx (slope_of a d) Z i' j]mxE.
apply/rowP => j; rewrite [LHS]mxE [RHS]mxE [row i _ _ _]mxE !R_entry slope_entry X_entry.
by move: (X i j) (slope_of _ _ _) => *; ring.
Qed.
End Homogeneous.
End Forces.
