(** Kernels of networks: how the layers grow, and what that says of the neural tangent kernel, at every width and depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks Balanced Diagonal OperatorNorms NewNeuron Steps.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (slope at_zero : R).
Notation jacobian := (jacobian slope at_zero).
Notation activation := (activation slope).
Notation slopes z := (diag_mx (slopes_at slope at_zero z)^T).

(** The network up to the pre-activations of its layer l + 1. *)
Fixpoint up_to n m (f : network R n m) (l : nat) : {k : nat & network R k m} :=
  match f in network _ _ m return {k : nat & network R k m} with
  | Last _ W b => existT _ n (Last W b)
  | Layer _ k W b others =>
      if l is l'.+1 then existT _ (tag (up_to others l')) (Layer W b (tagged (up_to others l'))) else existT _ k (Last W b)
  end.
Definition jacobian_to n m (f : network R n m) l x := jacobian (tagged (up_to f l)) x.
(** Squared norms: of what layer l + 1 gets at x, of its difference at two points, and of the Jacobian from its pre-activations. *)
Fixpoint squared_input n m (f : network R n m) (l : nat) : 'cV[R]_m -> R :=
  match f in network _ _ m return 'cV[R]_m -> R with
  | Last _ _ _ => fun x => norm2 x
  | Layer _ _ W b others => fun x => if l is l'.+1 then squared_input others l' (activation (W *m x + b)) else norm2 x
  end.
Fixpoint squared_step n m (f : network R n m) (l : nat) : 'cV[R]_m -> 'cV[R]_m -> R :=
  match f in network _ _ m return 'cV[R]_m -> 'cV[R]_m -> R with
  | Last _ _ _ => fun x y => norm2 (x - y)
  | Layer _ _ W b others => fun x y =>
      if l is l'.+1 then squared_step others l' (activation (W *m x + b)) (activation (W *m y + b)) else norm2 (x - y)
  end.
Fixpoint squared_behind n m (f : network R n m) (l : nat) : 'cV[R]_m -> R :=
  match f in network _ _ m return 'cV[R]_m -> R with
  | Last _ _ _ => fun x => norm2 (1%:M : 'M[R]_n)
  | Layer _ _ W b others => fun x =>
      let z := W *m x + b in
      if l is l'.+1 then squared_behind others l' (activation z) else norm2 (jacobian others (activation z) *m slopes z)
  end.
(** The trace of the neural tangent kernel at x, without the share of the biases: a sum over the layers. *)
Definition kernel_trace n m (f : network R n m) (x : 'cV[R]_m) : R :=
  \sum_(l < depth f) squared_input f l x * squared_behind f l x.
(** The mixed derivative of that kernel at x, as a map of matrices: of u v^T to the derivatives along u, times v. *)
Fixpoint mixed_derivative n m (f : network R n m) : 'cV[R]_m -> 'M[R]_(m, n) -> 'M[R]_(m, n) :=
  match f in network _ _ m return 'cV[R]_m -> 'M[R]_(m, n) -> 'M[R]_(m, n) with
  | Last _ _ _ => fun _ X => X
  | Layer _ _ W b others => fun x X =>
      let z := W *m x + b in let B := jacobian others (activation z) *m slopes z in let A := slopes z *m W in
      X *m (B *m B^T) + A^T *m mixed_derivative others (activation z) (A *m X)
  end.
(** c is the operator norm of a map of matrices, the least number by which it lengthens none more. *)
Definition norm_of_map m n (M : 'M[R]_(m, n) -> 'M[R]_(m, n)) (c : R) :=
  [/\ 0 <= c, forall X, norm2 (M X) <= c ^+ 2 * norm2 X
    & forall d, 0 <= d -> (forall X, norm2 (M X) <= d ^+ 2 * norm2 X) -> c <= d].
(** The squared norms of the weights, less 1, of the layers up to l + 1, and from there on. *)
Definition excess_to n m (f : network R n m) l : R := \sum_(i < l.+1) (nth 0 (weight_norms f) i - 1).
Definition excess_from n m (f : network R n m) l : R := \sum_(l <= i < depth f) (nth 0 (weight_norms f) i - 1).
(** The exponential is the only function of the real numbers that satisfies these two. *)
Definition is_exponential (exp : R -> R) := (forall x y, exp (x + y) = exp x * exp y) /\ (forall x, 1 + x <= exp x).
End Definitions.

(** * Growth *)
Section Growth.
Variables (R : rcfType) (slope at_zero : R) (exp : R -> R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1) (exp_is : is_exponential exp).
Notation jacobian := (jacobian slope at_zero).
Notation jacobian_to := (jacobian_to slope at_zero).
Notation activation := (activation slope).
Notation value := (value slope).
Notation slopes z := (diag_mx (slopes_at slope at_zero z)^T).
Let expD := proj1 exp_is.

Lemma exp_square x : exp x = exp (x / 2%:R) ^+ 2.
Proof. by rewrite expr2 -expD -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0. Qed.
Lemma exp_ge0 x : 0 <= exp x. Proof. by rewrite exp_square sqr_ge0. Qed.
Lemma exp0 : exp 0 = 1.
Proof.
have e1 : 1 <= exp 0 by have := proj2 exp_is 0; rewrite addr0.
apply: (@mulfI _ (exp 0)); first by rewrite gt_eqF // (lt_le_trans ltr01).
by rewrite -expD addr0 mulr1.
Qed.
Lemma exp_gt0 x : 0 < exp x.
Proof.
rewrite lt0r exp_ge0 andbT; apply/eqP => e; have := exp0; rewrite -(addrN x) expD e mul0r => /esym/eqP.
by rewrite oner_eq0.
Qed.
Lemma norm_le_exp (a : R) : a <= exp (a - 1). Proof. by have := proj2 exp_is (a - 1); rewrite addrC subrK. Qed.

Lemma product_le m p k (V : 'M[R]_(m, p)) (X : 'M_(p, k)) : norm2 (V *m X) <= norm2 V * norm2 X.
Proof.
rewrite (norm2_cols (V *m X)) (norm2_cols X) mulr_sumr; apply: ler_sum => j _; rewrite colE -mulmxA -colE.
exact: norm2_product_le.
Qed.
Lemma slope_le (t : R) : `|slope_at slope at_zero t| <= 1.
Proof. by rewrite /slope_at; case: ifP => _; rewrite ?normr1 //; case: ifP. Qed.
Lemma slopes_contract k p (z : 'cV[R]_k) (X : 'M_(k, p)) : norm2 (slopes z *m X) <= norm2 X.
Proof.
rewrite !norm2E; apply: ler_sum => j _; apply: ler_sum => i _; rewrite mul_diag_mx !mxE exprMn ler_pimull ?sqr_ge0 //.
by rewrite -sq_abs expr_le1 ?slope_le.
Qed.
Lemma activation_contracts k (z z' : 'cV[R]_k) : norm2 (activation z - activation z') <= norm2 (z - z').
Proof.
rewrite !norm2E; apply: ler_sum => j _; apply: ler_sum => i _; rewrite !mxE -sq_abs -(sq_abs (z i j - z' i j)).
rewrite ler_pexpn2r ?nnegrE ?normr_ge0 //; move: (z i j) (z' i j) => s t; rewrite /act.
have below (u v : R) : 0 <= u -> v < 0 -> `|u - slope * v| <= `|u - v|.
  move=> u0 v0; rewrite [`|u - v|]ger0_norm ?subr_ge0 ?(le_trans (ltW v0)) //.
  apply: le_trans (ler_norm_sub _ _) _; rewrite ger0_norm // ler_add2l normrM (ltr0_norm v0).
  by rewrite ler_pimull // oppr_ge0 ltW.
case: (leP 0 s) => s0; case: (leP 0 t) => t0 //; first exact: below.
- by rewrite -normrN opprB -[X in _ <= X]normrN opprB below.
- by rewrite -mulrBr normrM ler_pimull.
Qed.

Lemma excess_toS n m k (W : 'M[R]_(k, m)) b (others : network R n k) l :
  excess_to (Layer W b others) l.+1 = (norm2 W - 1) + excess_to others l.
Proof. by rewrite /excess_to big_ord_recl. Qed.
Lemma excess_to0 n m (f : network R n m) : excess_to f 0 = norm2 (first_weights f) - 1.
Proof. by rewrite /excess_to big_ord1 first_norm. Qed.
Lemma growth_before n m (f : network R n m) l x p (X : 'M_(m, p)) : (l < depth f)%N ->
  norm2 (jacobian_to f l x *m X) <= exp (excess_to f l) * norm2 X.
Proof.
have one k q (W : 'M[R]_(k, q)) (Y : 'M_(q, p)) : norm2 (W *m Y) <= exp (norm2 W - 1) * norm2 Y.
  by apply: le_trans (product_le _ _) _; rewrite ler_wpmul2r ?norm2_ge0 ?norm_le_exp.
elim: f l x X => [q W b | q k W b others IH] [|l] x X //=; rewrite ?excess_to0 /= ?ltnS => h.
- exact: one.
- exact: one.
have -> : jacobian_to (Layer W b others) l.+1 x *m X
  = jacobian_to others l (activation (W *m x + b)) *m (slopes (W *m x + b) *m (W *m X)).
  by rewrite (mulmxA (slopes _) W) mulmxA.
apply: le_trans (IH l _ _ h) _; rewrite excess_toS expD (mulrC (exp (norm2 W - 1))) -mulrA ler_wpmul2l ?exp_ge0 //.
exact: le_trans (slopes_contract _ _) (one _ _ _ _).
Qed.
Lemma squared_step0 n m (f : network R n m) x y : squared_step slope f 0 x y = norm2 (x - y).
Proof. by case: f x y. Qed.
Lemma excess_from0 n m k (W : 'M[R]_(k, m)) b (others : network R n k) :
  excess_from (Layer W b others) 0 = (norm2 W - 1) + excess_from others 0.
Proof. by rewrite /excess_from /= big_nat_recl. Qed.
Lemma excess_fromS n m k (W : 'M[R]_(k, m)) b (others : network R n k) l :
  excess_from (Layer W b others) l.+1 = excess_from others l.
Proof. by rewrite /excess_from /= big_add1. Qed.
Lemma growth_behind n m (f : network R n m) l x y : (l < depth f)%N ->
  norm2 (value f x - value f y) <= squared_step slope f l x y * exp (excess_from f l).
Proof.
have one k q (W : 'M[R]_(k, q)) (b : 'cV_k) u v : norm2 (W *m u + b - (W *m v + b)) <= norm2 (u - v) * exp (norm2 W - 1).
  rewrite opprD addrACA addrN addr0 -mulmxBr mulrC; apply: le_trans (product_le _ _) _.
  by rewrite ler_wpmul2r ?norm2_ge0 ?norm_le_exp.
elim: f l x y => [q W b | q k W b others IH] [|l] x y //=.
- by move=> _; rewrite /excess_from /= big_nat1; exact: one.
- move=> _; rewrite excess_from0 expD mulrA; apply: le_trans (IH 0%N _ _ (depth_gt0 _)) _; rewrite squared_step0.
  by rewrite ler_wpmul2r ?exp_ge0 // (le_trans (activation_contracts _ _)).
- by rewrite ltnS excess_fromS; exact: IH.
Qed.
(** [bottleneck_structure.theorem_10.growth]: s is the operator norm of the Jacobian to the layer l + 1 *)
Theorem layers_grow_by_their_norms n m (f : network R n m) x y l s : (l < depth f)%N -> operator_norm (jacobian_to f l x) s ->
  s ^+ 2 <= exp (excess_to f l) /\ norm2 (value f x - value f y) <= squared_step slope f l x y * exp (excess_from f l).
Proof.
move=> lL [s0 _ least]; split; last exact: growth_behind.
rewrite exp_square ler_pexpn2r ?nnegrE ?exp_ge0 //; apply: least; first exact: exp_ge0.
by move=> u; rewrite -exp_square growth_before.
Qed.

(** * The trace of the kernel *)
Lemma squared_behind_ge0 n m (f : network R n m) l x : 0 <= squared_behind slope at_zero f l x.
Proof. by elim: f l x => [q W b | q k W b others IH] [|l] x //=; rewrite ?norm2_ge0. Qed.
Lemma squared_input_ge0 n m (f : network R n m) l x : 0 <= squared_input slope f l x.
Proof. by elim: f l x => [q W b | q k W b others IH] [|l] x //=; rewrite ?norm2_ge0. Qed.
Lemma through_a_layer n m (f : network R n m) l x p (X : 'M_(m, p)) : (l < depth f)%N ->
  norm2 (jacobian f x *m X) <= squared_behind slope at_zero f l x * norm2 (jacobian_to f l x *m X).
Proof.
elim: f l x X => [q W b | q k W b others IH] [|l] x X //=.
- by move=> _; have := product_le 1%:M (W *m X); rewrite mul1mx.
- by move=> _; rewrite mulmxA -mulmxA; exact: product_le.
- rewrite ltnS => h; have := IH l (activation (W *m x + b)) (slopes (W *m x + b) *m W *m X) h.
  by rewrite (mulmxA (jacobian _ _)) (mulmxA (jacobian_to _ _ _)).
Qed.
Lemma slope_by_a_layer n m (f : network R n m) l x sigma s : (l < depth f)%N -> operator_norm (jacobian f x) sigma ->
  bounds (jacobian_to f l x) s -> sigma ^+ 2 <= squared_behind slope at_zero f l x * s ^+ 2.
Proof.
move=> lL [sigma0 _ least] s_is; set B := squared_behind _ _ _ _ _; have B0 : 0 <= B by exact: squared_behind_ge0.
rewrite -(sqr_sqrtr B0) -exprMn -(sq_abs (_ * s)) ler_pexpn2r ?nnegrE //; apply: least => // u.
rewrite sq_abs exprMn sqr_sqrtr //; apply: le_trans (through_a_layer _ _ lL) _.
by rewrite -mulrA ler_wpmul2l.
Qed.
(** [bottleneck_structure.theorem_10.kernel]: s has the operator norms of the Jacobians to the layers, sigma that of f *)
Theorem kernel_by_the_slopes n m (f : network R n m) x (s : nat -> R) sigma : operator_norm (jacobian f x) sigma ->
  (forall l, (l < depth f)%N -> operator_norm (jacobian_to f l x) (s l)) ->
  \sum_(l < depth f) squared_input slope f l x * sigma ^+ 2 / s l ^+ 2 <= kernel_trace slope at_zero f x.
Proof.
move=> sigma_is s_is; apply: ler_sum => l _; rewrite -mulrA ler_wpmul2l ?squared_input_ge0 //.
have [_ h _] := s_is l (ltn_ord l); have := slope_by_a_layer (ltn_ord l) sigma_is h.
have [-> | sn] := eqVneq (s l) 0; first by rewrite expr0n invr0 !mulr0 squared_behind_ge0.
by rewrite ler_pdivr_mulr // exprn_even_gt0.
Qed.

Lemma squared_step_le n m (f : network R n m) l x y :
  squared_step slope f l x y <= 2%:R * (squared_input slope f l x + squared_input slope f l y).
Proof.
have one k (u v : 'cV[R]_k) : norm2 (u - v) <= 2%:R * (norm2 u + norm2 v).
  rewrite -subr_ge0; have := norm2_ge0 (u + v); rewrite norm2D norm2B; congr (0 <= _); numbers; ring.
by elim: f l x y => [q W b | q k W b others IH] [|l] x y /=; rewrite ?one.
Qed.
Lemma excesses n m (f : network R n m) l : (l < depth f)%N ->
  excess_to f l + excess_from f l = (nth 0 (weight_norms f) l - 1) + excess_from f 0.
Proof.
move=> lL; rewrite /excess_from (big_cat_nat _ _ _ (leq0n l) (ltnW lL)) /= big_mkord addrA; congr (_ + _).
by rewrite /excess_to big_ord_recr /= addrC.
Qed.
(** [bottleneck_structure.theorem_10]: s and t are the operator norms of the Jacobians at both points *)
Theorem one_of_two_kernels_is_large n m (f : network R n m) x y s t c1 :
  operator_norm (jacobian f x) s -> operator_norm (jacobian f y) t -> c1 = \sum_(w <- weight_norms f) w - (depth f)%:R ->
  norm2 (value f x - value f y) * s ^+ 2 * t ^+ 2 * (\sum_(w <- weight_norms f) exp (1 - w - c1))
  <= 2%:R * (kernel_trace slope at_zero f x * t ^+ 2 + kernel_trace slope at_zero f y * s ^+ 2).
Proof.
move=> s_is t_is c1_is; have c1E : c1 = excess_from f 0.
  rewrite c1_is /excess_from (big_nth 0) (sizes f).1 !big_mkord sumrB; congr (_ - _).
  by rewrite sumr_const card_ord.
have bound z l : (l < depth f)%N -> bounds (jacobian_to f l z) (exp (excess_to f l / 2%:R)).
  by move=> lL u; rewrite -exp_square growth_before.
have := fun l => @growth_behind n m f l x y; move: (norm2 _) => N behind.
rewrite (big_nth 0) (sizes f).1 big_mkord mulr_sumr /kernel_trace !mulr_suml -big_split /= mulr_sumr; apply: ler_sum => l _.
have lL := ltn_ord l; set E := exp (excess_to f l); have E0 : 0 < E by exact: exp_gt0.
set F := exp (excess_from f l); have F0 : 0 < F by exact: exp_gt0.
have hx : s ^+ 2 / E <= squared_behind slope at_zero f l x.
  by rewrite ler_pdivr_mulr // /E exp_square; exact: slope_by_a_layer lL s_is (bound x l lL).
have hy : t ^+ 2 / E <= squared_behind slope at_zero f l y.
  by rewrite ler_pdivr_mulr // /E exp_square; exact: slope_by_a_layer lL t_is (bound y l lL).
apply: le_trans (_ : 2%:R * (squared_input slope f l x * (s ^+ 2 / E) * t ^+ 2
    + squared_input slope f l y * (t ^+ 2 / E) * s ^+ 2) <= _); last first.
  by rewrite ler_pmul2l ?ltr0n // ler_add // ler_wpmul2r ?sqr_ge0 // ler_wpmul2l // squared_input_ge0.
have -> : exp (1 - nth 0 (weight_norms f) l - c1) = (E * F)^-1.
  apply: (@mulIf _ (E * F)); first by rewrite mulf_neq0 ?gt_eqF.
  rewrite mulVf ?mulf_neq0 ?gt_eqF // -!expD excesses // -exp0 c1E; congr (exp _); ring.
have h : N / F <= 2%:R * (squared_input slope f l x + squared_input slope f l y).
  apply: le_trans (squared_step_le f l x y); rewrite ler_pdivr_mulr //; exact: behind.
have c0 : 0 <= s ^+ 2 * t ^+ 2 / E by apply: divr_ge0 (ltW E0); rewrite mulr_ge0 ?sqr_ge0.
have En : E != 0 by rewrite gt_eqF. have Fn : F != 0 by rewrite gt_eqF.
have := ler_wpmul2r c0 h; move: (squared_input slope f l x) (squared_input slope f l y) => p q.
have -> : N / F * (s ^+ 2 * t ^+ 2 / E) = N * s ^+ 2 * t ^+ 2 * (E * F)^-1 by field; rewrite En Fn.
have -> // : 2%:R * (p + q) * (s ^+ 2 * t ^+ 2 / E) = 2%:R * (p * (s ^+ 2 / E) * t ^+ 2 + q * (t ^+ 2 / E) * s ^+ 2) by field.
Qed.
End Growth.

(** * The mixed derivative *)
Section Bends.
Variables (R : rcfType) (slope at_zero : R).
Hypotheses (a1 : `|slope| <= 1) (z1 : at_zero = 1 \/ at_zero = slope).
Notation jacobian := (jacobian slope at_zero).
Notation activation := (activation slope).
Notation slopes z := (diag_mx (slopes_at slope at_zero z)^T).
(** The absolute slope below, or 1 for the ReLU. *)
Definition leak : R := if slope == 0 then 1 else `|slope|.

Lemma leak_gt0 : 0 < leak. Proof. by rewrite /leak; case: eqVneq => h; rewrite ?ltr01 // normr_gt0. Qed.
Lemma leak_le k (z : 'cV[R]_k) i : leak * `|slopes_at slope at_zero z i 0| <= slopes_at slope at_zero z i 0 ^+ 2.
Proof.
rewrite mxE; have one : leak * `|1| <= 1 ^+ 2 by rewrite normr1 mulr1 expr1n /leak; case: ifP.
have below : leak * `|slope| <= slope ^+ 2.
  by rewrite /leak; case: eqVneq => [-> | _]; rewrite ?normr0 ?mulr0 ?expr0n //= -sq_abs expr2.
by rewrite /slope_at; case: ifP => // _; case: ifP => // _; case: z1 => ->.
Qed.
Lemma between_slopes k (z y u : 'cV[R]_k) :
  leak ^+ 2 * inner y (slopes z *m u) ^+ 2 <= norm2 (slopes z *m u) * norm2 (slopes z *m y).
Proof.
set D := slopes z; pose absolute (v : 'cV[R]_k) := map_mx Num.norm v.
have norm2_abs v : norm2 (absolute v) = norm2 v.
  by rewrite !norm2E; apply: eq_bigr => j _; apply: eq_bigr => i _; rewrite mxE sq_abs.
rewrite -(norm2_abs (D *m u)) -(norm2_abs (D *m y)); apply: le_trans (cauchy_schwarz _ _); rewrite -exprMn -(sq_abs (leak * _)).
rewrite ler_pexpn2r ?nnegrE ?normr_ge0 //; last first.
  by rewrite innerE sumr_ge0 // => j _; rewrite sumr_ge0 // => i _; rewrite !mxE mulr_ge0.
rewrite normrM (gtr0_norm leak_gt0) !innerE !big_ord1; apply: le_trans (ler_wpmul2l (ltW leak_gt0) (ler_norm_sum _ _ _)) _.
rewrite mulr_sumr; apply: ler_sum => i _; rewrite !mul_diag_mx !mxE !normrM.
have := ler_wpmul2r (mulr_ge0 (normr_ge0 (y i 0)) (normr_ge0 (u i 0))) (leak_le z i); rewrite !mxE -[X in _ <= X * _]sq_abs.
move: `|slope_at _ _ _| `|y i 0| `|u i 0| => d p q h; apply: le_trans (_ : leak * d * (p * q) <= _).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
(** The factors of the layers at u v^T: neighbours have products of at least the square of v^T Jf u. *)
Lemma factors_of_layers n m (f : network R n m) x (u : 'cV_m) (v : 'cV_n) : exists a b : nat -> R,
  [/\ inner (u *m v^T) (mixed_derivative slope at_zero f x (u *m v^T)) = \sum_(l < depth f) a l * b l,
    forall l, 0 <= a l * b l, a 0%N = norm2 u /\ b (depth f).-1 = norm2 v &
    forall l, (l < (depth f).-1)%N -> leak ^+ 2 * inner v (jacobian f x *m u) ^+ 2 <= a l.+1 * b l].
Proof.
elim: f x u => [q W b | q k W b others IH] x u /=.
  exists (fun _ => norm2 u), (fun _ => norm2 v); split=> //; first by rewrite big_ord1 -/(norm2 _) norm2_outer.
  by move=> l; rewrite mulr_ge0 ?norm2_ge0.
set z := W *m x + b; set D := slopes z; set J := jacobian others (activation z).
have [a [b' [e ge0 [a0 bL] neighbours]]] := IH (activation z) (D *m W *m u).
exists (fun l => if l is l'.+1 then a l' else norm2 u), (fun l => if l is l'.+1 then b' l' else norm2 ((J *m D)^T *m v)).
have deep := depth_gt0 others; split=> [|[|l]||] //=.
- rewrite big_ord_recl /= -e innerDr; congr (_ + _).
    by rewrite mulmxA innerC inner_mulr trmxK -/(norm2 _) -mulmxA -[v^T *m _]trmxK norm2_outer trmx_mul trmxK.
  by rewrite -(mulmxA (D *m W) u) [RHS]inner_mull.
- by rewrite mulr_ge0 ?norm2_ge0.
- by split=> //; case: (depth others) deep bL.
case=> [|l] h; last first.
  by have := neighbours l; rewrite -ltnS prednK // => /(_ h); rewrite -/J !mulmxA.
rewrite a0 trmx_mul tr_diag_mx -/D -!mulmxA; have := between_slopes z (J^T *m v) (W *m u); rewrite /= -/D.
by rewrite inner_mull trmxK.
Qed.
Lemma means_power L (E : 'I_L -> R) : (forall i, 0 <= E i) -> \prod_i E i <= ((\sum_i E i) / L%:R) ^+ L.
Proof. by move=> E0; have := @leif_AGM R _ xpredT E (fun i _ => E0 i); rewrite /= card_ord => -[]. Qed.
Lemma steep_along n m (f : network R n m) x (u : 'cV_m) (mu : R) : norm_of_map (mixed_derivative slope at_zero f x) mu ->
  (0 < (depth f).-1)%N ->
  (leak ^+ 2 * norm2 (jacobian f x *m u)) ^+ (depth f).-1 <= (mu / (depth f)%:R) ^+ depth f * norm2 u ^+ (depth f).-1.
Proof.
move=> [mu0 mu_is _]; set J := jacobian f x; set M := mixed_derivative _ _ f x in mu_is *.
have [a [b [e ge0 [a0 bL] neighbours]]] := factors_of_layers f x u (J *m u); rewrite -/J -/M in e bL neighbours.
have := depth_gt0 f; case: (depth f) e bL neighbours => // N; rewrite -[N.+1.-1]/N => e bL neighbours _ N0.
set p := norm2 (J *m u) in bL neighbours *; have p0 : 0 <= p by exact: norm2_ge0.
have U0 : 0 <= norm2 u by exact: norm2_ge0.
set X := u *m (J *m u)^T in e; have XE : norm2 X = norm2 u * p by rewrite /X norm2_outer.
have q_le : inner X (M X) <= mu * (norm2 u * p).
  rewrite -XE; apply: le_of_squares; first by rewrite mulr_ge0 ?norm2_ge0.
  apply: le_trans (cauchy_schwarz _ _) _; rewrite exprMn [norm2 X ^+ 2]expr2 mulrCA.
  by rewrite ler_wpmul2l ?norm2_ge0.
have := @means_power N.+1 (fun l => a l * b l) (fun l => ge0 l); rewrite -e => prod_le.
have {prod_le} : norm2 u * p * (leak ^+ 2 * p ^+ 2) ^+ N <= (mu * (norm2 u * p) / N.+1%:R) ^+ N.+1.
  apply: le_trans (le_trans prod_le _); last first.
    rewrite ler_expn2r ?nnegrE ?divr_ge0 ?ler0n ?mulr_ge0 //; last by rewrite ler_pmul2r ?invr_gt0 ?ltr0n.
    by rewrite e sumr_ge0.
  have -> : \prod_(l < N.+1) (a l * b l) = norm2 u * p * (\prod_(l < N) (a l.+1 * b l)).
    rewrite !big_split /= big_ord_recl [\prod_(l < N.+1) b l]big_ord_recr /= a0 bL.
    by move: (\prod_(l < N) a _) (\prod_(l < N) b _) => *; ring.
  apply: ler_wpmul2l; first exact: mulr_ge0.
  rewrite -[N in X in X <= _]card_ord -prodr_const; apply: ler_prod => l _.
  by rewrite mulr_ge0 ?sqr_ge0 //=; exact: neighbours.
have [z | pos] := eqVneq (norm2 u * p) 0.
  have -> : p = 0.
    by move/eqP: z; rewrite mulf_eq0 => /orP[/eqP/norm2_eq0 u0 | /eqP //]; rewrite /p u0 mulmx0 /norm2 inner0l.
  by move=> _; rewrite mulr0 expr0n gtn_eqF //= mulr_ge0 ?exprn_ge0 ?divr_ge0 ?ler0n.
have Up : 0 < norm2 u * p by rewrite lt0r pos mulr_ge0.
have pN : 0 < p ^+ N.
  by rewrite exprn_gt0 // lt0r p0 andbT; apply: contraNneq pos => ->; rewrite mulr0.
have -> : (mu * (norm2 u * p) / N.+1%:R) ^+ N.+1 = norm2 u * p * ((mu / N.+1%:R) ^+ N.+1 * norm2 u ^+ N * p ^+ N).
  rewrite [mu * _ / _]mulrAC exprMn [(norm2 u * p) ^+ _]exprS [(norm2 u * p) ^+ N]exprMn.
  move: ((mu / _) ^+ _) (norm2 u ^+ N) (p ^+ N).
  by move=> *; ring.
rewrite ler_pmul2l //; have -> : (leak ^+ 2 * p ^+ 2) ^+ N = (leak ^+ 2 * p) ^+ N * p ^+ N.
  by rewrite -[RHS]exprMn; congr (_ ^+ N); ring.
by rewrite ler_pmul2r.
Qed.

(** What holds of all vectors holds of the norm. *)
Lemma bernoulli (t : R) N : 0 <= t <= 1 -> 1 - N%:R * t <= (1 - t) ^+ N.
Proof.
move=> /andP[t0 t1]; elim: N => [|N IH]; first by rewrite mul0r subr0.
rewrite exprS; apply: le_trans (_ : (1 - t) * (1 - N%:R * t) <= _); last by rewrite ler_wpmul2l // subr_ge0.
rewrite -subr_ge0 -[N.+1]addn1 natrD.
have -> : (1 - t) * (1 - N%:R * t) - (1 - (N%:R + 1) * t) = N%:R * t ^+ 2 by ring.
by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
Qed.
Lemma power_of_norm n m (J : 'M[R]_(n, m)) (sigma g K : R) N : operator_norm J sigma -> 0 < g -> (0 < N)%N ->
  (forall u : 'cV_m, (g * norm2 (J *m u)) ^+ N <= K * norm2 u ^+ N) -> 0 <= K -> (g * sigma ^+ 2) ^+ N <= K.
Proof.
move=> [sigma0 sigma_is least] g0 N0 all_u K0; have Np : 0 < N%:R :> R by rewrite ltr0n.
set Y := g * sigma ^+ 2; rewrite leNgt; apply/negP => KY; have YN : 0 < Y ^+ N by exact: le_lt_trans KY.
have Y0 : 0 <= Y by rewrite mulr_ge0 ?sqr_ge0 // ltW.
pose t := (1 - K / Y ^+ N) / N%:R.
have tN : 1 - N%:R * t = K / Y ^+ N by rewrite /t mulrC divfK ?gt_eqF // opprB addrC subrK.
have r0 : 0 < 1 - K / Y ^+ N by rewrite subr_gt0 ltr_pdivr_mulr // mul1r.
have r1 : 1 - K / Y ^+ N <= 1 by rewrite ler_subl_addr ler_addl divr_ge0 // ltW.
have t0 : 0 < t by rewrite divr_gt0.
have t1 : t <= 1.
  by rewrite /t ler_pdivr_mulr // mul1r; apply: le_trans r1 _; rewrite ler1n.
have b : K <= ((1 - t) * Y) ^+ N.
  rewrite exprMn -ler_pdivr_mulr // -tN; apply: bernoulli; by rewrite t1 ltW.
have q0 : 0 <= 1 - t by rewrite subr_ge0.
have : sigma <= Num.sqrt (1 - t) * sigma.
  apply: least => [|u]; first by rewrite mulr_ge0 ?sqrtr_ge0.
  rewrite exprMn sqr_sqrtr // -(ler_pmul2l g0) -(@ler_pexpn2r _ N) ?nnegrE ?mulr_ge0 ?sqr_ge0 ?norm2_ge0 ?(ltW g0) //.
  apply: le_trans (all_u u) _; apply: le_trans (ler_wpmul2r _ b) _; first by rewrite exprn_ge0 ?norm2_ge0.
  by rewrite -exprMn le_eqVlt /Y; apply/orP; left; apply/eqP; congr (_ ^+ _); ring.
have s0 : 0 < sigma.
  rewrite lt0r sigma0 andbT; apply: contraTneq YN => z.
  by rewrite /Y z expr0n mulr0 expr0n gtn_eqF //= ltxx.
rewrite -[X in X <= _]mul1r ler_pmul2r // => h; have := h; rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?sqrtr_ge0 ?ler01 //.
by rewrite sqr_sqrtr // expr1n ler_subr_addl ger_addr leNgt t0.
Qed.

Lemma one_layer_is_flat n m (f : network R n m) x X : depth f = 1%N -> mixed_derivative slope at_zero f x X = X.
Proof. by case: f x X => [q W b | q k W b others] x X //= [h]; have := depth_gt0 others; rewrite h. Qed.
(** [bottleneck_structure.prop_9]: sigma is the norm of the Jacobian, rho has the power L of what the root is taken of *)
Theorem kernel_bends n m (f : network R n m) x (sigma mu rho : R) : (0 < n)%N -> (0 < m)%N ->
  operator_norm (jacobian f x) sigma -> norm_of_map (mixed_derivative slope at_zero f x) mu ->
  0 <= rho -> rho ^+ depth f = (sigma ^+ 2 * leak ^+ 2) ^+ (depth f).-1 -> (depth f)%:R * rho <= mu.
Proof.
move=> n0 m0 sigma_is mu_is rho0 e; have [mu0 mu_le _] := mu_is.
have L0 : 0 < (depth f)%:R :> R by rewrite ltr0n depth_gt0.
have [shallow | deep] := posnP (depth f).-1.
  have e1 : depth f = 1%N by rewrite -[LHS]prednK ?depth_gt0 // shallow.
  have rho1 : rho = 1 by move: e; rewrite shallow e1 expr1.
  rewrite e1 rho1 mulr1; have X0 : 0 < norm2 (const_mx 1 : 'M[R]_(m, n)).
    rewrite lt0r norm2_ge0 andbT; apply/eqP => /norm2_eq0/matrixP/(_ (Ordinal m0) (Ordinal n0)); rewrite !mxE => /eqP.
    by rewrite oner_eq0.
  have := mu_le (const_mx 1); rewrite one_layer_is_flat // -[X in X <= _]mul1r ler_pmul2r // -[X in X <= _](expr1n _ 2).
  by rewrite ler_pexpn2r ?nnegrE ?ler01.
rewrite mulrC -ler_pdivl_mulr // -(@ler_pexpn2r _ (depth f)) ?depth_gt0 ?nnegrE ?divr_ge0 ?ler0n // e mulrC.
apply: (power_of_norm sigma_is _ deep); first by rewrite exprn_gt0 // leak_gt0.
  move=> u. have h := steep_along u mu_is. exact: h deep.
by rewrite exprn_ge0 // divr_ge0 // ?ltW.
Qed.
End Bends.
