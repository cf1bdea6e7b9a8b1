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
Variables (R : realFieldType) (slope : R).
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

(** [notion_of_rank.theorem_1]: where g + s has no negative entry, for positive scales c, through k neurons and d identities *)
Theorem construction n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d x :
  (forall i j, 0 < c i j) -> (forall i j, 0 <= (value g x + s) i j) ->
  value (through h s c d g) x = value h (value g x) /\
  norm (through h s c d g) =
    norm_but_last g + norm2 (diag_mx c^T *m last_weights g) + norm2 (diag_mx c^T *m (last_biases g + s))
    + (d * k)%:R + norm2 (first_weights h *m diag_mx (map_mx GRing.inv c)^T)
    + norm2 (first_biases h - first_weights h *m s) + norm_but_first h.
Proof.
move=> c0 gs0; split.
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
elim: g {x gs0} => [l W b | l p W b others IH] /=; last by rewrite IH !addrA.
rewrite norm_identities /undone norm_after_affine mulmxN [- _ + _]addrC; move: (_%:R); numbers => *; ring.
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
End Facts.

Section Jacobians.
Variables (R : realFieldType) (width : nat -> nat).
Variable W : forall l, 'M[R]_(width l.+1, width l).
(** The slopes of hidden neurons, on a diagonal; any other matrices, too. *)
Definition slopes := forall l, 'M[R]_(width l.+1).
Implicit Types D : slopes.
(** The Jacobian up to the preactivations of a layer: W_l D_l ... D_1 W_0. *)
Fixpoint jacobian D l : 'M[R]_(width l.+1, width 0) :=
  if l is l'.+1 then W l'.+1 *m (D l' *m jacobian D l') else W 0.
Lemma jacobian_eq D D' l : (forall k, (k < l)%N -> D k = D' k) -> jacobian D l = jacobian D' l.
Proof. by elim: l => //= l IH h; rewrite h // IH // => k kl; apply: h; apply: ltnW. Qed.

(** The slopes D before a layer, D' behind it, and their difference there. *)
Definition changed D D' k : slopes := fun l => if (l < k)%N then D l else if (l == k)%N then D l - D' l else D' l.
(** [bottleneck_structure.prop_13.telescoping] *)
Theorem telescoping D D' l : jacobian D l - jacobian D' l = \sum_(k < l) jacobian (changed D D' k) l.
Proof.
elim: l => [|l IH]; first by rewrite big_ord0 /= subrr.
rewrite big_ord_recr /= /changed ltnn eqxx -/(changed D D' l).
have -> : jacobian (changed D D' l) l = jacobian D l by apply: jacobian_eq => k kl; rewrite /changed kl.
have -> : \sum_(k < l) W l.+1 *m ((if (l < k)%N then D l else if l == k then D l - D' l else D' l) *m jacobian (changed D D' k) l)
    = W l.+1 *m (D' l *m (jacobian D l - jacobian D' l)).
  rewrite IH !mulmx_sumr; apply: eq_bigr => k _.
  by rewrite ltnNge ltnW //= gtn_eqF.
rewrite -mulmxBr mulmxBl [D' l *m (_ - _)]mulmxBr -mulmxDr; congr (_ *m _).
by rewrite [RHS]addrC addrA subrK.
Qed.

(** [notion_of_rank.prop_1]: where the weights of layer b pass k dimensions *)
Theorem rank_through_bottleneck D b k (V : 'M[R]_(width b.+1, k)) (U : 'M[R]_(k, width b)) l :
  W b = V *m U -> (b <= l)%N -> (\rank (jacobian D l) <= k)%N.
Proof.
move=> WE; elim: l => [|l IH].
  rewrite leqn0 => /eqP b0; subst b; rewrite /= WE; apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_col.
rewrite leq_eqVlt => /orP[/eqP bE|bl]; last first.
  by apply: leq_trans (IH bl); apply: leq_trans (mxrankM_maxr _ _) _; exact: mxrankM_maxr.
subst b; rewrite /= WE; apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_col.
Qed.
End Jacobians.

Section Gradients.
Variables (R : realFieldType) (slope : R).
(** The slope of the activation at a number; at 0 any other would do. *)
Definition slope_at (z : R) : R := if 0 <= z then 1 else slope.
Definition slopes_at m n (z : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx slope_at z.
(** [bottleneck_structure.balancedness.gradients]: y is what comes back to a layer, z its preactivations; the gradients by the
    weights into a neuron against those by the weights out of it *)
Theorem gradients_agree n (y z : 'cV[R]_n) :
  entrywise (entrywise (slopes_at z) y) z = entrywise y (activation slope z).
Proof. by apply/matrixP => i j; rewrite !mxE /slope_at /act; case: ifP => _; rewrite ?mul1r // mulrC mulrA [_ * slope]mulrC mulrC. Qed.
End Gradients.

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
