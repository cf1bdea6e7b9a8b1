(** Gradient descent that finds a hidden direction, and gradient descent near a fit of a linear model. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (d : nat).
Implicit Types (v w u dv : 'cV[R]_d) (E : 'M[R]_d).

(** The loss of v for the hidden direction w and the noise E, its gradient for symmetric noise, the symmetric part of noise. *)
Definition loss v w E : R := norm2 (v *m v^T - (w *m w^T + E)).
Definition gradient v w E : 'cV[R]_d := 4%:R *: (norm2 v *: v - inner w v *: w - E *m v).
Definition symmetric_part E : 'M[R]_d := 2%:R^-1 *: (E + E^T).
(** p = (w^T v)^2 and q = |(I - w w^T) v|^2, and their derivatives where that of v is dv. *)
Definition along v w : R := inner w v ^+ 2.
Definition across v w : R := norm2 (v - inner w v *: w).
Definition derivative_along v w dv : R := 2%:R * inner w v * inner w dv.
Definition derivative_across v w dv : R := 2%:R * inner (v - inner w v *: w) dv.
(** A step of gradient descent with the rate eta, without noise. *)
Definition step v w (eta : R) : 'cV[R]_d := v - eta *: gradient v w 0.

(** The reflection along u; u = 0 does not reflect. The losses at the start and after each of some steps. *)
Definition reflected v u : 'cV[R]_d := v - (2%:R * inner u v / (if norm2 u == 0 then 1 else norm2 u)) *: u.
Fixpoint losses steps v w (eta : R) : seq R :=
  loss v w 0 :: (if steps is steps'.+1 then losses steps' (step v w eta) w eta else [::]).
End Definitions.

Section HiddenDirection.
Variables (R : realFieldType) (d : nat).
Implicit Types (v w u dv : 'cV[R]_d) (E : 'M[R]_d).
(** The noise is anything; as w is a unit vector, p + q is the squared norm of v. *)
Lemma along_across v w : norm2 w = 1 -> along v w + across v w = norm2 v.
Proof. by move=> h; rewrite /along /across norm2B norm2Z innerZr h (innerC v w); numbers => *; ring. Qed.
Lemma outer_inner v w : inner (v *m v^T) (w *m w^T) = inner w v ^+ 2.
Proof.
have e : v^T *m w = (inner w v)%:M by rewrite [LHS]mx11_scalar innerC /inner /mxtrace big_ord1.
by rewrite inner_mull mulmxA e mul_scalar_mx innerZr inner_tr (innerC v w) expr2.
Qed.
Lemma loss_of_statistics v w : norm2 w = 1 -> loss v w 0 = norm2 v ^+ 2 - 2%:R * along v w + 1.
Proof.
have e u : norm2 (u *m u^T) = norm2 u ^+ 2 by exact: outer_inner.
by move=> h; rewrite /loss addr0 norm2B !e outer_inner h expr1n.
Qed.
Lemma across_orthogonal v w : norm2 w = 1 -> inner (v - inner w v *: w) w = 0.
Proof. by move=> h; rewrite innerDl innerNl innerZl -/(norm2 w) h mulr1 (innerC v w) subrr. Qed.
Lemma across_inner v w : norm2 w = 1 -> inner (v - inner w v *: w) v = across v w.
Proof. by move=> h; rewrite -[X in inner _ X](subrK (inner w v *: w)) innerDr innerZr across_orthogonal // mulr0 addr0. Qed.
Lemma along_gradient v w : norm2 w = 1 -> inner w (gradient v w 0) = 4%:R * ((along v w + across v w - 1) * inner w v).
Proof.
move=> h; rewrite along_across // /gradient mul0mx subr0 innerZr innerDr innerNr !innerZr -/(norm2 w) h; congr (_ * _).
by rewrite mulr1 mulrBl mul1r.
Qed.
Lemma across_gradient v w : norm2 w = 1 ->
  inner (v - inner w v *: w) (gradient v w 0) = 4%:R * ((along v w + across v w) * across v w).
Proof.
move=> h; rewrite along_across // /gradient mul0mx subr0 innerZr innerDr innerNr !innerZr across_orthogonal //.
by rewrite across_inner // mulr0 subr0.
Qed.

(** [symmetry_learning.summary_statistics] *)
Theorem statistics_close v w : norm2 w = 1 ->
  let p := along v w in let q := across v w in
  [/\ derivative_along v w (- gradient v w 0) = - (8%:R * (p + q - 1) * p),
      derivative_across v w (- gradient v w 0) = - (8%:R * (p + q) * q)
    & loss v w 0 = (p + q) ^+ 2 - 2%:R * p + 1].
Proof.
move=> h p q; split.
- rewrite /derivative_along innerNr along_gradient // -/p -/q /p /along; move: (inner w v) => a.
  by move: (a ^+ 2) (expr2 a) => b ->; ring.
- by rewrite /derivative_across innerNr across_gradient // -/p -/q; ring.
- by rewrite loss_of_statistics // /p /q along_across.
Qed.

(** [symmetry_learning.summary_statistics.gd_step] *)
Theorem step_closes v w (eta : R) : norm2 w = 1 ->
  let p := along v w in let q := across v w in let after := step v w eta in
  inner w after = inner w v * (1 - 4%:R * eta * (p + q - 1)) /\
  across after w = q * (1 - 4%:R * eta * (p + q)) ^+ 2.
Proof.
move=> h p q after; have a_after : inner w after = inner w v * (1 - 4%:R * eta * (p + q - 1)).
  by rewrite /after /step innerDr innerNr innerZr along_gradient // -/p -/q; ring.
split=> //; rewrite /across a_after.
have -> : after - (inner w v * (1 - 4%:R * eta * (p + q - 1))) *: w = (1 - 4%:R * eta * (p + q)) *: (v - inner w v *: w).
  rewrite /after /step /gradient mul0mx subr0 /p /q along_across //; move: (inner w v) (norm2 v) => a n.
  by apply/matrixP => i j; rewrite !mxE; move: (v i j) (w i j) => x y; ring.
by rewrite norm2Z mulrC.
Qed.

Lemma norm2_quadratic (A B C : 'M[R]_d) (s : R) : norm2 (A + s *: B + s ^+ 2 *: C) =
  norm2 A + s ^+ 2 * norm2 B + s ^+ 4 * norm2 C + 2%:R * s * inner A B + 2%:R * s ^+ 2 * inner A C + 2%:R * s ^+ 3 * inner B C.
Proof. by rewrite norm2D norm2D innerDl !innerZr !innerZl !norm2Z; numbers => *; ring. Qed.
(** Twelve times the derivative of the loss along u. *)
Definition five_points v w E u : R :=
  8%:R * (loss (v + u) w E - loss (v - u) w E) - (loss (v + 2%:R *: u) w E - loss (v - 2%:R *: u) w E).
(** [symmetry_learning.summary_statistics.gradient] *)
Theorem gradient_is_exact v w E u : five_points v w E u = 12%:R * inner (gradient v w (symmetric_part E)) u.
Proof.
pose A := v *m v^T - (w *m w^T + E); pose B := v *m u^T + u *m v^T; pose C := u *m u^T.
have lossE s : loss (v + s *: u) w E = norm2 A + s ^+ 2 * norm2 B + s ^+ 4 * norm2 C + 2%:R * s * inner A B
    + 2%:R * s ^+ 2 * inner A C + 2%:R * s ^+ 3 * inner B C.
  have -> : loss (v + s *: u) w E = norm2 (A + s *: B + s ^+ 2 *: C).
    have e : (v + s *: u)^T = v^T + s *: u^T by rewrite linearD linearZ.
    rewrite /loss; congr norm2; rewrite e mulmxDl !mulmxDr -!scalemxAr -!scalemxAl.
    rewrite /A /B /C; move: (v *m v^T) (w *m w^T) (v *m u^T) (u *m v^T) (u *m u^T) => X1 X2 X3 X4 X5.
    apply/matrixP => i j; rewrite !mxE; move: (X1 i j) (X2 i j) (X3 i j) (X4 i j) (X5 i j) (E i j) => *; ring.
  exact: norm2_quadratic.
have AB : inner A B = 2%:R * inner (norm2 v *: v - inner w v *: w - symmetric_part E *m v) u.
  have part (X : 'M[R]_d) : inner X B = inner ((X + X^T) *m v) u.
    rewrite /B innerDr mulmxDl innerDl addrC; congr (_ + _); first by rewrite innerC inner_mulr trmxK innerC.
    by rewrite innerC inner_mulr trmxK [RHS]inner_mull trmxK.
  have self (x y : 'cV[R]_d) : x *m x^T *m y = inner x y *: x.
    by rewrite -mulmxA [x^T *m y]mx11_scalar mul_mx_scalar /inner /mxtrace big_ord1.
  rewrite part -innerZl; congr inner.
  have -> : A + A^T = 2%:R *: (v *m v^T - w *m w^T - symmetric_part E).
    have sym (x : 'cV[R]_d) i j : (x *m x^T) j i = (x *m x^T) i j.
      by rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE mulrC.
    rewrite /A /symmetric_part; move: (v *m v^T) (w *m w^T) (sym v) (sym w) => X1 X2 s1 s2.
    by apply/matrixP => i j; rewrite !mxE (s1 i j) (s2 i j); move: (X1 i j) (X2 i j) (E i j) (E j i) => *; field.
  by rewrite -scalemxAl !mulmxBl !self.
have := (lossE 1, lossE (-1), lossE 2%:R, lossE (- 2%:R)); rewrite !scaleNr !scale1r => -[[[e1 e2] e3] e4].
rewrite /five_points e1 e2 e3 e4 AB /gradient innerZl.
by move: (inner (_ - _) u) (inner A C) (inner B C); numbers => *; ring.
Qed.
(** Reflections across w: linear isometries that keep w. *)
Section Rotation.
Variables (w u : 'cV[R]_d).
Hypothesis unit_w : norm2 w = 1.
Let across_w := u - inner w u *: w.
Let size := if norm2 across_w == 0 then 1 else norm2 across_w.
Let turned v := reflected v across_w.
Let w_across : inner w across_w = 0.
Proof. by rewrite innerC across_orthogonal. Qed.
Lemma turned_inner v : inner w (turned v) = inner w v.
Proof. by rewrite /turned /reflected innerDr innerNr innerZr w_across mulr0 subr0. Qed.
Lemma turned_norm v : norm2 (turned v) = norm2 v.
Proof.
rewrite /turned /reflected norm2B norm2Z innerZr (innerC v across_w).
have [zero|ne] := eqVneq (norm2 across_w) 0.
  by rewrite zero (norm2_eq0 zero) inner0l !mulr0 subr0 addr0.
by move: ne; move: (inner across_w v); numbers => *; field.
Qed.
Lemma turned_linear v (a b : R) : turned (a *: v + b *: w) = a *: turned v + b *: w.
Proof.
rewrite /turned /reflected innerDr !innerZr (innerC across_w w) w_across mulr0 addr0 -/size (scalerBr a v) scalerA [RHS]addrAC.
by congr (_ - _ *: _); rewrite !mulrA [2%:R * a]mulrC.
Qed.
Lemma stepE v (eta : R) : step v w eta = (1 - eta * (4%:R * norm2 v)) *: v + (eta * (4%:R * inner w v)) *: w.
Proof.
rewrite /step /gradient mul0mx subr0; move: (norm2 v) (inner w v) => n a.
by apply/matrixP => i j; rewrite !mxE; move: (v i j) (w i j) => *; ring.
Qed.
Lemma turned_step v eta : step (turned v) w eta = turned (step v w eta).
Proof. by rewrite !stepE turned_linear turned_norm turned_inner. Qed.
Lemma turned_loss v : loss (turned v) w 0 = loss v w 0.
Proof. by rewrite !loss_of_statistics // turned_norm /along turned_inner. Qed.

(** [symmetry_learning.summary_statistics.rotation]: the losses of any number of steps; reflections generate the rotations *)
Theorem rotations_keep_losses steps v (eta : R) : losses steps (reflected v (u - inner w u *: w)) w eta = losses steps v w eta.
Proof.
rewrite -/across_w -/(turned v); elim: steps v => [|steps IH] v /=; rewrite turned_loss //.
by rewrite turned_step IH.
Qed.
End Rotation.
End HiddenDirection.

Section Cauchy.
Variables (R : realFieldType) (d : nat).
Lemma inner_sq_le (x y : 'cV[R]_d) : inner x y ^+ 2 <= norm2 x * norm2 y.
Proof.
have one_psd : positive_semidefinite (1%:M : 'M[R]_1) by split=> [|z]; rewrite ?trmx1 // mulmx1 norm2_ge0.
by have := cauchy x y one_psd; rewrite /product !mulmx1.
Qed.
(** s bounds the operator norm of A. *)
Definition operator_norm_at_most n (A : 'M[R]_(n, d)) (s : R) := 0 <= s /\ forall x : 'cV_d, norm2 (A *m x) <= s ^+ 2 * norm2 x.
End Cauchy.

Section Noise.
Variables (R : rcfType) (d : nat) (v w : 'cV[R]_d) (E : 'M[R]_d) (s : R).
Hypotheses (unit_w : norm2 w = 1) (noise : operator_norm_at_most (symmetric_part E) s).
Let Es := symmetric_part E.
Lemma noise_inner x : `|inner x (Es *m v)| <= Num.sqrt (norm2 x) * (Num.sqrt (norm2 v) * s).
Proof.
have [s0 bound] := noise.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?normr_ge0 ?mulr_ge0 ?sqrtr_ge0 // real_normK ?num_real //.
rewrite !exprMn !sqr_sqrtr ?norm2_ge0 //; apply: le_trans (inner_sq_le _ _) _.
by rewrite ler_wpmul2l ?norm2_ge0 // mulrC bound.
Qed.
Lemma gradient_noise : gradient v w Es = gradient v w 0 - 4%:R *: (Es *m v).
Proof. by rewrite /gradient mul0mx subr0 -scalerBr. Qed.

(** [symmetry_learning.summary_statistics.noise]: for every bound s of the operator norm of the symmetric part *)
Theorem noise_moves_little :
  let p := along v w in let q := across v w in let dv := - gradient v w (symmetric_part E) in
  [/\ `|derivative_along v w dv + 8%:R * (p + q - 1) * p| <= Num.sqrt p * (8%:R * Num.sqrt (norm2 v) * s),
      `|derivative_across v w dv + 8%:R * (p + q) * q| <= Num.sqrt q * (8%:R * Num.sqrt (norm2 v) * s)
    & loss v w E = (p + q) ^+ 2 - 2%:R * p + 1 - 2%:R * (inner v (E *m v) - inner w (E *m w)) + norm2 E].
Proof.
move=> p q dv; have [dp dq lossE] := statistics_close v unit_w.
have dvE : dv = - gradient v w 0 + 4%:R *: (Es *m v) by rewrite /dv gradient_noise opprB addrC.
have eight : 0 <= 8%:R :> R by rewrite ler0n.
split.
- have -> : derivative_along v w dv + 8%:R * (p + q - 1) * p = 8%:R * (inner w v * inner w (Es *m v)).
    have e : derivative_along v w dv = derivative_along v w (- gradient v w 0) + 8%:R * (inner w v * inner w (Es *m v)).
      by rewrite /derivative_along dvE innerDr mulrDr innerZr; move: (inner w v) (inner w (Es *m v)) => *; ring.
    by rewrite e dp -/p -/q; move: (inner w v * _) => *; ring.
  rewrite normrM ger0_norm // normrM -sqrtr_sqr -/(along v w) -/p.
  have -> : Num.sqrt p * (8%:R * Num.sqrt (norm2 v) * s) = 8%:R * (Num.sqrt p * (Num.sqrt (norm2 v) * s)).
    by move: (Num.sqrt _) (Num.sqrt _) => *; ring.
  rewrite ler_wpmul2l // ler_wpmul2l ?sqrtr_ge0 //.
  by apply: le_trans (noise_inner w) _; rewrite unit_w sqrtr1 mul1r.
- have -> : derivative_across v w dv + 8%:R * (p + q) * q = 8%:R * inner (v - inner w v *: w) (Es *m v).
    have e : derivative_across v w dv
        = derivative_across v w (- gradient v w 0) + 8%:R * inner (v - inner w v *: w) (Es *m v).
      by rewrite /derivative_across dvE innerDr mulrDr innerZr; move: (inner (v - _) (Es *m v)) => *; ring.
    by rewrite e dq -/p -/q; move: (inner (v - _) (Es *m v)) => *; ring.
  have -> : Num.sqrt q * (8%:R * Num.sqrt (norm2 v) * s) = 8%:R * (Num.sqrt q * (Num.sqrt (norm2 v) * s)).
    by move: (Num.sqrt _) (Num.sqrt _) => *; ring.
  by rewrite normrM ger0_norm // ler_wpmul2l //; exact: noise_inner.
rewrite -lossE /loss addr0 opprD addrA norm2B; congr (_ - 2%:R * _ + _).
have part x : inner (x *m x^T) E = inner x (E *m x) by rewrite inner_mulr trmxK.
by rewrite innerDl innerNl !part.
Qed.
End Noise.

Section NearAFit.
Variables (R : realFieldType) (n d : nat) (J : 'M[R]_(n, d)) (e : 'cV[R]_d) (eta curvature : R).
Let H : 'M[R]_d := (2%:R / n%:R) *: (J^T *m J).
Hypotheses (eta_ge0 : 0 <= eta) (steep : operator_norm_at_most H curvature) (at_most : eta * curvature <= 2%:R).
Let H_psd : positive_semidefinite H.
Proof.
have [sym pos] := gram_psd J; split=> [|x]; first by rewrite /H linearZ /= sym.
by rewrite /H -scalemxAr innerZl mulr_ge0 // divr_ge0 ?ler0n.
Qed.
(** [symmetry_learning.gd_stability.converges]: features J of n points, the distance e to the fit, and the Hessian H *)
Theorem no_distance_grows : norm2 (e - eta *: (H *m e)) <= norm2 e.
Proof.
have [c0 bound] := steep; set He := H *m e; set a := inner e He; set N := norm2 He.
have N0 : 0 <= N by apply: norm2_ge0.
have prod (x y : 'cV[R]_d) : product H x^T y^T = inner x (H *m y).
  by rewrite /product -{1}(proj1 H_psd) -trmx_mul inner_tr inner_mull (proj1 H_psd).
have a0 : 0 <= a by have := product_ge0 e^T H_psd; rewrite prod.
have N_le : N <= curvature * a.
  have [N_eq|N_ne] := eqVneq N 0; first by rewrite N_eq mulr_ge0.
  have N_pos : 0 < N by rewrite lt0r N_ne.
  set b := inner He (H *m He).
  have b0 : 0 <= b by have := product_ge0 He^T H_psd; rewrite prod.
  have b_le : b <= curvature * N.
    rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 //; apply: le_trans (inner_sq_le _ _) _.
    rewrite -/N; have -> : (curvature * N) ^+ 2 = N * (curvature ^+ 2 * N) by ring.
    by rewrite ler_wpmul2l // bound.
  have := cauchy e^T He^T H_psd; rewrite !prod -/He -/a -/b => h.
  have eHHe : inner e (H *m He) = N by rewrite -(proj1 H_psd) -inner_mull.
  rewrite eHHe in h; rewrite -(ler_pmul2l N_pos) -expr2; apply: le_trans h _.
  have -> : N * (curvature * a) = a * (curvature * N) by ring.
  by rewrite ler_wpmul2l.
rewrite norm2B norm2Z innerZr -/a -/N -addrA ger_addl addrC.
have -> : eta ^+ 2 * N - 2%:R * (eta * a) = eta * (eta * N - 2%:R * a) by ring.
rewrite mulr_ge0_le0 // subr_le0; apply: le_trans (_ : eta * (curvature * a) <= _); first by rewrite ler_wpmul2l.
by rewrite mulrA ler_wpmul2r.
Qed.
End NearAFit.
