(** Example 20 at every even depth: a network for (x1, x2, x3 + max(0, x1 - x2)) whose hidden values diverge with the depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** Matrices by their rows. *)
Definition of_rows m n (rows : seq (seq R)) : 'M[R]_(m, n) := \matrix_(i, j) nth 0 (nth [::] rows i) j.
(** m layers diag(t, t, 1/t^2), the two layers of the kink, and m layers diag(1/t, 1/t, t^2): the depth is 2 m + 2. *)
Definition stretch (t : R) : 'M[R]_3 := of_rows 3 3 [:: [:: t; 0; 0]; [:: 0; t; 0]; [:: 0; 0; t ^- 2]].
Definition kink (t : R) m : 'M[R]_(4, 3) :=
  of_rows 4 3 [:: [:: 1; 0; 0]; [:: 0; 1; 0]; [:: 0; 0; 1]; [:: t ^- m; - t ^- m; 0]].
Definition after_kink (t : R) m : 'M[R]_(3, 4) :=
  of_rows 3 4 [:: [:: 1; 0; 0; 0]; [:: 0; 1; 0; 0]; [:: 0; 0; 1; t ^- (2 * m)]].
Fixpoint layers n k d (W : 'M[R]_k) (h : network R n k) : network R n k :=
  if d is d'.+1 then Layer W 0 (layers d' W h) else h.
Definition ending (t : R) (W : 'M[R]_(3, 4)) m : network R 3 4 :=
  if m is m'.+1 then Layer W 0 (layers m' (stretch t^-1) (Last (stretch t^-1) 0)) else Last W 0.
Definition diverging (t : R) m : network R 3 3 := layers m (stretch t) (Layer (kink t m) 0 (ending t (after_kink t m) m)).
(** What the halves cost beyond 3 for each layer: m [4 (cosh 2e - 1) + 2 (cosh 4e - 1)] for t = exp e. *)
Definition halves (t : R) m : R :=
  m%:R * (4%:R * ((t ^+ 2 + t ^- 2) / 2%:R - 1) + 2%:R * ((t ^+ 4 + t ^- 4) / 2%:R - 1)).
(** The function, and the values of the first layers without their activations. *)
Definition three (x y z : R) : 'cV[R]_3 := of_rows 3 1 [:: [:: x]; [:: y]; [:: z]].
Definition of_the_cube (x y z : R) := three x y (z + Num.max (x - y) 0).
End Definitions.

(** * The network *)
Section Network.
Variable R : realFieldType.
Notation value := (@value R 0).
Notation activation := (@activation R 0).
Implicit Types (t x y z : R).

