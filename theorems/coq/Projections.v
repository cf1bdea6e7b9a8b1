(** Projections of representations to their constraints, and wider networks. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks FeatureLearning Representations.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Notation weights := (weights R p).
Notation representations := (representations R N p).

(** In every layer the projection is nearer than what any weights V make of the layer before, by the distance of the two. *)
Fixpoint nearest m widths (F : 'M[R]_(m, N)) : representations widths -> weights m widths -> Prop :=
  if widths is n :: others return representations widths -> weights m widths -> Prop
  then fun Z V =>
    let near := Z.1 *m pinv F *m F in
    [/\ norm2 (Z.1 - near) <= norm2 (Z.1 - V.1 *m F),
        norm2 (Z.1 - V.1 *m F) = norm2 (Z.1 - near) + norm2 (near - V.1 *m F)
      & nearest (features activation beta near) Z.2 V.2]
  else fun Z V =>
    let near := Z *m pinv F *m F in
    norm2 (Z - near) <= norm2 (Z - V *m F) /\ norm2 (Z - V *m F) = norm2 (Z - near) + norm2 (near - V *m F).
(** The inputs and the features of all hidden layers have rank N. *)
Fixpoint full_rank m widths (F : 'M[R]_(m, N)) : representations widths -> Prop :=
  if widths is n :: others return representations widths -> Prop
  then fun Z => \rank F = N /\ full_rank (features activation beta Z.1) Z.2 else fun _ => \rank F = N.

(** Weights of a network beside dead neurons, without incoming and without outgoing weights: pairs of their numbers in each hidden
    layer. Behind a layer with n neurons and n' dead ones, and from the inputs on. *)
Fixpoint beside_dead n n' (numbers : seq (nat * nat)) :
    weights (n + 1) [seq one.1 | one <- numbers] -> weights (n + n' + 1) [seq (one.1 + one.2)%N | one <- numbers] :=
  if numbers is (k, k') :: others
    return weights (n + 1) [seq one.1 | one <- numbers] -> weights (n + n' + 1) [seq (one.1 + one.2)%N | one <- numbers]
  then fun W => (col_mx (row_mx (row_mx (lsubmx W.1) 0) (rsubmx W.1)) 0, @beside_dead k k' others W.2)
  else fun W => row_mx (row_mx (lsubmx W) 0) (rsubmx W).
Definition with_dead m n n' (numbers : seq (nat * nat)) (W : weights m (n :: [seq one.1 | one <- numbers])) :
    weights m ((n + n')%N :: [seq (one.1 + one.2)%N | one <- numbers]) :=
  (col_mx W.1 0, @beside_dead n n' numbers W.2).
End Definitions.

Section Theorems.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Notation weights := (weights R p).
Notation representations := (representations R N p).
Notation onto_the_constraints := (onto_the_constraints activation beta).

Lemma distance m n (F : 'M[R]_(m, N)) (Z : 'M[R]_(n, N)) (V : 'M[R]_(n, m)) :
  norm2 (Z - V *m F) = norm2 (Z - Z *m pinv F *m F) + norm2 (Z *m pinv F *m F - V *m F).
Proof.
set near := Z *m pinv F *m F; have -> : Z - V *m F = (Z - near) + (near - V *m F) by rewrite addrA subrK.
rewrite norm2D; have -> : inner (Z - near) (near - V *m F) = 0; last by rewrite mulr0 addr0.
have -> : near - V *m F = (Z *m pinv F - V) *m F by rewrite mulmxBl.
rewrite innerC inner_mulr mulmxBl /near -!mulmxA (mulmxA (pinv F)) pinv_mul_tr subrr.
by rewrite innerC inner0l.
Qed.
(** [feature_learning.projected_gradient] *)
Theorem nearest_in_each_layer d widths (x : 'M_(d, N)) (Z : representations widths) (V : weights (d + 1) widths) :
  let F := with_bias beta x in
  onto_the_constraints F (onto_the_constraints F Z) = onto_the_constraints F Z /\ nearest activation beta F Z V.
Proof.
move=> F; clearbody F; move: (addn d 1) F V => m F V; split.
  elim: widths m F Z {V} => [|n widths IH] m F /= Z; first by rewrite seen_again.
  by rewrite seen_again IH.
have nearer k n (G : 'M[R]_(k, N)) (Y : 'M[R]_(n, N)) U : norm2 (Y - Y *m pinv G *m G) <= norm2 (Y - U *m G).
  by rewrite (distance G Y U) ler_addl norm2_ge0.
elim: widths m F Z V => [|n widths IH] m F /= Z V; first by split; [exact: nearer | exact: distance].
by split; [exact: nearer | exact: distance | exact: IH].
Qed.

(** [feature_learning.projected_gradient.full_rank] *)
Theorem nothing_to_project d widths (x : 'M_(d, N)) (Z : representations widths) :
  full_rank activation beta (with_bias beta x) Z -> onto_the_constraints (with_bias beta x) Z = Z.
Proof.
have one m (F : 'M[R]_(m, N)) : \rank F = N -> pinv F *m F = 1%:M.
  move=> full; have /row_fullP[G GF] : row_full F by rewrite /row_full full.
  by rewrite -[LHS]mul1mx -GF -mulmxA (mulmxA F) mul_pinv_mul.
move: (with_bias beta x); move: (addn d 1) => m F; elim: widths m F Z => [|n widths IH] m F /= Z.
  by move/one => e; rewrite -mulmxA e mulmx1.
case=> /one e full; rewrite -mulmxA e mulmx1 IH //; by case: Z full.
Qed.

Lemma seen_beside_dead n n' k (W : 'M[R]_(k, n + 1)) (Z : 'M[R]_(n, N)) (Y : 'M[R]_(n', N)) :
  row_mx (row_mx (lsubmx W) 0) (rsubmx W) *m features activation beta (col_mx Z Y) = W *m features activation beta Z.
Proof. by rewrite /features /with_bias map_col_mx !mul_row_col mul0mx addr0 -mul_row_col hsubmxK. Qed.
Lemma norm_beside_dead n n' k (W : 'M[R]_(k, n + 1)) :
  norm2 (row_mx (row_mx (lsubmx W) (0 : 'M_(k, n'))) (rsubmx W)) = norm2 W.
Proof. by rewrite -{3}[W]hsubmxK !norm2_row {2}/norm2 inner0l addr0. Qed.
(** [feature_learning.prop_6]: for any activation, homogeneous or not, and at least two layers *)
Theorem dead_neurons_change_nothing d n n' numbers (x : 'M_(d, N)) (W : weights (d + 1) (n :: [seq one.1 | one <- numbers])) :
  let wide := with_dead n' W in
  outputs (of_weights activation beta (with_bias beta x) wide) = outputs (of_weights activation beta (with_bias beta x) W) /\
  squared_norm wide = squared_norm W.
Proof.
move: (with_bias beta x) W; move: (addn d 1) => m F [W V] wide; split.
  rewrite /wide /= mul_col_mx mul0mx; move: (W *m F) (0 : 'M[R]_(n', N)) => Z Y {wide}.
  elim: numbers n n' V Z Y {W} => [|[k k'] numbers IH] n n' V Z Y /=; first exact: seen_beside_dead.
  by rewrite mul_col_mx seen_beside_dead IH.
have zero k l : norm2 (0 : 'M[R]_(k, l)) = 0 by rewrite /norm2 inner0l.
rewrite /wide /= norm2_col zero addr0; congr (_ + _).
elim: numbers n n' V {W wide} => [|[k k'] numbers IH] n n' V /=; first exact: norm_beside_dead.
by rewrite norm2_col zero addr0 norm_beside_dead IH.
Qed.
End Theorems.
