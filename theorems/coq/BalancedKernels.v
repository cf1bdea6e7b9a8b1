(** Balanced networks: where the kernel is of the order of the depth, representations are bounded, at every width and depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks Balanced Diagonal OperatorNorms NuclearNorms Counting Frames Kernels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Behind.
Variables (R : rcfType) (slope at_zero : R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1).
Notation jacobian := (jacobian slope at_zero).
Notation behind := (squared_behind slope at_zero).

(** A layer between what is before it and what is behind it. *)
Lemma split_layer n p m k (B : 'M[R]_(n, p)) (W : 'M_(p, m)) (Q : 'M_(m, k)) (S : 'M_k) (U : 'M_(n, k)) (s : 'rV_k) :
  frame Q -> frame U -> (forall i, 0 < s 0 i) -> upper_triangular S -> (forall i, 0 < S i i) -> B *m W *m Q *m S = U *m diag_mx s ->
  exists c : 'I_k -> R, [/\ forall i, 0 < c i, \sum_i c i ^+ 2 <= norm2 W & \sum_i (s 0 i / (S i i * c i)) ^+ 2 <= norm2 B].
Proof.
move=> fQ fU s0 uS S0 e; have [L LW] : exists L, L *m (W *m Q) = 1%:M.
  by apply: (has_left_inverse (J := B) (S := S) fU s0); rewrite -e !mulmxA.
have [P [T [fP eT uT T0]]] := orthonormalised LW; have [uTS TS] := upperM uT uS; exists (fun i => T i i); split=> //.
  apply: le_trans (diagonal_le T) _; rewrite -(norm2_in_frame T fP) -eT; exact: norm2_behind.
have [||_ diag] := upper_behind (N := U^T *m (B *m P)) (s := s) uTS.
- by move=> i; rewrite TS mulr_gt0.
- by rewrite -mulmxA [B *m P *m _]mulmxA -(mulmxA B) -eT (mulmxA B) e mulmxA fU mul1mx.
apply: le_trans (le_trans (norm2_seen (B *m P) fU) (norm2_behind B fP)); apply: le_trans (diagonal_le _).
apply: ler_sum => i _; rewrite -(diag i) TS [S i i * T i i]mulrC mulfK // gt_eqF // mulr_gt0 //.
Qed.
Lemma volumes_behind n m (f : network R n m) x k (Q : 'M_(m, k)) (S : 'M_k) (U : 'M_(n, k)) (s : 'rV_k) l : (l < depth f)%N ->
  frame Q -> frame U -> (forall i, 0 < s 0 i) -> upper_triangular S -> (forall i, 0 < S i i) ->
  jacobian f x *m Q *m S = U *m diag_mx s ->
  exists c : nat -> 'I_k -> R, [/\ forall j i, 0 < c j i,
    forall j, (j <= l)%N -> \sum_i c j i ^+ 2 <= nth 0 (weight_norms f) j &
    \sum_i (s 0 i / (S i i * \prod_(j < l.+1) c j i)) ^+ 2 <= behind f l x].
Proof.
move=> + + fU s0; elim: f x Q S l => [q W b | q p W b others IH] x Q S [|l] //= lL fQ uS S0 e.
- have e1 : 1%:M *m W *m Q *m S = U *m diag_mx s by rewrite mul1mx.
  have [c [c0 norms last]] := split_layer fQ fU s0 uS S0 e1; exists (fun _ => c); split=> //; first by case.
  by under eq_bigr do rewrite big_ord1.
- rewrite mulmxA in e; have [c [c0 norms last]] := split_layer fQ fU s0 uS S0 e; exists (fun _ => c); split=> //; first by case.
  by under eq_bigr do rewrite big_ord1.
