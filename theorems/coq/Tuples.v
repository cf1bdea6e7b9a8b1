(** Tuples of covariances of homogeneous networks: every one is that of a network, and they are a translated convex cone. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive FeatureLearning Representations Neurons.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).

(** For each hidden layer the roots r of the weights of its cone, and vectors, the rows of V; and the outputs. *)
Fixpoint tuples (widths : seq nat) : Type :=
  if widths is n :: others then (('cV[R]_n * 'M[R]_(n, N)) * tuples others)%type else 'M[R]_(p, N).
(** The pair of covariances: the sums of r^2 v v^T and of r^2 sigma(v) sigma(v)^T, and beta^2 1 1^T. *)
Definition scaled n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : 'M[R]_(n, N) := diag_mx r^T *m V.
Definition first_covariance n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : 'M[R]_N := V^T *m scaled (map_mx (fun a => a ^+ 2) r) V.
Definition second_covariance n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : 'M[R]_N :=
  first_covariance r (map_mx activation V) + const_mx (beta ^+ 2).
(** Rows whose Gram matrix is the second covariance. *)
Definition rows_of_second n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : 'M[R]_(n + 1, N) := with_bias beta (scaled r (map_mx activation V)).

(** Cone weights are not negative. *)
Fixpoint roots_ge0 widths : tuples widths -> Prop :=
  if widths is n :: others return tuples widths -> Prop
  then fun t => (forall i j, 0 <= t.1.1 i j) /\ roots_ge0 t.2 else fun _ => True.
