(** Networks of frames, of powers of a matrix, and of shears: what passes them unchanged, at every width and depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks Diagonal Joined.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The columns of U are orthonormal. *)
Definition is_frame m k (U : 'M[R]_(m, k)) := U^T *m U = 1%:M.
(** d layers V V^T before h; and O = V U^T, d times O O^T, and O^T, at the depth d + 2. *)
Fixpoint repeated n w d (P : 'M[R]_w) (h : network R n w) : network R n w :=
  if d is d'.+1 then Layer P 0 (repeated d' P h) else h.
Definition free_identity m w k (U : 'M[R]_(m, k)) (V : 'M[R]_(w, k)) d : network R m m :=
  Layer (V *m U^T) 0 (repeated d (V *m V^T) (Last (U *m V^T) 0)).

(** The layers U_l diag(q) U_(l-1)^T, from the frame of the inputs, through those of the hidden layers, to that of the outputs. *)
Fixpoint powers n m w k (q : 'rV[R]_k) (right : 'M[R]_(m, k)) (hidden : seq 'M[R]_(w, k)) (left : 'M[R]_(n, k)) : network R n m :=
  if hidden is U :: others then Layer (U *m diag_mx q *m right^T) 0 (powers q U others left)
  else Last (left *m diag_mx q *m right^T) 0.
(** No hidden value is negative in the network without its activation. *)
Fixpoint linear_values_ge0 n m (f : network R n m) : 'cV[R]_m -> Prop :=
  match f in network _ _ m return 'cV[R]_m -> Prop with
  | Last _ _ _ => fun _ => True
  | Layer _ _ W b others => fun x => let z := W *m x + b in (forall i j, 0 <= z i j) /\ linear_values_ge0 others z
  end.

(** The homeomorphism that adds s max(0, u x + t) to the coordinate p, where u looks at the others alone; and shears one after
    the other, each in one layer with the last of those before. *)
Definition away m (p : 'I_m) (u : 'rV[R]_m) : 'rV[R]_m := \row_j (if j == p then 0 else u 0 j).
Definition shear m (one : 'rV[R]_m * (R * (R * 'I_m))) : network R m m :=
  let: (u, (t, (s, p))) := one in
  Layer (col_mx (col_mx 1%:M (- 1%:M)) (away p u)) (col_mx 0 t%:M)
    (Last (row_mx (row_mx 1%:M (- 1%:M)) (s *: delta_mx p 0)) 0).
Definition shears m first others : network R m m := foldl (fun f one => compose (shear one) f) (shear first) others.
(** The affine map between two networks. *)
Definition between m n (phi : network R m m) (A : 'M[R]_(n, m)) (b : 'cV[R]_n) (psi : network R n n) : network R n m :=
  compose psi (compose (Last A b) phi).
End Definitions.

(** * Theorems *)
Section Frames.
Variables (R : realFieldType) (slope : R).
Notation value := (value slope).

