(** Ranks of Jacobians: sums, affine maps, autoencoders; linear ridge regression; the scales of Theorem 1. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The affine map of x to A x + b: A of the positive part of x - z less that of z - x, for any z. *)
Definition affine_map n m (A : 'M[R]_(n, m)) (b : 'cV[R]_n) (z : 'cV[R]_m) : network R n m :=
  Layer (col_mx 1%:M (- 1%:M)) (col_mx (- z) z) (Last (row_mx A (- A)) (b + A *m z)).

(** The map of z to (z, S |z|), a left inverse of it, and the autoencoder, which is the one after the other. *)
Definition manifold k r (S : 'M[R]_(r, k)) : network R (k + r) k :=
  Layer (col_mx 1%:M (- 1%:M)) 0 (Last (block_mx 1%:M (- 1%:M) S S) 0).
Definition left_inverse k r (S : 'M[R]_(r, k)) (C : 'M[R]_(k, r)) : network R k (k + r) :=
  Layer (block_mx (col_mx 1%:M (- 1%:M)) 0 0 (col_mx 1%:M (- 1%:M))) 0
    (Last (row_mx (row_mx (1%:M - C *m S) (- 1%:M - C *m S)) (row_mx C (- C))) 0).
Definition autoencoder k r (S : 'M[R]_(r, k)) (C : 'M[R]_(k, r)) := compose (manifold S) (left_inverse S C).

(** Of ridge regression with the data X and the labels Y: the loss of W, and the solution. *)
Definition ridge_loss m n q (X : 'M[R]_(m, n)) (Y : 'M[R]_(q, n)) (ridge : R) (W : 'M[R]_(q, m)) : R :=
  norm2 (W *m X - Y) + ridge * norm2 W.
Definition solution m n q (X : 'M[R]_(m, n)) (Y : 'M[R]_(q, n)) (ridge : R) : 'M[R]_(q, m) :=
  Y *m X^T *m invmx (X *m X^T + ridge%:M).
End Definitions.

Section RidgeRegression.
Variables (R : realFieldType) (m n q : nat) (X : 'M[R]_(m, n)) (Y : 'M[R]_(q, n)) (ridge : R).
Hypothesis ridge_pos : 0 < ridge.
(** [notion_of_rank.ridge_regression] *)
Theorem ridge_regression (V : 'M_(q, m)) :
  ridge_loss X Y ridge (solution X Y ridge) <= ridge_loss X Y ridge (solution X Y ridge + V) /\
  \rank (solution X Y ridge) = \rank (Y *m X^T).
Proof.
have psd : positive_semidefinite (X *m X^T) by have := gram_psd X^T; rewrite trmxK.
have unit := S_unit psd ridge_pos; set W := solution X Y ridge; split; last first.
  by rewrite /W /solution mxrankMfree // row_free_unit unitmx_inv.
have normal : (W *m X - Y) *m X^T + ridge *: W = 0.
  by rewrite mulmxBl -mulmxA -mul_mx_scalar addrAC -mulmxDr /W /solution mulmxKV // subrr.
have e : inner (W *m X - Y) (V *m X) + ridge * inner W V = 0.
  by rewrite innerC inner_mulr -innerZl innerC -innerDl normal inner0l.
rewrite /ridge_loss mulmxDl addrAC (norm2D (W *m X - Y)) (norm2D W) -subr_ge0.
set a := norm2 (V *m X); set b := norm2 V; have a0 : 0 <= a by apply: norm2_ge0. have b0 : 0 <= b by apply: norm2_ge0.
have -> : forall x y i j : R, x + 2%:R * i + a + ridge * (y + 2%:R * j + b) - (x + ridge * y)
  = a + ridge * b + 2%:R * (i + ridge * j) by move=> *; ring.
by rewrite e mulr0 addr0 addr_ge0 // mulr_ge0 // ltW.
Qed.
End RidgeRegression.

Section Jacobians.
Variables (R : realFieldType) (slope at_zero : R).
Notation jacobian := (jacobian slope at_zero).
Notation value := (value slope).
Notation slopes_at := (slopes_at slope at_zero).

Lemma jacobian_after_affine n k m (h : network R n k) (U : 'M_(k, m)) v x :
  jacobian (after_affine h U v) x = jacobian h (U *m x + v) *m U.
Proof. by case: h U v => [k' W b | k' l W b others] U v //=; rewrite mulmxDr -!mulmxA addrA. Qed.
Lemma diag_slopes m m' (z : 'cV[R]_m) (z' : 'cV[R]_m') :
  diag_mx (slopes_at (col_mx z z'))^T = block_mx (diag_mx (slopes_at z)^T) 0 0 (diag_mx (slopes_at z')^T).
Proof. by rewrite /Networks.slopes_at map_col_mx tr_col_mx diag_mx_row. Qed.
Lemma jacobian_beside n m m' (f : network R n m) (g : network R n m') x x' : depth f = depth g ->
  jacobian (beside f g) (col_mx x x') = row_mx (jacobian f x) (jacobian g x').
Proof.
elim: f m' g x x' => [l W b | l k W b others IH] m' [l' W' b' | l' k' W' b' others'] x x' //=.
- by case=> e; have := depth_gt0 others'; rewrite -e.
- by case=> e; have := depth_gt0 others; rewrite e.
case=> e; rewrite mul_block_col !mul0mx addr0 add0r add_col_mx activation_col IH // diag_slopes.
by rewrite mulmx_block !mulmx0 !mul0mx !addr0 !add0r mul_row_block !mulmx0 addr0 add0r.
Qed.
Lemma jacobian_add n m (f g : network R n m) x : depth f = depth g -> jacobian (add f g) x = jacobian f x + jacobian g x.
Proof.
move=> e; rewrite /add jacobian_after_affine addr0 mul_col_mx !mul1mx jacobian_beside //.
by rewrite mul_row_col !mulmx1.
Qed.
Lemma value_add n m (f g : network R n m) x : depth f = depth g -> value (add f g) x = value f x + value g x.
Proof. by move=> e; rewrite /add value_after_affine addr0 mul_col_mx !mul1mx value_beside. Qed.

(** [notion_of_rank.rank_axioms.sum] *)
Theorem rank_of_sum n m (f g : network R n m) x : depth f = depth g ->
  (\rank (jacobian (add f g) x) <= \rank (jacobian f x) + \rank (jacobian g x))%N.
Proof. by move=> e; rewrite jacobian_add // mxrank_add. Qed.

(** [notion_of_rank.rank_axioms.bottleneck_sum] *)
Theorem two_bottlenecks n k k' m (h : network R n k) (g : network R k m) (h' : network R n k') (g' : network R k' m) x :
  let f := compose h g in let f' := compose h' g' in depth f = depth f' ->
  value (add f f') x = value h (value g x) + value h' (value g' x) /\ (\rank (jacobian (add f f') x) <= k + k')%N.
Proof.
move=> f f' e; split.
  by rewrite value_add // (proj1 (composition slope h g x)) (proj1 (composition slope h' g' x)).
apply: leq_trans (rank_of_sum _ e) _; apply: leq_add; exact: rank_through_bottleneck.
Qed.
End Jacobians.

(** The ReLU. *)
Section ReLU.
Variable R : realFieldType.
(** The sign of a number that is not zero. *)
Definition signs n (z : 'cV[R]_n) : 'M[R]_n := diag_mx (map_mx (fun a => if 0 < a then 1 else -1) z)^T.

Section Kinks.
Variable at_zero : R.
Notation jacobian := (jacobian 0 at_zero).
Notation value := (value 0).
Notation slopes_at := (slopes_at 0 at_zero).
Lemma both_slopes n (z : 'cV[R]_n) : (forall i j, z i j != 0) ->
  diag_mx (slopes_at z)^T + diag_mx (slopes_at (- z))^T = 1%:M /\ diag_mx (slopes_at z)^T - diag_mx (slopes_at (- z))^T = signs z.
Proof.
move=> ne; split; apply/matrixP => i j; rewrite !mxE; case: (i =P j) => [_|_]; rewrite ?mulr0n ?subrr ?addr0 //.
all: rewrite !mulr1n /slope_at.
all: rewrite oppr_gt0 oppr_eq0 (negPf (ne i 0)); case: (ltrgtP 0 (z i 0)) (ne i 0) => // _ _.
all: by rewrite ?addr0 ?add0r ?subr0 ?sub0r.
Qed.
Lemma both_parts n (z : 'cV[R]_n) :
  activation 0 z - activation 0 (- z) = z /\ activation 0 z + activation 0 (- z) = map_mx Num.norm z.
Proof.
split; apply/matrixP => i j; rewrite !mxE /act oppr_ge0; case: (ltrgtP 0 (z i j)) => h;
  rewrite ?mul0r ?subr0 ?sub0r ?addr0 ?add0r ?opprK // -?h ?normr0 ?oppr0 ?subr0 ?addr0 //.
- by rewrite gtr0_norm.
- by rewrite ltr0_norm.
Qed.
Variables (k r : nat) (S : 'M[R]_(r, k)) (C : 'M[R]_(k, r)) (z : 'cV[R]_k).
Let absolute := map_mx Num.norm z.
Hypotheses (no_kink : forall i j, z i j != 0) (no_kink_behind : forall i j, (S *m absolute) i j != 0).
Lemma two_copies n (y : 'cV[R]_n) : col_mx 1%:M (- 1%:M) *m y = col_mx y (- y).
Proof. by rewrite mul_col_mx mulNmx mul1mx. Qed.
Lemma copied_slopes n (y : 'cV[R]_n) : diag_mx (slopes_at (col_mx y (- y)))^T *m col_mx 1%:M (- 1%:M)
  = col_mx (diag_mx (slopes_at y)^T) (- diag_mx (slopes_at (- y))^T).
Proof. by rewrite diag_slopes mul_block_col !mul0mx addr0 add0r mulmxN !mulmx1. Qed.
Lemma jacobian_manifold : jacobian (manifold S) z = col_mx 1%:M (S *m signs z).
Proof.
have [sum difference] := both_slopes no_kink.
rewrite /= addr0 two_copies copied_slopes mul_block_col !mulmxN !mulNmx !opprK !mul1mx sum.
by rewrite -mulmxBr difference.
Qed.
Lemma value_manifold : value (manifold S) z = col_mx z (S *m absolute).
Proof.
have [difference sum] := both_parts z.
rewrite /= !addr0 two_copies activation_col mul_block_col mul1mx mulNmx mul1mx difference.
by rewrite -mulmxDr sum.
Qed.
Lemma value_left_inverse (y : 'cV_r) : value (left_inverse S C) (col_mx z y) = z + C *m (y - S *m absolute).
Proof.
have [difference sum] := both_parts z; have [difference' _] := both_parts y.
rewrite /= !addr0 mul_block_col !mul0mx addr0 add0r !two_copies !activation_col !mul_row_col.
rewrite !mulmxBl !mulNmx !mul1mx -[C *m activation 0 y - _]mulmxBr difference' mulmxBr -!mulmxA.
rewrite [X in X + _]addrACA difference -opprD -!mulmxDr sum.
by rewrite -!addrA; congr (_ + _); rewrite addrC.
Qed.
Lemma jacobian_left_inverse (y : 'cV_r) : (forall i j, y i j != 0) ->
  jacobian (left_inverse S C) (col_mx z y) = row_mx (1%:M - C *m S *m signs z) C.
Proof.
move=> ne; have [sum difference] := both_slopes no_kink; have [sum' _] := both_slopes ne.
rewrite /= addr0 mul_block_col !mul0mx addr0 add0r !two_copies diag_slopes mulmx_block !mulmx0 !mul0mx !addr0 !add0r.
rewrite !copied_slopes mul_row_block !mulmx0 addr0 add0r !mul_row_col !mulmxN !mulNmx !opprK -mulmxDr sum' mulmx1.
congr row_mx; rewrite !mulmxBl !mulNmx !mul1mx opprD !opprK addrACA sum; congr (_ + _).
by rewrite -difference mulmxBr opprB addrC.
Qed.
(** [notion_of_rank.autoencoders]: at a point of the manifold, where no neuron is at its kink *)
Theorem jacobian_projects :
  let f := autoencoder S C in let x := value (manifold S) z in
  let A := jacobian f x in let T := jacobian (manifold S) z in
  [/\ value f x = x, A *m A = A, \tr A = k%:R & A *m T = T].
Proof.
move=> f x A T; have xE : x = col_mx z (S *m absolute) by exact: value_manifold.
have back : value (left_inverse S C) x = z by rewrite xE value_left_inverse subrr mulmx0 addr0.
set B := jacobian (left_inverse S C) x.
have AE : A = T *m B by rewrite /A /f /autoencoder jacobian_compose back.
have BT : B *m T = 1%:M.
  rewrite /B /T xE jacobian_left_inverse // jacobian_manifold mul_row_col mulmx1 mulmxA.
  by rewrite subrK.
split.
- by rewrite /f /autoencoder (proj1 (composition 0 (manifold S) (left_inverse S C) x)) back.
- by rewrite AE mulmxA -(mulmxA T) BT mulmx1.
- by rewrite AE mxtrace_mulC BT mxtrace1.
- by rewrite AE -mulmxA BT mulmx1.
Qed.

(** [notion_of_rank.denoising]: the Jacobian A at the same points *)
Theorem noise_that_is_left :
  let A := jacobian (autoencoder S C) (value (manifold S) z) in norm2 A = k%:R + norm2 (A - A^T) / 2%:R.
Proof.
move=> A; have [_ projection rank_k _] := jacobian_projects; rewrite -/A in projection rank_k.
have e : inner A A^T = k%:R by rewrite /inner -trmx_mul mxtrace_tr projection.
by rewrite norm2B norm2_tr e; move: (k%:R); numbers => *; field.
Qed.
End Kinks.

(** [notion_of_rank.rank_axioms.affine]: for any point z of the kinks, at which the slope is 1 as for larger numbers *)
Theorem rank_of_affine n m (A : 'M[R]_(n, m)) (b : 'cV_n) (z x : 'cV_m) :
  \rank (jacobian 0 1 (affine_map A b z) x) = \rank A.
Proof.
have -> : jacobian 0 1 (affine_map A b z) x = A *m diag_mx (map_mx (fun a : R => if a == 0 then 2%:R else 1) (x - z))^T.
  rewrite /= two_copies add_col_mx [- x + z]addrC -opprB copied_slopes mul_row_col mulNmx mulmxN opprK -mulmxDr.
  congr (_ *m _); apply/matrixP => i j; rewrite !mxE; case: (i =P j) => [_|_]; rewrite ?mulr0n ?addr0 // !mulr1n /slope_at.
  by rewrite oppr_gt0 oppr_eq0; case: (ltrgtP 0 (x i 0 - z i 0)); rewrite ?addr0 ?add0r.
rewrite mxrankMfree // row_free_unit unitmxE det_diag unitfE; apply/prodf_neq0 => i _.
by rewrite !mxE /=; case: ifP => _; rewrite ?pnatr_eq0 ?oner_eq0.
Qed.
End ReLU.

(** The scales of the construction of Theorem 1. *)
Section Scales.
Variables (R : rcfType) (n k m : nat) (h : network R n k) (g : network R k m) (s : 'cV[R]_k).
Notation before := (before g s).
Notation after := (after h).
(** The norm of the construction with d identities without what the scales change. *)
Definition rest (d : nat) : R :=
  norm_but_last g + norm_but_first h + norm2 (first_biases h - first_weights h *m s) + (d * k)%:R.
(** [notion_of_rank.theorem_1.scales] *)
Theorem scales (c : 'cV[R]_k) d : (forall i j, 0 < c i j) ->
  rest d + 2%:R * (\sum_i Num.sqrt (after i * before i)) <= norm (through h s c d g).
Proof.
move=> c0; rewrite norm_through /rest -subr_ge0.
set N := norm2 (first_biases h - _); set D := (d * k)%:R.
have -> : forall a b x z : R, a + x + D + z + N + b - (a + b + N + D + 2%:R * \sum_i Num.sqrt (after i * before i))
    = x + z - 2%:R * \sum_i Num.sqrt (after i * before i) by move: N D (\sum_i _) => *; ring.
rewrite -big_split /= mulr_sumr -sumrB; apply: sumr_ge0 => i _.
have before0 : 0 <= before i by rewrite addr_ge0 ?sqr_ge0 // sumr_ge0 // => j _; exact: sqr_ge0.
have after0 : 0 <= after i by rewrite sumr_ge0 // => j _; exact: sqr_ge0.
have c_ne : c i 0 != 0 by rewrite gt_eqF.
have -> : c i 0 ^+ 2 * before i + after i / c i 0 ^+ 2 - 2%:R * Num.sqrt (after i * before i)
    = (c i 0 * Num.sqrt (before i) - Num.sqrt (after i) / c i 0) ^+ 2.
  rewrite sqrtrM // -{1}[before i]sqr_sqrtr // -{1}[after i]sqr_sqrtr //.
  by move: (Num.sqrt _) (Num.sqrt _) c_ne; move: (c i 0) => *; field.
exact: sqr_ge0.
Qed.
End Scales.
