(** A segment of local minima: a shallow ReLU network of two neurons on the points 1 and -1, with the outputs 1 and 1. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Segment.
Variables (R : realFieldType) (N : R).
Implicit Types (a b lam : R).
(** The squared error over N, and the ridge lam; w and w' are the weights before the neurons, v and v' those behind them. *)
Definition output (w w' v v' x : R) : R := v * Num.max 0 (w * x) + v' * Num.max 0 (w' * x).
Definition loss lam (w w' v v' : R) : R :=
  ((output w w' v v' 1 - 1) ^+ 2 + (output w w' v v' (- 1) - 1) ^+ 2) / N + lam * (w ^+ 2 + w' ^+ 2 + v ^+ 2 + v' ^+ 2).
(** The ridge of the segment through (a, b). *)
Definition ridge a b : R := (1 - (a ^+ 2 + b ^+ 2)) / N.
Hypothesis N_pos : 0 < N.

Lemma right (w : R) : 0 <= w -> Num.max 0 (w * 1) = w. Proof. by move=> h; rewrite mulr1 max_r. Qed.
Lemma left (w : R) : 0 <= w -> Num.max 0 (w * - 1) = 0. Proof. by move=> h; rewrite mulrN1 max_l // oppr_le0. Qed.
Lemma loss_form lam (w w' v v' : R) : 0 <= w -> 0 <= w' -> let p := w * v + w' * v' in
  loss lam w w' v v' = ((p - 1) ^+ 2 + 1) / N + lam * (2%:R * p + ((w - v) ^+ 2 + (w' - v') ^+ 2)).
Proof.
move=> w0 w'0 p; rewrite /loss /output !right // !left //; congr (_ / N + _ * _); rewrite /p; ring.
Qed.

(** [feature_learning.prop_19]: changes of at most min(a, b) in each weight *)
Theorem segment_is_a_local_minimum a b (w w' v v' : R) : 0 <= a -> 0 <= b -> a ^+ 2 + b ^+ 2 <= 1 ->
  let reach := Num.min a b in `|w - a| <= reach -> `|w' - b| <= reach -> `|v - a| <= reach -> `|v' - b| <= reach ->
  let lam := ridge a b in let p := w * v + w' * v' in
  loss lam a b a b <= loss lam w w' v v' /\
  loss lam w w' v v' = ((p - 1) ^+ 2 + 1) / N + lam * (2%:R * p + ((w - v) ^+ 2 + (w' - v') ^+ 2)).
Proof.
move=> a0 b0 small reach wa w'b va v'b lam p; have Nn : N != 0 by rewrite gt_eqF.
have near (c t : R) : reach <= c -> `|t - c| <= reach -> 0 <= t.
  move=> rc; rewrite ler_distl => /andP[h _]; apply: le_trans h; by rewrite subr_ge0.
have w0 : 0 <= w by apply: near wa; rewrite le_minl lexx.
have w'0 : 0 <= w' by apply: near w'b; rewrite le_minl lexx orbT.
split; last exact: loss_form.
rewrite !loss_form // -/p -subr_ge0.
set q := (w - v) ^+ 2 + (w' - v') ^+ 2; have q0 : 0 <= q by rewrite addr_ge0 ?sqr_ge0.
have -> : ((p - 1) ^+ 2 + 1) / N + lam * (2%:R * p + q)
    - (((a * a + b * b - 1) ^+ 2 + 1) / N + lam * (2%:R * (a * a + b * b) + ((a - a) ^+ 2 + (b - b) ^+ 2)))
  = (p - (a ^+ 2 + b ^+ 2)) ^+ 2 / N + lam * q.
  by rewrite /lam /ridge; move: p q {q0} => x y; field.
apply: addr_ge0; first by apply: divr_ge0; [exact: sqr_ge0 | exact: ltW].
by apply: mulr_ge0 => //; apply: divr_ge0; [rewrite subr_ge0 | exact: ltW].
Qed.

(** [feature_learning.prop_19.endpoint]: from the end (c, 0) of the segment, the second neuron moves to -e and e *)
Theorem end_of_the_segment_descends c (e : R) : 0 <= c -> 0 <= e -> e ^+ 2 <= 2%:R * c ^+ 2 ->
  let lam := ridge c 0 in let before := loss lam c 0 c 0 in let after := loss lam c (- e) c e in
  after = before + e ^+ 2 * (e ^+ 2 - 2%:R * c ^+ 2) / N /\ after <= before.
Proof.
move=> c0 e0 short lam before after; have Nn : N != 0 by rewrite gt_eqF.
have change : after = before + e ^+ 2 * (e ^+ 2 - 2%:R * c ^+ 2) / N.
  have neg : Num.max 0 (- e * 1) = 0 by rewrite mulr1 max_l // oppr_le0.
  have pos : Num.max 0 (- e * - 1) = e by rewrite mulrNN mulr1 max_r.
  have z : Num.max 0 (0 * 1 : R) = 0 by rewrite mul0r maxxx.
  have z' : Num.max 0 (0 * - 1 : R) = 0 by rewrite mul0r maxxx.
  by rewrite /after /before /loss /output right // left // neg pos z z' /lam /ridge; field.
split=> //; rewrite change ger_addl pmulr_lle0 ?invr_gt0 //.
by rewrite mulr_ge0_le0 ?sqr_ge0 // subr_le0.
Qed.
End Segment.
