(** Leaky ResNets: how near two points come in short steps, and which lengths the steps of a network have. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets OperatorNorms NuclearNorms NewNeuron Networks Layers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** Irregular steps of the contrast a, as printed, for l + 1 = 1, ..., M; and divided by their sum. *)
Definition irregular (M : nat) (a : R) (l : 'I_M) : R :=
  1 / M%:R + a / M%:R * (1 / 4%:R - `|l.+1%:R / M%:R - 1 / 2%:R|).
Definition renormalised (M : nat) (a : R) (l : 'I_M) : R := irregular a l / \sum_(k < M) irregular a k.

(** Adaptive steps for the relative distances c; what all have in common. *)
Definition adaptive k (c : 'I_k -> R) (i : 'I_k) : R := (c i)^-1 / \sum_j (c j)^-1.
Definition common k (c : 'I_k -> R) : R := 1 / \sum_j 1 / c j.
End Definitions.

(** * Points that differ *)
Section Apart.
Variables (R : rcfType) (w : nat).
Implicit Types x y : 'cV[R]_w.

Lemma norm2_product_le m p (V : 'M[R]_(m, p)) (d : 'cV_p) : norm2 (V *m d) <= norm2 V * norm2 d.
Proof.
apply: square_le; [exact: norm2_ge0 | by apply: mulr_ge0; exact: norm2_ge0 | ].
have e : norm2 (V *m d) = inner V (V *m d *m d^T) by rewrite /norm2 inner_mulr.
rewrite {1}e; apply: le_trans (cauchy_schwarz _ _) _; rewrite norm2_outer.
by rewrite [norm2 (V *m d) * _]mulrC mulrA.
Qed.
Lemma relu_contracts x y : norm2 (relu x - relu y) <= norm2 (x - y).
Proof.
rewrite !norm2E; apply: ler_sum => j _; apply: ler_sum => i _; rewrite !mxE.
case: (leP 0 (x i j)) => hx; case: (leP 0 (y i j)) => hy; rewrite ?subr0 ?sub0r ?subrr ?sqrrN //.
- rewrite ler_pexpn2r ?nnegrE ?subr_ge0 //; last exact: le_trans (ltW hy) hx.
  by rewrite ler_addl oppr_ge0 ltW.
- rewrite -[X in _ <= X]sqrrN opprB ler_pexpn2r ?nnegrE ?subr_ge0 //; last exact: le_trans (ltW hx) hy.
  by rewrite ler_addl oppr_ge0 ltW.
- by rewrite expr0n /= sqr_ge0.
Qed.
Lemma le_of_squares (a b : R) : 0 <= b -> a ^+ 2 <= b ^+ 2 -> a <= b.
Proof. by move=> b0 h; have [a0 | /ltW a0] := leP 0 a; [rewrite -(@ler_pexpn2r _ 2) | exact: le_trans a0 b0]. Qed.
Lemma pulled_difference x y (V : 'M[R]_w) :
  - (Num.sqrt (norm2 V) * norm2 (x - y)) <= inner (x - y) (V *m (relu x - relu y)).
Proof.
rewrite ler_oppl; apply: le_of_squares; first by rewrite mulr_ge0 ?sqrtr_ge0 ?norm2_ge0.
rewrite sqrrN exprMn sqr_sqrtr ?norm2_ge0 //; apply: le_trans (cauchy_schwarz _ _) _.
have -> : norm2 V * norm2 (x - y) ^+ 2 = norm2 (x - y) * (norm2 V * norm2 (x - y)) by rewrite expr2 mulrCA.
apply: ler_wpmul2l; first exact: norm2_ge0.
apply: le_trans (norm2_product_le _ _) _; apply: ler_wpmul2l; [exact: norm2_ge0 | exact: relu_contracts].
Qed.

(** [leaky_resnets.zero_representation.injective] *)
Theorem difference_shrinks_slowly x y (V : 'M[R]_w) (L : R) : let delta := x - y in
  - (L + Num.sqrt (norm2 V)) * norm2 delta <= inner delta (V *m (relu x - relu y) - L *: delta).
Proof.
move=> /=; set delta := x - y; rewrite innerDr innerNr innerZr -/(norm2 delta) mulNr mulrDl opprD addrC ler_add2r.
exact: pulled_difference.
Qed.

Lemma layer_keeps_apart x y W (L rho : R) : 0 <= rho -> let c := shrinking (rho, W) L in 0 <= c ->
  c ^+ 2 * norm2 (x - y) <= norm2 (layer x W L rho - layer y W L rho).
Proof.
move=> r0 c c0; set d := x - y; set V := lsubmx W.
have -> : layer x W L rho - layer y W L rho = (1 - rho * L) *: d + rho *: (V *m (relu x - relu y)).
  rewrite /layer /sigma -[W]hsubmxK !mul_row_col -/V mulmxBr /d; move: (rsubmx W *m _) (V *m relu x) (V *m relu y) => B X Y.
  by apply/matrixP => i j; rewrite !mxE; move: (B i j) (X i j) (Y i j) (x i j) (y i j) => *; ring.
set d' := _ + _; have h : c * norm2 d <= inner d d'.
  rewrite /d' innerDr !innerZr -/(norm2 d) /c /shrinking /= -/V.
  have := pulled_difference x y V; rewrite -/d => /(ler_wpmul2l r0) {}h; rewrite -subr_ge0.
  move: h; rewrite -subr_ge0; set s := Num.sqrt _; set p := inner d _; set q := norm2 d.
  by have -> : (1 - rho * L) * q + rho * p - (1 - rho * (L + s)) * q = rho * p - rho * - (s * q) by ring.
have [q0 | qn] := eqVneq (norm2 d) 0; first by rewrite q0 mulr0 norm2_ge0.
have q_pos : 0 < norm2 d by rewrite lt0r qn norm2_ge0.
rewrite -(ler_pmul2l q_pos); apply: le_trans (cauchy_schwarz d d').
have -> : norm2 d * (c ^+ 2 * norm2 d) = (c * norm2 d) ^+ 2 by rewrite exprMn; move: (norm2 d) => q; ring.
by rewrite ler_pexpn2r ?nnegrE ?(le_trans _ h) // mulr_ge0 ?norm2_ge0.
Qed.
(** [leaky_resnets.zero_representation.steps]: the steps are short *)
Theorem points_stay_apart n (A : 'M[R]_(w, n)) (layers : seq (R * 'M[R]_(w, w + 1))) (L : R) (j k : 'I_n) :
  (forall one, one \in layers -> 0 < one.1 /\ 0 <= shrinking one L) ->
  (\prod_(one <- layers) shrinking one L ^+ 2) * norm2 (col j A - col k A)
  <= norm2 (col j (last_values A layers L) - col k (last_values A layers L)).
Proof.
elim: layers A => [|[rho W] others IH] A short; first by rewrite big_nil mul1r.
rewrite big_cons /= mulrAC mulrC; have [r0 c0] := short _ (mem_head _ _).
apply: le_trans (IH (layer A W L rho) _); last by move=> one h; apply: short; rewrite inE h orbT.
apply: ler_wpmul2l; first by apply: prodr_ge0 => one _; exact: sqr_ge0.
have colE' i (B : 'M[R]_(w, n)) : col i B = colsub (fun _ : 'I_1 => i) B by apply/matrixP => a b; rewrite !mxE.
rewrite !colE' -!layer_colsub; apply: layer_keeps_apart => //; exact: ltW.
Qed.
End Apart.

(** * Lengths of steps *)
Section Lengths.
Variable R : realFieldType.

Lemma heights M : \sum_(l < M) `|2%:R * l.+1%:R - M%:R| = (M%:R ^+ 2 + (odd M)%:R) / 2%:R :> R.
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have [m lt] := ubnP M; elim: m M lt => // m IH [|[|M]] lt.
- by rewrite big_ord0 expr0n /= addr0 mul0r.
- rewrite big_ord1 /= mulr1 expr1n (_ : 2%:R - 1 = 1); last by rewrite -[2%N]/(1 + 1)%N natrD addrK.
  by rewrite normr1 mulfV.
rewrite big_ord_recl big_ord_recr /= /bump /= add1n.
have e : \sum_(i < M) `|2%:R * (1 + i).+1%:R - M.+2%:R| = \sum_(l < M) `|2%:R * l.+1%:R - M%:R| :> R.
  apply: eq_bigr => i _; congr (`|_|); rewrite add1n -[M.+2]addn2 -[i.+2]addn1 !natrD; ring.
rewrite e IH; last by apply: ltnW; rewrite -ltnS.
have -> : 2%:R * 1 - M.+2%:R = - M%:R :> R by rewrite -[M.+2]addn2 natrD; ring.
have -> : 2%:R * M.+2%:R - M.+2%:R = M.+2%:R :> R by ring.
by rewrite normrN !ger0_norm ?ler0n // negbK -[M.+2]addn2 natrD; move: (odd M)%:R (M%:R) => o x; field.
Qed.
Lemma irregularE M (a : R) (l : 'I_M) :
  irregular a l = (1 + a / 4%:R - a * `|2%:R * l.+1%:R - M%:R| / (2%:R * M%:R)) / M%:R.
Proof.
have M0 : M%:R != 0 :> R by rewrite pnatr_eq0 -lt0n (leq_ltn_trans _ (ltn_ord l)).
have p : 0 < 2%:R * M%:R :> R by rewrite mulr_gt0 ?ltr0n // (leq_ltn_trans _ (ltn_ord l)).
rewrite /irregular (_ : l.+1%:R / M%:R - 1 / 2%:R = (2%:R * l.+1%:R - M%:R) / (2%:R * M%:R)); last by field.
by rewrite normrM normfV (gtr0_norm p); move: `|_| => x; field.
Qed.
Lemma irregular_sum M (a : R) : (0 < M)%N -> \sum_(l < M) irregular a l = 1 - (odd M)%:R * a / (4%:R * M%:R ^+ 2).
Proof.
move=> M_pos; have M0 : M%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
under eq_bigr => l _ do rewrite irregularE; rewrite -mulr_suml sumrB sumr_const card_ord -!mulr_suml -mulr_sumr heights.
by rewrite -[_ *+ M]mulr_natr; move: (odd M)%:R => o; field.
Qed.
(** [leaky_resnets.irregular_steps]: a is not negative and below 1 *)
Theorem sum_of_steps M (a : R) : (0 < M)%N -> 0 <= a < 1 ->
  [/\ \sum_(l < M) irregular a l = 1 - (odd M)%:R * a / (4%:R * M%:R ^+ 2), \sum_(l < M) renormalised a l = 1
    & forall l : 'I_M, (renormalised a l * \sum_(k < M) irregular a k)%R = irregular a l].
Proof.
move=> M_pos /andP[a0 a1]; have p : 0 < M%:R :> R by rewrite ltr0n.
have s0 : \sum_(l < M) irregular a l != 0.
  rewrite irregular_sum // subr_eq0 eq_sym lt_eqF // ltr_pdivr_mulr ?mulr_gt0 ?exprn_gt0 ?ltr0n // mul1r.
  apply: le_lt_trans (_ : _ <= 1) _.
    by apply: mulr_ile1; rewrite ?ler0n ?(ltW a1) //; case: (odd M); rewrite ?lexx ?ler01.
  apply: lt_le_trans (_ : 1 < 4%:R) _; first by rewrite ltr1n.
  by rewrite ler_pmulr ?ltr0n // -natrX ler1n expn_gt0 M_pos.
split; first exact: irregular_sum.
- by rewrite /renormalised -mulr_suml mulfV.
- by move=> l; rewrite /renormalised divfK.
Qed.

(** [leaky_resnets.adaptive_steps]: the distances c, and steps in the proportions of any positive shares *)
Theorem adaptive_steps_are_best k (c shares : 'I_k -> R) : (0 < k)%N ->
  (forall i, 0 < c i) -> (forall i, 0 < shares i) ->
  common c <= \big[Num.max/0]_i (shares i / (\sum_j shares j) * c i) /\ forall i, adaptive c i * c i = common c.
Proof.
move=> k0 c0 s0; have inv0 i : 0 < 1 / c i by rewrite mul1r invr_gt0.
have total (F : 'I_k -> R) : (forall i, 0 < F i) -> 0 < \sum_i F i.
  move=> h; case: k k0 {c shares c0 s0 inv0} F h => // k _ F h.
  by rewrite big_ord_recl ltr_spaddl // sumr_ge0 // => i _; exact: ltW.
have C0 := total _ inv0; have S0 := total _ s0.
split; last first.
  move=> i; rewrite /adaptive /common mulrAC mulVf ?gt_eqF // ?c0 //.
  by congr (_ / _); apply: eq_bigr => j _; rewrite mul1r.
set m := \big[Num.max/0]_i _; rewrite /common ler_pdivr_mulr //.
have : \sum_i (shares i / (\sum_j shares j) * c i) * (1 / c i) <= \sum_i m * (1 / c i).
  by apply: ler_sum => i _; rewrite ler_pmul2r //; exact: (max_ge (fun i => shares i / (\sum_j shares j) * c i)).
rewrite -mulr_sumr; apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by under eq_bigr => i _ do rewrite mul1r mulfK ?gt_eqF //; rewrite -mulr_suml mulfV ?gt_eqF.
Qed.
End Lengths.
