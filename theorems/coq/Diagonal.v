(** Costs by the inequality of means: diagonal networks, with weights of their own or tied, and chains of single neurons. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (d : nat).

(** The numbers r_i = |v_i|^(2/L), which an ordered field need not have: not negative, with r_i^L = v_i^2.
    Their sum is the l_p quasi-norm of v, to the power p = 2/L. *)
Definition are_powers (L : nat) (v r : 'I_d -> R) := forall i, 0 <= r i /\ r i ^+ L = v i ^+ 2.
(** The linear network with these diagonals, first layer first, and a readout of ones. *)
Definition end_to_end (layers : seq 'rV[R]_d) : 'rV[R]_d := foldr (fun u M => M *m diag_mx u) (const_mx 1) layers.
(** The numbers q^L, with a sign. *)
Definition signed_power (q : 'rV[R]_d) (negative : 'I_d -> bool) (L : nat) : 'rV[R]_d :=
  \row_i ((if negative i then -1 else 1) * q 0 i ^+ L).
(** The cheapest layers: q in all of them, with the sign in the first one; and the cheapest tied weights. *)
Definition with_sign (q : 'rV[R]_d) (negative : 'I_d -> bool) : 'rV[R]_d := \row_i ((if negative i then -1 else 1) * q 0 i).
Definition plus (q : 'rV[R]_d) (negative : 'I_d -> bool) : 'rV[R]_d := \row_i (if negative i then 0 else q 0 i).
Definition minus (q : 'rV[R]_d) (negative : 'I_d -> bool) : 'rV[R]_d := \row_i (if negative i then q 0 i else 0).

(** A chain of single neurons for the identity where x + s is not negative; the first weight is w, the others are the numbers
    ws, and the last makes their product 1. *)
Fixpoint links (ws : seq R) (last s : R) : network R 1 1 :=
  if ws is w :: others then Layer w%:M 0 (links others last s) else Last last%:M (- s)%:M.
Definition chain (w : R) (ws : seq R) (s : R) : network R 1 1 :=
  Layer w%:M (w * s)%:M (links ws (w * \prod_(one <- ws) one)^-1 s).
End Definitions.

(** * The inequality of means *)
Section Means.
Variable R : realFieldType.
Lemma means (n : nat) (E : 'I_n -> R) (t : R) : (forall i, 0 <= E i) -> 0 <= t ->
  t ^+ n = \prod_i E i -> n%:R * t <= \sum_i E i.
Proof.
case: n E => [|n] E E0 t0 e; first by rewrite mul0r big_ord0.
have n_pos : (0 : R) < n.+1%:R by rewrite ltr0n.
have := @leif_AGM R _ xpredT E (fun i _ => E0 i); rewrite /= card_ord => -[h _].
rewrite mulrC -ler_pdivl_mulr // -(@ler_pexpn2r _ n.+1) ?nnegrE //; last by rewrite divr_ge0 ?sumr_ge0 ?ler0n.
by rewrite e.
Qed.
Lemma means_seq (numbers : seq R) (t : R) : (forall x, x \in numbers -> 0 <= x) -> 0 <= t ->
  t ^+ size numbers = \prod_(x <- numbers) x -> (size numbers)%:R * t <= \sum_(x <- numbers) x.
Proof.
move=> numbers0 t0; rewrite !(big_nth 0) !big_mkord; apply: means => // i.
by apply/numbers0/mem_nth.
Qed.
End Means.

Section Diagonal.
Variables (R : realFieldType) (d : nat).
Implicit Types (v r : 'I_d -> R).

Lemma prod_sq L (E : 'I_L -> R) : \prod_l E l ^+ 2 = (\prod_l E l) ^+ 2.
Proof. exact: prodrXl. Qed.
Lemma sq_abs (x : R) : `|x| ^+ 2 = x ^+ 2. Proof. by rewrite real_normK ?num_real. Qed.

(** [notion_of_rank.diagonal_networks]: the rows of u are the layers *)
Theorem cost_of_layers L (u : 'M[R]_(L, d)) r : are_powers L (fun i => \prod_l u l i) r -> L%:R * (\sum_i r i) <= norm2 u.
Proof.
move=> powers; rewrite norm2E mulr_sumr; apply: ler_sum => i _; have [r0 e] := powers i.
by apply: means => // [l|]; rewrite ?sqr_ge0 // e prod_sq.
Qed.

(** [notion_of_rank.diagonal_networks.balanced]: for any two layers *)
Theorem imbalance L (u : 'M[R]_(L, d)) r (l m : 'I_L) : l != m -> are_powers L (fun i => \prod_l u l i) r ->
  norm2 (map_mx Num.norm (row l u) - map_mx Num.norm (row m u)) <= norm2 u - L%:R * (\sum_i r i).
Proof.
move=> lm powers; rewrite !norm2E mulr_sumr -sumrB; apply: ler_sum => i _; rewrite big_ord1 !mxE.
have [r0 e] := powers i; set a := `|u l i|; set b := `|u m i|.
pose E k := if (k == l) || (k == m) then a * b else u k i ^+ 2.
have others (F G : 'I_L -> R) : (forall k, k != l -> k != m -> F k = G k) ->
    \prod_(k | (k != l) && (k != m)) F k = \prod_(k | (k != l) && (k != m)) G k /\
    \sum_(k | (k != l) && (k != m)) F k = \sum_(k | (k != l) && (k != m)) G k.
  by move=> same; split; apply: eq_bigr => k /andP[kl km]; exact: same.
have [same_prod same_sum] : \prod_(k | (k != l) && (k != m)) E k = \prod_(k | (k != l) && (k != m)) u k i ^+ 2 /\
    \sum_(k | (k != l) && (k != m)) E k = \sum_(k | (k != l) && (k != m)) u k i ^+ 2.
  by apply: others => k kl km; rewrite /E (negPf kl) (negPf km).
have ml : m != l by rewrite eq_sym.
have El : E l = a * b by rewrite /E eqxx. have Em : E m = a * b by rewrite /E eqxx orbT.
have h : L%:R * r i <= \sum_k E k.
  apply: means => // [k|]; first by rewrite /E; case: ifP => _; rewrite ?sqr_ge0 // mulr_ge0 ?normr_ge0.
  rewrite e -prod_sq (bigD1 l) // (bigD1 m) //= [RHS](bigD1 l) // (bigD1 m) //= same_prod El Em.
  by rewrite -(sq_abs (u l i)) -(sq_abs (u m i)) -/a -/b; move: (\prod_(_ | _) _) => *; ring.
rewrite (bigD1 l) // (bigD1 m) //= same_sum El Em in h.
rewrite (bigD1 l) // (bigD1 m) //= ler_subr_addr.
apply: le_trans (_ : (a - b) ^+ 2 + (a * b + (a * b + \sum_(k | (k != l) && (k != m)) u k i ^+ 2)) <= _).
  by rewrite ler_add2l.
rewrite -(sq_abs (u l i)) -(sq_abs (u m i)) -/a -/b; move: (\sum_(_ | _) _) => s.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(** [notion_of_rank.diagonal_networks.attained] *)
Theorem attained L (q : 'rV[R]_d) (negative : 'I_d -> bool) r : (forall i, 0 <= q 0 i) ->
  let v := signed_power q negative L.+1 in let layers := with_sign q negative :: nseq L q in are_powers L.+1 (v 0) r ->
  end_to_end layers = v /\ \sum_(u <- layers) norm2 u = L.+1%:R * (\sum_i r i).
Proof.
move=> q0 v layers powers.
have sign_sq i : ((if negative i then -1 else 1) : R) ^+ 2 = 1 by case: ifP => _; rewrite ?sqrrN expr1n.
have rE i : r i = q 0 i ^+ 2.
  have [r0 e] := powers i; apply/eqP; rewrite -(@eqr_expn2 _ L.+1) ?sqr_ge0 //; apply/eqP.
  by rewrite e /v mxE exprMn sign_sq mul1r -!exprM mulnC.
split.
  have tail j : foldr (fun (u M : 'rV[R]_d) => M *m diag_mx u) (const_mx 1) (nseq j q) = \row_i q 0 i ^+ j.
    by elim: j => [|j IH] /=; apply/rowP => i; rewrite ?IH ?mul_mx_diag !mxE ?expr0 // exprSr.
  rewrite /end_to_end /layers /= tail; apply/rowP => i; rewrite mul_mx_diag !mxE exprS.
  by rewrite mulrC -mulrA.
have norm_sign : norm2 (with_sign q negative) = norm2 q.
  by rewrite !norm2E; apply: eq_bigr => i _; rewrite !big_ord1 !mxE exprMn sign_sq mul1r.
have norm_r : norm2 q = \sum_i r i by rewrite norm2E; apply: eq_bigr => i _; rewrite big_ord1 rE.
rewrite /layers big_cons norm_sign norm_r -[L.+1]addn1 natrD mulrDl mul1r addrC; congr (_ + _).
by elim: (L) => [|j IH] /=; rewrite ?big_nil ?mul0r // big_cons IH norm_r -[j.+1]addn1 natrD mulrDl mul1r addrC.
Qed.

(** Of two numbers. *)
Lemma sum_of_powers (x y : R) L : 0 <= x -> 0 <= y -> (1 < L)%N -> (x ^+ L + y ^+ L) ^+ 2 <= (x ^+ 2 + y ^+ 2) ^+ L.
Proof.
move=> x0 y0; case: L => [|[|L]] // _; elim: L => [//|L IH].
apply: le_trans (_ : (x ^+ 2 + y ^+ 2) * (x ^+ L.+2 + y ^+ L.+2) ^+ 2 <= _); last first.
  by rewrite [in X in _ <= X]exprS ler_wpmul2l // addr_ge0 // sqr_ge0.
rewrite [x ^+ L.+3]exprS [y ^+ L.+3]exprS; move: (exprn_ge0 L.+2 x0) (exprn_ge0 L.+2 y0).
move: (x ^+ L.+2) (y ^+ L.+2) => X Y X0 Y0; rewrite -subr_ge0.
have -> : (x ^+ 2 + y ^+ 2) * (X + Y) ^+ 2 - (x * X + y * Y) ^+ 2
  = (x * Y - y * X) ^+ 2 + 2%:R * (x ^+ 2 * (X * Y)) + 2%:R * (y ^+ 2 * (X * Y)) by ring.
by rewrite !addr_ge0 ?sqr_ge0 // mulr_ge0 ?ler0n // mulr_ge0 ?sqr_ge0 // mulr_ge0.
Qed.
(** [notion_of_rank.diagonal_networks.tied]: weights that at least two layers share *)
Theorem cost_of_tied_weights L (p n : 'rV[R]_d) r : (1 < L)%N -> are_powers L (fun i => p 0 i ^+ L - n 0 i ^+ L) r ->
  \sum_i r i <= norm2 p + norm2 n.
Proof.
move=> L2 powers; rewrite !norm2E -big_split /=; apply: ler_sum => i _; rewrite !big_ord1; have [r0 e] := powers i.
rewrite -(@ler_pexpn2r _ L) ?nnegrE ?addr_ge0 ?sqr_ge0 // ?(leq_trans _ L2) // e.
rewrite -(sq_abs (p 0 i)) -(sq_abs (n 0 i)); apply: le_trans (sum_of_powers _ _ L2); rewrite ?normr_ge0 //.
rewrite -(sq_abs (_ - _)) ler_pexpn2r ?nnegrE ?normr_ge0 ?addr_ge0 ?exprn_ge0 ?normr_ge0 //.
by apply: le_trans (ler_norm_sub _ _) _; rewrite !normrX.
Qed.
(** [notion_of_rank.diagonal_networks.tied_attained] *)
Theorem tied_attained L (q : 'rV[R]_d) (negative : 'I_d -> bool) r : (0 < L)%N -> (forall i, 0 <= q 0 i) ->
  let v := signed_power q negative L in are_powers L (v 0) r ->
  (forall i, plus q negative 0 i ^+ L - minus q negative 0 i ^+ L = v 0 i) /\
  norm2 (plus q negative) + norm2 (minus q negative) = \sum_i r i.
Proof.
move=> L0 q0 v powers; split=> [i|].
  by rewrite /v !mxE; case: ifP => _; rewrite expr0n gtn_eqF // ?sub0r ?subr0 ?mulN1r ?mul1r.
rewrite !norm2E -big_split /=; apply: eq_bigr => i _; rewrite !big_ord1 !mxE; have [r0 e] := powers i.
have -> : r i = q 0 i ^+ 2.
  apply/eqP; rewrite -(@eqr_expn2 _ L) ?sqr_ge0 //; apply/eqP; rewrite e /v mxE exprMn -!exprM mulnC.
  by case: ifP => _; rewrite ?sqrrN expr1n mul1r.
by case: ifP => _; rewrite expr0n ?add0r ?addr0.
Qed.
End Diagonal.

(** * Chains *)
Section Chain.
Variable R : realFieldType.
Lemma norm2_number (x : R) : norm2 (x%:M : 'M_1) = x ^+ 2.
Proof. by rewrite norm2E !big_ord1 mxE eqxx. Qed.
Lemma norm_links (ws : seq R) last s : norm (links ws last s) = \sum_(w <- ws) w ^+ 2 + last ^+ 2 + s ^+ 2.
Proof.
elim: ws => [|w ws IH] /=; first by rewrite !norm2_number sqrrN big_nil add0r.
by rewrite IH big_cons norm2_number /norm2 inner0l addr0 !addrA.
Qed.
(** [notion_of_rank.theorem_1.chain]: with L - 1 positive weights, and t = (1 + s^2)^(1/L) *)
Theorem chain_cost (w : R) ws (s t : R) : 0 < w -> (forall one, one \in ws -> 0 < one) -> 0 <= t ->
  let L := (size ws).+2 in t ^+ L = 1 + s ^+ 2 -> L%:R * t + s ^+ 2 <= norm (chain w ws s).
Proof.
move=> w0 ws0 t0 L e; set last := (w * \prod_(one <- ws) one)^-1.
have ne : w * \prod_(one <- ws) one != 0.
  apply: mulf_neq0; first by rewrite gt_eqF.
  by rewrite prodf_seq_neq0; apply/allP => one /ws0 one0; rewrite /= gt_eqF.
pose numbers := w ^+ 2 * (1 + s ^+ 2) :: last ^+ 2 :: [seq one ^+ 2 | one <- ws].
have size_numbers : size numbers = L by rewrite /= size_map.
have ge0 x : x \in numbers -> 0 <= x.
  rewrite !inE => /orP[/eqP->|/orP[/eqP->|/mapP[y _ ->]]]; rewrite ?sqr_ge0 //.
  by rewrite mulr_ge0 ?sqr_ge0 // addr_ge0 ?ler01 ?sqr_ge0.
have h : L%:R * t <= \sum_(x <- numbers) x.
  rewrite -size_numbers; apply: means_seq => //; rewrite size_numbers e /numbers !big_cons big_map.
  have -> : \prod_(j <- ws) j ^+ 2 = (\prod_(j <- ws) j) ^+ 2 by exact: prodrXl.
  by rewrite /last; move: ne; move: (\prod_(j <- ws) j) => P ne; field; move: ne; rewrite mulf_eq0 negb_or => /andP[-> ->].
rewrite /chain /= norm_links -/last !norm2_number exprMn; move: h; rewrite /numbers !big_cons big_map.
move: (\sum_(j <- ws) j ^+ 2) => S; rewrite mulrDr mulr1 => h.
apply: le_trans (_ : w ^+ 2 + w ^+ 2 * s ^+ 2 + (last ^+ 2 + S) + s ^+ 2 <= _).
  by rewrite ler_add2r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Chain.
