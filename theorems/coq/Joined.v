(** Networks that are joined, permuted, or balanced: values and norms at every width and depth. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The network f after an activation, behind the affine map of g and O: O is applied to the last layer of g, and its transpose
    before the first one of f; depths add up. *)
Fixpoint joined n k e m (f : network R n k) (O : 'M[R]_(e, k)) (g : network R k m) : network R n m :=
  match g in network _ _ m return network R n m with
  | Last _ W b => Layer (O *m W) (O *m b) (after_affine f O^T 0)
  | Layer _ _ W b others => Layer W b (joined f O others)
  end.
(** The same with the positive and the negative parts of what g makes, for the slope a of the activation. *)
Fixpoint doubled n k m (f : network R n k) (a : R) (g : network R k m) : network R n m :=
  match g in network _ _ m return network R n m with
  | Last _ W b =>
      Layer (col_mx W (- W)) (col_mx b (- b)) (after_affine f (row_mx (1 + a)^-1%:M (- (1 + a)^-1%:M)) 0)
  | Layer _ _ W b others => Layer W b (doubled f a others)
  end.

(** The activation twice in the last hidden layer. *)
Fixpoint value_twice slope n m (f : network R n m) : 'cV[R]_m -> 'cV[R]_n :=
  match f in network _ _ m return 'cV[R]_m -> 'cV[R]_n with
  | Last _ W b => fun x => W *m x + b
  | Layer _ _ W b others => fun x =>
      let alpha := activation slope (W *m x + b) in
      if others is Last _ _ _ then value slope others (activation slope alpha) else value_twice slope others alpha
  end.
End Definitions.

Section Facts.
Variables (R : realFieldType) (slope : R).
Notation value := (value slope).
Notation activation := (activation slope).

Lemma value_joined n k e m (f : network R n k) (O : 'M[R]_(e, k)) (g : network R k m) x :
  O^T *m O = 1%:M -> (forall i j, 0 <= (O *m value g x) i j) -> value (joined f O g) x = value f (value g x).
Proof.
move=> iso; elim: g x => [l W b | l p W b others IH] x /= pos; last exact: IH.
have -> : O *m W *m x + O *m b = O *m (W *m x + b) by rewrite mulmxDr mulmxA.
by rewrite value_after_affine nonnegative_activation // addr0 mulmxA iso mul1mx.
Qed.
Lemma norm2_isometry e k p (O : 'M[R]_(e, k)) (X : 'M_(k, p)) : O^T *m O = 1%:M -> norm2 (O *m X) = norm2 X.
Proof. by move=> iso; rewrite /norm2 inner_mull mulmxA iso mul1mx. Qed.
(** [bottleneck_structure.theorem_3.composition.isometry]: where O g is not negative *)
Theorem through_an_isometry n k e m (f : network R n k) (O : 'M[R]_(e, k)) (g : network R k m) x :
  O^T *m O = 1%:M -> (forall i j, 0 <= (O *m value g x) i j) ->
  [/\ value (joined f O g) x = value f (value g x), norm (joined f O g) = norm g + norm f
    & depth (joined f O g) = (depth g + depth f)%N].
Proof.
move=> iso pos; split; first exact: value_joined.
- elim: g {x pos} => [l W b | l p W b others IH] /=; last by rewrite IH !addrA.
  rewrite !norm2_isometry // norm_after_affine mulmx0 add0r norm_first; congr (_ + (_ + _ + _)).
  by rewrite -norm2_tr trmx_mul trmxK norm2_isometry // norm2_tr.
- elim: g {x pos} => [l W b | l p W b others IH] /=; last by rewrite IH.
  by congr _.+1; case: (f) (O^T) => [l' V c | l' k' V c others] U.
Qed.

(** [bottleneck_structure.theorem_3.composition.doubled] *)
Theorem twice_the_neurons n k m (f : network R n k) (g : network R k m) x : - 1 < slope ->
  [/\ value (doubled f slope g) x = value f (value g x),
      norm (doubled f slope g) = norm f + norm g + (2%:R / (1 + slope) ^+ 2 - 1) * norm2 (first_weights f)
        + norm2 (last_weights g) + norm2 (last_biases g)
    & depth (doubled f slope g) = (depth g + depth f)%N].
Proof.
move=> a1; have an : 1 + slope != 0 by rewrite gt_eqF // -(addrN 1) ltr_add2l.
split.
- elim: g x => [l W b | l p W b others IH] x /=; last exact: IH.
  have -> : col_mx W (- W) *m x + col_mx b (- b) = col_mx (W *m x + b) (- (W *m x + b)).
    by rewrite mul_col_mx add_col_mx mulNmx opprD.
  rewrite value_after_affine addr0 activation_col mul_row_col mulNmx !mul_scalar_mx; congr (value f _).
  have parts (c : R) : (1 + slope)^-1 * act slope c - (1 + slope)^-1 * act slope (- c) = c.
    by rewrite /act oppr_ge0; case: (ltrgtP c 0) => h; rewrite ?h; field.
  by apply/matrixP => i j; rewrite -[RHS]parts !mxE.
- elim: g {x} => [l W b | l p W b others IH] /=; last by rewrite IH; numbers => *; ring.
  rewrite norm_after_affine mulmx0 add0r norm_first !norm2_col !norm2N mul_mx_row norm2_row mulmxN norm2N.
  rewrite mul_mx_scalar norm2Z exprVn; move: (norm_but_first f) => z; numbers => *; by field.
- elim: g {x} => [l W b | l p W b others IH] /=; last by rewrite IH.
  by congr _.+1; case: (f) (row_mx _ _) => [l' V c | l' k' V c others] U.
Qed.

(** [bottleneck_structure.representation_symmetries]: of the first hidden layer, by any permutation s of its neurons *)
Theorem permutations_keep_it n m k (W : 'M[R]_(k, m)) (b : 'cV[R]_k) (others : network R n k) (s : {perm 'I_k}) (x y : 'cV[R]_m) :
  let P := perm_mx s in
  let f := Layer W b others in let g := Layer (P *m W) (P *m b) (after_affine others P^T 0) in
  [/\ value g x = value f x, norm g = norm f, norm2 (P *m W) + norm2 (P *m b) = norm2 W + norm2 b
    & (P *m W *m x + P *m b)^T *m (P *m W *m y + P *m b) = (W *m x + b)^T *m (W *m y + b)].
Proof.
move=> P f g; have PP : P^T *m P = 1%:M by rewrite /P tr_perm_mx -perm_mxM mulVg perm_mx1.
have P'P : P^T^T *m P^T = 1%:M by rewrite trmxK /P tr_perm_mx -perm_mxM mulgV perm_mx1.
have move_in z : P *m W *m z + P *m b = P *m (W *m z + b) by rewrite mulmxDr mulmxA.
have act_P (z : 'cV[R]_k) : activation (P *m z) = P *m activation z.
  by apply/matrixP => i j; rewrite /P -!row_permE !mxE.
split.
- by rewrite /= move_in act_P value_after_affine addr0 mulmxA PP mul1mx.
- rewrite /= !norm2_isometry // norm_after_affine mulmx0 add0r [norm others]norm_first; congr (_ + (_ + _ + _)).
  by rewrite -norm2_tr trmx_mul trmxK norm2_isometry // norm2_tr.
- by rewrite !norm2_isometry.
- by rewrite !move_in trmx_mul -mulmxA (mulmxA P^T) PP mul1mx.
Qed.

Lemma activation_twice m p (z : 'M[R]_(m, p)) :
  (slope * slope = slope \/ forall i j, 0 <= z i j) -> activation (activation z) = activation z.
Proof.
case=> [idem | pos]; last by rewrite !nonnegative_activation // => i j; rewrite mxE /act pos.
have ends : slope = 0 \/ slope = 1.
  have /eqP : slope * (slope - 1) = 0 by rewrite mulrBr mulr1 idem subrr.
  by rewrite mulf_eq0 subr_eq0 => /orP[] /eqP ->; [left | right].
apply/matrixP => i j; rewrite !mxE /act; case: (leP 0 (z i j)) => h; first by rewrite h.
by case: ends => ->; rewrite ?mul0r ?lexx ?mul1r // leNgt h.
Qed.
(** The preactivations of the last hidden layer are not negative. *)
Fixpoint nonnegative_before n m (f : network R n m) : 'cV[R]_m -> Prop :=
  match f in network _ _ m return 'cV[R]_m -> Prop with
  | Last _ W b => fun _ => True
  | Layer _ _ W b others => fun x =>
      if others is Last _ _ _ then forall i j, 0 <= (W *m x + b) i j else nonnegative_before others (activation (W *m x + b))
  end.
(** [bottleneck_structure.homogeneous_activations.idempotent] *)
Theorem activation_once_or_twice n m (f : network R n m) x : slope * slope = slope \/ nonnegative_before f x ->
  value_twice slope f x = value f x.
Proof.
elim: f x => [l W b | l k W b others IH] x //; move: W b IH.
case: others => [l' V c | l' k' V c others'] W b IH /= h; first by rewrite activation_twice.
exact: IH.
Qed.

(** [bottleneck_structure.homogeneous_activations.recovered] *)
Theorem relu_recovered m p (t : 'M[R]_(m, p)) :
  (1 - slope ^+ 2) *: relu t = activation t + slope *: activation (- t).
Proof.
have one (c : R) : (1 - slope ^+ 2) * Num.max 0 c = act slope c + slope * act slope (- c).
  rewrite /act oppr_ge0; case: (leP 0 c) => h; case: (leP c 0) => h'.
  - by rewrite (_ : c = 0); [ring | apply/eqP; rewrite eq_le h h'].
  - by ring.
  - by ring.
  - by have := lt_trans h h'; rewrite ltxx.
by apply/matrixP => i j; rewrite [LHS]mxE [relu t i j]mxE one !mxE.
Qed.
End Facts.
