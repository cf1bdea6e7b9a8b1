(** Leaky ResNets of any number of layers: steps of a differential equation, what points that are equal or differ do, prices. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets OperatorNorms Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (w : nat).
Implicit Types layers : seq (R * 'M[R]_(w, w + 1)).

(** The outputs of layers, each with its step and its weights, at n points; and what each layer gets. *)
Fixpoint last_values n (A : 'M[R]_(w, n)) layers (L : R) : 'M[R]_(w, n) :=
  if layers is (rho, W) :: others then last_values (layer A W L rho) others L else A.
Fixpoint visited n (A : 'M[R]_(w, n)) layers (L : R) : seq ('M[R]_(w, n) * (R * 'M[R]_(w, w + 1))) :=
  if layers is (rho, W) :: others then (A, (rho, W)) :: visited (layer A W L rho) others L else [::].
(** Steps of length 1/L; and the fully connected network with the same weights over L. *)
Definition full_steps (weights : seq 'M[R]_(w, w + 1)) (L : R) := [seq (L^-1, W) | W <- weights].
Fixpoint fully_connected (W : 'M[R]_(w, w + 1)) (others : seq 'M[R]_(w, w + 1)) (L : R) : network R w w :=
  let V := L^-1 *: lsubmx W in let b := L^-1 *: rsubmx W in
  if others is W' :: others' then Layer V b (fully_connected W' others' L) else Last V b.
(** The difference quotient of a layer, and the smallest weights that do it. *)
Definition quotient n (A next : 'M[R]_(w, n)) (rho : R) := rho^-1 *: (next - A).
Definition smallest n (A : 'M[R]_(w, n)) (W : 'M[R]_(w, w + 1)) (L rho : R) := weights A (quotient A (layer A W L rho) rho) L.
(** What one layer multiplies the distance of two points by, at least. *)
Definition shrinking (R' : rcfType) (one : R' * 'M[R']_(w, w + 1)) (L : R') : R' :=
  1 - one.1 * (L + Num.sqrt (norm2 (lsubmx one.2))).
End Definitions.

(** * Theorems *)
Section Points.
Variables (R : realFieldType) (w : nat).
Implicit Types layers : seq (R * 'M[R]_(w, w + 1)).

Lemma relu_colsub n p (h : 'I_p -> 'I_n) (A : 'M[R]_(w, n)) : relu (colsub h A) = colsub h (relu A).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma layer_colsub n p (h : 'I_p -> 'I_n) (A : 'M[R]_(w, n)) W (L rho : R) :
  layer (colsub h A) W L rho = colsub h (layer A W L rho).
Proof.
have s : sigma (colsub h A) = colsub h (sigma A).
  apply/matrixP => i j; rewrite /sigma mxE [RHS]mxE mxE; case: split => k; rewrite !mxE //.
rewrite /layer s; apply/matrixP => i j; rewrite !mxE; congr (_ + _ * _); by apply: eq_bigr => k _; rewrite !mxE.
Qed.
Lemma last_values_colsub n p (h : 'I_p -> 'I_n) (A : 'M[R]_(w, n)) layers L :
  last_values (colsub h A) layers L = colsub h (last_values A layers L).
Proof. by elim: layers A => //= -[rho W] others IH A; rewrite layer_colsub IH. Qed.

(** What a layer gets is what the layers before it give; of every prefix of the layers each step is a layer. *)
Lemma visitedE n (A : 'M[R]_(w, n)) layers (L : R) i d e : (i < size layers)%N ->
  nth d (visited A layers L) i = (last_values A (take i layers) L, nth e layers i) /\ size (visited A layers L) = size layers.
Proof.
elim: layers A i => //= -[rho W] others IH A [|i] h; split=> //=.
- by case: others IH h => //= one others IH _; have [_ ->] := IH (layer A W L rho) 0%N (ltn0Sn _).
- by have [-> _] := IH (layer A W L rho) i h.
by have [_ ->] := IH (layer A W L rho) i h.
Qed.
Lemma last_valuesS n (A : 'M[R]_(w, n)) layers (L : R) i e : (i < size layers)%N ->
  last_values A (take i.+1 layers) L = layer (last_values A (take i layers) L) (nth e layers i).2 L (nth e layers i).1.
Proof. by elim: layers A i => //= -[rho W] others IH A [|i] h /=; rewrite ?take0 //; exact: IH. Qed.

(** [leaky_resnets.ode]: h chooses points, in any order *)
Theorem layers_are_steps n p (A : 'M[R]_(w, n)) layers (L : R) (h : 'I_p -> 'I_n) :
  (forall B W rho, (B, (rho, W)) \in visited A layers L -> layer B W L rho = B + rho *: (W *m sigma B - L *: B)) /\
  last_values (colsub h A) layers L = colsub h (last_values A layers L).
Proof.
split=> [B W rho _ | ]; last exact: last_values_colsub.
rewrite /layer; move: (W *m sigma B) => X; apply/matrixP => i j; rewrite !mxE; move: (B i j) (X i j) => b x; ring.
Qed.

(** [leaky_resnets.zero_representation] *)
Theorem equal_points_stay_equal n (A : 'M[R]_(w, n)) layers (L : R) (j k : 'I_n) :
  (col j A = col k A -> col j (last_values A layers L) = col k (last_values A layers L)) /\
  col j (last_values (0 : 'M_(w, n)) layers L) = col k (last_values (0 : 'M_(w, n)) layers L).
Proof.
have equal (B : 'M[R]_(w, n)) : col j B = col k B -> col j (last_values B layers L) = col k (last_values B layers L).
  have colE' i (C : 'M[R]_(w, n)) : col i C = colsub (fun _ : 'I_1 => i) C by apply/matrixP => a b; rewrite !mxE.
  by move=> e; rewrite !colE' -!last_values_colsub -!colE' e.
by split; [exact: equal | apply: equal; apply/matrixP => a b; rewrite !mxE].
Qed.

(** [leaky_resnets.ode.fully_connected]: for every point *)
Theorem full_steps_forget n (A : 'M[R]_(w, n)) W others (L : R) (j : 'I_n) : L != 0 ->
  col j (last_values A (full_steps (W :: others) L) L) = value 0 (fully_connected W others L) (col j (relu A)).
Proof.
move=> L0; have full (B : 'M[R]_(w, n)) V : layer B V L L^-1 = L^-1 *: (V *m sigma B).
  by rewrite /layer mulVf // subrr scale0r add0r.
have one (B : 'M[R]_(w, n)) V : col j (layer B V L L^-1) = (L^-1 *: lsubmx V) *m col j (relu B) + L^-1 *: rsubmx V.
  rewrite full -{1}[V]hsubmxK /sigma mul_row_col scalerDr -!scalemxAl; apply/matrixP => a b; rewrite !mxE.
  congr (_ * _ + _ * _); first by apply: eq_bigr => k _; rewrite !mxE.
  by rewrite big_ord1 !mxE mulr1 ord1.
have act0 (z : 'cV[R]_w) : activation 0 z = relu z.
  by apply/matrixP => a b; rewrite !mxE /act; case: (leP 0 (z a b)) => h; rewrite ?mul0r.
have relu_col (B : 'M[R]_(w, n)) : relu (col j B) = col j (relu B) by apply/matrixP => a b; rewrite !mxE.
by elim: others W A => [|W' others IH] W A /=; rewrite ?one // [LHS]IH act0 -one relu_col.
Qed.

(** [leaky_resnets.discretisation.leak]: steps without weights *)
Theorem leak_alone n (A : 'M[R]_(w, n)) (rho : seq R) (L : R) : 0 <= L -> (forall r, r \in rho -> 0 <= r /\ L * r <= 2%:R) ->
  norm2 (last_values A [seq (r, 0) | r <- rho] L) <= norm2 A.
Proof.
move=> L0; elim: rho A => [|r rho IH] A //= h.
apply: le_trans (IH _ _) _; first by move=> r' r'_in; apply: h; rewrite inE r'_in orbT.
have [r0 r2] := h r (mem_head _ _); rewrite /layer mul0mx scaler0 addr0 norm2Z ler_pimull ?norm2_ge0 //.
rewrite -subr_ge0; have -> : 1 - (1 - r * L) ^+ 2 = L * r * (2%:R - L * r) by ring.
by rewrite mulr_ge0 ?mulr_ge0 ?subr_ge0.
Qed.

(** [leaky_resnets.equidistant_steps]: M steps of length 1/M without weights, from positive activations *)
Theorem equidistant_steps n (A : 'M[R]_(w, n)) (L : R) (M : nat) (i : 'I_w) (j : 'I_n) : (0 < M)%N ->
  (forall i j, 0 < A i j) ->
  let rho := nseq M (M%:R^-1 : R) in
  [/\ \sum_(r <- rho) r = 1, last_values A [seq (r, 0) | r <- rho] L = (1 - L / M%:R) ^+ M *: A
    & Num.sg (layer A 0 L M%:R^-1 i j) = Num.sg (M%:R - L)].
Proof.
move=> M0 pos rho; have Mn : M%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have Mp : 0 < M%:R :> R by rewrite ltr0n.
have one (B : 'M[R]_(w, n)) : layer B 0 L M%:R^-1 = (1 - L / M%:R) *: B.
  by rewrite /layer mul0mx scaler0 addr0 [L / _]mulrC.
split.
- by rewrite /rho big_nseq iter_addr_0 -[LHS]mulr_natr mulVf.
- have all k (B : 'M[R]_(w, n)) : last_values B [seq (r, 0) | r <- nseq k M%:R^-1] L = (1 - L / M%:R) ^+ k *: B.
    by elim: k B => [|k IH] B /=; rewrite ?scale1r // IH one scalerA -exprSr.
  exact: all.
- rewrite one mxE sgrM (gtr0_sg (pos i j)) mulr1; have -> : 1 - L / M%:R = M%:R^-1 * (M%:R - L).
    by rewrite mulrBr mulVf // [_^-1 * _]mulrC.
  by rewrite sgrM gtr0_sg ?mul1r // invr_gt0.
Qed.

(** [leaky_resnets.ode.one_neuron]: where the closed form keeps the sign of its start, growth is the exponential *)
Theorem one_neuron (x L v b r growth : R) : r != 0 ->
  let alpha := (x + b / r) * growth - b / r in
  0 < alpha * x -> (0 < x -> r = v - L) -> (x < 0 -> r = - L) ->
  r * (alpha + b / r) + L * alpha = v * Num.max 0 alpha + b /\ (x + b / r) * 1 - b / r = x.
Proof.
move=> r0 alpha same above below; split; last by rewrite mulr1 addrK.
have e : r * (alpha + b / r) + L * alpha = (r + L) * alpha + b by move: alpha {same} => y; field.
rewrite e; case: (ltrgtP x 0) => x0.
- have a0 : alpha < 0 by move: same; rewrite nmulr_lgt0.
  by rewrite (below x0) addNr mul0r max_l ?ltW // mulr0.
- have a0 : 0 < alpha by move: same; rewrite pmulr_lgt0.
  by rewrite (above x0) subrK max_r // ltW.
- by move: same; rewrite x0 mulr0 ltxx.
Qed.
End Points.

(** * Prices of paths *)
Section Prices.
Variables (R : realFieldType) (w n : nat).
Implicit Types A D : 'M[R]_(w, n).

(** [leaky_resnets.lagrangian]: C is the misfit at the end *)
Theorem price_of_a_path A F (layers : seq (R * 'M[R]_(w, w + 1))) (L lam : R) : 0 < L -> 0 <= lam ->
  (forall one, one \in layers -> 0 < one.1) ->
  let C := norm2 (F - last_values A layers L) / n%:R in
  (forall B rho W, (B, (rho, W)) \in visited A layers L ->
     smallest B W L rho *m sigma B = L *: B + quotient B (layer B W L rho) rho) /\
  C + lam / (2%:R * L) * (\sum_(one <- visited A layers L) one.2.1 * norm2 (smallest one.1 one.2.2 L one.2.1))
  <= C + lam / (2%:R * L) * (\sum_(one <- visited A layers L) one.2.1 * norm2 one.2.2).
Proof.
move=> L0 lam0 rho0 C.
have inside : forall B rho W, (B, (rho, W)) \in visited A layers L -> (rho, W) \in layers.
  elim: layers A {C rho0} => //= -[rho W] others IH A B r V; rewrite !inE.
  by case/orP => [/eqP[_ -> ->] | /IH ->]; rewrite ?eqxx ?orbT.
have moves B rho W : 0 < rho -> L *: B + quotient B (layer B W L rho) rho = W *m sigma B.
  move=> r0; rewrite /quotient /layer; move: (W *m sigma B) => X; have rn : rho != 0 by rewrite gt_eqF.
  by apply/matrixP => i j; rewrite !mxE; move: (B i j) (X i j) => b x; field.
have small B rho W : 0 < rho -> smallest B W L rho = W *m sigma B *m pinv (sigma B).
  by move=> r0; rewrite /smallest /weights moves.
split=> [B rho W /inside/rho0 /= r0|].
  by rewrite small // moves // -!mulmxA (mulmxA (sigma B)) mul_pinv_mul.
rewrite ler_add2l ler_wpmul2l //; first by rewrite divr_ge0 // mulr_ge0 ?ler0n // ltW.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => -[B [rho W]] /inside/rho0 /= r0.
apply: ler_wpmul2l; first exact: ltW.
rewrite small // (norm2_parts (sigma B) W) ler_addl; exact: norm2_ge0.
Qed.

(** [leaky_resnets.lagrangian.paths]: in a layer of finite Lagrangian, of any path with the derivative D *)
Theorem weights_give_the_path A D (L : R) : ((L *: A + D)%R <= sigma A)%MS -> weights A D L *m sigma A = L *: A + D.
Proof. by case/submxP=> Q e; rewrite /weights e -!mulmxA (mulmxA (sigma A)) mul_pinv_mul. Qed.

Lemma norm2_rows m p (X : 'M[R]_(m, p)) : norm2 X = \sum_i norm2 (row i X).
Proof.
rewrite norm2E exchange_big; apply: eq_bigr => i _; rewrite norm2E; apply: eq_bigr => j _.
by rewrite big_ord1 mxE.
Qed.
(** [leaky_resnets.particles]: of any path, whose layers have a step, activations and their derivative *)
Theorem sum_over_particles (path : seq (R * ('M[R]_(w, n) * 'M[R]_(w, n)))) (F last : 'M[R]_(w, n)) (L lam : R) :
  norm2 (F - last) / n%:R + lam / (2%:R * L) * (\sum_(one <- path) one.1 * norm2 (weights one.2.1 one.2.2 L))
  = \sum_i (norm2 (row i (F - last)) / n%:R
      + lam / (2%:R * L) * (\sum_(one <- path) one.1 * norm2 (row i (L *: one.2.1 + one.2.2) *m pinv (sigma one.2.1)))) /\
  forall one, one \in path ->
    kernel one.2.1 = \sum_i (row i (relu one.2.1))^T *m row i (relu one.2.1) + ones R n *m (ones R n)^T.
Proof.
split.
  rewrite big_split /= -mulr_suml -norm2_rows -mulr_sumr exchange_big /=; congr (_ + _ * _).
  apply: eq_bigr => -[rho [A D]] _ /=; rewrite -mulr_sumr norm2_rows; congr (_ * _).
  by apply: eq_bigr => i _; rewrite /weights row_mul.
move=> one _; rewrite kernelE; congr (_ + _); apply/matrixP => a b.
by rewrite mxE summxE; apply: eq_bigr => i _; rewrite !mxE big_ord1 !mxE.
Qed.
End Prices.
