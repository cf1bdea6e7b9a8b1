(** The covariances of the segment of local minima are no local minimum: a line along which their loss descends. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Representations.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Descent.
Variables (R : realFieldType) (N : R).
(** The inputs 1 and -1; and rows that are active at one of them each. *)
Definition inputs : 'rV[R]_2 := \row_j (if j == 0 then 1 else -1).
Definition active : 'M[R]_2 := \matrix_(i, j) (if i == j then 1 else -1).
(** The covariances of neurons with the squares alpha of their weights, and their loss: the outputs are alpha, too. *)
Definition weighted_covariance (F : 'M[R]_2) (alpha : 'rV[R]_2) : 'M[R]_2 := F^T *m diag_mx alpha *m F.
Definition covariance_loss (lam : R) (alpha : 'rV[R]_2) : R :=
  norm2 (alpha - const_mx 1) / N
  + lam * (inner (weighted_covariance active alpha) (pinv (gram inputs))
    + (alpha *m pinv (weighted_covariance (relu active) alpha) *m alpha^T) 0 0).
Definition pair (a b : R) : 'rV[R]_2 := \row_j (if j == 0 then a else b).
Hypothesis N_pos : 0 < N.

Lemma pinv_diag k (d : 'rV[R]_k) : pinv (diag_mx d) = diag_mx (map_mx GRing.inv d).
Proof.
have e (u : 'rV[R]_k) : (diag_mx u)^T = diag_mx u by rewrite tr_diag_mx.
symmetry; apply: pinv_unique; rewrite ?mulmx_diag ?e //; congr diag_mx; apply/rowP => i; rewrite !mxE.
  by have [-> | h] := eqVneq (d 0 i) 0; rewrite ?mulr0 // mulfV // mul1r.
by have [-> | h] := eqVneq (d 0 i) 0; rewrite ?invr0 ?mulr0 // mulVf // mul1r.
Qed.
Lemma two (i : 'I_2) : (i = 0) \/ (i = 1). Proof. by case: i => [[|[|i]] h] //; [left | right]; apply: val_inj. Qed.
Lemma sum2 (F : 'I_2 -> R) : \sum_i F i = F 0 + F 1.
Proof. by rewrite !big_ord_recl big_ord0 addr0; congr (_ + F _); apply: val_inj. Qed.
Lemma lossE (lam a b : R) :
  covariance_loss lam (pair a b) = ((a - 1) ^+ 2 + (b - 1) ^+ 2) / N + lam * (2%:R * (a + b)).
Proof.
have activeE : relu active = 1%:M.
  by apply/matrixP => i j; rewrite !mxE; case: eqP => _; [rewrite max_r ?ler01 | rewrite max_l // oppr_le0 ler01].
have xx : inputs *m inputs^T = 2%:R%:M.
  by apply/matrixP => i j; rewrite !ord1 !mxE sum2 !mxE /=; ring.
have GG : gram inputs *m gram inputs = 2%:R *: gram inputs.
  by rewrite /gram mulmxA -(mulmxA inputs^T) xx mul_mx_scalar -scalemxAl.
have tr_G : \tr (gram inputs) = 2%:R.
  by rewrite /gram mxtrace_mulC xx mxtrace_scalar mulr1n.
have Gt : (gram inputs)^T = gram inputs by rewrite /gram trmx_mul trmxK.
have n2 : 2%:R != 0 :> R by rewrite pnatr_eq0.
have pinvG : pinv (gram inputs) = 4%:R^-1 *: gram inputs.
  have e : gram inputs *m (4%:R^-1 *: gram inputs) = 2%:R^-1 *: gram inputs.
    by rewrite -scalemxAr GG scalerA; congr (_ *: _); field.
  have e' : 4%:R^-1 *: gram inputs *m gram inputs = 2%:R^-1 *: gram inputs.
    by rewrite -scalemxAl GG scalerA; congr (_ *: _); field.
  symmetry; apply: pinv_unique.
  - by rewrite e -scalemxAl GG scalerA mulVf // scale1r.
  - by rewrite e' -scalemxAl -scalemxAr GG !scalerA; congr (_ *: _); field.
  - by rewrite e linearZ /= Gt.
  - by rewrite e' linearZ /= Gt.
have KE : weighted_covariance active (pair a b) = (a + b) *: gram inputs.
  apply/matrixP => i j; rewrite /weighted_covariance mul_mx_diag !mxE sum2 big_ord1 !mxE.
  by case: (two i) => ->; case: (two j) => -> /=; ring.
rewrite /covariance_loss KE pinvG innerZl innerZr /inner Gt GG mxtraceZ tr_G activeE /weighted_covariance trmx1.
rewrite mul1mx mulmx1 pinv_diag norm2E sum2 !big_ord1 !mxE sum2 !mxE !sum2 !mxE /=.
have one (c : R) : c * c^-1 * c = c by have [-> | h] := eqVneq c 0; rewrite ?mul0r // mulfV // mul1r.
have -> : (a + b) * (4%:R^-1 * (2%:R * 2%:R)) = a + b by field.
by congr (_ + lam * _); rewrite !mulr1n !mulr0n !mulr0 addr0 add0r !one; ring.
Qed.

(** [feature_learning.prop_19.covariance_descent]: up to delta = 1 - N lam, which is positive *)
Theorem covariances_descend (lam delta : R) : N * lam < 1 -> 0 <= delta -> delta <= 1 - N * lam ->
  let gap := 1 - N * lam in let before := covariance_loss lam (pair gap 0) in let after := covariance_loss lam (pair gap delta) in
  after = before + (delta ^+ 2 - 2%:R * gap * delta) / N /\ after + gap * delta / N <= before.
Proof.
move=> small d0 dg gap before after; have gap0 : 0 < gap by rewrite subr_gt0.
have Nn : N != 0 by rewrite gt_eqF.
have law : after = before + (delta ^+ 2 - 2%:R * gap * delta) / N by rewrite /after /before !lossE /gap; field.
split=> //; rewrite law -subr_ge0.
have -> : before - (before + (delta ^+ 2 - 2%:R * gap * delta) / N + gap * delta / N) = delta * (gap - delta) / N.
  by move: (before) (gap) => B g; field.
by rewrite divr_ge0 ?mulr_ge0 ?subr_ge0 // ltW.
Qed.
End Descent.