Lemma norm2_0 m n : norm2 (0 : 'M[R]_(m, n)) = 0. Proof. exact: inner0l. Qed.
Lemma three_ge0 x y z : 0 <= x -> 0 <= y -> 0 <= z -> forall i j, 0 <= three x y z i j.
Proof. by move=> x0 y0 z0 [[|[|[|i]]] lt] [[|j] lt'] //; rewrite mxE. Qed.
Lemma stretch_three t x y z : stretch t *m three x y z = three (t * x) (t * y) (t ^- 2 * z).
Proof.
apply/matrixP => i j; rewrite mxE !big_ord_recl big_ord0 !mxE /=.
by case: i => -[|[|[|i]]] // lt; rewrite /= ?mul0r ?addr0 ?add0r; case: j => -[|j].
Qed.
Lemma stretched t x y z d : 0 < t -> 0 <= x -> 0 <= y -> 0 <= z -> forall n (h : network R n 3),
  value (layers d (stretch t) h) (three x y z) = value h (three (t ^+ d * x) (t ^+ d * y) (t ^- (2 * d) * z)).
Proof.
move=> t0; elim: d x y z => [|d IH] x y z x0 y0 z0 n h /=; first by rewrite muln0 !expr0 invr1 !mul1r.
have ge0 a : 0 <= a -> 0 <= t * a by move=> a0; rewrite mulr_ge0 // ltW.
have z2 : 0 <= t ^- 2 * z by rewrite mulr_ge0 // invr_ge0 exprn_ge0 // ltW.
rewrite stretch_three addr0 nonnegative_activation; last by apply: three_ge0 => //; exact: ge0.
rewrite IH ?ge0 // !mulrA -!exprSr; congr (value h (three _ _ (_ * _))).
by rewrite -invfM -exprD mulnS addnC.
Qed.

Lemma norm2_stretch t : norm2 (stretch t) = t ^+ 2 + t ^+ 2 + (t ^- 2) ^+ 2.
Proof. by rewrite norm2E !big_ord_recl !big_ord0 !mxE /= !expr0n /= !addr0 !add0r -!addrA. Qed.
Lemma norm_layers n k d (W : 'M[R]_k) (h : network R n k) : norm (layers d W h) = d%:R * norm2 W + norm h.
Proof.
elim: d => [|d IH] /=; first by rewrite mul0r add0r.
by rewrite IH norm2_0 addr0 addrA -[d.+1]add1n natrD mulrDl mul1r.
Qed.
Lemma norm_diverging t m : t != 0 ->
  norm (diverging t m) = 3%:R * (depth (diverging t m))%:R + halves t m + 2%:R * t ^- (2 * m) + t ^- (4 * m).
Proof.
move=> t0; rewrite /diverging norm_layers /=.
have depthE n k d (W : 'M[R]_k) (h : network R n k) : depth (layers d W h) = (d + depth h)%N by elim: d => //= d ->.
rewrite depthE /=.
have -> : depth (ending t (after_kink t m) m) = m.+1 by rewrite /ending; case: (m) => //= m'; rewrite depthE addn1.
have -> : norm (ending t (after_kink t m) m) = norm2 (after_kink t m) + m%:R * norm2 (stretch t^-1).
  rewrite /ending; move: (after_kink t m) => W; case: (m) => [|m'] /=; first by rewrite norm2_0 addr0 mul0r addr0.
  by rewrite norm_layers /= !norm2_0 !addr0 -[m'.+1]addn1 natrD mulrDl mul1r.
have -> : norm2 (kink t m) = 3%:R + 2%:R * t ^- (2 * m).
  rewrite norm2E !big_ord_recl !big_ord0 !mxE /= sqrrN.
  have -> : (t ^- m) ^+ 2 = t ^- (2 * m) by rewrite exprVn -exprM mulnC.
  by move: (t ^- (2 * m)) => a; ring.
have -> : norm2 (after_kink t m) = 3%:R + t ^- (4 * m).
  rewrite norm2E !big_ord_recl !big_ord0 !mxE /=.
  have -> : (t ^- (2 * m)) ^+ 2 = t ^- (4 * m) by rewrite exprVn -exprM mulnAC.
  by move: (t ^- (4 * m)) => a; ring.
rewrite norm2_0 !norm2_stretch /halves natrD -[m.+2]addn2 natrD; move: (t ^- (2 * m)) (t ^- (4 * m)) => a b.
by field.
Qed.
Lemma kink_three t m x y z : kink t m *m three x y z = of_rows 4 1 [:: [:: x]; [:: y]; [:: z]; [:: t ^- m * (x - y)]].
Proof.
apply/matrixP => i j; rewrite mxE !big_ord_recl big_ord0 !mxE /=.
case: i => -[|[|[|[|i]]]] // lt; rewrite /= ?mul0r ?mul1r ?addr0 ?add0r; case: j => -[|j] // _ /=.
by rewrite mulNr mulrBr.
Qed.

(** [bottleneck_structure.example_20]: where no coordinate is negative, at every depth 2 m + 2 *)
Theorem diverging_is_the_function t m x y z : 0 < t -> 0 <= x -> 0 <= y -> 0 <= z ->
  value (diverging t m) (three x y z) = of_the_cube x y z /\
  norm (diverging t m) = 3%:R * (depth (diverging t m))%:R + halves t m + 2%:R * t ^- (2 * m) + t ^- (4 * m).
Proof.
move=> t0 x0 y0 z0; have tn : t != 0 by rewrite gt_eqF.
split; last exact: norm_diverging.
have pos d : 0 < t ^+ d by rewrite exprn_gt0.
have neg d : 0 < t ^- d by rewrite invr_gt0.
rewrite /diverging stretched //= addr0 kink_three.
set c := Num.max (x - y) 0; have c0 : 0 <= c by rewrite le_maxr lexx orbT.
have -> : activation (of_rows 4 1 [:: [:: t ^+ m * x]; [:: t ^+ m * y]; [:: t ^- (2 * m) * z]; [:: t ^- m * (t ^+ m * x - t ^+ m * y)]])
    = of_rows 4 1 [:: [:: t ^+ m * x]; [:: t ^+ m * y]; [:: t ^- (2 * m) * z]; [:: c]].
  apply/matrixP => i j; rewrite !mxE /act; case: i => -[|[|[|[|i]]]] // lt; case: j => -[|j] //= _.
  1,2: by rewrite mulr_ge0 // ltW.
  - by rewrite mulr_ge0 // ltW.
  - by rewrite -mulrBr mulKf ?gt_eqF // mul0r /c; case: (leP 0 (x - y)).
have after : after_kink t m *m of_rows 4 1 [:: [:: t ^+ m * x]; [:: t ^+ m * y]; [:: t ^- (2 * m) * z]; [:: c]]
    = three (t ^+ m * x) (t ^+ m * y) (t ^- (2 * m) * (z + c)).
  apply/matrixP => i j; rewrite mxE !big_ord_recl big_ord0 !mxE /=.
  by case: i => -[|[|[|i]]] // lt; rewrite /= ?mul0r ?mul1r ?addr0 ?add0r ?mulrDr; case: j => -[|j].
have zc : 0 <= z + c by rewrite addr_ge0.
have end_ : three (t^-1 ^+ m * (t ^+ m * x)) (t^-1 ^+ m * (t ^+ m * y)) (t^-1 ^- (2 * m) * (t ^- (2 * m) * (z + c))) = of_the_cube x y z.
  by rewrite !exprVn invrK !mulKf ?gt_eqF // mulVKf ?gt_eqF.
rewrite -end_ /ending; case: (m) after => [|m'] after /=.
  by rewrite after addr0 muln0 !expr0 !invr1 !mul1r.
rewrite after addr0 nonnegative_activation; last by apply: three_ge0; rewrite mulr_ge0 // ltW.
rewrite stretched ?invr_gt0 //; try by rewrite mulr_ge0 // ltW.
rewrite /= addr0 stretch_three; congr (three _ _ _); try by rewrite [in RHS]exprS mulrA.
by rewrite mulrA -invfM -exprD mulnS addnC.
Qed.

(** The Jacobian takes the slope 1 at 0, and no activation changes what is not negative. *)
Notation jacobian := (@jacobian R 0 1).
Lemma slopes_are_one m (v : 'cV[R]_m) : (forall i j, 0 <= v i j) -> diag_mx (slopes_at 0 1 v)^T = 1%:M.
Proof.
move=> v0; rewrite -diag_const_mx; congr diag_mx; apply/rowP => i; rewrite !mxE /slope_at.
by have := v0 i 0; case: (ltrgtP 0 (v i 0)).
Qed.
Definition powers s e : 'M[R]_3 := of_rows 3 3 [:: [:: s ^+ e; 0; 0]; [:: 0; s ^+ e; 0]; [:: 0; 0; s ^- (2 * e)]].
Lemma stretch_product s d : powers s d *m stretch s = powers s d.+1.
Proof.
apply/matrixP => i j; rewrite mxE !big_ord_recl big_ord0 !mxE /=.
case: i => -[|[|[|i]]] //= lt; case: j => -[|[|[|j]]] //= lt'; rewrite ?mul0r ?mulr0 ?addr0 ?add0r // -?exprSr //.
by rewrite -invfM -exprD mulnS addnC.
Qed.
Lemma jacobian_stretched s d x y z : 0 < s -> 0 <= x -> 0 <= y -> 0 <= z ->
  jacobian (layers d (stretch s) (Last (stretch s) 0)) (three x y z) = powers s d.+1.
Proof.
move=> s0; elim: d x y z => [|d IH] x y z x0 y0 z0.
  by apply/matrixP => -[[|[|[|i]]] lt] -[[|[|[|j]]] lt'] //; rewrite !mxE /= ?muln1 ?expr1.
have sx a : 0 <= a -> 0 <= s * a by move=> a0; rewrite mulr_ge0 // ltW.
have sz : 0 <= s ^- 2 * z by rewrite mulr_ge0 // invr_ge0 exprn_ge0 // ltW.
have ge0 : forall i j, 0 <= three (s * x) (s * y) (s ^- 2 * z) i j by apply: three_ge0 => //; exact: sx.
rewrite /= addr0 stretch_three nonnegative_activation // slopes_are_one // mul1mx IH ?sx //; exact: stretch_product.
Qed.

(** [bottleneck_structure.example_20.diverging]: m is m' + 1; before the kink, and from there to the output *)
Theorem representation_diverges t m' x y z : 0 < t -> 0 <= x -> 0 <= y -> 0 <= z -> let m := m'.+1 in
  let hidden := three (t ^+ m * x) (t ^+ m * y) (t ^- (2 * m) * z) in
  value (layers m' (stretch t) (Last (stretch t) 0)) (three x y z) = hidden /\
  jacobian (Layer (kink t m) 0 (ending t (after_kink t m) m)) hidden (2%:R) (2%:R) = t ^+ (2 * m).
Proof.
move=> t0 x0 y0 z0 m hidden; have pos d : 0 < t ^+ d by rewrite exprn_gt0.
have neg d : 0 < t ^- d by rewrite invr_gt0.
split.
  rewrite stretched //= addr0 stretch_three /hidden; congr (three _ _ _); try by rewrite exprS mulrA.
  by rewrite mulrA -invfM -exprD /m mulnS addnC.
set J := Networks.jacobian _ _ _ _.
have [g JE] : exists g, J = powers t^-1 m *m after_kink t m *m (diag_mx (\row_(j < 4) nth g [:: 1; 1; 1] j) *m kink t m).
  set a := t ^+ m * x; set b := t ^+ m * y; set c := t ^- (2 * m) * z.
  have [a0 b0 c0] : [/\ 0 <= a, 0 <= b & 0 <= c] by split; rewrite mulr_ge0 // ltW.
  pose g := slope_at 0 1 (t ^- m * (a - b)); exists g; rewrite /J /hidden /= kink_three !addr0 -/a -/b -/c.
  set v : 'cV[R]_4 := of_rows 4 1 [:: [:: a]; [:: b]; [:: c]; [:: t ^- m * (a - b)]];
  have -> : (slopes_at 0 1 v)^T = \row_(j < 4) nth g [:: 1; 1; 1] j.
    have one u : 0 <= u -> slope_at 0 1 u = 1 :> R by rewrite /slope_at; case: (ltrgtP 0 u).
    by apply/rowP => -[[|[|[|[|j]]]] lt] //; rewrite /v !mxE /= ?(one a) ?(one b) ?(one c) //.
  congr (_ *m _); have act_ge0 u : 0 <= u -> act 0 u = u :> R by rewrite /act => ->.
  have rest_ge0 u : 0 <= act 0 u :> R by rewrite /act; case: ifP => //; rewrite mul0r.
  have -> : after_kink t m *m activation v = three a b (c + t ^- (2 * m) * act 0 (t ^- m * (a - b))).
    apply/matrixP => i -[[|j] lt'] //; rewrite mxE !big_ord_recl big_ord0 !mxE /= (act_ge0 a) // (act_ge0 b) // (act_ge0 c) //.
    by case: i => -[|[|[|i]]] // lt; rewrite /= ?mul0r ?mul1r ?addr0 ?add0r.
  have ge0 := three_ge0 a0 b0 (addr_ge0 c0 (mulr_ge0 (ltW (neg (2 * m)%N)) (rest_ge0 (t ^- m * (a - b))))).
  by rewrite nonnegative_activation // slopes_are_one // mul1mx jacobian_stretched ?invr_gt0 // addr_ge0 // mulr_ge0 // ltW.
rewrite JE; clear J JE hidden.
do 4 rewrite ?mxE ?big_ord_recl ?big_ord0; rewrite /=; do 4 rewrite ?mxE ?big_ord_recl ?big_ord0.
rewrite /= exprVn invrK; move: (t ^+ _) => T; ring.
Qed.
End Network.
