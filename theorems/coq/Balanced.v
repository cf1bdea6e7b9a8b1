(** Balanced networks: how the norms of their layers grow, at every width and depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** What a neuron pays before it, weights and bias, and after it; every hidden neuron pays as much before it as after it. *)
Definition before m k (W : 'M[R]_(k, m)) (b : 'cV[R]_k) (i : 'I_k) : R := norm2 (row i W) + b i 0 ^+ 2.
Definition after n k (f : network R n k) (i : 'I_k) : R := norm2 (col i (first_weights f)).
Fixpoint is_balanced n m (f : network R n m) : Prop :=
  if f is Layer _ _ W b others then (forall i, before W b i = after others i) /\ is_balanced others else True.

(** The squared norms of the weights and of the biases of all layers. *)
Fixpoint weight_norms n m (f : network R n m) : seq R :=
  match f with Last _ W b => [:: norm2 W] | Layer _ _ W b others => norm2 W :: weight_norms others end.
Fixpoint bias_norms n m (f : network R n m) : seq R :=
  match f with Last _ W b => [:: norm2 b] | Layer _ _ W b others => norm2 b :: bias_norms others end.
End Definitions.

(** * Layers of balanced networks *)
Section Balanced.
Variable R : realFieldType.

Lemma norm2_by_rows m k (W : 'M[R]_(k, m)) : norm2 W = \sum_i norm2 (row i W).
Proof.
rewrite norm2E exchange_big; apply: eq_bigr => i _; rewrite norm2E; apply: eq_bigr => j _.
by rewrite big_ord1 mxE.
Qed.
Lemma norm2_by_cols m k (W : 'M[R]_(k, m)) : norm2 W = \sum_i norm2 (col i W).
Proof. by rewrite -norm2_tr norm2_by_rows; apply: eq_bigr => i _; rewrite -tr_col norm2_tr. Qed.
Lemma norm2_entries k (b : 'cV[R]_k) : norm2 b = \sum_i b i 0 ^+ 2.
Proof. by rewrite norm2E big_ord1. Qed.
Lemma sizes n m (f : network R n m) : (size (weight_norms f) = depth f) * (size (bias_norms f) = depth f).
Proof. by elim: f => //= l k W b others [-> ->]. Qed.
Lemma first_norm n m (f : network R n m) : nth 0 (weight_norms f) 0 = norm2 (first_weights f).
Proof. by case: f. Qed.
Lemma neighbours n m (f : network R n m) l : is_balanced f -> (l.+1 < depth f)%N ->
  nth 0 (weight_norms f) l + nth 0 (bias_norms f) l = nth 0 (weight_norms f) l.+1.
Proof.
elim: f l => [//|l' k W b others IH] [|l] /= [e rest]; last by rewrite ltnS => /(IH _ rest).
move=> _; rewrite first_norm (norm2_by_cols (first_weights _)) (norm2_by_rows W) norm2_entries -big_split /=.
by apply: eq_bigr => i _; exact: e.
Qed.
Lemma norm_is_sum n m (f : network R n m) : norm f = \sum_(x <- weight_norms f) x + \sum_(x <- bias_norms f) x.
Proof.
elim: f => [l W b | l k W b others IH] /=; first by rewrite !big_seq1.
by rewrite !big_cons IH addrACA.
Qed.
Lemma bias_norms_ge0 n m (f : network R n m) l : 0 <= nth 0 (bias_norms f) l.
Proof. by elim: f l => [l' W b | l' k W b others IH] [|l] //=; rewrite ?norm2_ge0 // nth_nil. Qed.

(** The average of the first numbers of a sequence that does not fall is at most that of all. *)
Lemma average_of_the_first (s : nat -> R) L l : (forall i j, (i <= j < L)%N -> s i <= s j) -> (l <= L)%N ->
  (L%:R : R) * (\sum_(i < l) s i) <= l%:R * (\sum_(i < L) s i).
Proof.
move=> up lL; have e (F : nat -> R) : \sum_(i < L) F i = \sum_(i < l) F i + \sum_(l <= i < L) F i.
  by rewrite -(big_mkord xpredT) (big_cat_nat _ _ _ (leq0n l) lL) /= big_mkord.
rewrite e mulrDr -[L in L%:R](subnK lL) natrD mulrDl addrC ler_add2l.
have [-> | l0] := posnP l; first by rewrite big_ord0 mulr0 mul0r.
pose top := s l.-1.
have h1 : \sum_(i < l) s i <= l%:R * top.
  rewrite mulr_natl -[l in _ *+ l]card_ord -sumr_const; apply: ler_sum => i _; apply: up.
  by rewrite -ltnS prednK // ltn_ord (leq_trans _ lL) // prednK.
have h2 : (L - l)%:R * top <= \sum_(l <= i < L) s i.
  rewrite mulr_natl -sumr_const_nat !big_nat; apply: ler_sum => i /andP[li iL]; apply: up.
  by rewrite iL andbT (leq_trans (leq_pred l)).
apply: le_trans (_ : _ <= (L - l)%:R * (l%:R * top)) _; first by rewrite ler_wpmul2l ?ler0n.
by rewrite mulrCA ler_wpmul2l ?ler0n.
Qed.

(** [bottleneck_structure.balancedness.layers] *)
Theorem norms_grow_by_biases n m (f : network R n m) : is_balanced f ->
  (forall l, (l.+1 < depth f)%N -> nth 0 (weight_norms f) l + nth 0 (bias_norms f) l = nth 0 (weight_norms f) l.+1) /\
  (forall l, (l <= depth f)%N -> (depth f)%:R * (\sum_(i < l) nth 0 (weight_norms f) i) <= l%:R * norm f).
Proof.
move=> bal; split=> [l | l lL]; first exact: neighbours.
have up i j : (i <= j < depth f)%N -> nth 0 (weight_norms f) i <= nth 0 (weight_norms f) j.
  case/andP=> /subnK <-; elim: (j - i)%N => [|d IH] h; first by rewrite add0n.
  rewrite addSn -neighbours //; apply: le_trans (IH (ltnW h)) _; by rewrite ler_addl bias_norms_ge0.
apply: le_trans (average_of_the_first up lL) _; apply: ler_wpmul2l; first exact: ler0n.
have e : \sum_(i < depth f) nth 0 (weight_norms f) i = \sum_(x <- weight_norms f) x.
  by rewrite (big_nth 0) (sizes f).1 big_mkord.
rewrite e norm_is_sum ler_addl (big_nth 0) big_mkord sumr_ge0 // => i _; exact: bias_norms_ge0.
Qed.
End Balanced.
