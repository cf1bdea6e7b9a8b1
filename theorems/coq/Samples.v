(** Samples: in most layers of a balanced network their pre-activations are nearly of the rank of the Jacobian. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks Balanced Rescaled Diagonal OperatorNorms NuclearNorms Steps Counting Frames Kernels BalancedKernels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (slope : R).

(** The singular value k + 1 of M in descending order, which is 0 where no more than k are positive. *)
Definition next_singular_value n m (M : 'M[R]_(n, m)) k (t : R) :=
  exists p (s : 'rV[R]_p), are_singular_values M s /\ t = nth 0 (descending [seq s 0 i | i <- enum 'I_p]) k.
(** Those of the pre-activations of all layers, for points that are columns, each times a root of its share. *)
Fixpoint next_singular_values N n m (f : network R n m) k (r : 'rV[R]_N) (X : 'M[R]_(m, N)) (t : seq R) : Prop :=
  match f in network _ _ m return 'M[R]_(m, N) -> Prop with
  | Last _ W b => fun X =>
      if t is [:: t0] then next_singular_value ((W *m X + b *m const_mx 1) *m diag_mx r) k t0 else False
  | Layer _ _ W b others => fun X =>
      if t is t0 :: t' then
        next_singular_value ((W *m X + b *m const_mx 1) *m diag_mx r) k t0 /\
        next_singular_values others k r (activation slope (W *m X + b *m const_mx 1)) t'
      else False
  end X.
End Definitions.

Section Samples.
Variables (R : rcfType) (slope at_zero : R) (exp log : R -> R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1) (exp_is : is_exponential exp) (log_is : is_logarithm log).
Notation jacobian := (jacobian slope at_zero).

Lemma norm2_weighted m N (X : 'M[R]_(m, N)) (r : 'rV_N) : norm2 (X *m diag_mx r) = \sum_i r 0 i ^+ 2 * norm2 (col i X).
Proof.
rewrite norm2_cols; apply: eq_bigr => i _; rewrite -norm2Z; congr norm2.
by apply/matrixP => a b; rewrite mul_mx_diag !mxE mulrC.
Qed.
(** It is the distance to matrices of rank k, in the operator norm. *)
Lemma next_is_least n m k p (M N : 'M[R]_(n, m)) (U : 'M_(n, p)) s V c : singular_values M U s V -> (\rank N <= k)%N ->
  0 <= c -> bounds (M - N) c -> nth 0 (descending [seq s 0 i | i <- enum 'I_p]) k <= c.
Proof.
move=> [fU fV s0 e] rN c0 small; have [kp | pk] := ltnP k p; last by rewrite nth_default // size_sort size_map size_enum_ord.
have := many_are_large (s 0) kp; set t := nth 0 _ k; set Q := [pred i | _] => kQ.
have t0 : 0 <= t.
  have : t \in descending [seq s 0 i | i <- enum 'I_p] by rewrite mem_nth // size_sort size_map size_enum_ord.
  by rewrite mem_sort => /mapP[i _ ->]; exact: ltW.
pose E : 'M[R]_(#|Q|, p) := \matrix_(i, j) (enum_val i == j)%:R.
have [w w0 wN] : exists2 w : 'rV[R]_#|Q|, w != 0 & w *m (E *m V^T *m N^T) = 0.
  have : kermx (E *m V^T *m N^T) != 0.
    rewrite kermx_eq0 /row_free neq_ltn; apply/orP; left; apply: leq_ltn_trans kQ.
    by apply: leq_trans (mxrankM_maxr _ _) _; rewrite mxrank_tr.
  by case/rowV0Pn=> w w_in w0; exists w => //; apply/sub_kermxP.
have EE : E *m E^T = 1%:M.
  apply/matrixP => i j; rewrite !mxE (bigD1 (enum_val i)) //= big1 ?addr0 => [|l li]; last first.
    by rewrite !mxE eq_sym (negPf li) mul0r.
  by rewrite !mxE eqxx mul1r (inj_eq enum_val_inj) eq_sym.
pose x := V *m (w *m E)^T.
have x_norm : norm2 x = norm2 w.
  by rewrite norm2_in_frame // trmx_mul norm2_in_frame ?norm2_tr // /frame trmxK.
have w_pos : 0 < norm2 w by rewrite lt0r norm2_ge0 andbT; apply: contraNneq w0 => /norm2_eq0 ->.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE // -(ler_pmul2r w_pos) -x_norm; apply: le_trans (small x).
have -> : (M - N) *m x = U *m (diag_mx s *m (w *m E)^T).
  have Nx : N *m x = 0.
    rewrite -[LHS]trmxK trmx_mul (_ : x^T = w *m E *m V^T); last by rewrite trmx_mul trmxK.
    by move: wN; rewrite !mulmxA => ->; rewrite trmx0.
  by rewrite mulmxBl Nx subr0 e /x !mulmxA -(mulmxA _ V^T V) fV mulmx1.
rewrite x_norm norm2_in_frame // -x_norm /x norm2_in_frame // !norm2E mulr_sumr; apply: ler_sum => a _; rewrite mulr_sumr.
apply: ler_sum => j _; rewrite mul_diag_mx !mxE exprMn; have [jQ | jQ] := boolP (j \in Q).
  by rewrite ler_wpmul2r ?sqr_ge0 // ler_pexpn2r ?nnegrE // ltW.
rewrite big1 ?expr0n ?mulr0 // => i _; rewrite mxE; case: eqP => [h | _]; last by rewrite mulr0.
by move: jQ; rewrite -h enum_valP.
Qed.
Lemma one_layer_of_a_sample n m k N (W : 'M[R]_(n, m)) b (U : 'M_(n, k)) (V : 'M_(m, k)) (X : 'M_(m, N)) (r : 'rV_N) t :
  \sum_i r 0 i ^+ 2 = 1 -> next_singular_value ((W *m X + b *m const_mx 1) *m diag_mx r) k t ->
  0 <= t /\ t ^+ 2 <= layer_distance W b U V * (\sum_i r 0 i ^+ 2 * norm2 (col i X) + 1).
Proof.
move=> r1 [p [s [[U0 [V0 svd]] tE]]]; have t0 : 0 <= t.
  rewrite tE; set d := [seq _ | _ <- _]; have [h | h] := ltnP k (size (descending d)); last by rewrite nth_default.
  have : nth 0 (descending d) k \in descending d by exact: mem_nth.
  by have [_ _ s0 _] := svd; rewrite mem_sort => /mapP[i _ ->]; exact: ltW.
split=> //; rewrite -norm2_weighted.
have d0 : 0 <= layer_distance W b U V by rewrite addr_ge0 ?norm2_ge0.
have p0 : 0 <= layer_distance W b U V * (norm2 (X *m diag_mx r) + 1) by rewrite mulr_ge0 // addr_ge0 ?norm2_ge0 ?ler01.
rewrite -(sqr_sqrtr p0) ler_pexpn2r ?nnegrE ?sqrtr_ge0 //.
rewrite tE; apply: (next_is_least (N := U *m V^T *m X *m diag_mx r) svd).
- by rewrite -!mulmxA; exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
- exact: sqrtr_ge0.
move=> u; rewrite sqr_sqrtr //; apply: le_trans (norm2_product_le _ _) _; apply: ler_wpmul2r; first exact: norm2_ge0.
have -> : (W *m X + b *m const_mx 1) *m diag_mx r - U *m V^T *m X *m diag_mx r
    = row_mx (W - U *m V^T) b *m col_mx (X *m diag_mx r) r.
  have br : b *m const_mx 1 *m diag_mx r = b *m r.
    by rewrite -mulmxA; congr (_ *m _); apply/matrixP => i j; rewrite mul_mx_diag !mxE mul1r ord1.
  by rewrite mul_row_col mulmxDl br mulmxBl !mulmxA addrAC.
apply: le_trans (product_le _ _) _; rewrite norm2_row norm2_col -/(layer_distance W b U V).
suff -> : norm2 r = 1 by [].
by rewrite norm2E -r1; apply: eq_bigr => i _; rewrite big_ord1.
Qed.
Lemma layers_of_a_sample n m (f : network R n m) k N (r : 'rV_N) (X : 'M_(m, N)) (d t : seq R) :
  \sum_i r 0 i ^+ 2 = 1 -> are_distances f k d -> next_singular_values slope f k r X t ->
  [/\ size t = depth f, size d = depth f, forall l, 0 <= nth 0 d l & forall l, (l < depth f)%N ->
    0 <= nth 0 t l /\ nth 0 t l ^+ 2 <= nth 0 d l * (\sum_i r 0 i ^+ 2 * squared_input slope f l (col i X) + 1)].
Proof.
have ge0 n' m' (W : 'M[R]_(n', m')) b (U : 'M_(n', k)) V : 0 <= layer_distance W b U V by rewrite addr_ge0 ?norm2_ge0.
move=> r1; elim: f d X t => [q W b | q p W b others IH] [|d0 d] X [|t0 t] //=.
- case: d => // -[U [V [_ _ ->]]]; case: t => // next; split=> // [[|[]] // | [|l] // _]; first exact: (ge0 _ _ W b U V).
  exact: one_layer_of_a_sample.
move=> [[U [V [_ _ ->]]] dist] [next rest]; have [size_t size_d d_ge0 all_l] := IH d _ t dist rest.
rewrite size_t size_d; split=> // [[|l] // | [|l]].
- exact: (ge0 _ _ W b U V).
- exact: (d_ge0 l).
- by move=> _; exact: one_layer_of_a_sample.
rewrite ltnS => /all_l[t_ge0 h]; split=> //; apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
congr (_ * (_ + 1)); apply: eq_bigr => i _; congr (_ * squared_input _ _ _ _).
apply/matrixP => a c; rewrite !mxE; congr (act _ (_ + _)); first by apply: eq_bigr => e _; rewrite !mxE.
by rewrite big_ord1 !mxE mulr1 ord1.
Qed.
(** Cauchy's inequality for some of the layers. *)
Lemma some_of_the_layers (u : seq nat) (T D A : nat -> R) : (forall l, l \in u -> 0 <= T l /\ T l ^+ 2 <= D l * A l) ->
  (forall l, 0 <= D l) -> (forall l, 0 <= A l) -> (\sum_(l <- u) T l) ^+ 2 <= (\sum_(l <- u) D l) * (\sum_(l <- u) A l).
Proof.
move=> h D0 A0; elim: u h => [|l u IH] h; first by rewrite !big_nil expr0n mul0r.
rewrite !big_cons; have [Tl0 Tl] := h l (mem_head _ _).
have {}IH := IH (fun i iu => h i (mem_behead (s := l :: u) iu)).
have S0 (F : nat -> R) : (forall i, i \in l :: u -> 0 <= F i) -> 0 <= \sum_(i <- u) F i.
  by move=> F0; rewrite big_seq sumr_ge0 // => i iu; apply: F0; rewrite inE iu orbT.
have t0 : 0 <= \sum_(i <- u) T i by apply: S0 => i /h[].
have d0 : 0 <= \sum_(i <- u) D i by apply: S0 => i _.
have a0 : 0 <= \sum_(i <- u) A i by apply: S0 => i _.
move: (\sum_(i <- u) T i) (\sum_(i <- u) D i) (\sum_(i <- u) A i) t0 d0 a0 IH => t d a t0 d0 a0 IH.
have : 2%:R * (T l * t) <= D l * a + d * A l.
  apply: le_of_squares; first by rewrite addr_ge0 ?mulr_ge0.
  apply: le_trans (_ : 4%:R * (D l * A l * (d * a)) <= _).
    by rewrite exprMn -natrX ler_pmul2l ?ltr0n // exprMn ler_pmul ?sqr_ge0.
  by rewrite -subr_ge0; have := sqr_ge0 (D l * a - d * A l); congr (0 <= _); ring.
move=> cross; rewrite -subr_ge0.
have -> : (D l + d) * (A l + a) - (T l + t) ^+ 2
  = (D l * A l - T l ^+ 2) + (d * a - t ^+ 2) + (D l * a + d * A l - 2%:R * (T l * t)) by ring.
by apply: addr_ge0; [apply: addr_ge0 | ]; rewrite subr_ge0.
Qed.
Section Corollary8.
Variables (n m : nat) (f : network R n m) (k N : nat) (X : 'M[R]_(m, N)) (r : 'rV[R]_N).
Variables (s : 'I_N -> 'rV[R]_k) (v : 'I_N -> R) (t : seq R) (c1 : R).
Hypotheses (bal : is_balanced f) (k0 : (0 < k)%N) (r1 : \sum_i r 0 i ^+ 2 = 1).
Hypotheses (values : forall i, are_singular_values (jacobian f (col i X)) (s i)).
Hypotheses (v0 : forall i, 0 <= v i) (v_is : forall i, v i ^+ k = (\prod_j s i 0 j) ^+ 2).
Hypotheses (c1_is : c1 = norm f - (k * depth f)%:R) (t_is : next_singular_values slope f k r X t).
Lemma inputs_le p : \sum_(l < depth f) squared_input slope f l (col p X)
  <= kernel_trace slope at_zero f (col p X) * (Num.max 1 (exp (c1 / k%:R)) / (k%:R * v p)).
Proof.
rewrite mulrA ler_pdivl_mulr.
  rewrite mulrC [X in _ <= X]mulrC; exact: (representations_are_bounded a1 z1 exp_is bal k0 (values p) (v0 p) (v_is p) c1_is).
rewrite mulr_gt0 ?ltr0n // lt0r v0 andbT; apply/eqP => z; have := v_is p; rewrite z expr0n gtn_eqF // => /esym/eqP.
by rewrite sqrf_eq0 gt_eqF // prodr_gt0 // => q _; have [U [V [_ _ s0 _]]] := values p.
Qed.
(** [bottleneck_structure.corollary_8]: of the j + 1 layers with the largest t, in a sample with the shares r^2, for any point i *)
Theorem sample_is_nearly_of_rank_k i j : (j < depth f)%N ->
  (\sum_(one <- take j.+1 (descending t)) one) ^+ 2
  <= (c1 - 2%:R * log (\prod_j s i 0 j))
    * (\sum_i r 0 i ^+ 2 * kernel_trace slope at_zero f (col i X) * (Num.max 1 (exp (c1 / k%:R)) / (k%:R * v i)) + j.+1%:R).
Proof.
move=> jL; have [d dist total] := near_frames log_is (jacobian_is_product f (col i X) a1 z1) (values i).
have [size_t size_d d_ge0 all_l] := layers_of_a_sample r1 dist t_is.
pose A l := \sum_i r 0 i ^+ 2 * squared_input slope f l (col i X).
have A0 l : 0 <= A l by rewrite sumr_ge0 // => p _; rewrite mulr_ge0 ?sqr_ge0 ?squared_input_ge0.
have [u perm tE] : exists2 u, perm_eq u (iota 0 (size t)) & descending t = [seq nth 0 t l | l <- u].
  by apply/perm_iotaP; rewrite perm_sort.
have uniq_u : uniq u by rewrite (perm_uniq perm) iota_uniq.
have u_lt l : l \in u -> (l < depth f)%N by rewrite (perm_mem perm) mem_iota size_t.
rewrite tE -map_take big_map; apply: le_trans (some_of_the_layers (D := nth 0 d) (A := fun l => A l + 1) _ _ _) _ => //.
- by move=> l /mem_take/u_lt; exact: all_l.
- by move=> l; rewrite addr_ge0 ?ler01.
have part (F : nat -> R) : (forall l, 0 <= F l) -> \sum_(l <- take j.+1 u) F l <= \sum_(l < depth f) F l.
  move=> F0; rewrite -(big_mkord xpredT) /index_iota subn0 -size_t -(perm_big _ perm) /=.
  rewrite -[X in _ <= \sum_(l <- X) _](cat_take_drop j.+1) big_cat ler_addl sumr_ge0 //.
have size_u : size u = depth f by rewrite (perm_size perm) size_iota.
rewrite big_split /= [X in _ + X]big_const_seq iter_addr_0 count_predT size_takel ?size_u //.
apply: ler_pmul; rewrite ?sumr_ge0 ?addr_ge0 ?ler0n ?sumr_ge0 //.
  rewrite c1_is; apply: le_trans total; apply: le_trans (part _ d_ge0) _.
  by rewrite [X in _ <= X](big_nth 0) size_d big_mkord.
rewrite ler_add2r; apply: le_trans (part A A0) _; rewrite /A exchange_big /=; apply: ler_sum => p _.
by rewrite -mulr_sumr -mulrA ler_wpmul2l ?sqr_ge0 // inputs_le.
Qed.
(** [bottleneck_structure.corollary_8.display]: of the layer j + 1 in descending order, where C is the largest of the factors *)
Theorem average_of_representations (C : R) j : (forall i, Num.max 1 (exp (c1 / k%:R)) / (k%:R * v i) <= C) -> (j < depth f)%N ->
  j.+1%:R * nth 0 (descending [seq \sum_i r 0 i ^+ 2 * squared_input slope f l (col i X) | l <- iota 0 (depth f)]) j
  <= (\sum_i r 0 i ^+ 2 * kernel_trace slope at_zero f (col i X)) * C.
Proof.
move=> C_is jL; set A := [seq _ | l <- _]; have A0 y : y \in A -> 0 <= y.
  by case/mapP=> l _ ->; rewrite sumr_ge0 // => p _; rewrite mulr_ge0 ?sqr_ge0 ?squared_input_ge0.
have size_A : (j < size A)%N by rewrite size_map size_iota.
apply: le_trans (first_of_descending A0 size_A) _.
rewrite big_map -{1}(subn0 (depth f)) -/(index_iota 0 _) big_mkord exchange_big mulr_suml /=; apply: ler_sum => p _.
rewrite -mulr_sumr -mulrA ler_wpmul2l ?sqr_ge0 //; apply: le_trans (inputs_le p) _; apply: ler_wpmul2l (C_is p).
by rewrite sumr_ge0 // => l _; rewrite mulr_ge0 ?squared_input_ge0 ?squared_behind_ge0.
Qed.
End Corollary8.
End Samples.
