(** Leaky ResNets: Hamilton's equations from differences of the energy, and what another neuron does to the weights. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B D : 'M[R]_(w, n).
Implicit Types W : 'M[R]_(w, w + 1).

(** The differences of the energy along a direction, by the activations and by the adjoints, for a step h. *)
Definition slope_in_activations A B D (h : R) : R := (hamiltonian (A + h *: D) B - hamiltonian (A - h *: D) B) / (2%:R * h).
Definition slope_in_adjoints A B D (h : R) : R := (hamiltonian A (B + h *: D) - hamiltonian A (B - h *: D)) / (2%:R * h).

(** The weights with another neuron: x is the column of a point, o stands below its positive part in the row of inputs. *)
Definition features (x : 'cV[R]_w) (o : R) : 'cV[R]_(w + 1) := col_mx (relu x) o%:M.
Definition kept W (x : 'cV[R]_w) (L epsilon t o : R) : 'M[R]_(w, w + 1) :=
  W - (L * epsilon ^+ 2 * t ^+ 2) *: (x *m (features x o)^T).
Definition incoming (x : 'cV[R]_w) (L epsilon t o : R) : 'rV[R]_(w + 1) := (epsilon * L * t) *: (features x o)^T.
Definition widened W (x : 'cV[R]_w) (L epsilon t o : R) : 'M[R]_(w + 1, w + 1 + 1) :=
  col_mx
    (row_mx (row_mx (lsubmx (kept W x L epsilon t o)) ((epsilon * L * t) *: x)) (rsubmx (kept W x L epsilon t o)))
    (row_mx (row_mx (lsubmx (incoming x L epsilon t o)) 0) (rsubmx (incoming x L epsilon t o))).
(** The velocity of a point; its features are those with the entry 1. *)
Definition moved W (x : 'cV[R]_w) (L : R) : 'cV[R]_w := W *m features x 1 - L *: x.
End Definitions.

(** * Hamilton's equations *)
Section Energy.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B D : 'M[R]_(w, n).

Lemma relu_beside A D : (forall i j, `|D i j| < `|A i j|) -> relu (A + D) = relu A + entrywise (positive A) D.
Proof.
move=> small; apply/matrixP => i j; rewrite !mxE; have := small i j; move: (A i j) (D i j) => a d; rewrite ltr_norml.
case: (ltrgtP 0 a) => [a0 | a0 | <-].
- rewrite gtr0_norm // mul1r => /andP[h _]; rewrite max_r //.
  by rewrite -(addrN a) ler_add2l ltW.
- rewrite ltr0_norm // mul0r addr0 => /andP[_ h]; rewrite max_l //.
  by rewrite -(addrN a) ler_add2l ltW.
- by rewrite normr0 oppr0 => /andP[h1 h2]; have := lt_trans h1 h2; rewrite ltxx.
Qed.
Lemma slope_adjointsE A B D (h : R) : h != 0 -> slope_in_adjoints A B D h = inner (velocity A B) D.
Proof.
move=> h0; rewrite /slope_in_adjoints /hamiltonian /velocity mulmxDl mulmxBl -scalemxAl norm2D norm2B norm2Z innerZr.
rewrite !innerDl !innerNl innerZl [inner D A]innerC.
have -> : inner (B *m (sigma A)^T) (D *m (sigma A)^T) = inner (B *m kernel A) D.
  by rewrite /kernel mulmxA [RHS]inner_mulr.
by move: h0; numbers => *; field.
Qed.
Lemma slope_activationsE A B D (h : R) : 0 < h -> (forall i j, h * `|D i j| < `|A i j|) ->
  slope_in_activations A B D h = - inner (adjoint_velocity A B) D.
Proof.
move=> h0 small; have hn : h != 0 by rewrite gt_eqF.
pose E := entrywise (positive A) D.
have scaled (a : R) : entrywise (positive A) (a *: D) = a *: E by apply/matrixP => i j; rewrite !mxE mulrCA.
have step (a : R) : `|a| = h -> relu (A + a *: D) = relu A + a *: E.
  by move=> ah; rewrite relu_beside ?scaled // => i j; rewrite mxE normrM ah.
have plus : relu (A + h *: D) = relu A + h *: E by apply: step; rewrite gtr0_norm.
have minus : relu (A - h *: D) = relu A - h *: E.
  by rewrite -scaleNr step ?scaleNr // normrN gtr0_norm.
rewrite /slope_in_activations /hamiltonian !norm2_features plus minus.
rewrite [(relu A + _)^T]linearD [(relu A - _)^T]linearB /= [(h *: E)^T]linearZ /= mulmxDr mulmxBr -scalemxAr.
rewrite norm2D norm2B norm2Z innerZr !innerDr !innerNr innerZr.
have -> : inner (B *m (relu A)^T) (B *m E^T) = inner B D - inner (adjoint_velocity A B) D.
  rewrite /adjoint_velocity innerDl innerNl opprB addrC subrK inner_entrywise -/E trmx_mul trmxK.
  by rewrite [LHS]innerC inner_mull -[LHS]inner_tr trmxK !trmx_mul !trmxK innerC.
by move: hn; numbers => *; field.
Qed.

(** [leaky_resnets.hamiltonian]: h is a step that changes the sign of no activation *)
Theorem hamiltons_equations A B D (h : R) : 0 < h -> (forall i j, h * `|D i j| < `|A i j|) ->
  let forward := B *m kernel A - A in
  let backward := entrywise (positive A) (relu A *m B^T *m B) - B in
  [/\ slope_in_adjoints A B D 1 = inner forward D, slope_in_activations A B D h = inner backward D,
      velocity A B = forward & - adjoint_velocity A B = backward].
Proof.
move=> h0 small forward backward.
have e : - adjoint_velocity A B = backward by rewrite /adjoint_velocity opprB trmx_mul trmxK.
by split=> //; rewrite ?slope_adjointsE ?oner_eq0 // slope_activationsE // -e innerNl.
Qed.

(** [leaky_resnets.conservation.at_a_point]: for critical weights, and steps that change the sign of no activation *)
Theorem energy_is_stationary A B (h h' : R) :
  0 < h -> (forall i j, h * `|(velocity A B) i j| < `|A i j|) -> h' != 0 ->
  let W := B *m (sigma A)^T in
  let dA := W *m sigma A - A in let dB := B - entrywise (positive A) ((lsubmx W)^T *m B) in
  slope_in_activations A B dA h = - slope_in_adjoints A B dB h'.
Proof.
move=> h0 small h'0 W dA dB.
have dAE : dA = velocity A B by rewrite /dA /W -mulmxA.
have dBE : dB = adjoint_velocity A B.
  by rewrite /dB /W /sigma tr_col_mx mul_mx_row row_mxKl.
by rewrite slope_activationsE ?dAE // slope_adjointsE // -dBE innerC.
Qed.
End Energy.

(** * Another neuron *)
Section Neuron.
Variables (R : realFieldType) (w n : nat).
Implicit Types A : 'M[R]_(w, n).
Implicit Types W : 'M[R]_(w, w + 1).
Implicit Types x : 'cV[R]_w.

Lemma norm2_row_mx m p q (X : 'M[R]_(m, p)) (Y : 'M[R]_(m, q)) : norm2 (row_mx X Y) = norm2 X + norm2 Y.
Proof. exact: inner_row_mx. Qed.
Lemma norm2_col_mx m p q (X : 'M[R]_(p, m)) (Y : 'M[R]_(q, m)) : norm2 (col_mx X Y) = norm2 X + norm2 Y.
Proof. by rewrite -norm2_tr tr_col_mx norm2_row_mx !norm2_tr. Qed.
Lemma norm2_split m p q (X : 'M[R]_(m, p + q)) : norm2 X = norm2 (lsubmx X) + norm2 (rsubmx X).
Proof. by rewrite -norm2_row_mx hsubmxK. Qed.
Lemma norm2_outer m p (x : 'cV[R]_m) (y : 'cV[R]_p) : norm2 (x *m y^T) = norm2 x * norm2 y.
Proof.
rewrite /norm2 inner_mulr trmxK -(mulmxA x) [y^T *m y]mx11_scalar mul_mx_scalar innerZr mulrC.
by congr (_ * _); rewrite [RHS]/inner /mxtrace big_ord1.
Qed.
Lemma norm2_widened W x (L epsilon t o : R) : norm2 (widened W x L epsilon t o)
  = norm2 W - 2%:R * (L * epsilon ^+ 2 * t ^+ 2) * inner x (W *m features x o)
    + (L * epsilon ^+ 2 * t ^+ 2) ^+ 2 * (norm2 x * norm2 (features x o))
    + (epsilon * L * t) ^+ 2 * (norm2 x + norm2 (features x o)).
Proof.
rewrite /widened norm2_col_mx !norm2_row_mx.
have zero : norm2 (0 : 'M[R]_(1, 1)) = 0 by rewrite /norm2 inner0l.
have k := norm2_split (kept W x L epsilon t o); have i := norm2_split (incoming x L epsilon t o).
rewrite zero addr0 [X in X + _ = _]addrAC -k -i norm2Z /kept /incoming norm2B !norm2Z innerZr norm2_outer norm2_tr.
rewrite [inner W _]innerC inner_mulr trmxK; by numbers => *; ring.
Qed.
Lemma features1 x : features x 1 = sigma x.
Proof. by rewrite /features /sigma; congr col_mx; apply/matrixP => i j; rewrite !mxE !ord1. Qed.
Lemma norm2_features x o : norm2 (features x o) = norm2 (relu x) + o ^+ 2.
Proof.
rewrite /features norm2_col_mx; congr (_ + _).
by rewrite norm2E !big_ord1 mxE eqxx mulr1n.
Qed.
Lemma movedE W x (L : R) : W *m features x 0 = moved W x L + L *: x - rsubmx W.
Proof.
rewrite /moved subrK /features -[W in LHS]hsubmxK -[W in RHS]hsubmxK !mul_row_col row_mxKr.
by rewrite mul_mx_scalar scale0r addr0 mulmx1 addrK.
Qed.

(** [leaky_resnets.prop_5.norm_change]: x is the column of a point *)
Theorem norm_change A (i : 'I_n) W (L t epsilon : R) : L != 0 ->
  let x := col i A in let part := (L * epsilon * t) ^+ 2 in
  let linear := (2%:R * inner x (rsubmx W) - 2%:R * inner x (moved W x L)) / L in
  norm2 (widened W x L epsilon t 0)
  = norm2 W + part * (norm2 (relu x) - norm2 x + linear) + part * (epsilon * t) ^+ 2 * norm2 x * norm2 (relu x).
Proof.
move=> L0 x part linear; rewrite norm2_widened norm2_features expr0n addr0 (movedE W x L) innerDr innerDr innerNr innerZr.
rewrite -/(norm2 x) /part /linear; by move: L0; numbers => *; field.
Qed.

(** [leaky_resnets.prop_5.expansion]: from the squared norms for three sizes of the neuron, with a bias as in print *)
Theorem printed_expansion A (i : 'I_n) W (L t : R) : L != 0 ->
  let x := col i A in
  let stated := (L * t) ^+ 2 * (norm2 (features x 1) - norm2 x - 2%:R * inner x (moved W x L) / L) in
  16%:R * norm2 (widened W x L 1 t 1)
  = norm2 (widened W x L 2%:R t 1) + 15%:R * norm2 (widened W x L 0 t 1) + 12%:R * stated.
Proof.
move=> L0 x stated; rewrite !norm2_widened /stated.
have -> : W *m features x 1 = moved W x L + L *: x by rewrite /moved subrK.
rewrite innerDr innerZr -/(norm2 x); by move: L0; numbers => *; field.
Qed.

(** [leaky_resnets.prop_5.nonnegative]: at a column that is not negative, where the weights hold A without a bias *)
Theorem no_leading_term A (i : 'I_n) (epsilon t : R) : A *m pinv (relu A) *m relu A = A -> (forall j, 0 <= A j i) ->
  let x := col i A in let W := row_mx (A *m pinv (relu A)) 0 in
  norm2 (widened W x 1 epsilon t 0) = norm2 W + (epsilon * t) ^+ 4 * norm2 x ^+ 2.
Proof.
move=> held pos x W.
have x_relu : relu x = x by apply/matrixP => a b; rewrite !mxE max_r.
have Wx : W *m features x 0 = x.
  rewrite /W /features mul_row_col mul0mx addr0 x_relu /x.
  have -> : col i A = col i (relu A).
    by apply/matrixP => a b; rewrite !mxE max_r.
  rewrite !colE mulmxA held -colE.
  by apply/matrixP => a b; rewrite -colE !mxE max_r.
rewrite norm2_widened Wx norm2_features expr0n addr0 x_relu -/(norm2 x).
by numbers => *; ring.
Qed.

(** [leaky_resnets.prop_5.gap]: for every negative entry, the smallest included *)
Theorem negative_entry_is_a_gap A (i : 'I_n) (j : 'I_w) : A j i < 0 ->
  let x := col i A in norm2 (relu x) + x j 0 ^+ 2 <= norm2 x.
Proof.
move=> neg /=; set x := col i A; have neg' : x j 0 < 0 by rewrite mxE.
rewrite addrC -ler_subr_addr -relu_sq norm2E big_ord1 (bigD1 j) //=.
have -> : (x - relu x) j 0 = x j 0 by rewrite !mxE max_l ?subr0 // ltW.
by rewrite ler_addl sumr_ge0 // => k _; exact: sqr_ge0.
Qed.

(** [leaky_resnets.prop_5.velocity]: a are the values of the new neuron *)
Theorem velocity_of_widened A (i : 'I_n) W (L t epsilon : R) (a : 'rV[R]_n) : 0 <= epsilon -> (forall j k, 0 <= a j k) ->
  let x := col i A in let wider := col_mx A (epsilon *: a) in
  let lacking := t *: ((relu x)^T *m relu A) - a in
  widened W x L epsilon t 0 *m sigma wider - L *: wider
  = col_mx (W *m sigma A - L *: A - (L * epsilon ^+ 2 * t) *: (x *m lacking)) ((L * epsilon) *: lacking).
Proof.
move=> e0 a0 x wider lacking.
have sE : sigma wider = col_mx (col_mx (relu A) (epsilon *: a)) (ones R n)^T.
  rewrite /sigma /wider /relu map_col_mx; congr (col_mx (col_mx _ _) _).
  by apply/matrixP => j k; rewrite !mxE max_r // mulr_ge0.
have kl : lsubmx (kept W x L epsilon t 0) = lsubmx W - (L * epsilon ^+ 2 * t ^+ 2) *: (x *m (relu x)^T).
  rewrite /kept /features tr_col_mx mul_mx_row linearB /= [lsubmx (_ *: _)]linearZ /= row_mxKl; by [].
have kr : rsubmx (kept W x L epsilon t 0) = rsubmx W.
  rewrite /kept /features tr_col_mx mul_mx_row linearB /= [rsubmx (_ *: _)]linearZ /= row_mxKr tr_scalar_mx mul_mx_scalar.
  by rewrite scale0r scaler0 subr0.
have il : lsubmx (incoming x L epsilon t 0) = (epsilon * L * t) *: (relu x)^T.
  by rewrite /incoming /features tr_col_mx linearZ /= row_mxKl.
have ir : rsubmx (incoming x L epsilon t 0) = 0.
  by rewrite /incoming /features tr_col_mx linearZ /= row_mxKr tr_scalar_mx; apply/matrixP => j k; rewrite !mxE mul0rn mulr0.
rewrite /widened kl kr il ir sE mul_col_mx !mul_row_col !mul0mx !addr0 /wider scale_col_mx opp_col_mx add_col_mx.
have -> : W *m sigma A = lsubmx W *m relu A + rsubmx W *m (ones R n)^T by rewrite -{1}[W]hsubmxK mul_row_col.
rewrite /lacking mulmxBl -!scalemxAl -scalemxAr -mulmxA mulmxBr -scalemxAr; congr col_mx.
  move: (lsubmx W *m _) (rsubmx W *m _) (x *m _) (x *m a) => P Q X Y.
  by apply/matrixP => j k; rewrite !mxE; move: (P j k) (Q j k) (X j k) (Y j k) (A j k) => p q y z b; ring.
by apply/matrixP => j k; rewrite !mxE; move: (\sum_l _) (a j k) => X Y; ring.
Qed.
End Neuron.
