(** Rescalings of the neurons of a balanced network, in all layers at once. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks Balanced.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** A factor for every hidden neuron; none is 0 or negative. *)
Fixpoint factors n m (f : network R n m) : Type :=
  match f with Last _ _ _ => unit | Layer _ k _ _ others => ('cV[R]_k * factors others)%type end.
Fixpoint positive_factors n m (f : network R n m) : factors f -> Prop :=
  match f return factors f -> Prop with
  | Last _ _ _ => fun _ => True
  | Layer _ _ _ _ others => fun c => (forall i, 0 < c.1 i 0) /\ positive_factors c.2
  end.
(** The weights into a neuron, and its bias, times its factor, and those out of it over it; d are the factors of the inputs. *)
Fixpoint rescaled_from n m (f : network R n m) : factors f -> 'cV[R]_m -> network R n m :=
  match f in network _ _ m return factors f -> 'cV[R]_m -> network R n m with
  | Last _ W b => fun _ d => Last (\matrix_(i, j) (W i j / d j 0)) b
  | Layer _ _ W b others => fun c d =>
      Layer (\matrix_(i, j) (c.1 i 0 * W i j / d j 0)) (\col_i (c.1 i 0 * b i 0)) (rescaled_from c.2 c.1)
  end.
Definition rescaled n m (f : network R n m) (c : factors f) : network R n m := rescaled_from c (const_mx 1).
(** The natural logarithm is the only function of the positive real numbers that satisfies these two. *)
Definition is_logarithm (log : R -> R) :=
  (forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y) /\ (forall x, 0 < x -> log x <= x - 1).
End Definitions.

(** * The theorem *)
Section Rescaled.
Variables (R : realFieldType) (log : R -> R).
Hypothesis log_is : is_logarithm log.
Let logM := proj1 log_is.

Lemma log1 : log 1 = 0.
Proof. by apply: (addrI (log 1)); rewrite -logM ?ltr01 // mulr1 addr0. Qed.
(** What c^2 / d^2 is at least. *)
Lemma ratio_ge (c d : R) : 0 < c -> 0 < d -> 1 + 2%:R * log c - 2%:R * log d <= (c / d) ^+ 2.
Proof.
move=> c0 d0; have i0 : 0 < d^-1 by rewrite invr_gt0.
have q0 : 0 < c / d by exact: mulr_gt0.
have := (proj2 log_is) _ (mulr_gt0 q0 q0); rewrite !logM // -expr2 ler_subr_addl; apply: le_trans.
have -> : log d^-1 = - log d.
  have : log (d^-1 * d) = 0 by rewrite mulVf ?log1 // gt_eqF.
  by rewrite logM // => /eqP; rewrite addr_eq0 => /eqP.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
Lemma rescaled_from_ge n m (f : network R n m) (c : factors f) (d : 'cV[R]_m) :
  is_balanced f -> positive_factors c -> (forall j, 0 < d j 0) ->
  norm f - 2%:R * (\sum_j log (d j 0) * norm2 (col j (first_weights f))) <= norm (rescaled_from c d).
Proof.
have colE k l (W : 'M[R]_(k, l)) (g : 'I_l -> R) : \sum_j g j * norm2 (col j W) = \sum_j \sum_i g j * W i j ^+ 2.
  by apply: eq_bigr => j _; rewrite norm2_entries mulr_sumr; apply: eq_bigr => i _; rewrite mxE.
elim: f c d => [l W b | l k W b others IH] /= c d.
  move=> _ _ d0; rewrite addrAC ler_add2r colE !norm2E mulr_sumr -sumrB; apply: ler_sum => j _.
  rewrite mulr_sumr -sumrB; apply: ler_sum => i _; rewrite mxE exprMn.
  have := ratio_ge ltr01 (d0 j); rewrite log1 mulr0 addr0 mul1r => /(ler_wpmul2l (sqr_ge0 (W i j))).
  by apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
case=> bal rest [c0 pos] d0; have := IH c.2 c.1 rest pos c0.
set X := norm others; set Y := norm (rescaled_from _ _); set T := \sum_j _ * _ => h.
have TE : T = \sum_i log (c.1 i 0) * (norm2 (row i W) + b i 0 ^+ 2) by apply: eq_bigr => i _; congr (_ * _); exact/esym/bal.
have rowE : \sum_i log (c.1 i 0) * norm2 (row i W) = \sum_j \sum_i log (c.1 i 0) * W i j ^+ 2.
  rewrite exchange_big; apply: eq_bigr => i _; rewrite -norm2_tr tr_row norm2_entries mulr_sumr.
  by apply: eq_bigr => j _; rewrite !mxE.
have weights_ge : norm2 W + 2%:R * (\sum_i log (c.1 i 0) * norm2 (row i W)) - 2%:R * (\sum_j log (d j 0) * norm2 (col j W))
    <= norm2 (\matrix_(i, j) (c.1 i 0 * W i j / d j 0)).
  rewrite rowE colE !norm2E !mulr_sumr -big_split -sumrB; apply: ler_sum => j _ /=.
  rewrite !mulr_sumr -big_split -sumrB; apply: ler_sum => i _ /=; rewrite mxE.
  have -> : (c.1 i 0 * W i j / d j 0) ^+ 2 = W i j ^+ 2 * (c.1 i 0 / d j 0) ^+ 2 by rewrite -exprMn mulrAC mulrC.
  have := ler_wpmul2l (sqr_ge0 (W i j)) (ratio_ge (c0 i) (d0 j)).
  apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by move: (log _) (log _) (W i j) => *; ring.
have biases_ge : norm2 b + 2%:R * (\sum_i log (c.1 i 0) * b i 0 ^+ 2) <= norm2 (\col_i (c.1 i 0 * b i 0)).
  rewrite !norm2_entries mulr_sumr -big_split; apply: ler_sum => i _ /=; rewrite mxE.
  have := ler_wpmul2l (sqr_ge0 (b i 0)) (ratio_ge (c0 i) ltr01); rewrite log1 mulr0 subr0 divr1 [_ * c.1 i 0 ^+ 2]mulrC -exprMn.
  by apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (log _) (b i 0) => *; ring.
apply: le_trans (ler_add (ler_add weights_ge biases_ge) h); rewrite TE.
have -> : \sum_i log (c.1 i 0) * (norm2 (row i W) + b i 0 ^+ 2)
    = \sum_i log (c.1 i 0) * norm2 (row i W) + \sum_i log (c.1 i 0) * b i 0 ^+ 2.
  by rewrite -big_split; apply: eq_bigr => i _; rewrite mulrDr.
move: (\sum_i log (c.1 i 0) * norm2 (row i W)) (\sum_i log (c.1 i 0) * b i 0 ^+ 2) (\sum_j log (d j 0) * norm2 (col j W)) => A B D.
move: (norm2 W) (norm2 b) => w v.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
(** [bottleneck_structure.balancedness]: over any field with a logarithm *)
Theorem balanced_costs_least n m (f : network R n m) (c : factors f) : is_balanced f -> positive_factors c ->
  norm f <= norm (rescaled c).
Proof.
move=> bal pos; have d0 j : 0 < (const_mx 1 : 'cV[R]_m) j 0 by rewrite mxE ltr01.
have := rescaled_from_ge bal pos d0; rewrite big1 ?mulr0 ?subr0 // => j _; by rewrite mxE log1 mul0r.
Qed.
End Rescaled.
