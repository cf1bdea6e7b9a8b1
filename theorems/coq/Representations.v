(** Deep networks on data, with any activation: their representations, the loss of these, and the covariances. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive FeatureLearning.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
(** Networks with p outputs, at N points, with any activation and an amount of bias beta. *)
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).

(** A representation above a row of the bias, and its features Z^sigma: its activations above this row. *)
Definition with_bias n (Z : 'M[R]_(n, N)) : 'M[R]_(n + 1, N) := col_mx Z (const_mx beta).
Definition features n (Z : 'M[R]_(n, N)) : 'M[R]_(n + 1, N) := with_bias (map_mx activation Z).

(** The weights of all layers, the bias weights in the last column, for m inputs of the first layer and hidden layers of the
    given widths; and the representations of all layers, hidden ones and outputs. *)
Fixpoint weights m (widths : seq nat) : Type :=
  if widths is n :: others then ('M[R]_(n, m) * weights (n + 1)%N others)%type else 'M[R]_(p, m).
Fixpoint representations (widths : seq nat) : Type :=
  if widths is n :: others then ('M[R]_(n, N) * representations others)%type else 'M[R]_(p, N).

(** psi, from the inputs F of the first layer: Z = W F, and so on with the features of Z. *)
Fixpoint of_weights m widths (F : 'M[R]_(m, N)) : weights m widths -> representations widths :=
  if widths is n :: others return weights m widths -> representations widths
  then fun W => (W.1 *m F, of_weights (features (W.1 *m F)) W.2) else fun W => W *m F.
(** phi: Z F^+, layer by layer. *)
Fixpoint to_weights m widths (F : 'M[R]_(m, N)) : representations widths -> weights m widths :=
  if widths is n :: others return representations widths -> weights m widths
  then fun Z => (Z.1 *m pinv F, to_weights (features Z.1) Z.2) else fun Z => Z *m pinv F.
Definition without_residuals m widths (F : 'M[R]_(m, N)) (W : weights m widths) := to_weights F (of_weights F W).

(** The projection of representations to their constraints, layer by layer: Z F^+ F. *)
Fixpoint onto_the_constraints m widths (F : 'M[R]_(m, N)) : representations widths -> representations widths :=
  if widths is n :: others return representations widths -> representations widths
  then fun Z => let inside := Z.1 *m pinv F *m F in (inside, onto_the_constraints (features inside) Z.2)
  else fun Z => Z *m pinv F *m F.

(** W - t V, layer by layer, and the residuals W - phi(psi(W)). *)
Fixpoint less (t : R) m widths : weights m widths -> weights m widths -> weights m widths :=
  if widths is n :: others return weights m widths -> weights m widths -> weights m widths
  then fun W V => (W.1 - t *: V.1, less t W.2 V.2) else fun W V => W - t *: V.
Definition residuals m widths (F : 'M[R]_(m, N)) (W : weights m widths) := less 1 W (without_residuals F W).

(** The squared norm of all weights, and the outputs. *)
Fixpoint squared_norm m widths : weights m widths -> R :=
  if widths is n :: others return weights m widths -> R then fun W => norm2 W.1 + squared_norm W.2 else fun W => norm2 W.
Fixpoint outputs widths : representations widths -> 'M[R]_(p, N) :=
  if widths is n :: others return representations widths -> 'M[R]_(p, N) then fun Z => outputs Z.2 else fun Z => Z.

(** The losses of weights and of representations, of any cost of the outputs, with the ridge lam. *)
Variables (cost : 'M[R]_(p, N) -> R) (lam : R).
Definition loss m widths (F : 'M[R]_(m, N)) (W : weights m widths) := cost (outputs (of_weights F W)) + lam * squared_norm W.
Definition loss_of_representations m widths (F : 'M[R]_(m, N)) (Z : representations widths) :=
  cost (outputs Z) + lam * squared_norm (to_weights F Z).

(** Covariances: K = Z^T Z, and K^sigma; the sum of the traces Tr[K (K^sigma)^+], and the loss with it. *)
Definition gram n (Z : 'M[R]_(n, N)) : 'M[R]_N := Z^T *m Z.
Fixpoint traces widths (K_sigma : 'M[R]_N) : representations widths -> R :=
  if widths is n :: others return representations widths -> R
  then fun Z => \tr (gram Z.1 *m pinv K_sigma) + traces (gram (features Z.1)) Z.2 else fun Z => \tr (gram Z *m pinv K_sigma).
Definition loss_of_covariances m widths (F : 'M[R]_(m, N)) (Z : representations widths) :=
  cost (outputs Z) + lam * traces (gram F) Z.

(** The images of all covariances are in those of the covariances before: K (F^+ F) = K. *)
Fixpoint in_the_images m widths (F : 'M[R]_(m, N)) : representations widths -> Prop :=
  if widths is n :: others return representations widths -> Prop
  then fun Z => gram Z.1 *m (pinv F *m F) = gram Z.1 /\ in_the_images (features Z.1) Z.2
  else fun Z => gram Z *m (pinv F *m F) = gram Z.

(** The first terms of the weights, W (F F^+), with the features of W itself. *)
Fixpoint first_terms m widths (F : 'M[R]_(m, N)) : weights m widths -> weights m widths :=
  if widths is n :: others return weights m widths -> weights m widths
  then fun W => (W.1 *m (F *m pinv F), first_terms (features (W.1 *m F)) W.2) else fun W => W *m (F *m pinv F).

(** s times the weights, the last layer times a sign. *)
Fixpoint multiple (s sign : R) m widths : weights m widths -> weights m widths :=
  if widths is n :: others return weights m widths -> weights m widths
  then fun W => (s *: W.1, multiple s sign W.2) else fun W => (sign * s) *: W.
End Definitions.

(** An activation is positively homogeneous. *)
Definition homogeneous (R : realFieldType) (activation : R -> R) := forall s t, 0 <= s -> activation (s * t) = s * activation t.

(** * Theorems *)
Section Theorems.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Notation weights := (weights R p).
Notation representations := (representations R N p).
Notation of_weights := (of_weights activation beta).
Notation to_weights := (to_weights activation beta).
Notation without_residuals := (without_residuals activation beta).
Notation residuals := (residuals activation beta).
Notation onto_the_constraints := (onto_the_constraints activation beta).
Notation with_bias := (with_bias beta).
Notation features := (features activation beta).
Implicit Types (m d : nat) (widths : seq nat).

(** Unseen weights are orthogonal to the others. *)
Lemma inner_rest m n k (W : 'M[R]_(k, m)) (F : 'M[R]_(m, n)) :
  inner W (W - W *m F *m pinv F) = norm2 (W - W *m F *m pinv F).
Proof.
have h := norm2_parts F W; have e : norm2 (W *m F *m pinv F) = norm2 (W - (W - W *m F *m pinv F)).
  by congr norm2; rewrite opprB addrC subrK.
move: h; rewrite e norm2B; set B := W - _; clearbody B => h.
have {h} : 2%:R * inner W B = 2%:R * norm2 B.
  by apply/eqP; rewrite -subr_eq0; apply/eqP; rewrite -(subrr (norm2 W)) {2}h; numbers => *; ring.
by apply: mulfI; rewrite pnatr_eq0.
Qed.
Lemma norm2_less m n k (W : 'M[R]_(k, m)) (F : 'M[R]_(m, n)) (t : R) :
  let B := W - W *m F *m pinv F in norm2 (W - t *: B) = norm2 W - t * (2%:R - t) * norm2 B.
Proof. by move=> B; rewrite norm2B norm2Z innerZr inner_rest -/B; numbers => *; ring. Qed.
Lemma less_seen m n k (W : 'M[R]_(k, m)) (F : 'M[R]_(m, n)) (t : R) : (W - t *: (W - W *m F *m pinv F)) *m F = W *m F.
Proof. by rewrite mulmxBl -scalemxAl mulmxBl -!mulmxA (mulmxA F) mul_pinv_mul subrr scaler0 subr0. Qed.
Lemma seen_again m n k (W : 'M[R]_(k, m)) (F : 'M[R]_(m, n)) : W *m F *m pinv F *m F = W *m F.
Proof. by rewrite -!mulmxA (mulmxA F) mul_pinv_mul. Qed.

Lemma of_without_residuals m widths (F : 'M_(m, N)) (W : weights m widths) : of_weights F (without_residuals F W) = of_weights F W.
Proof.
rewrite /Representations.without_residuals; elim: widths m F W => [|n widths IH] m F /= W; first exact: seen_again.
by rewrite seen_again IH.
Qed.
Lemma of_less m widths (F : 'M_(m, N)) (W : weights m widths) t : of_weights F (less t W (residuals F W)) = of_weights F W.
Proof.
rewrite /Representations.residuals /Representations.without_residuals; elim: widths m F W => [|n widths IH] m F /= W; rewrite scale1r less_seen //.
by rewrite IH.
Qed.
Lemma norm_of_less m widths (F : 'M_(m, N)) (W : weights m widths) t :
  squared_norm (less t W (residuals F W)) = squared_norm W - t * (2%:R - t) * squared_norm (residuals F W).
Proof.
rewrite /Representations.residuals /Representations.without_residuals; elim: widths m F W => [|n widths IH] m F /= W; rewrite scale1r norm2_less //.
rewrite IH; move: (squared_norm _) (squared_norm _); numbers => *; ring.
Qed.
Lemma norm_splits m widths (F : 'M_(m, N)) (W : weights m widths) :
  squared_norm W = squared_norm (without_residuals F W) + squared_norm (residuals F W).
Proof.
rewrite /Representations.residuals /Representations.without_residuals; elim: widths m F W => [|n widths IH] m F /= W.
  by rewrite scale1r; exact: norm2_parts.
rewrite scale1r {1}(norm2_parts F W.1) (IH _ (features (W.1 *m F)) W.2).
move: (squared_norm _) (squared_norm _); numbers => *; ring.
Qed.
Lemma squared_norm_ge0 m widths (W : weights m widths) : 0 <= squared_norm W.
Proof. by elim: widths m W => [|n widths IH] m /= W; rewrite ?addr_ge0 ?norm2_ge0. Qed.

Section Losses.
Variables (cost : 'M[R]_(p, N) -> R) (lam : R).
Notation loss := (loss activation beta cost lam).
Notation loss_of_representations := (loss_of_representations activation beta cost lam).
Notation loss_of_covariances := (loss_of_covariances activation beta cost lam).

Lemma loss_splits m widths (F : 'M_(m, N)) (W : weights m widths) :
  loss F W = loss_of_representations F (of_weights F W) + lam * squared_norm (residuals F W).
Proof. by rewrite /Representations.loss /Representations.loss_of_representations (norm_splits F W) mulrDr addrA. Qed.

(** [feature_learning.prop_1.value] *)
Theorem value_of_representations d widths (x : 'M_(d, N)) (W : weights (d + 1) widths) : 0 <= lam ->
  let F := with_bias x in let Z := of_weights F W in
  [/\ loss_of_representations F Z <= loss F W,
      loss F W = loss_of_representations F Z + lam * squared_norm (less 1 W (without_residuals F W))
    & outputs (of_weights F (without_residuals F W)) = outputs Z].
Proof.
move=> lam0 F Z; split; first by rewrite loss_splits ler_addl mulr_ge0 // squared_norm_ge0.
- exact: loss_splits.
- by rewrite of_without_residuals.
Qed.

Lemma of_to_weights m widths (F : 'M_(m, N)) (Z : representations widths) :
  let inside := onto_the_constraints F Z in of_weights F (to_weights F inside) = inside.
Proof.
elim: widths m F Z => [|n widths IH] m F /= Z; first by rewrite seen_again.
by rewrite seen_again IH.
Qed.

(** [feature_learning.prop_1.value.attained] *)
Theorem value_is_attained d widths (x : 'M_(d, N)) (Z : representations widths) :
  let F := with_bias x in let inside := onto_the_constraints F Z in
  of_weights F (to_weights F inside) = inside /\ loss F (to_weights F inside) = loss_of_representations F inside.
Proof. by move=> F inside; rewrite /Representations.loss /inside of_to_weights. Qed.

(** [feature_learning.prop_1.local_minima.residuals] *)
Theorem residuals_only_cost d widths (x : 'M_(d, N)) (W : weights (d + 1) widths) (t : R) :
  let F := with_bias x in let rest := residuals F W in
  loss F (less t W rest) = loss F W - lam * (t * (2%:R - t)) * squared_norm rest.
Proof.
move=> F rest; rewrite /Representations.loss of_less norm_of_less -/rest.
by move: (cost _) (squared_norm W) (squared_norm rest) => *; ring.
Qed.

(** [feature_learning.prop_1.local_minima.weights] *)
Theorem weights_gain_more d widths (x : 'M_(d, N)) (Z : representations widths) (W : weights (d + 1) widths) : 0 <= lam ->
  let F := with_bias x in let inside := onto_the_constraints F Z in
  loss_of_representations F (of_weights F W) - loss_of_representations F inside <= loss F W - loss F (to_weights F inside).
Proof.
move=> lam0; cbv zeta; have [_ ->] := value_is_attained x Z.
by rewrite ler_add2r loss_splits ler_addl mulr_ge0 // squared_norm_ge0.
Qed.

(** What a layer costs is a trace of covariances. *)
Lemma norm_is_traces m widths (F : 'M_(m, N)) (Z : representations widths) :
  squared_norm (to_weights F Z) = traces activation beta (gram F) Z.
Proof. by elim: widths m F Z => [|n widths IH] m F /= Z; rewrite trace_identity // IH. Qed.
Lemma losses_agree m widths (F : 'M_(m, N)) (Z : representations widths) :
  loss_of_representations F Z = loss_of_covariances F Z.
Proof. by rewrite /Representations.loss_of_representations norm_is_traces. Qed.

(** [feature_learning.remark_4.representations] *)
Theorem covariances_have_the_loss d widths (x : 'M_(d, N)) (Z : representations widths) :
  let F := with_bias x in let inside := onto_the_constraints F Z in
  loss_of_representations F inside = loss_of_covariances F inside.
Proof. exact: losses_agree. Qed.

(** [feature_learning.remark_4]: weights W without residuals, and others *)
Theorem weights_gain_more_than_covariances d widths (x : 'M_(d, N)) (W V : weights (d + 1) widths) : 0 <= lam ->
  let F := with_bias x in let kept := without_residuals F W in
  loss_of_covariances F (of_weights F V) - loss_of_covariances F (of_weights F kept) <= loss F V - loss F kept.
Proof.
move=> lam0; cbv zeta; set F := with_bias x; set kept := without_residuals F W.
have -> : loss F kept = loss_of_covariances F (of_weights F kept).
  by rewrite -losses_agree /Representations.loss /Representations.loss_of_representations /kept of_without_residuals.
by rewrite ler_add2r loss_splits -losses_agree ler_addl mulr_ge0 // squared_norm_ge0.
Qed.
End Losses.

(** [feature_learning.weight_decomposition.representations] *)
Theorem residuals_are_unseen d widths (x : 'M_(d, N)) (W : weights (d + 1) widths) :
  let F := with_bias x in of_weights F (first_terms activation beta F W) = of_weights F W.
Proof.
move=> F; clearbody F; move: (addn d 1) F W; elim: widths => [|n widths IH] m F /= W.
  by rewrite mulmxA seen_again.
by rewrite !mulmxA seen_again IH.
Qed.

(** [feature_learning.prop_3.image] *)
Theorem networks_reach_the_set d widths (x : 'M_(d, N)) (W : weights (d + 1) widths) :
  let F := with_bias x in let Z := of_weights F W in
  in_the_images activation beta F Z /\
  traces activation beta (gram F) Z + squared_norm (less 1 W (first_terms activation beta F W)) = squared_norm W.
Proof.
move=> F; clearbody F; move: (addn d 1) F W => m F W /=; split.
  have image n k (V : 'M[R]_(n, k)) (G : 'M[R]_(k, N)) : gram (V *m G) *m (pinv G *m G) = gram (V *m G).
    by rewrite /gram -(mulmxA _ (V *m G)) (mulmxA (V *m G)) seen_again.
  by elim: widths m F W => [|n widths IH] m F /= W.
elim: widths m F W => [|n widths IH] m F /= W; rewrite -trace_identity scale1r !mulmxA.
  by rewrite -norm2_parts.
by rewrite addrACA IH -norm2_parts.
Qed.
End Theorems.

(** Without bias, and with a homogeneous activation. *)
Section Multiples.
Variables (R : realFieldType) (N p : nat) (activation : R -> R).
Hypothesis activation_homogeneous : homogeneous activation.
Lemma map_homogeneous m n (s : R) (Z : 'M[R]_(m, n)) : 0 <= s -> map_mx activation (s *: Z) = s *: map_mx activation Z.
Proof. by move=> s0; apply/matrixP => i j; rewrite !mxE activation_homogeneous. Qed.
Lemma features_homogeneous n (s : R) (Z : 'M[R]_(n, N)) : 0 <= s -> features activation 0 (s *: Z) = s *: features activation 0 Z.
Proof.
move=> s0; rewrite /features /with_bias map_homogeneous // scale_col_mx; congr col_mx.
by apply/matrixP => i j; rewrite !mxE mulr0.
Qed.

(** [feature_learning.multiples] *)
Theorem multiples d widths (x : 'M[R]_(d, N)) (W : weights R p (d + 1) widths) (s sign : R) : 0 <= s -> sign * sign = 1 ->
  let F := with_bias 0 x in let V := multiple s sign W in
  outputs (of_weights activation 0 F V) = (sign * s ^+ (size widths).+1) *: outputs (of_weights activation 0 F W) /\
  squared_norm V = s ^+ 2 * squared_norm W.
Proof.
move=> s0 sign1 F V; rewrite /V; clearbody F; clear V; move: (addn d 1) F W => m F W; split; last first.
  elim: widths m F W => [|n widths IH] m F /= W; first by rewrite norm2Z exprMn [sign ^+ 2]sign1 mul1r.
  by rewrite norm2Z (IH _ 0) mulrDr.
have scaled widths' m' (F' : 'M[R]_(m', N)) (W' : weights R p m' widths') c : 0 <= c ->
    outputs (of_weights activation 0 (c *: F') (multiple s sign W')) =
    (sign * s ^+ (size widths').+1 * c) *: outputs (of_weights activation 0 F' W').
  elim: widths' m' F' W' c => [|n widths' IH] m' F' /= W' c c0.
    by rewrite -scalemxAl -scalemxAr scalerA expr1.
  rewrite -scalemxAl -scalemxAr scalerA features_homogeneous ?mulr_ge0 // IH ?mulr_ge0 //; congr (_ *: _).
  by rewrite [in RHS]exprS; move: (s ^+ _) => y; ring.
by have := scaled _ _ F W 1; rewrite scale1r mulr1 => ->.
Qed.
End Multiples.
