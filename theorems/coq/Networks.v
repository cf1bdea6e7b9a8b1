(** Networks of every width and depth: compositions, the construction of Theorem 1, Jacobians. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** A network with n outputs, from m inputs: its last layer, or a layer with an activation before the others. *)
Inductive network (n : nat) : nat -> Type :=
| Last m (W : 'M[R]_(n, m)) (b : 'cV[R]_n) : network n m
| Layer m k (W : 'M[R]_(k, m)) (b : 'cV[R]_k) (others : network n k) : network n m.

(** An activation that is the identity where it is not negative, with a slope below. *)
Variable slope : R.
Definition act (z : R) : R := if 0 <= z then z else slope * z.
Definition activation m n (z : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx act z.
Fixpoint value n m (f : network n m) : 'cV[R]_m -> 'cV[R]_n :=
  match f in network _ m return 'cV[R]_m -> 'cV[R]_n with
  | Last _ W b => fun x => W *m x + b
  | Layer _ _ W b others => fun x => value others (activation (W *m x + b))
  end.
(** The slope of the activation, any number at 0, and the Jacobian, by the chain rule. *)
Variable at_zero : R.
Definition slope_at (z : R) : R := if 0 < z then 1 else if z == 0 then at_zero else slope.
Definition slopes_at m n (z : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx slope_at z.
Fixpoint jacobian n m (f : network n m) : 'cV[R]_m -> 'M[R]_(n, m) :=
  match f in network _ m return 'cV[R]_m -> 'M[R]_(n, m) with
  | Last _ W b => fun _ => W
  | Layer _ _ W b others => fun x =>
      let z := W *m x + b in jacobian others (activation z) *m (diag_mx (slopes_at z)^T *m W)
  end.
(** The squared norm of all parameters, and the number of layers. *)
Fixpoint norm n m (f : network n m) : R :=
  match f with
  | Last _ W b => norm2 W + norm2 b
  | Layer _ _ W b others => norm2 W + norm2 b + norm others
  end.
Fixpoint depth n m (f : network n m) : nat :=
  match f with Last _ _ _ => 1 | Layer _ _ _ _ others => (depth others).+1 end.

(** Norms of the last layer, of the first, and of all others. *)
Fixpoint norm_but_last n m (f : network n m) : R :=
  match f with Last _ _ _ => 0 | Layer _ _ W b others => norm2 W + norm2 b + norm_but_last others end.
Definition norm_but_first n m (f : network n m) : R :=
  match f with Last _ _ _ => 0 | Layer _ _ _ _ others => norm others end.
Fixpoint last_width n m (f : network n m) : nat := match f with Last m _ _ => m | Layer _ _ _ _ others => last_width others end.
Fixpoint last_weights n m (f : network n m) : 'M[R]_(n, last_width f) :=
  match f with Last _ W _ => W | Layer _ _ _ _ others => last_weights others end.
Fixpoint last_biases n m (f : network n m) : 'cV[R]_n :=
  match f with Last _ _ b => b | Layer _ _ _ _ others => last_biases others end.
Definition first_width n m (f : network n m) : nat := match f with Last _ _ _ => n | Layer _ k _ _ _ => k end.
Definition first_weights n m (f : network n m) : 'M[R]_(first_width f, m) :=
  match f with Last _ W _ => W | Layer _ _ W _ _ => W end.
Definition first_biases n m (f : network n m) : 'cV[R]_(first_width f) :=
  match f with Last _ _ b => b | Layer _ _ _ b _ => b end.

(** h after the affine map of x to U x + v, in one layer with the first of h. *)
Definition after_affine n k m (h : network n k) (U : 'M[R]_(k, m)) (v : 'cV[R]_k) : network n m :=
  match h in network _ k return 'M[R]_(k, m) -> 'cV[R]_k -> network n m with
  | Last _ W b => fun U v => Last (W *m U) (W *m v + b)
  | Layer _ _ W b others => fun U v => Layer (W *m U) (W *m v + b) others
  end U v.
(** h after g: the last layer of g and the first of h become one. *)
Fixpoint compose n k m (h : network n k) (g : network k m) : network n m :=
  match g in network _ m return network n m with
  | Last _ W b => after_affine h W b
  | Layer _ _ W b others => Layer W b (compose h others)
  end.

(** Two networks side by side, and their sum: both after the identity, side by side, and added by the last layer. *)
Fixpoint beside n m m' (f : network n m) : network n m' -> network n (m + m') :=
  match f in network _ m return network n m' -> network n (m + m') with
  | Last m W b => fun g =>
      match g in network _ m' return network n (m + m') with
      | Last _ W' b' => Last (row_mx W W') (b + b')
      | Layer _ _ W' b' others => Last (row_mx W 0) b (* not of one depth *)
      end
  | Layer m k W b others => fun g =>
      match g in network _ m' return network n (m + m') with
      | Last _ W' b' => Last 0 b' (* not of one depth *)
      | Layer _ _ W' b' others' => Layer (block_mx W 0 0 W') (col_mx b b') (beside others others')
      end
  end.
