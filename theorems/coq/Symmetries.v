(** Symmetries of functions: rotations, permutations, translations, and shifts of images. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
Require Import Matrices Positive Networks GradientDescent.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The invariants of rotations of all coordinates but the first k: these k, and the squared norm of the others. *)
Definition invariants k t (x : 'cV[R]_(k + t)) : 'cV[R]_(k + 1) := col_mx (usubmx x) (norm2 (dsubmx x))%:M.
(** The Jacobian of a function of the invariants, by the chain rule, from that of the function. *)
Definition through_invariants n k t (J : 'M[R]_(n, k + 1)) (x : 'cV[R]_(k + t)) : 'M[R]_(n, k + t) :=
  row_mx (lsubmx J) (2%:R *: (rsubmx J *m (dsubmx x)^T)).
(** The tangents of the orbit, as rows: the skew matrices e_j e_i^T - e_i e_j^T applied to the coordinates that turn. *)
Definition tangents k t (x : 'cV[R]_(k + t)) : 'M[R]_(#|{: 'I_t * 'I_t}|, k + t) :=
  \matrix_l row_mx 0 ((dsubmx x) (enum_val l).1 0 *: delta_mx 0 (enum_val l).2
    - (dsubmx x) (enum_val l).2 0 *: delta_mx 0 (enum_val l).1).

(** The sum of a network over all orders of its inputs, and the sorted inputs. *)
Definition symmetrised slope n m (f : network R n m) (x : 'cV[R]_m) : 'cV[R]_n := \sum_(s : 'S_m) value slope f (row_perm s x).
Definition sorted m (x : 'cV[R]_m) : 'cV[R]_m := \col_i nth 0 (sort <=%R [seq x j 0 | j <- enum 'I_m]) i.

(** The network with other first weights; with those that do not see v. *)
Definition with_first_weights n m (f : network R n m) : 'M[R]_(first_width f, m) -> network R n m :=
  match f with Last _ _ b => fun W => Last W b | Layer _ _ _ b others => fun W => Layer W b others end.
Definition projected n m (f : network R n m) (v : 'cV[R]_m) : network R n m :=
  with_first_weights (first_weights f - first_weights f *m (pinv v^T *m v^T)).
End Definitions.

Section Rotations.
Variables (R : realFieldType) (slope at_zero : R) (n k t : nat) (f : network R n (k + 1)).
(** [symmetry_learning.symmetries.rotations]: two points whose turning parts have one length *)
Theorem one_point_of_each_orbit (kept : 'cV_k) (radius : R) (unit unit' : 'cV_t) : norm2 unit = 1 -> norm2 unit' = 1 ->
  value slope f (invariants (col_mx kept (radius *: unit))) = value slope f (invariants (col_mx kept (radius *: unit'))).
Proof. by move=> h h'; rewrite /invariants !col_mxKu !col_mxKd !norm2Z h h'. Qed.

Lemma norm2_reflected d (v u : 'cV[R]_d) : norm2 (reflected v u) = norm2 v.
Proof.
rewrite /reflected norm2B norm2Z innerZr (innerC v u).
have [zero|ne] := eqVneq (norm2 u) 0; first by rewrite zero (norm2_eq0 zero) inner0l !mulr0 subr0 addr0.
by move: ne; move: (inner u v); numbers => *; field.
Qed.
(** [symmetry_learning.symmetries]: two reflections make a rotation; the Jacobian is that by x *)
Theorem dimension_of_the_quotient (x : 'cV_(k + t)) (u v : 'cV_t) :
  value slope f (invariants (col_mx (usubmx x) (reflected (reflected (dsubmx x) u) v))) = value slope f (invariants x) /\
  (\rank (through_invariants (jacobian slope at_zero f (invariants x)) x) <= k + t - \rank (tangents x))%N.
Proof.
split; first by rewrite /invariants col_mxKu col_mxKd !norm2_reflected.
set J := through_invariants _ _; rewrite -(mxrank_tr (tangents x)).
have zero : J *m (tangents x)^T = 0.
  apply/trmx_inj; rewrite trmx_mul trmxK trmx0; apply/row_matrixP => l; rewrite row_mul rowK row0.
  rewrite /J /through_invariants tr_row_mx mul_row_col mul0mx add0r [(2%:R *: _)^T]linearZ /= trmx_mul trmxK -scalemxAr mulmxA.
  set y := dsubmx x; set i := (enum_val l).1; set j := (enum_val l).2.
  have -> : (y i 0 *: (delta_mx 0 j : 'rV_t) - y j 0 *: delta_mx 0 i) *m y = 0.
    by rewrite mulmxBl -!scalemxAl -!rowE; apply/rowP => c; rewrite !mxE ord1 mulrC subrr.
  by rewrite mul0mx scaler0.
by have := mulmx0_rank_max zero; move/(leq_sub2r (\rank (tangents x)^T)); rewrite addnK.
Qed.
End Rotations.

Section Permutations.
Variables (R : realFieldType) (slope : R) (n m : nat) (f : network R n m).
Lemma sorted_is_reordered (x : 'cV[R]_m) : exists s : 'S_m, sorted x = row_perm s x.
Proof.
pose entries := [tuple x j 0 | j < m].
have size_sorted : size (sort <=%R entries) == m by rewrite size_sort size_tuple.
have : perm_eq (Tuple size_sorted) entries by rewrite perm_sort.
case/tuple_permP => s e; exists s; apply/colP => i; rewrite !mxE.
have -> : [seq x j 0 | j <- enum 'I_m] = entries by [].
have -> : sort <=%R entries = [tuple tnth entries (s i) | i < m] by exact: e.
by rewrite -tnth_nth !tnth_mktuple.
Qed.
(** [symmetry_learning.symmetries.permutations] *)
Theorem sorted_vectors_suffice (x : 'cV_m) : symmetrised slope f x = symmetrised slope f (sorted x).
Proof.
have [s ->] := sorted_is_reordered x; rewrite /symmetrised [LHS](reindex_inj (mulIg s)) /=.
by apply: eq_bigr => t _; rewrite -row_permM.
Qed.
End Permutations.

Section Translations.
Variables (R : realFieldType) (slope : R).
Lemma value_of_other_weights n m (f : network R n m) (P : 'M_m) x :
  value slope (with_first_weights (first_weights f - first_weights f *m P)) x = value slope f (x - P *m x).
Proof. by case: f P x => [k W b | k l W b others] P x /=; rewrite mulmxBl mulmxBr mulmxA. Qed.
Lemma norm_of_other_weights n m (f : network R n m) (W : 'M_(first_width f, m)) :
  norm2 W <= norm2 (first_weights f) -> norm (@with_first_weights R n m f W) <= norm f.
Proof.
by case: f W => [k V b | k l V b others] W /= le_W; rewrite -?addrA ler_add2r.
Qed.
(** [symmetry_learning.translation_symmetry.projection]: of every depth, for all v along which the values stay *)
Theorem projection_costs_nothing n m (f : network R n m) (v x : 'cV_m) :
  (forall y (t : R), value slope f (y + t *: v) = value slope f y) ->
  value slope (projected f v) x = value slope f x /\ norm (projected f v) <= norm f.
Proof.
move=> invariant; set P := pinv v^T *m v^T.
have P_sym : P^T = P by exact: pinv_mul_sym.
have P_idem : P *m P = P by rewrite /P mulmxA pinv_mul_pinv.
split.
  have -> : value slope (projected f v) x = value slope f (x - P *m x).
    exact: value_of_other_weights.
  have [t ->] : exists t, P *m x = t *: v.
    have P_v : P = v *m (pinv v^T)^T by rewrite -P_sym /P trmx_mul trmxK.
    by exists (((pinv v^T)^T *m x) 0 0); rewrite P_v -mulmxA [X in v *m X]mx11_scalar mul_mx_scalar.
  by rewrite -scaleNr invariant.
have smaller k (W : 'M[R]_(k, m)) : norm2 (W - W *m P) <= norm2 W.
  have e : inner W (W *m P) = norm2 (W *m P) by rewrite /norm2 inner_mulr P_sym -mulmxA P_idem.
  rewrite norm2B e -subr_ge0; have -> : forall a b : R, b - (b - 2%:R * a + a) = a by move=> *; ring.
  by rewrite norm2_ge0.
exact: norm_of_other_weights.
Qed.
(** Such values: two neurons whose outputs cancel or that do not see v, beside others that do not see it. *)
Lemma cancelling_neurons n m k (W : 'M[R]_(k, m)) (w : 'rV_m) (b : 'cV_k) (V : 'M_(n, k)) (a c : 'cV_n) (share : R) (v : 'cV_m) :
  W *m v = 0 -> (w *m v = 0 \/ a - share *: a = 0) ->
  let f := Layer (col_mx (col_mx W w) w) (col_mx (col_mx b 0) 0) (Last (row_mx (row_mx V a) (- (share *: a))) c) in
  forall y t, value slope f (y + t *: v) = value slope f y.
Proof.
move=> Wv [wv | ca] f y t; first by rewrite /f /= mulmxDr -scalemxAr !mul_col_mx Wv wv !col_mx0 scaler0 addr0.
have {ca} ca : share *: a = a by move/eqP: ca; rewrite subr_eq0 => /eqP.
have e (z : 'cV_m) : row_mx (row_mx V a) (- a) *m activation slope (col_mx (col_mx W w) w *m z + col_mx (col_mx b 0) 0)
    = V *m activation slope (W *m z + b).
  by rewrite !mul_col_mx !add_col_mx !addr0 /activation !map_col_mx !mul_row_col mulNmx addrK.
by rewrite /f ca /= !e mulmxDr -scalemxAr Wv scaler0 addr0.
Qed.
End Translations.