set z := W *m x + b in e *; set D := (slopes_at slope at_zero z)^T in e.
have D1 i : `|D 0 i| <= 1 by rewrite /D !mxE; exact: slope_le.
have [L LM] : exists L, L *m (diag_mx D *m W *m Q) = 1%:M.
  by apply: (has_left_inverse (J := jacobian others (activation slope z)) (S := S) fU s0); rewrite -e !mulmxA.
have [P [T [fP eT [uT T0] norms _]]] := one_layer D1 fQ LM; have [uTS TS] := upperM uT uS.
have [|||c [c0 sums last]] := IH (activation slope z) P (T *m S) l _ fP uTS; first by rewrite -ltnS.
- by move=> i; rewrite TS mulr_gt0.
- by rewrite -e mulmxA -(mulmxA _ P) -eT !mulmxA.
exists (fun j i => if j is j'.+1 then c j' i else T i i); split=> [[]|[|j]|] //=; first by rewrite ltnS; exact: sums.
apply: le_trans last; apply: ler_sum => i _; rewrite [\prod_(j < l.+2) _]big_ord_recl /= TS.
by rewrite -mulrA mulrCA lexx.
Qed.
End Behind.

Section Theorem7.
Variables (R : rcfType) (slope at_zero : R) (exp : R -> R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1) (exp_is : is_exponential exp).
Notation jacobian := (jacobian slope at_zero).

Lemma exp_le (x y : R) : x <= y -> exp x <= exp y.
Proof.
move=> xy; rewrite -[y](subrK x) addrC (proj1 exp_is) ler_pmulr ?(exp_gt0 exp_is) //.
by apply: le_trans (proj2 exp_is _); rewrite ler_addl subr_ge0.
Qed.
Lemma exp_sum I (u : seq I) (F : I -> R) : exp (\sum_(i <- u) F i) = \prod_(i <- u) exp (F i).
Proof.
by elim: u => [|i u IH]; rewrite ?big_nil ?big_cons ?(exp0 exp_is) // (proj1 exp_is) IH.
Qed.
Section AtAPoint.
Variables (n m : nat) (f : network R n m) (x : 'cV[R]_m) (k : nat) (s : 'rV[R]_k) (v c1 : R).
Hypotheses (bal : is_balanced f) (k0 : (0 < k)%N) (values : are_singular_values (jacobian f x) s).
Hypotheses (v0 : 0 <= v) (v_is : v ^+ k = (\prod_i s 0 i) ^+ 2) (c1_is : c1 = norm f - (k * depth f)%:R).
Let L : R := (depth f)%:R.
Let growth : R := Num.max 1 (exp (c1 / k%:R)).
Lemma excess_le l : (l < depth f)%N -> exp (\sum_(j < l.+1) (nth 0 (weight_norms f) j / k%:R - 1)) <= growth.
Proof.
move=> lL; have kp : 0 < k%:R :> R by rewrite ltr0n. have kn : k%:R != 0 :> R by rewrite gt_eqF.
have Lp : 0 < L by rewrite ltr0n depth_gt0. have Ln : L != 0 by rewrite gt_eqF.
have h : \sum_(j < l.+1) (nth 0 (weight_norms f) j / k%:R - 1) <= l.+1%:R / L * (c1 / k%:R).
  have := (proj2 (norms_grow_by_biases bal)) l.+1 lL; rewrite -/L => sums.
  rewrite sumrB -mulr_suml sumr_const card_ord c1_is natrM -/L.
  have -> : l.+1%:R / L * ((norm f - k%:R * L) / k%:R) = (l.+1%:R * norm f / L) / k%:R - l.+1%:R by field; rewrite Ln kn.
  by rewrite ler_add2r ler_pmul2r ?invr_gt0 // ler_pdivl_mulr // mulrC.
apply: le_trans (exp_le h) _; rewrite /growth le_maxr; case: (leP 0 (c1 / k%:R)) => c.
  rewrite exp_le ?orbT // ler_pimull // ler_pdivr_mulr // mul1r ler_nat //.
suff -> : exp (l.+1%:R / L * (c1 / k%:R)) <= 1 by [].
by rewrite -[X in _ <= X](exp0 exp_is) exp_le // nmulr_lle0 // divr_ge0 ?ler0n // ltW.
Qed.
Lemma volume_by_a_layer l : (l < depth f)%N -> k%:R * v <= growth * squared_behind slope at_zero f l x.
Proof.
move=> lL; have kp : 0 < k%:R :> R by rewrite ltr0n.
have [U [V [fU fV s0 e]]] := values; set B := squared_behind _ _ _ _ _; have B0 : 0 <= B by exact: squared_behind_ge0.
have [|||c [c0 sums last]] := @volumes_behind R slope at_zero a1 z1 n m f x k V 1%:M U s l lL fV fU s0.
- by move=> i j ji; rewrite mxE -val_eqE gtn_eqF.
- by move=> i; rewrite mxE eqxx ltr01.
- by rewrite mulmx1 e -mulmxA fV mulmx1.
set E := \sum_(j < l.+1) (nth 0 (weight_norms f) j / k%:R - 1).
have w0 j : (j <= l)%N -> 0 <= nth 0 (weight_norms f) j / k%:R.
  by move=> jl; rewrite divr_ge0 ?ler0n // (le_trans _ (sums j jl)) // sumr_ge0 // => i _; exact: sqr_ge0.
suff : v <= B / k%:R * exp E.
  move=> h; rewrite -ler_pdivl_mull //; apply: le_trans h _.
  have -> : k%:R^-1 * (growth * B) = B / k%:R * growth by rewrite mulrCA mulrC [_ * B]mulrC.
  by rewrite ler_wpmul2l ?divr_ge0 ?ler0n // excess_le.
rewrite -(@ler_pexpn2r _ k) ?nnegrE //; last by rewrite mulr_ge0 ?divr_ge0 ?ler0n ?(exp_ge0 exp_is).
rewrite v_is exprMn.
have -> : (\prod_i s 0 i) ^+ 2 = \prod_i (s 0 i / ((1%:M : 'M[R]_k) i i * \prod_(j < l.+1) c j i)) ^+ 2
    * \prod_(j < l.+1) \prod_i c j i ^+ 2.
  rewrite exchange_big -big_split -prodrXl /=; apply: eq_bigr => i _; rewrite prodrXl mxE eqxx mul1r -exprMn divfK //.
  by rewrite gt_eqF // prodr_gt0.
apply: ler_pmul; rewrite ?prodr_ge0 //; try by move=> *; rewrite ?prodr_ge0 // => *; exact: sqr_ge0.
  apply: le_trans (means_power _) _; first by move=> i; exact: sqr_ge0.
  rewrite ler_expn2r ?nnegrE ?divr_ge0 ?ler0n ?sumr_ge0 // ?ler_pmul2r ?invr_gt0 //; by move=> i _; exact: sqr_ge0.
rewrite exp_sum -prodrXl; apply: ler_prod => j _; have jl : (j <= l)%N by rewrite -ltnS.
rewrite prodr_ge0 /=; last by move=> i _; exact: sqr_ge0.
apply: le_trans (means_power _) _; first by move=> i; exact: sqr_ge0.
have S0 : 0 <= \sum_i c j i ^+ 2 by rewrite sumr_ge0 // => i _; exact: sqr_ge0.
rewrite ler_expn2r ?nnegrE ?divr_ge0 ?ler0n ?(exp_ge0 exp_is) //; apply: le_trans (norm_le_exp exp_is _).
by rewrite ler_pmul2r ?invr_gt0 // sums.
Qed.
(** [bottleneck_structure.theorem_7]: v is the power 2/k of the volume of the Jacobian *)
Theorem representations_are_bounded :
  k%:R * v * (\sum_(l < depth f) squared_input slope f l x) <= Num.max 1 (exp (c1 / k%:R)) * kernel_trace slope at_zero f x.
Proof.
rewrite /kernel_trace !mulr_sumr; apply: ler_sum => l _; rewrite -/growth [X in X <= _]mulrC [X in _ <= X]mulrCA.
by apply: ler_wpmul2l; [exact: squared_input_ge0 | exact: volume_by_a_layer].
Qed.
(** What the layers get. *)
Definition squared_inputs : seq R := [seq squared_input slope f l x | l <- iota 0 (depth f)].
(** [bottleneck_structure.theorem_7.layers]: of the layer j + 1 in descending order *)
Theorem few_large_layers (p : R) j : 0 <= p -> (j < depth f)%N ->
  (if p * (depth f)%:R <= j.+1%:R
   then p * ((depth f)%:R * k%:R * v / Num.max 1 (exp (c1 / k%:R)) * nth 0 (descending squared_inputs) j) else 0)
  <= kernel_trace slope at_zero f x.
Proof.
move=> p0 jL; set inputs := squared_inputs; have inputs0 y : y \in inputs -> 0 <= y.
  by case/mapP=> l _ ->; exact: squared_input_ge0.
have size_inputs : (j < size inputs)%N by rewrite size_map size_iota.
have g0 : 0 < growth by rewrite /growth lt_maxr ltr01.
have trace0 : 0 <= kernel_trace slope at_zero f x.
  by rewrite sumr_ge0 // => l _; rewrite mulr_ge0 ?squared_input_ge0 ?squared_behind_ge0.
rewrite -/growth -/L; case: ifP => // pL; set a := nth 0 (descending inputs) j.
have a0 : 0 <= a by apply: inputs0; rewrite -(mem_sort >=%R) mem_nth // size_sort.
have kv : 0 <= k%:R * v / growth by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
apply: le_trans (_ : k%:R * v / growth * (j.+1%:R * a) <= _).
  have -> : p * (L * k%:R * v / growth * a) = k%:R * v / growth * (p * L * a).
    by move: (growth^-1) L => g N; ring.
  by rewrite ler_wpmul2l // ler_wpmul2r.
apply: le_trans (ler_wpmul2l kv (first_of_descending inputs0 size_inputs)) _.
rewrite big_map -[iota 0 _]/(iota 0 (depth f)) -{1}(subn0 (depth f)) -/(index_iota 0 _) big_mkord mulrAC ler_pdivr_mulr //.
by rewrite [X in _ <= X]mulrC; exact: representations_are_bounded.
Qed.
End AtAPoint.
End Theorem7.