Definition add n m (f g : network n m) : network n m := after_affine (beside f g) (col_mx 1%:M 1%:M) 0.

(** d layers that are the identity where nothing is negative. *)
Fixpoint identities n k d (h : network n k) : network n k :=
  if d is d'.+1 then Layer 1%:M 0 (identities d' h) else h.
(** The construction of Theorem 1: g, shifted by s and scaled by c, d identities, and h, which undoes both. *)
Definition undone n k (h : network n k) (s c : 'cV[R]_k) : network n k :=
  after_affine h (diag_mx (map_mx GRing.inv c)^T) (- s).
Fixpoint through n k m (h : network n k) (s c : 'cV[R]_k) d (g : network k m) : network n m :=
  match g in network _ m return network n m with
  | Last _ W b => Layer (diag_mx c^T *m W) (diag_mx c^T *m (b + s)) (identities d (undone h s c))
  | Layer _ _ W b others => Layer W b (through h s c d others)
  end.
End Definitions.

Section Facts.
Variables (R : realFieldType) (slope at_zero : R).
Notation jacobian := (jacobian slope at_zero).
Notation value := (value slope).
Notation activation := (activation slope).

Lemma value_after_affine n k m (h : network R n k) (U : 'M_(k, m)) v x :
  value (after_affine h U v) x = value h (U *m x + v).
Proof. by case: h U v => [k' W b | k' l W b others] U v /=; rewrite mulmxDr -!mulmxA addrA. Qed.
Lemma norm_after_affine n k m (h : network R n k) (U : 'M_(k, m)) v :
  norm (after_affine h U v) =
  norm2 (first_weights h *m U) + norm2 (first_weights h *m v + first_biases h) + norm_but_first h.
Proof. by case: h U v => [k' W b | k' l W b others] U v /=; rewrite ?addr0. Qed.
Lemma norm_last n m (f : network R n m) : norm f = norm_but_last f + norm2 (last_weights f) + norm2 (last_biases f).
Proof. by elim: f => [k W b | k l W b others IH] /=; rewrite ?add0r // IH !addrA. Qed.

(** [notion_of_rank.finite_depth_axioms]: the composition *)
Theorem composition n k m (h : network R n k) (g : network R k m) x :
  value (compose h g) x = value h (value g x) /\
  norm (compose h g) =
    norm_but_last g + norm_but_first h + norm2 (first_weights h *m last_weights g)
    + norm2 (first_weights h *m last_biases g + first_biases h).
Proof.
split; first by elim: g x => [l W b | l p W b others IH] x /=; rewrite ?value_after_affine ?IH.
elim: g {x} => [l W b | l p W b others IH] /=; first by rewrite norm_after_affine; numbers => *; ring.
by rewrite IH !addrA.
Qed.

(** The chain rule for a merged layer. *)
Lemma jacobian_compose n k m (h : network R n k) (g : network R k m) x :
  jacobian (compose h g) x = jacobian h (value g x) *m jacobian g x.
Proof.
elim: g x => [l W b | l p W b others IH] x /=; last by rewrite IH !mulmxA.
by case: h W b => [k' V c | k' l' V c others] W b //=; rewrite mulmxDr -!mulmxA addrA.
Qed.
(** [notion_of_rank.prop_1] *)
Theorem rank_through_bottleneck n k m (h : network R n k) (g : network R k m) x :
  (\rank (jacobian (compose h g) x) <= k)%N.
Proof. by rewrite jacobian_compose; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _). Qed.
(** [notion_of_rank.rank_axioms] *)
Theorem rank_of_composition n k m (h : network R n k) (g : network R k m) x :
  (\rank (jacobian (compose h g) x) <= \rank (jacobian h (value g x)))%N /\
  (\rank (jacobian (compose h g) x) <= \rank (jacobian g x))%N.
Proof. by rewrite jacobian_compose mxrankM_maxl mxrankM_maxr. Qed.

(** [symmetry_learning.translation_symmetry] *)
Theorem kernel_is_not_seen n m (f : network R n m) x z :
  let W := first_weights f in let P := pinv W *m W in
  [/\ value f (x + z - P *m z) = value f x, value f (P *m x) = value f x
    & (\rank (jacobian f x) <= \rank W)%N].
Proof.
move=> W P; have WP y : W *m (P *m y) = W *m y by rewrite /P !mulmxA mul_pinv_mul.
have seen y y' : W *m y = W *m y' -> value f y = value f y'.
  by move: y y'; rewrite /W; case: (f) => [l V b | l k V b others] y y' /= ->.
split; [apply: seen | exact: seen | ].
- by rewrite mulmxDr mulmxN WP mulmxDr addrK.
- by rewrite /W; case: (f) x {seen} => [l V b | l k V b others] x //=; rewrite mulmxA mxrankM_maxr.
Qed.

Lemma depth_gt0 n m (f : network R n m) : (0 < depth f)%N. Proof. by case: f. Qed.
Lemma norm2_row m p p' (X : 'M[R]_(m, p)) (Y : 'M[R]_(m, p')) : norm2 (row_mx X Y) = norm2 X + norm2 Y.
Proof. exact: inner_row_mx. Qed.
Lemma norm2_col m m' p (X : 'M[R]_(m, p)) (Y : 'M[R]_(m', p)) : norm2 (col_mx X Y) = norm2 X + norm2 Y.
Proof. by rewrite -norm2_tr tr_col_mx norm2_row !norm2_tr. Qed.
Lemma norm2_block m m' p p' (X : 'M[R]_(m, p)) (Y : 'M[R]_(m', p')) : norm2 (block_mx X 0 0 Y) = norm2 X + norm2 Y.
Proof. by rewrite /block_mx norm2_col !norm2_row /norm2 !inner0l addr0 add0r. Qed.
Lemma activation_col m m' p (z : 'M[R]_(m, p)) (z' : 'M[R]_(m', p)) : activation (col_mx z z') = col_mx (activation z) (activation z').
Proof. exact: map_col_mx. Qed.
Lemma value_beside n m m' (f : network R n m) (g : network R n m') x x' : depth f = depth g ->
  value (beside f g) (col_mx x x') = value f x + value g x'.
Proof.
elim: f m' g x x' => [l W b | l k W b others IH] m' [l' W' b' | l' k' W' b' others'] x x' //=.
- by move=> _; rewrite mul_row_col addrACA.
- by case=> e; have := depth_gt0 others'; rewrite -e.
- by case=> e; have := depth_gt0 others; rewrite e.
by case=> e; rewrite mul_block_col !mul0mx addr0 add0r add_col_mx activation_col IH.
Qed.
Lemma norm_beside n m m' (f : network R n m) (g : network R n m') : depth f = depth g ->
  norm (beside f g) = norm f + norm g + 2%:R * inner (last_biases f) (last_biases g).
Proof.
elim: f m' g => [l W b | l k W b others IH] m' [l' W' b' | l' k' W' b' others'] //=.
- by move=> _; rewrite norm2_row norm2D; numbers => *; ring.
- by case=> e; have := depth_gt0 others'; rewrite -e.
- by case=> e; have := depth_gt0 others; rewrite e.
by case=> e; rewrite norm2_block norm2_col IH //; numbers => *; ring.
Qed.
Lemma norm_first n m (f : network R n m) : norm f = norm2 (first_weights f) + norm2 (first_biases f) + norm_but_first f.
Proof. by case: f => [l W b | l k W b others] /=; rewrite ?addr0. Qed.
Lemma norm_beside_after n m m' p (f : network R n m) (g : network R n m') (U : 'M_(m, p)) (U' : 'M_(m', p)) :
  depth f = depth g -> (1 < depth f)%N ->
  norm (after_affine (beside f g) (col_mx U U') 0) =
  norm2 (first_weights f *m U) + norm2 (first_weights g *m U') + (norm2 (first_biases f) + norm2 (first_biases g))
  + (norm_but_first f + norm_but_first g + 2%:R * inner (last_biases f) (last_biases g)).
Proof.
case: f U => [l W b | l k W b others] U //; case: g U' => [l' W' b' | l' k' W' b' others'] U' /= e _.
  by case: e => e; have := depth_gt0 others; rewrite e.
case: e => e; rewrite mulmx0 add0r norm2_col mul_block_col !mul0mx addr0 add0r norm2_col norm_beside //.
Qed.
(** [notion_of_rank.finite_depth_axioms.sum]: of one depth, which is at least 2 *)
Theorem side_by_side n m (f g : network R n m) x : depth f = depth g -> (1 < depth f)%N ->
  value (add f g) x = value f x + value g x /\
  norm (add f g) = norm f + norm g + 2%:R * inner (last_biases f) (last_biases g).
Proof.
move=> e deep; split.
  by rewrite /add value_after_affine addr0 mul_col_mx !mul1mx value_beside.
rewrite /add norm_beside_after // !mulmx1 !norm_first; numbers => *; ring.
Qed.

Lemma nonnegative_activation m n (z : 'M[R]_(m, n)) : (forall i j, 0 <= z i j) -> activation z = z.
Proof. by move=> h; apply/matrixP => i j; rewrite mxE /act h. Qed.
Lemma value_identities n k (h : network R n k) d (x : 'cV_k) : (forall i j, 0 <= x i j) -> value (identities d h) x = value h x.
Proof. by move=> x0; elim: d => //= d IH; rewrite mul1mx addr0 nonnegative_activation. Qed.
Lemma norm2_one n : norm2 (1%:M : 'M[R]_n) = n%:R.
Proof. by rewrite /norm2 /inner trmx1 mulmx1 mxtrace1. Qed.
Lemma norm_identities n k (h : network R n k) d : norm (identities d h) = norm h + (d * k)%:R.
Proof.
elim: d => [|d IH] /=; first by rewrite mul0n addr0.
by rewrite IH norm2_one /norm2 inner0l addr0 addrCA -natrD -mulSn.
Qed.

(** The squared norms of what goes into a neuron of the bottleneck, with the shift s, and of what goes out of it. *)
Definition before k m (g : network R k m) (s : 'cV[R]_k) i : R :=
  \sum_j last_weights g i j ^+ 2 + (last_biases g i 0 + s i 0) ^+ 2.
Definition after n k (h : network R n k) i : R := \sum_l first_weights h l i ^+ 2.
Lemma norm_scaled_before k m (W : 'M[R]_(k, m)) (b c : 'cV[R]_k) :
  norm2 (diag_mx c^T *m W) + norm2 (diag_mx c^T *m b) = \sum_i c i 0 ^+ 2 * (\sum_j W i j ^+ 2 + b i 0 ^+ 2).
Proof.
rewrite -norm2_row -mul_mx_row -norm2_tr norm2E; apply: eq_bigr => i _.
rewrite big_split_ord /= mulrDr mulr_sumr big_ord1; congr (_ + _); last by rewrite mxE mul_diag_mx mxE row_mxEr exprMn mxE.
by apply: eq_bigr => j _; rewrite mxE mul_diag_mx mxE row_mxEl exprMn mxE.
Qed.
Lemma norm_scaled_after n k (W : 'M[R]_(n, k)) (c : 'cV[R]_k) :
  norm2 (W *m diag_mx (map_mx GRing.inv c)^T) = \sum_i (\sum_l W l i ^+ 2) / c i 0 ^+ 2.
Proof.
rewrite norm2E; apply: eq_bigr => i _; rewrite mulr_suml; apply: eq_bigr => l _.
by rewrite mul_mx_diag !mxE exprMn exprVn.
Qed.
Lemma norm_through n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d : norm (through h s c d g) =
  norm_but_last g + \sum_i c i 0 ^+ 2 * before g s i + (d * k)%:R + \sum_i after h i / c i 0 ^+ 2
  + norm2 (first_biases h - first_weights h *m s) + norm_but_first h.
Proof.
have -> : \sum_i c i 0 ^+ 2 * before g s i
    = norm2 (diag_mx c^T *m last_weights g) + norm2 (diag_mx c^T *m (last_biases g + s)).
  by rewrite norm_scaled_before; apply: eq_bigr => i _; rewrite /before mxE.
rewrite -[\sum_i after h i / _]norm_scaled_after.
elim: g => [l W b | l p W b others IH] /=; last by rewrite IH !addrA.
rewrite norm_identities /undone norm_after_affine mulmxN [- _ + _]addrC; move: (_%:R); numbers => *; ring.
Qed.

(** [notion_of_rank.theorem_1]: where g + s has no negative entry, for positive scales c, through k neurons and d identities *)
Theorem construction n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d x :
  (forall i j, 0 < c i j) -> (forall i j, 0 <= (value g x + s) i j) ->
  value (through h s c d g) x = value h (value g x) /\
  norm (through h s c d g) =
    norm_but_last g + \sum_i c i 0 ^+ 2 * before g s i + (d * k)%:R + \sum_i after h i / c i 0 ^+ 2
    + norm2 (first_biases h - first_weights h *m s) + norm_but_first h.
Proof.
move=> c0 gs0; split; last exact: norm_through.
elim: g x gs0 => [l W b | l p W b others IH] x /= gs0; last by rewrite IH.
set y := W *m x + b in gs0 *.
have -> : diag_mx c^T *m W *m x + diag_mx c^T *m (b + s) = diag_mx c^T *m (y + s).
  by rewrite -mulmxA -mulmxDr addrA.
have pos i j : 0 <= (diag_mx c^T *m (y + s)) i j.
  by rewrite mul_diag_mx mxE mulr_ge0 // mxE ltW.
rewrite nonnegative_activation // value_identities // /undone value_after_affine mulmxA.
have -> : diag_mx (map_mx GRing.inv c)^T *m diag_mx c^T = 1%:M.
  by apply/matrixP => i j; rewrite mul_diag_mx !mxE; case: eqP => [->|_]; rewrite ?mulr0 // !mulr1n mulVf // gt_eqF.
by rewrite mul1mx addrK.
Qed.

(** [notion_of_rank.theorem_1.affine_in_depth] *)
Theorem affine_in_depth n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d :
  norm (through h s c d.+1 g) = norm (through h s c d g) + k%:R /\
  depth (through h s c d.+1 g) = (depth (through h s c d g)).+1.
Proof.
split; last by elim: g => [l W b | l p W b others IH] //=; rewrite IH.
elim: g => [l W b | l p W b others IH] /=; last by rewrite IH !addrA.
by rewrite norm2_one /norm2 inner0l addr0 [k%:R + _]addrC !addrA.
Qed.
(** [bottleneck_structure.balancedness.gradients]: of a hidden layer at x, with z = W x + b, of the layers behind it, and of v'f;
    y is the gradient by the outputs of the layer, delta that by b *)
Theorem gradients_agree n m k (W : 'M[R]_(k, m)) (b : 'cV[R]_k) (others : network R n k) (x : 'cV[R]_m) (v : 'cV[R]_n) :
  let z := W *m x + b in
  let y := (jacobian others (activation z))^T *m v in
  let delta := (jacobian others (activation z) *m diag_mx (slopes_at slope at_zero z)^T)^T *m v in
  entrywise delta z = entrywise y (activation z).
Proof.
move=> z y delta; rewrite /delta trmx_mul tr_diag_mx -mulmxA -/y mul_diag_mx; clearbody y; clear delta; clearbody z.
apply/matrixP => i j; rewrite !mxE ord1 /slope_at /act.
by case: (ltrgtP 0 (z i 0)) => h; rewrite ?mul1r // -?h ?mulr0 // [slope * _]mulrC -mulrA.
Qed.

End Facts.

Section Telescoping.
Variables (R : realFieldType) (slope at_zero : R).
Notation jacobian := (jacobian slope at_zero).
Notation activation := (activation slope).
Notation slopes z := (diag_mx (slopes_at slope at_zero z)^T).
Fixpoint hidden_layers n m (f : network R n m) : nat :=
  match f with Last _ _ _ => 0 | Layer _ _ _ _ others => (hidden_layers others).+1 end.
(** The product of the layers with the slopes at x before a hidden layer, those at y behind it, and their difference there. *)
Fixpoint changed_at n m (f : network R n m) (l : nat) : 'cV[R]_m -> 'cV[R]_m -> 'M[R]_(n, m) :=
  match f in network _ _ m return 'cV[R]_m -> 'cV[R]_m -> 'M[R]_(n, m) with
  | Last _ _ _ => fun _ _ => 0
  | Layer _ _ W b others => fun x y =>
      let zx := W *m x + b in let zy := W *m y + b in
      if l is l'.+1 then changed_at others l' (activation zx) (activation zy) *m (slopes zx *m W)
      else jacobian others (activation zy) *m ((slopes zx - slopes zy) *m W)
  end.
(** [bottleneck_structure.prop_13.telescoping] *)
Theorem telescoping n m (f : network R n m) x y :
  jacobian f x - jacobian f y = \sum_(l < hidden_layers f) changed_at f l x y.
Proof.
elim: f x y => [k W b | k l W b others IH] x y /=; first by rewrite big_ord0 subrr.
by rewrite big_ord_recl /= -mulmx_suml -IH !mulmxBl mulmxBr [RHS]addrC addrA subrK.
Qed.
End Telescoping.

Section Orthogonal.
Variables (R : realFieldType) (m n : nat) (A B : 'M[R]_(m, n)).
Hypotheses (images : A^T *m B = 0) (images' : A *m B^T = 0).
Fixpoint power (M : 'M[R]_n) k : 'M[R]_n := if k is k'.+1 then power M k' *m M else M.
(** [bottleneck_structure.prop_4.orthogonal_sums]: the sums of the powers k + 1 of the squared singular values *)
Theorem orthogonal_sums k :
  \tr (power ((A + B)^T *m (A + B)) k) = \tr (power (A^T *m A) k) + \tr (power (B^T *m B) k).
Proof.
have images2 : B^T *m A = 0 by rewrite -[LHS]trmxK trmx_mul trmxK images trmx0.
have images3 : B *m A^T = 0 by rewrite -[LHS]trmxK trmx_mul trmxK images' trmx0.
have sumE : (A + B)^T *m (A + B) = A^T *m A + B^T *m B.
  by rewrite [(A + B)^T]linearD /= mulmxDl !mulmxDr images images2 addr0 add0r.
have zero (X Y : 'M[R]_(m, n)) : X *m Y^T = 0 -> forall k, power (X^T *m X) k *m (Y^T *m Y) = 0.
  by move=> h; case=> [|j] /=; rewrite ?(mulmxA (power _ _)) -?mulmxA (mulmxA X) h mul0mx ?mulmx0.
rewrite sumE -mxtraceD; congr (\tr _).
by elim: k => //= k IH; rewrite IH mulmxDl !mulmxDr (zero A B) // (zero B A) // addr0 add0r.
Qed.
End Orthogonal.
