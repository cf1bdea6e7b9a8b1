(** The last layer and the volume of the last representation: what they cost, and what the last layer sees of the volume. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks NuclearNorms Balanced Rescaled Frames Kernels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (slope at_zero : R).
(** The Jacobian of the last hidden representation; before one layer it is the identity. *)
Fixpoint last_hidden n m (f : network R n m) : 'cV[R]_m -> 'M[R]_(last_width f, m) :=
  match f in network _ _ m return 'cV[R]_m -> 'M[R]_(last_width f, m) with
  | Last _ W b => fun _ => 1%:M
  | Layer _ _ W b others => fun x =>
      let z := W *m x + b in last_hidden others (activation slope z) *m (diag_mx (slopes_at slope at_zero z)^T *m W)
  end.
End Definitions.

Section LastLayers.
Variables (R : rcfType) (slope at_zero : R) (log : R -> R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1) (log_is : is_logarithm log).
Notation last_hidden := (last_hidden slope at_zero).

Lemma last_weights_see n m (f : network R n m) x : jacobian slope at_zero f x = last_weights f *m last_hidden f x.
Proof. by elim: f x => [q W b | q k W b others IH] x /=; rewrite ?mulmx1 // IH !mulmxA. Qed.
Lemma frame_entry m k (U V : 'M[R]_(m, k)) i : frame U -> frame V -> (U^T *m V) i i <= 1.
Proof.
move=> fU fV; have := norm2_ge0 (col i U - col i V).
have one (Y : 'M[R]_(m, k)) : frame Y -> norm2 (col i Y) = 1.
  move=> fY; have -> : norm2 (col i Y) = (Y^T *m Y) i i; last by rewrite fY mxE eqxx.
  by rewrite norm2E big_ord1 mxE; apply: eq_bigr => j _; rewrite !mxE expr2.
have -> : (U^T *m V) i i = inner (col i U) (col i V).
  by rewrite innerE big_ord1 mxE; apply: eq_bigr => j _; rewrite !mxE.
rewrite norm2B !one //; move: (inner _ _) => c; have -> : 1 - 2%:R * c + 1 = 2%:R * (1 - c) by ring.
by rewrite pmulr_rge0 ?ltr0n // subr_ge0.
Qed.
Lemma hidden_numbers n m (f : network R n m) x k (Q : 'M_(m, k)) (S : 'M_k) (U : 'M_(last_width f, k)) (s : 'rV_k) :
  frame Q -> frame U -> (forall i, 0 < s 0 i) -> upper_triangular S -> (forall i, 0 < S i i) ->
  last_hidden f x *m Q *m S = U *m diag_mx s ->
  exists t : nat -> 'I_k -> R, [/\ forall l i, 0 < t l i, forall i, s 0 i <= (\prod_(l < (depth f).-1) t l i) * S i i &
    forall l, (l < (depth f).-1)%N -> \sum_i t l i ^+ 2 <= nth 0 (weight_norms f) l].
Proof.
move=> + + + + +; elim: f x Q S U => [q W b | q p W b others IH] x Q S U /= fQ fU s0 uS S0 e.
  have [|_ diag] := upper_behind (N := U^T *m Q) (s := s) uS S0.
    by rewrite -mulmxA -[Q]mul1mx e mulmxA fU mul1mx.
  exists (fun _ _ => 1); split=> // i; first by rewrite ltr01.
  by rewrite big_ord0 mul1r -diag ler_pimull ?(ltW (S0 i)) // frame_entry.
set z := W *m x + b in e *; set D := (slopes_at slope at_zero z)^T in e.
have D1 i : `|D 0 i| <= 1 by rewrite /D !mxE; exact: slope_le.
have [L LM] : exists L, L *m (diag_mx D *m W *m Q) = 1%:M.
  by apply: (has_left_inverse (J := last_hidden others (activation slope z)) (S := S) fU s0); rewrite -e !mulmxA.
have [P [T [fP eT [uT T0] norms _]]] := one_layer D1 fQ LM; have [uTS TS] := upperM uT uS.
have [||t [t0 prod sums]] := IH (activation slope z) P (T *m S) U fP fU s0 uTS.
- by move=> i; rewrite TS mulr_gt0.
- by rewrite -e mulmxA -(mulmxA _ P) -eT !mulmxA.
exists (fun l i => if l is l'.+1 then t l' i else T i i); split=> [[]|i|[|l]] //.
- apply: le_trans (prod i) _; rewrite TS -(prednK (depth_gt0 others)) big_ord_recl /=.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite mulrCA mulrA.
- by move=> h; apply: sums; rewrite -ltnS prednK ?depth_gt0.
Qed.
Lemma norms_but_last n m (f : network R n m) :
  \sum_(w <- weight_norms f) w = \sum_(l < (depth f).-1) nth 0 (weight_norms f) l + norm2 (last_weights f).
Proof.
elim: f => [q W b | q p W b others IH] /=; first by rewrite big_ord0 add0r big_seq1.
by rewrite big_cons IH -(prednK (depth_gt0 others)) big_ord_recl /= addrA.
Qed.
Lemma det_upper k (T : 'M[R]_k) : upper_triangular T -> \det T = \prod_i T i i.
Proof.
move=> uT; rewrite -det_tr det_trig; first by apply: eq_bigr => i _; rewrite mxE.
by apply/is_trig_mxP => i j ij; rewrite mxE uT.
Qed.

Lemma log_mono (c d : R) : 0 < c -> 0 < d -> c <= d -> log c <= log d.
Proof.
move=> c0 d0 cd; have q0 : 0 < c / d by rewrite divr_gt0.
have -> : log c = log (c / d) + log d by rewrite -(proj1 log_is) // divfK // gt_eqF.
rewrite ger_addr; apply: le_trans (proj2 log_is _ q0) _.
by rewrite subr_le0 ler_pdivr_mulr // mul1r.
Qed.

Lemma seen_volume p m q (W : 'M[R]_(q, p)) (A : 'M_(p, m)) k k' (a : 'rV_k) (b : 'rV_k') : \rank (W *m A) = \rank A ->
  are_singular_values A a -> are_singular_values (pinv W *m W *m A) b -> \prod_i b 0 i <= \prod_i a 0 i.
Proof.
move=> kept of_A of_seen.
have [U [V [fU fV a0 eA]]] := of_A; have [U2 [V2 [fU2 fV2 b0 eB]]] := of_seen.
pose Pi := pinv W *m W; have Pt : Pi^T = Pi by exact: pinv_mul_sym. have PP : Pi *m Pi = Pi by rewrite /Pi mulmxA pinv_mul_pinv.
have rank_of p' q' r (Y : 'M[R]_(p', r)) (Z : 'M_(q', r)) (u : 'rV_r) : frame Y -> frame Z -> (forall i, 0 < u 0 i) ->
    \rank (Y *m diag_mx u *m Z^T) = r.
  move=> fY fZ u0; apply/eqP; rewrite eqn_leq; apply/andP; split.
    by rewrite -mulmxA; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
  have e : Y^T *m (Y *m diag_mx u *m Z^T) *m (Z *m diag_mx (map_mx GRing.inv u)) = 1%:M.
    rewrite !mulmxA fY mul1mx -(mulmxA (diag_mx u)) fZ mulmx1 mulmx_diag -diag_const_mx; congr diag_mx.
    by apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
  rewrite -{1}(mxrank1 R r) -e; apply: leq_trans (mxrankM_maxl _ _) _; exact: mxrankM_maxr.
have ek : k' = k.
  rewrite -(rank_of _ _ _ _ _ _ fU2 fV2 b0) -eB -(rank_of _ _ _ _ _ _ fU fV a0) -eA; apply/eqP; rewrite eqn_leq mxrankM_maxr /=.
  rewrite -kept (_ : W *m A = W *m (pinv W *m W *m A)); last by rewrite !mulmxA mul_pinv_mul.
  exact: mxrankM_maxr.
move: b U2 V2 fU2 fV2 b0 eB {of_seen}; rewrite {}ek => b U2 V2 fU2 fV2 b0 eB.
have inverse (u : 'rV[R]_k) : (forall i, 0 < u 0 i) -> diag_mx u *m diag_mx (map_mx GRing.inv u) = 1%:M.
  by move=> u0; rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
have V2E : V2 = V *m (V^T *m V2).
  have e : V2 = V *m (diag_mx a *m U^T *m Pi *m U2 *m diag_mx (map_mx GRing.inv b)).
    have := congr1 (fun M => M^T *m (U2 *m diag_mx (map_mx GRing.inv b))) eB.
    rewrite -/Pi trmx_mul Pt eA !trmx_mul !trmxK !tr_diag_mx !mulmxA -(mulmxA _ U2^T U2) fU2 mulmx1 -(mulmxA V2).
    by rewrite (inverse b b0) mulmx1 => <-.
  by rewrite e (mulmxA V^T) fV mul1mx.
set O := V^T *m V2 in V2E.
have OO : O^T *m O = 1%:M.
  have -> : O^T = V2^T *m V by rewrite /O trmx_mul trmxK.
  by rewrite -mulmxA -V2E fV2.
have e : Pi *m U *m (diag_mx a *m O) = U2 *m diag_mx b.
  by rewrite -[RHS]mulmx1 -fV2 [RHS]mulmxA -eB -/Pi eA /O !mulmxA.
have [L LU] : exists L, L *m (Pi *m U) = 1%:M.
  by apply: (has_left_inverse (J := 1%:M) (S := diag_mx a *m O) fU2 b0); rewrite mul1mx.
have [T1 [T [fT eT uT T0]]] := orthonormalised LU.
have dets : (\prod_i b 0 i) ^+ 2 = (\prod_i a 0 i) ^+ 2 * (\prod_i T i i) ^+ 2.
  have h : (diag_mx b)^T *m diag_mx b = (T *m (diag_mx a *m O))^T *m (T *m (diag_mx a *m O)).
    have <- : (U2 *m diag_mx b)^T *m (U2 *m diag_mx b) = (diag_mx b)^T *m diag_mx b.
      by rewrite trmx_mul -mulmxA (mulmxA U2^T) fU2 mul1mx.
    by rewrite -e eT -mulmxA trmx_mul -[LHS]mulmxA (mulmxA T1^T) fT mul1mx.
  have := congr1 determinant h; rewrite !det_mulmx !det_tr !det_mulmx !det_diag (det_upper uT) -!expr2 => ->.
  have := congr1 determinant OO; rewrite det_mulmx det_tr det1 -expr2 => d1.
  by rewrite !exprMn d1 mulr1 mulrC.
have T1le : (\prod_i T i i) ^+ 2 <= 1.
  rewrite -prodrXl; apply: le_trans (means_power _) _; first by move=> i; exact: sqr_ge0.
  have S0 : 0 <= \sum_i T i i ^+ 2 by rewrite sumr_ge0 // => i _; exact: sqr_ge0.
  have [k0 | k0] := posnP k.
    by rewrite (_ : k%:R = 0) ?invr0 ?mulr0 ?k0 // expr0 lexx.
  rewrite exprn_ile1 ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r -(norm2_frame fU).
  apply: le_trans (diagonal_le T) _; rewrite -(norm2_in_frame T fT) -eT.
  have := norm2_ge0 (U - Pi *m U); rewrite norm2B; have -> : inner U (Pi *m U) = norm2 (Pi *m U).
    by rewrite /norm2 inner_mull Pt innerC inner_mull Pt mulmxA PP innerC.
  have -> : norm2 U - 2%:R * norm2 (Pi *m U) + norm2 (Pi *m U) = norm2 U - norm2 (Pi *m U) by numbers; ring.
  by rewrite subr_ge0.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?prodr_ge0 //; try by move=> i _; exact: ltW.
by rewrite dets ler_pimulr // sqr_ge0.
Qed.

Section AtAPoint.
Variables (n m : nat) (f : network R n m) (x : 'cV[R]_m) (P : 'M[R]_m) (k k' : nat) (a : 'rV[R]_k) (b : 'rV[R]_k').
Let A := last_hidden f x *m P.
Let W := last_weights f.
Hypotheses (sym : P^T = P) (idem : P *m P = P) (kept : \rank (W *m A) = \rank A).
Hypotheses (of_A : are_singular_values A a) (of_seen : are_singular_values (pinv W *m W *m A) b).
Lemma cost_of_last : norm2 W + (k * (depth f).-1)%:R + 2%:R * log (\prod_i a 0 i) <= \sum_(w <- weight_norms f) w.
Proof.
have [U [V [fU fV s0 e]]] := of_A.
have PV : P *m V = V.
  have VE : V = P *m (last_hidden f x)^T *m U *m diag_mx (map_mx GRing.inv a).
    rewrite -{1}sym -trmx_mul -/A e !trmx_mul trmxK tr_diag_mx -!mulmxA (mulmxA U^T) fU mul1mx mulmx_diag.
    rewrite -[LHS]mulmx1 -diag_const_mx; congr (_ *m diag_mx _).
    by apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
  by rewrite VE !mulmxA idem.
have [|||t [t0 prod sums]] := hidden_numbers (x := x) (S := 1%:M) fV fU s0.
- by move=> i j ji; rewrite mxE -val_eqE gtn_eqF.
- by move=> i; rewrite mxE eqxx ltr01.
- by rewrite mulmx1 -[in LHS]PV mulmxA -/A e -!mulmxA fV mulmx1.
rewrite norms_but_last -/W [X in _ <= X]addrC -addrA ler_add2l.
apply: le_trans (_ : \sum_(l < (depth f).-1) \sum_i t l i ^+ 2 <= _); last by apply: ler_sum => l _; exact: sums.
have -> : (k * (depth f).-1)%:R = \sum_(i < k) (depth f).-1%:R :> R by rewrite sumr_const card_ord mulnC natrM mulr_natr.
rewrite (log_prod log_is) // mulr_sumr -big_split exchange_big /=; apply: ler_sum => i _.
apply: le_trans (_ : (depth f).-1%:R + 2%:R * log (\prod_(l < (depth f).-1) t l i) <= _).
  rewrite ler_add2l ler_pmul2l ?ltr0n //; apply: log_mono; rewrite ?prodr_gt0 //.
  by have := prod i; rewrite mxE eqxx mulr1.
rewrite (log_prod log_is) // mulr_sumr; have -> : (depth f).-1%:R = \sum_(l < (depth f).-1) 1 :> R by rewrite sumr_const card_ord.
rewrite -big_split /=; apply: ler_sum => l _; rewrite -(log_power log_is) //; exact: (log_le log_is (exprn_gt0 2 (t0 l i))).
Qed.
(** [bottleneck_structure.prop_5.last_layer]: a and b are singular values of the last representation along the image of P, and of
    what the last layer sees of it *)
Theorem last_layer_and_volume : (1 < depth f)%N ->
  norm2 (last_weights f) + (k * (depth f).-1)%:R + 2%:R * log (\prod_i a 0 i) <= \sum_(w <- weight_norms f) w /\
  log (\prod_i b 0 i) <= log (\prod_i a 0 i).
Proof.
move=> _; split; first exact: cost_of_last.
have [[U [V [_ _ a0 _]]] [U2 [V2 [_ _ b0 _]]]] := (of_A, of_seen).
by apply: log_mono; rewrite ?prodr_gt0 //; exact: seen_volume kept of_A of_seen.
Qed.
End AtAPoint.
End LastLayers.