(** Vectors and outputs projected, layer by layer, to the image of the covariance before. *)
Fixpoint inside_the_images m widths (F : 'M[R]_(m, N)) : tuples widths -> tuples widths :=
  if widths is n :: others return tuples widths -> tuples widths
  then fun t => let V := t.1.2 *m (pinv F *m F) in ((t.1.1, V), inside_the_images (rows_of_second t.1.1 V) t.2)
  else fun Z => Z *m (pinv F *m F).
(** The representations r v of a tuple, its outputs, and its cost. *)
Fixpoint representations_of widths : tuples widths -> representations R N p widths :=
  if widths is n :: others return tuples widths -> representations R N p widths
  then fun t => (scaled t.1.1 t.1.2, representations_of t.2) else fun Z => Z.
Fixpoint outputs_of widths : tuples widths -> 'M[R]_(p, N) :=
  if widths is n :: others return tuples widths -> 'M[R]_(p, N) then fun t => outputs_of t.2 else fun Z => Z.
Fixpoint cost m widths (F : 'M[R]_(m, N)) : tuples widths -> R :=
  if widths is n :: others return tuples widths -> R
  then fun t => inner (first_covariance t.1.1 t.1.2) (kernel_inverse F) + cost (rows_of_second t.1.1 t.1.2) t.2
  else fun Z => inner (gram Z) (kernel_inverse F).
(** Representations have the pairs of covariances of a tuple. *)
Fixpoint has_pairs widths : tuples widths -> representations R N p widths -> Prop :=
  if widths is n :: others return tuples widths -> representations R N p widths -> Prop
  then fun t Z => [/\ gram Z.1 = first_covariance t.1.1 t.1.2, gram (features activation beta Z.1) = second_covariance t.1.1 t.1.2
    & has_pairs t.2 Z.2] else fun _ _ => True.
End Definitions.

Section Theorems.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Hypothesis activation_homogeneous : homogeneous activation.
Notation tuples := (tuples R N p).
Notation inside_the_images := (inside_the_images activation beta).

Lemma gram_scaled n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : gram (scaled r V) = first_covariance r V.
Proof.
rewrite /gram /first_covariance /scaled trmx_mul tr_diag_mx -mulmxA (mulmxA (diag_mx _)); congr (_ *m (_ *m _)).
by rewrite mulmx_diag; congr diag_mx; apply/rowP => i; rewrite !mxE expr2.
Qed.
Lemma activation_scaled n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : (forall i j, 0 <= r i j) ->
  map_mx activation (scaled r V) = scaled r (map_mx activation V).
Proof. by move=> r0; apply/matrixP => i j; rewrite /scaled !mul_diag_mx !mxE activation_homogeneous. Qed.
Lemma features_scaled n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) : (forall i j, 0 <= r i j) ->
  features activation beta (scaled r V) = rows_of_second activation beta r V.
Proof. by move=> r0; rewrite /features activation_scaled. Qed.
Lemma gram_bias : gram (const_mx beta : 'M[R]_(1, N)) = const_mx (beta ^+ 2).
Proof. by apply/matrixP => i j; rewrite !mxE big_ord1 !mxE expr2. Qed.
Lemma gram_rows_of_second n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) :
  gram (rows_of_second activation beta r V) = second_covariance activation beta r V.
Proof. by rewrite /rows_of_second /with_bias gram_col gram_scaled gram_bias. Qed.
Lemma inner_gram_kernel m n (Z : 'M[R]_(n, N)) (F : 'M[R]_(m, N)) : norm2 (Z *m pinv F) = inner (gram Z) (kernel_inverse F).
Proof. by rewrite trace_identity /inner /gram trmx_mul trmxK /kernel_inverse -pinv_gram. Qed.

(** [feature_learning.prop_3]: the network of the weights phi(r v) *)
Theorem every_tuple_is_reached d widths (x : 'M_(d, N)) (t : tuples widths) : roots_ge0 t ->
  let F := with_bias beta x in let inside := inside_the_images F t in
  let W := to_weights activation beta F (representations_of inside) in let Z := of_weights activation beta F W in
  [/\ has_pairs activation beta inside Z, outputs Z = outputs_of inside & squared_norm W = cost activation beta F inside].
Proof.
move=> t0 F inside W Z; have ZE : Z = representations_of inside.
  rewrite /Z /W /inside; clearbody F; clear inside W Z; move: (addn d 1) F t t0.
  elim: widths => [|n widths IH] m F /= t; first by rewrite !mulmxA seen_again.
  case=> r0 t0; have e : scaled t.1.1 (t.1.2 *m (pinv F *m F)) *m pinv F *m F = scaled t.1.1 (t.1.2 *m (pinv F *m F)).
    by rewrite /scaled !mulmxA seen_again.
  by rewrite e features_scaled // IH.
have inside0 : roots_ge0 inside.
  rewrite /inside; clearbody F; clear inside W Z ZE; move: (addn d 1) F t t0.
  by elim: widths => [|n widths IH] m F //= t [r0 t0]; split=> //; exact: IH.
rewrite ZE /W; clearbody inside; clear W Z ZE; clearbody F; move: (addn d 1) F inside inside0 => m F {}t {}t0; split.
- elim: widths t t0 {F} => [|n widths IH] //= t [r0 t0]; split; [exact: gram_scaled | | exact: IH].
  by rewrite features_scaled // gram_rows_of_second.
- by elim: widths t t0 {F} => [|n widths IH] //= t [r0 t0]; exact: IH.
- elim: widths m F t t0 => [|n widths IH] m F /= t; first by rewrite inner_gram_kernel.
  by case=> r0 t0; rewrite features_scaled // IH // inner_gram_kernel gram_scaled.
Qed.
End Theorems.

(** * The cone *)
Section Cone.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Hypothesis activation_homogeneous : homogeneous activation.
Notation tuples := (tuples R N p).
Notation inside_the_images := (inside_the_images activation beta).
(** The square roots a and b of the factors of two tuples. *)
Variables (a b : R).
Hypotheses (a_ge0 : 0 <= a) (b_ge0 : 0 <= b).

(** The combination of two tuples, less the translation, is in the set again: in every layer the neurons of both, side by side,
    have its pair of covariances and are in the image of the covariance before, as the outputs are. *)
Fixpoint combination_is_in_the_set m widths (F : 'M[R]_(m, N)) : tuples widths -> tuples widths -> Prop :=
  if widths is n :: others return tuples widths -> tuples widths -> Prop
  then fun s t =>
    let Z := col_mx (a *: scaled s.1.1 s.1.2) (b *: scaled t.1.1 t.1.2) in
    [/\ gram Z = a ^+ 2 *: first_covariance s.1.1 s.1.2 + b ^+ 2 *: first_covariance t.1.1 t.1.2,
        gram (features activation beta Z) = a ^+ 2 *: second_covariance activation beta s.1.1 s.1.2
          + b ^+ 2 *: second_covariance activation beta t.1.1 t.1.2 + const_mx ((1 - (a ^+ 2 + b ^+ 2)) * beta ^+ 2),
        Z *m (pinv F *m F) = Z & combination_is_in_the_set (features activation beta Z) s.2 t.2]
  else fun s t => let ends := a ^+ 2 *: s + b ^+ 2 *: t in ends *m (pinv F *m F) = ends.

Lemma gramZ n (c : R) (Z : 'M[R]_(n, N)) : gram (c *: Z) = c ^+ 2 *: gram Z.
Proof. by rewrite /gram [(c *: Z)^T]linearZ /= -scalemxAl -scalemxAr scalerA expr2. Qed.
Lemma in_image n m (Z : 'M[R]_(n, N)) (F : 'M[R]_(m, N)) : (Z <= F)%MS -> Z *m (pinv F *m F) = Z.
Proof. by case/submxP => D ->; rewrite mulmxA seen_again. Qed.
Lemma projected_sub n m m' (V : 'M[R]_(n, N)) (G : 'M[R]_(m, N)) (F : 'M[R]_(m', N)) (c : R) :
  (c *: G <= F)%MS -> (c *: (V *m (pinv G *m G)) <= F)%MS.
Proof. by move=> sub; rewrite mulmxA scalemxAr; apply: submx_trans sub; exact: submxMl. Qed.
Lemma scaled_sub n m (r : 'cV[R]_n) (V : 'M[R]_(n, N)) (F : 'M[R]_(m, N)) (c : R) :
  (c *: V <= F)%MS -> (c *: scaled r V <= F)%MS.
Proof. by move=> sub; rewrite /scaled scalemxAr; apply: submx_trans sub; exact: submxMl. Qed.
Lemma rows_sub n k (c : R) (r : 'cV[R]_n) (V : 'M[R]_(n, N)) (X : 'M[R]_(k, N)) :
  (c *: scaled r (map_mx activation V) <= X)%MS -> (c *: rows_of_second activation beta r V <= with_bias beta X)%MS.
Proof.
move=> sub; rewrite /rows_of_second /with_bias scale_col_mx col_mx_sub -addsmxE.
by apply/andP; split; [exact: submx_trans sub (addsmxSl _ _) | apply: scalemx_sub; rewrite -addsmxE; exact: addsmxSr].
Qed.

(** [feature_learning.prop_5] *)
Theorem combinations_stay_in_the_set d widths (x : 'M_(d, N)) (s t : tuples widths) : roots_ge0 s -> roots_ge0 t ->
  let F := with_bias beta x in combination_is_in_the_set F (inside_the_images F s) (inside_the_images F t).
Proof.
move=> s0 t0 F; clearbody F; move: (addn d 1) F => m F.
suff general m' m'' (G : 'M[R]_(m', N)) (H : 'M[R]_(m'', N)) : (a *: G <= F)%MS -> (b *: H <= F)%MS ->
    combination_is_in_the_set F (inside_the_images G s) (inside_the_images H t).
  by apply: general; exact: scalemx_sub.
elim: widths m m' m'' F G H s t s0 t0 => [|n widths IH] m m' m'' F G H /= s t.
  move=> _ _ G_F H_F; apply: in_image; apply: addmx_sub; rewrite expr2 -scalerA; apply: scalemx_sub; exact: projected_sub.
case=> r0 s0 [q0 t0] G_F H_F; set V := s.1.2 *m _; set U := t.1.2 *m _.
have activation_both : map_mx activation (col_mx (a *: scaled s.1.1 V) (b *: scaled t.1.1 U))
    = col_mx (a *: scaled s.1.1 (map_mx activation V)) (b *: scaled t.1.1 (map_mx activation U)).
  by rewrite map_col_mx !map_homogeneous // !activation_scaled.
split.
- by rewrite gram_col !gramZ !gram_scaled.
- rewrite /features activation_both /with_bias !gram_col !gramZ !gram_scaled gram_bias /second_covariance.
  move: (first_covariance _ _) (first_covariance _ _) => X Y; apply/matrixP => i j; rewrite !mxE.
  by move: (X i j) (Y i j) => *; ring.
- apply: in_image; rewrite col_mx_sub; apply/andP; split; apply: scaled_sub; exact: projected_sub.
- apply: IH => //; rewrite /features activation_both; apply: rows_sub; rewrite -addsmxE; [exact: addsmxSl | exact: addsmxSr].
Qed.
End Cone.