Lemma norm2_between m w k (U : 'M[R]_(m, k)) (V : 'M[R]_(w, k)) (D : 'M[R]_k) : is_frame U -> is_frame V ->
  norm2 (V *m D *m U^T) = norm2 D.
Proof. by move=> u v; rewrite -mulmxA norm2_isometry // -norm2_tr trmx_mul trmxK norm2_isometry // norm2_tr. Qed.
Lemma natS n : n.+1%:R = 1 + n%:R :> R. Proof. by rewrite -add1n natrD. Qed.
Lemma norm2_0 m n : norm2 (0 : 'M[R]_(m, n)) = 0. Proof. exact: inner0l. Qed.

(** [bottleneck_structure.prop_5]: at every depth from 2 on *)
Theorem identity_is_free m w k (U : 'M[R]_(m, k)) (V : 'M[R]_(w, k)) d (place : 'cV[R]_k) :
  is_frame U -> is_frame V -> (forall i j, 0 <= (V *m U^T *m (U *m place)) i j) ->
  let f := free_identity U V d in let x := U *m place in
  value f x = x /\ norm f = k%:R * (depth f)%:R.
Proof.
move=> u v; have -> : V *m U^T *m (U *m place) = V *m place by rewrite -mulmxA (mulmxA U^T) u mul1mx.
move=> pos f x; split.
  have -> : value f x = value (repeated d (V *m V^T) (Last (U *m V^T) 0)) (V *m place).
    by rewrite /f /= addr0 -mulmxA (mulmxA U^T) u mul1mx nonnegative_activation.
  elim: d {f} => [|d IH] /=; first by rewrite addr0 -mulmxA (mulmxA V^T) v mul1mx.
  by rewrite addr0 -mulmxA (mulmxA V^T) v mul1mx nonnegative_activation.
have one p q (X : 'M[R]_(p, k)) (Y : 'M[R]_(q, k)) : is_frame X -> is_frame Y -> norm2 (Y *m X^T) = k%:R.
  by move=> hx hy; rewrite -[Y]mulmx1 norm2_between // norm2_one.
rewrite /f /= one // norm2_0 addr0 natS mulrDr mulr1; congr (_ + _).
elim: d {f} => [|d IH] /=; first by rewrite one // norm2_0 addr0 mulr1.
by rewrite IH one // norm2_0 addr0 natS mulrDr mulr1.
Qed.

Lemma powersE n m w k (q : 'rV[R]_k) (right : 'M[R]_(m, k)) (hidden : seq 'M[R]_(w, k)) (left : 'M[R]_(n, k)) (y : 'cV[R]_m) :
  (forall U, U \in hidden -> is_frame U) -> linear_values_ge0 (powers q right hidden left) y ->
  value (powers q right hidden left) y = left *m diag_mx (map_mx (fun a => a ^+ (size hidden).+1) q) *m right^T *m y.
Proof.
elim: hidden m right y => [|U hidden IH] m right y frames /=;
  first by move=> _; rewrite addr0; congr (_ *m diag_mx _ *m _ *m _); apply/rowP => i; rewrite mxE.
rewrite addr0 => -[pos rest]; rewrite nonnegative_activation // IH //; last by move=> V h; apply: frames; rewrite inE h orbT.
rewrite -!mulmxA; congr (_ *m _); rewrite !mulmxA; congr (_ *m _ *m _).
rewrite -(mulmxA _ U^T) frames ?mem_head // mulmx1 mulmx_diag; congr diag_mx.
by apply/rowP => i; rewrite !mxE -exprSr.
Qed.
(** [bottleneck_structure.prop_4.powers]: A has the singular values q^L, and L sum r is L times its Schatten norm to the power 2/L *)
Theorem powers_cost_nothing n m w k (q : 'rV[R]_k) (right : 'M[R]_(m, k)) (hidden : seq 'M[R]_(w, k)) (left : 'M[R]_(n, k))
    (x : 'cV[R]_m) (r : 'I_k -> R) :
  is_frame right -> (forall U, U \in hidden -> is_frame U) -> is_frame left ->
  let f := powers q right hidden left in let L := depth f in
  are_powers L (fun i => q 0 i ^+ L) r -> linear_values_ge0 f x ->
  value f x = left *m diag_mx (map_mx (fun a => a ^+ L) q) *m right^T *m x /\ norm f = L%:R * (\sum_i r i).
Proof.
move=> fr fh fl f L; have LE : L = (size hidden).+1.
  by rewrite /L /f; elim: hidden m right {x fr fh f L} => //= U hidden IH m right; rewrite IH.
move=> pw pos; split; first by rewrite /f powersE // -LE.
have rE : \sum_i r i = norm2 (diag_mx q).
  rewrite norm2E; apply: eq_bigr => i _; rewrite (bigD1 i) //= big1 ?addr0 => [|j ji]; last first.
    by rewrite mxE (negPf ji) mulr0n expr0n.
  have [r0 e] := pw i; rewrite mxE eqxx mulr1n; apply/eqP; rewrite -(@eqr_expn2 _ L) ?sqr_ge0 ?LE // -LE; apply/eqP.
  by rewrite e -!exprM mulnC.
rewrite LE rE /f; elim: hidden m right fr fh {x f L LE pw pos} => [|U hidden IH] m right fr fh /=.
  by rewrite norm2_between // norm2_0 addr0 mul1r.
have fU : is_frame U by apply: fh; exact: mem_head.
rewrite norm2_between // norm2_0 addr0 IH //; last by move=> V h; apply: fh; rewrite inE h orbT.
by rewrite [in RHS]natS mulrDl mul1r.
Qed.
End Frames.

(** Shears *)
Section Shears.
Variables (R : realFieldType) (at_zero : R).
Hypothesis at_zero_pos : 0 < at_zero.
(** The ReLU, with any positive slope at 0, such as 1. *)
Notation jacobian := (jacobian 0 at_zero).

Lemma shear_unit m one (x : 'cV[R]_m) : jacobian (shear one) x \in unitmx.
Proof.
case: one => u [t [s p]] /=; set W := col_mx _ _; set z := W *m x + _.
pose g (a : R) := slope_at 0 at_zero a; pose d := \row_i (g (x i 0) + g (- x i 0)).
have zE : z = col_mx (col_mx x (- x)) (away p u *m x + t%:M).
  by rewrite /z /W !mul_col_mx mul1mx mulNmx mul1mx add_col_mx addr0.
pose a := s * g ((away p u *m x) 0 0 + t).
have JE : row_mx (row_mx 1%:M (- 1%:M)) (s *: delta_mx p 0) *m (diag_mx (slopes_at 0 at_zero z)^T *m W)
    = diag_mx d + a *: (delta_mx p 0 *m away p u).
  have -> : diag_mx (slopes_at 0 at_zero z)^T *m W
      = col_mx (col_mx (diag_mx (slopes_at 0 at_zero x)^T) (- diag_mx (slopes_at 0 at_zero (- x))^T))
          (g ((away p u *m x) 0 0 + t) *: away p u).
    rewrite zE /slopes_at !map_col_mx !tr_col_mx !diag_mx_row /W !mul_block_col !mul0mx !addr0 !add0r mulmx1 mulmxN mulmx1.
    congr (col_mx (col_mx _ _) _); apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 eqxx !mulr1n; congr (_ * _).
  rewrite mul_row_col mul_row_col mul1mx mulNmx mul1mx opprK -scalemxAl -scalemxAr scalerA; congr (_ + _ *: _).
  by rewrite -linearD /=; congr diag_mx; apply/rowP => i; rewrite !mxE.
rewrite JE; have d0 i : d 0 i != 0.
  rewrite mxE gt_eqF // /g /slope_at oppr_gt0 oppr_eq0.
  by case: (ltrgtP (x i 0) 0) => _ //; rewrite ?addr0 ?add0r ?ltr01 // addr_gt0.
pose e := diag_mx (map_mx GRing.inv d).
have de : diag_mx d *m e = 1%:M.
  by rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i; have h := d0 i; rewrite !mxE in h *; exact: mulfV.
have zero : away p u *m e *m (delta_mx p 0 : 'cV[R]_m) = 0.
  apply/matrixP => i j; rewrite !ord1 mxE big1 ?mxE // => k _; rewrite mul_mx_diag !mxE.
  by case: eqP => _; rewrite ?mul0r ?mulr0.
suff /mulmx1_unit[] : (diag_mx d + a *: (delta_mx p 0 *m away p u)) *m (e - a *: (e *m delta_mx p 0 *m (away p u *m e))) = 1%:M by [].
rewrite mulmxDl !mulmxBr de.
have -> : diag_mx d *m (a *: (e *m delta_mx p 0 *m (away p u *m e))) = a *: (delta_mx p 0 *m (away p u *m e)).
  by rewrite -scalemxAr !mulmxA de mul1mx.
have -> : a *: (delta_mx p 0 *m away p u) *m (a *: (e *m delta_mx p 0 *m (away p u *m e))) = 0.
  by rewrite -scalemxAl -scalemxAr -(mulmxA (delta_mx p 0)) (mulmxA (away p u)) (mulmxA (away p u)) zero mul0mx mulmx0 !scaler0.
by rewrite subr0 -scalemxAl mulmxA subrK.
Qed.
Lemma shears_unit m first others (x : 'cV[R]_m) : jacobian (shears first others) x \in unitmx.
Proof.
rewrite /shears; have : forall x, jacobian (shear first) x \in unitmx by move=> y; exact: shear_unit.
elim: others (shear first) x => [|one others IH] f x h /=; first exact: h.
by apply: IH => y; rewrite jacobian_compose unitmx_mul shear_unit h.
Qed.
(** [notion_of_rank.prop_1.homeomorphisms]: homeomorphisms of any number of shears *)
Theorem rank_between_homeomorphisms m n first others first' others' (A : 'M[R]_(n, m)) (b : 'cV[R]_n) (x : 'cV[R]_m) :
  let phi := shears first others in let psi := shears first' others' in
  \rank (jacobian (between phi A b psi) x) = \rank A.
Proof.
move=> phi psi; rewrite /between jacobian_compose jacobian_compose /=.
rewrite eqmxMfull ?row_full_unit; last exact: shears_unit.
by rewrite mxrankMfree // row_free_unit; exact: shears_unit.
Qed.
End Shears.
