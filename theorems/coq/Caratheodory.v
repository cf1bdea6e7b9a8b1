(** Caratheodory's theorem for the pairs of covariances of a layer: N (N + 1) of its neurons, scaled, have the same pair. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets FeatureLearning Representations Neurons Tuples.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (N p : nat) (activation : R -> R) (beta : R).
Notation representations := (representations R N p).

(** How many numbers are not zero. *)
Definition in_use k (b : 'I_k -> R) : nat := #|[pred i | b i != 0]|.
(** Representations of as many layers, of any widths, with the same pairs of covariances and the same outputs. *)
Fixpoint same_pairs widths widths' : representations widths -> representations widths' -> Prop :=
  match widths, widths' return representations widths -> representations widths' -> Prop with
  | n :: others, n' :: others' => fun Z Z' =>
      [/\ gram Z.1 = gram Z'.1, gram (features activation beta Z.1) = gram (features activation beta Z'.1)
        & same_pairs Z.2 Z'.2]
  | [::], [::] => fun Z Z' => Z = Z'
  | _, _ => fun _ _ => False
  end.
(** Terms beside dead ones, k more in each layer: their weights are 1, their vectors 0. *)
Fixpoint wider k widths : tuples R N p widths -> tuples R N p [seq (n + k)%N | n <- widths] :=
  if widths is n :: others return tuples R N p widths -> tuples R N p [seq (n + k)%N | n <- widths]
  then fun t => ((col_mx t.1.1 (const_mx 1), col_mx t.1.2 0), wider k t.2) else fun Z => Z.
Fixpoint same_terms widths widths' : tuples R N p widths -> representations widths' -> Prop :=
  match widths, widths' return tuples R N p widths -> representations widths' -> Prop with
  | n :: others, n' :: others' => fun t Z =>
      [/\ gram Z.1 = first_covariance t.1.1 t.1.2, gram (features activation beta Z.1) = second_covariance activation beta t.1.1 t.1.2
        & same_terms t.2 Z.2]
  | [::], [::] => fun t Z => Z = t
  | _, _ => fun _ _ => False
  end.
End Definitions.

(** * Caratheodory's theorem *)
Section Cone.
Variable R : realFieldType.

(** A combination without negative weights of more vectors than there are coordinates is one of fewer of them. *)
Lemma fewer k (T : finType) (v : 'I_k -> T -> R) (b : 'I_k -> R) : (forall i, 0 <= b i) -> (#|T| < in_use b)%N ->
  exists c, [/\ forall i, 0 <= c i, forall t, \sum_i c i * v i t = \sum_i b i * v i t
    & (in_use c < in_use b)%N].
Proof.
rewrite /in_use => b0 many; set S := [pred i | b i != 0] in many *.
pose W : 'M[R]_(#|S|, #|T|) := \matrix_(l, j) v (enum_val l) (enum_val j).
have /rowV0Pn[y /sub_kermxP yW y0] : kermx W != 0.
  by rewrite kermx_eq0 /row_free neq_ltn (leq_ltn_trans (rank_leq_col W)).
pose c0 i := \sum_l (if enum_val l == i then y 0 l else 0).
have c0E l : c0 (enum_val l) = y 0 l.
  by rewrite /c0 (bigD1 l) //= eqxx big1 ?addr0 // => l' /negPf ne; rewrite (inj_eq enum_val_inj) ne.
have c0_out i : i \notin S -> c0 i = 0.
  by move=> out; rewrite /c0 big1 // => l _; case: eqP => // e; move: out; rewrite -e enum_valP.
have sums t : \sum_i c0 i * v i t = 0.
  have : (y *m W) 0 (enum_rank t) = 0 by rewrite yW mxE.
  rewrite mxE => e; rewrite -[RHS]e.
  under eq_bigr => i _ do rewrite /c0 mulr_suml; rewrite exchange_big; apply: eq_bigr => l _.
  rewrite (bigD1 (enum_val l)) //= eqxx big1 ?addr0 ?mxE ?enum_rankK // => i ne.
  by rewrite eq_sym (negPf ne) mul0r.
have {y0} [l yl] : exists l, y 0 l != 0.
  by apply/existsP; apply: contraNT y0 => /existsPn h; apply/eqP/rowP => l; have /negPn/eqP-> := h l; rewrite mxE.
have {yl} [c [c_out sums' [i1 pos1]]] : exists c, [/\ forall i, i \notin S -> c i = 0, forall t, \sum_i c i * v i t = 0
    & exists i, 0 < c i].
  have [pos | neg] := ltP 0 (y 0 l).
    by exists c0; split=> //; exists (enum_val l); rewrite c0E.
  exists (fun i => - c0 i); split=> [i /c0_out-> | t |]; first by rewrite oppr0.
  - by under eq_bigr => i _ do rewrite mulNr; rewrite sumrN sums oppr0.
  - by exists (enum_val l); rewrite c0E oppr_gt0 lt_neqAle yl.
case: (@Order.TotalTheory.arg_minP _ _ _ i1 (fun i => 0 < c i) (fun i => b i / c i) pos1) => i2 pos2 least.
exists (fun i => b i - b i2 / c i2 * c i); split=> [i | t |].
- have q0 : 0 <= b i2 / c i2 by rewrite divr_ge0 // ltW.
  have [pos | neg] := ltP 0 (c i); last by rewrite subr_ge0 (le_trans _ (b0 i)) // mulr_ge0_le0.
  by rewrite subr_ge0 -ler_pdivl_mulr // least.
- transitivity (\sum_i b i * v i t - b i2 / c i2 * (\sum_i c i * v i t)); last by rewrite sums' mulr0 subr0.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite mulrBl !mulrA.
have outS i : b i = 0 -> c i = 0 by move=> bi; apply: c_out; rewrite /S inE bi eqxx.
apply: proper_card; apply/properP; split.
  by apply/subsetP => i; rewrite !inE; apply: contraNN => /eqP bi; rewrite (outS _ bi) bi mulr0 subrr.
exists i2; first by rewrite inE; apply: contraL pos2 => /eqP bi; rewrite (outS _ bi) ltxx.
by rewrite inE divfK ?subrr ?eqxx // gt_eqF.
Qed.
Lemma caratheodory k (T : finType) (v : 'I_k -> T -> R) (a : 'I_k -> R) : (forall i, 0 <= a i) ->
  exists b, [/\ forall i, 0 <= b i, forall t, \sum_i b i * v i t = \sum_i a i * v i t & (in_use b <= #|T|)%N].
Proof.
move=> a0; have [m lt] := ubnP (in_use a); elim: m a a0 lt => // m IH a a0 lt.
have [few | many] := leqP (in_use a) #|T|; first by exists a.
have [c [c0 same less]] := fewer v a0 many.
have [b [b0 same' few]] := IH c c0 (leq_trans less lt).
by exists b; split=> // t; rewrite same'.
Qed.

(** The entries on and above the diagonal. *)
Definition upper N := {q : 'I_N * 'I_N | (q.1 <= q.2)%N}.
Lemma card_upper N : #|{: upper N + upper N}| = (N * N.+1)%N.
Proof.
rewrite card_sum card_sig; set U := [pred q : 'I_N * 'I_N | _].
have -> : (#|U| + #|U| = #|U| + #|[pred q : 'I_N * 'I_N | (q.2 <= q.1)%N]|)%N.
  congr addn; rewrite -(card_imset U (f := fun q => (q.2, q.1))) => [|[a b] [c d] [-> ->] //].
  apply: eq_card => -[a b]; rewrite !inE /=; apply/imsetP/idP => [[[c d]] /= h [-> ->] // | h].
  by exists (b, a).
rewrite -cardUI addnC mulnS; congr addn.
  have -> : #|[predI U & [pred q : 'I_N * 'I_N | (q.2 <= q.1)%N]]| = #|[set (i, i) | i in 'I_N]|.
    apply: eq_card => -[a b]; rewrite !inE /= -eqn_leq; apply/eqP/imsetP => [/val_inj -> | [c _ [-> ->]] //].
    by exists b.
  by rewrite card_imset ?card_ord // => a b [].
rewrite -[in RHS](card_ord N) -card_prod; apply: eq_card => -[a b]; rewrite !inE /=; exact: leq_total.
Qed.
Lemma weighted k N (b : 'I_k -> R) (Z : 'M[R]_(k, N)) i j :
  (Z^T *m (diag_mx (\row_l b l) *m Z)) i j = \sum_l b l * (Z l i * Z l j).
Proof. by rewrite mxE; apply: eq_bigr => l _; rewrite mxE mul_diag_mx !mxE mulrCA. Qed.
(** Of any neurons with two images, at most N (N + 1) with weights. *)
Lemma few_neurons k N (Z S : 'M[R]_(k, N)) : exists b : 'I_k -> R, [/\ forall i, 0 <= b i,
  Z^T *m (diag_mx (\row_i b i) *m Z) = Z^T *m Z, S^T *m (diag_mx (\row_i b i) *m S) = S^T *m S
  & (in_use b <= N * N.+1)%N].
Proof.
pose v l (t : upper N + upper N) := match t with inl q => Z l (val q).1 * Z l (val q).2 | inr q => S l (val q).1 * S l (val q).2 end.
have [b [b0 same]] := @caratheodory k _ v (fun _ => 1) (fun _ => ler01); rewrite card_upper => few.
have sym (X : 'M[R]_(k, N)) : (forall q : upper N, \sum_l b l * (X l (val q).1 * X l (val q).2) = \sum_l X l (val q).1 * X l (val q).2) ->
    X^T *m (diag_mx (\row_i b i) *m X) = X^T *m X.
  move=> h; have half (i j : 'I_N) : (i <= j)%N -> \sum_l b l * (X l i * X l j) = \sum_l X l i * X l j.
    by move=> ij; exact: (h (Sub (i, j) ij)).
  apply/matrixP => i j; rewrite weighted [RHS]mxE; under [RHS]eq_bigr do rewrite mxE.
  have [/half // | /ltnW/half e] := leqP i j.
  by under eq_bigr do rewrite [X _ i * _]mulrC; rewrite e; apply: eq_bigr => l _; rewrite mulrC.
by exists b; split=> //; apply: sym => q; [rewrite (same (inl q)) | rewrite (same (inr q))];
   apply: eq_bigr => l _; rewrite mul1r.
Qed.
End Cone.

(** * Theorems *)
Section Theorems.
Variables (R : rcfType) (N p : nat) (activation : R -> R) (beta : R).
Hypothesis activation_homogeneous : homogeneous activation.
Notation weights := (weights R p).
Notation representations := (representations R N p).
Notation features := (features activation beta).
Notation of_weights := (of_weights activation beta).
Notation to_weights := (to_weights activation beta).

Lemma roots k (Z : 'M[R]_(k, N)) : exists r : 'cV[R]_k, [/\ forall i j, 0 <= r i j,
  gram (scaled r Z) = gram Z, gram (features (scaled r Z)) = gram (features Z) & (in_use (fun i => r i 0%R) <= N * N.+1)%N].
Proof.
have [b [b0 first second few]] := few_neurons Z (map_mx activation Z).
have r0 i j : 0 <= (\col_i Num.sqrt (b i)) i j by rewrite mxE sqrtr_ge0.
have square : map_mx (fun a => a ^+ 2) (\col_i Num.sqrt (b i))^T = \row_i b i.
  by apply/rowP => i; rewrite !mxE sqr_sqrtr.
have cov (X : 'M[R]_(k, N)) : first_covariance (\col_i Num.sqrt (b i)) X = X^T *m (diag_mx (\row_i b i) *m X).
  by rewrite /first_covariance /scaled map_trmx square.
exists (\col_i Num.sqrt (b i)); split=> //.
- by rewrite gram_scaled cov.
- rewrite features_scaled // gram_rows_of_second /second_covariance cov second.
  by rewrite /features /with_bias gram_col gram_bias.
- apply: leq_trans few; apply: subset_leq_card; apply/subsetP => i; rewrite !inE mxE.
  by apply: contraNN => /eqP->; rewrite sqrtr0.
Qed.
Lemma rank_gram k (Z : 'M[R]_(k, N)) : \rank (gram Z) = \rank Z.
Proof.
apply/eqP; rewrite eqn_leq; apply/andP; split; first exact: mxrankM_maxr.
have e : Z = (pinv Z)^T *m gram Z by rewrite /gram mulmxA tr_pinv_tr mul_pinv_mul.
by rewrite {1}e; exact: mxrankM_maxr.
Qed.
Lemma rank_scaled k (r : 'cV[R]_k) (Z : 'M[R]_(k, N)) : (\rank (scaled r Z) <= in_use (fun i => r i 0%R))%N.
Proof.
set S := [pred i | r i 0 != 0]; pose W : 'M[R]_(#|S|, N) := \matrix_(l, j) (r (enum_val l) 0 * Z (enum_val l) j).
apply: leq_trans (rank_leq_row W); apply: mxrankS; apply/row_subP => i.
have [ri | ri] := eqVneq (r i 0) 0.
  by rewrite (_ : row i _ = 0) ?sub0mx //; apply/rowP => j; rewrite mxE /scaled mul_diag_mx !mxE ri mul0r.
have iS : i \in S by rewrite inE.
have -> : row i (scaled r Z) = row (enum_rank_in iS i) W; last exact: row_sub.
by apply/rowP => j; rewrite mxE /scaled mul_diag_mx !mxE enum_rankK_in.
Qed.

(** [feature_learning.lemma_10]: of any rows Z, scaled ones *)
Theorem rank_of_a_pair k (Z : 'M[R]_(k, N)) : exists r : 'cV[R]_k, let rows := scaled r Z in
  [/\ gram rows = gram Z, gram (features rows) = gram (features Z), forall i, 0 <= r i 0,
      (maxn (\rank Z) (\rank (map_mx activation Z)) <= in_use (fun i => r i 0%R))%N
    & (in_use (fun i => r i 0%R) <= N * N.+1)%N].
Proof.
have [r [r0 first second few]] := roots Z; exists r; split=> //.
have third : gram (map_mx activation (scaled r Z)) = gram (map_mx activation Z).
  by move: second; rewrite /features /with_bias !gram_col => /addIr.
rewrite geq_max -(rank_gram Z) -first -(rank_gram (map_mx _ Z)) -third !rank_gram rank_scaled.
by rewrite activation_scaled // rank_scaled.
Qed.

(** Rows that are not scaled by zero, alone. *)
Lemma narrow k m (Z : 'M[R]_(k, N)) (F : 'M[R]_(m, N)) : (Z <= F)%MS -> exists n (Z' : 'M[R]_(n, N)),
  [/\ (n <= N * N.+1)%N, gram Z = gram Z', gram (features Z) = gram (features Z') & (Z' <= F)%MS].
Proof.
move=> ZF; have [r [r0 first second few]] := roots Z; set S := [pred i | r i 0 != 0].
exists #|S|, (rowsub (fun l : 'I_#|S| => enum_val l) (scaled r Z)).
have kept (X : 'M[R]_(k, N)) : gram (rowsub (fun l : 'I_#|S| => enum_val l) (scaled r X)) = gram (scaled r X).
  apply/matrixP => i j; rewrite ![gram _ _ _]mxE [RHS](bigID S) /= [X in _ = _ + X]big1 ?addr0 => [|l]; last first.
    by rewrite /= negbK => /eqP rl; rewrite mxE /scaled !mul_diag_mx !mxE rl !mul0r.
  rewrite [RHS]big_enum_val /=; apply: eq_bigr => l _; by rewrite ![_^T i _]mxE ![mxsub _ _ _ _ _]mxE.
split=> //; first by rewrite kept first.
- rewrite -second /features /with_bias !gram_col; congr (_ + _).
  by rewrite map_mxsub activation_scaled // kept.
- apply: submx_trans ZF; apply: submx_trans (_ : scaled r Z <= Z)%MS; last exact: submxMl.
  by apply/row_subP => l; rewrite row_rowsub row_sub.
Qed.
Lemma gram_same_rows k k' (F : 'M[R]_(k, N)) (F' : 'M[R]_(k', N)) : gram F = gram F' -> (F <= F')%MS.
Proof.
move=> e; have -> : F = (pinv F)^T *m gram F by rewrite /gram mulmxA tr_pinv_tr mul_pinv_mul.
by rewrite e /gram mulmxA submxMl.
Qed.
Lemma traces_same widths widths' (Z : representations widths) (Z' : representations widths') K :
  same_pairs activation beta Z Z' -> traces activation beta K Z = traces activation beta K Z'.
Proof.
elim: widths widths' Z Z' K => [|n widths IH] [|n' widths'] //= Z Z' K; first by move->.
by case=> -> e rest; rewrite e (IH _ _ Z'.2).
Qed.

(** [feature_learning.prop_7]: of any network W one with layers of at most N (N + 1) neurons *)
Theorem few_neurons_suffice d widths (x : 'M_(d, N)) (W : weights (d + 1) widths) : let F := with_bias beta x in
  exists narrow (V : weights (d + 1) narrow),
    [/\ all (fun n => n <= N * N.+1)%N narrow, same_pairs activation beta (of_weights F W) (of_weights F V),
        squared_norm V = traces activation beta (gram F) (of_weights F W)
      & traces activation beta (gram F) (of_weights F W) <= squared_norm W].
Proof.
move=> F; clearbody F; move: (addn d 1) F W => m F W.
have [narrow_widths [Z' [few same inside]]] : exists narrow_widths (Z' : representations narrow_widths),
    [/\ all (fun n => n <= N * N.+1)%N narrow_widths, same_pairs activation beta (of_weights F W) Z'
      & of_weights F (to_weights F Z') = Z'].
  suff general widths' m' (G : 'M[R]_(m', N)) (U : weights m' widths') m'' (G' : 'M[R]_(m'', N)) : gram G = gram G' ->
      exists narrow_widths (Z' : representations narrow_widths),
      [/\ all (fun n => n <= N * N.+1)%N narrow_widths, same_pairs activation beta (of_weights G U) Z'
        & of_weights G' (to_weights G' Z') = Z'] by exact: general.
  elim: widths' m' G U m'' G' => [|n widths' IH] m' G U m'' G' e.
    exists [::], (U *m G); split=> //=; rewrite -mulmxA.
    by have /submxP[D DE] := submx_trans (submxMl U G) (gram_same_rows e); rewrite DE -!mulmxA (mulmxA G') mul_pinv_mul.
  have [n' [Z' [small first second sub]]] := narrow (submx_trans (submxMl U.1 G) (gram_same_rows e)).
  have [others [Z'' [few same inside]]] := IH _ _ U.2 _ _ second.
  have seen : Z' *m pinv G' *m G' = Z'.
    by case/submxP: sub => D ->; rewrite -!mulmxA (mulmxA G') mul_pinv_mul.
  by exists (n' :: others), (Z', Z''); split=> //=; rewrite ?small // seen inside.
exists narrow_widths, (to_weights F Z'); split=> //; first by rewrite inside.
- by rewrite norm_is_traces -(traces_same _ same).
- rewrite -(norm_is_traces _ _ F) (norm_splits activation beta F W) ler_addl; exact: squared_norm_ge0.
Qed.

Lemma same_projection m m' (F : 'M[R]_(m, N)) (F' : 'M[R]_(m', N)) : gram F = gram F' -> pinv F *m F = pinv F' *m F'.
Proof.
have one k (G : 'M[R]_(k, N)) : pinv G *m G = pinv (gram G) *m gram G.
  by rewrite pinv_gram /gram !mulmxA -(mulmxA (pinv G)) tr_pinv_tr mulmxA pinv_mul_pinv.
by move=> e; rewrite one [RHS]one e.
Qed.
Lemma same_inverse m m' (F : 'M[R]_(m, N)) (F' : 'M[R]_(m', N)) : gram F = gram F' -> kernel_inverse F = kernel_inverse F'.
Proof. by rewrite /kernel_inverse -!pinv_gram -!/(gram _) => ->. Qed.
Section Dead.
Variable k : nat.
Lemma activation0 n : map_mx activation (0 : 'M[R]_(n, N)) = 0.
Proof. by apply/matrixP => i j; rewrite !mxE -[X in activation X](mul0r 0) activation_homogeneous // mul0r. Qed.
Lemma scaled_dead n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) :
  scaled (col_mx r (const_mx 1 : 'cV_k)) (col_mx V 0) = col_mx (scaled r V) 0.
Proof. by rewrite /scaled tr_col_mx diag_mx_row mul_block_col !mul0mx mulmx0 !addr0. Qed.
Lemma first_dead n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) :
  first_covariance (col_mx r (const_mx 1 : 'cV_k)) (col_mx V 0) = first_covariance r V.
Proof. by rewrite -!gram_scaled scaled_dead gram_col /gram mulmx0 addr0. Qed.
Lemma second_dead n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) :
  second_covariance activation beta (col_mx r (const_mx 1 : 'cV_k)) (col_mx V 0) = second_covariance activation beta r V.
Proof. by rewrite /second_covariance map_col_mx activation0 first_dead. Qed.
Lemma rows_dead n (r : 'cV[R]_n) (V : 'M[R]_(n, N)) :
  gram (rows_of_second activation beta (col_mx r (const_mx 1 : 'cV_k)) (col_mx V 0)) = gram (rows_of_second activation beta r V).
Proof. by rewrite !gram_rows_of_second second_dead. Qed.
Notation inside := (inside_the_images activation beta).
Lemma wider_inside widths m m' (F : 'M[R]_(m, N)) (F' : 'M[R]_(m', N)) (t : tuples R N p widths) : gram F' = gram F ->
  inside F' (wider k t) = wider k (inside F t).
Proof.
elim: widths m m' F F' t => [|n widths IH] m m' F F' /= t e; first by rewrite (same_projection e).
have V : col_mx t.1.2 (0 : 'M_(k, N)) *m (pinv F' *m F') = col_mx (t.1.2 *m (pinv F *m F)) 0.
  by rewrite (same_projection e) mul_col_mx mul0mx.
by rewrite V (IH _ _ (rows_of_second activation beta t.1.1 (t.1.2 *m (pinv F *m F)))) // rows_dead.
Qed.
Lemma wider_cost widths m m' (F : 'M[R]_(m, N)) (F' : 'M[R]_(m', N)) (t : tuples R N p widths) : gram F' = gram F ->
  cost activation beta F' (wider k t) = cost activation beta F t.
Proof.
elim: widths m m' F F' t => [|n widths IH] m m' F F' /= t e; rewrite (same_inverse e) //.
by rewrite first_dead (IH _ _ (rows_of_second activation beta t.1.1 t.1.2)) // rows_dead.
Qed.
Lemma wider_pairs widths (t : tuples R N p widths) (Z : representations [seq (n + k)%N | n <- widths]) :
  has_pairs activation beta (wider k t) Z -> outputs Z = outputs_of (wider k t) -> same_terms activation beta t Z.
Proof.
elim: widths t Z => [|n widths IH] //= t Z [one two rest] out; rewrite first_dead in one; rewrite second_dead in two.
by split=> //; exact: IH.
Qed.
Lemma wider_outputs widths (t : tuples R N p widths) : outputs_of (wider k t) = outputs_of t.
Proof. by elim: widths t => [|n widths IH] //= t; exact: IH. Qed.
Lemma wider_roots widths (t : tuples R N p widths) : roots_ge0 t -> roots_ge0 (wider k t).
Proof.
elim: widths t => [|n widths IH] //= t [r0 rest]; split; last exact: IH.
by move=> i j; rewrite mxE; case: split => l; rewrite ?mxE ?ler01.
Qed.
End Dead.

(** [feature_learning.prop_8]: a tuple inside its images, and k dead neurons more in each layer *)
Theorem as_many_neurons_as_terms k d widths (x : 'M_(d, N)) (t : tuples R N p widths) : roots_ge0 t ->
  let F := with_bias beta x in let inside := inside_the_images activation beta F t in
  let W := to_weights F (representations_of (wider k inside)) in let Z := of_weights F W in
  [/\ same_terms activation beta inside Z, outputs Z = outputs_of inside & squared_norm W = cost activation beta F inside].
Proof.
move=> t0 F inside W Z; have e := wider_inside k t (erefl (gram F)).
have := every_tuple_is_reached beta activation_homogeneous x (wider_roots k t0); cbv zeta; rewrite -/F e -/inside -/W -/Z.
by case=> pairs out norm; split; [exact: wider_pairs | rewrite out wider_outputs | rewrite norm; exact: wider_cost (erefl (gram F))].
Qed.

Lemma relu_scaled w (r : 'cV[R]_w) (A : 'M[R]_(w, N)) : (forall i, 0 <= r i 0) -> relu (scaled r A) = scaled r (relu A).
Proof. by move=> r0; apply/matrixP => i j; rewrite mxE /scaled !mul_diag_mx !mxE maxr_pmulr ?mulr0. Qed.
(** [leaky_resnets.prop_3]: a path from any A, with the parameter t, to one with at most N (N + 1) neurons that are not dead *)
Theorem path_to_a_dead_neuron w (A : 'M[R]_(w, N)) : exists a : 'cV[R]_w,
  [/\ forall i, 0 <= a i 0, (in_use (fun i => a i 0%R) <= N * N.+1)%N
    & forall t, 0 <= t <= 1 -> let path := scaled (\col_i Num.sqrt (1 - t + t * a i 0)) A in
      [/\ gram path = gram A, kernel path = kernel A & LeakyResNets.cost path = LeakyResNets.cost A]].
Proof.
have [b [b0 first second few]] := few_neurons A (relu A); exists (\col_i b i); split=> [i | | t /andP[t0 t1] path]; first by rewrite mxE.
  by apply: leq_trans few; apply: subset_leq_card; apply/subsetP => i; rewrite !inE mxE.
pose q i := 1 - t + t * (\col_i b i) i 0; have q0 i : 0 <= q i.
  by rewrite /q mxE addr_ge0 ?subr_ge0 // mulr_ge0.
have square : (map_mx (fun a => a ^+ 2) (\col_i Num.sqrt (q i)))^T = (1 - t) *: const_mx 1 + t *: \row_i b i.
  by apply/rowP => i; rewrite !mxE sqr_sqrtr // /q mxE mulr1.
have keeps (X : 'M[R]_(w, N)) : X^T *m (diag_mx (\row_i b i) *m X) = X^T *m X -> gram (scaled (\col_i Num.sqrt (q i)) X) = gram X.
  move=> e; rewrite gram_scaled /first_covariance /scaled square linearD !linearZ /= mulmxDl mulmxDr.
  by rewrite -!scalemxAl -!scalemxAr e diag_const_mx mul1mx -scalerDl subrK scale1r.
have path_relu : relu path = scaled (\col_i Num.sqrt (q i)) (relu A) by apply: relu_scaled => i; rewrite mxE sqrtr_ge0.
have one : gram path = gram A by exact: keeps.
have two : kernel path = kernel A by rewrite !kernelE path_relu -!/(gram _) keeps.
by split=> //; rewrite /LeakyResNets.cost !trace_identity -/(gram path) -/(gram A) one -/(kernel path) -/(kernel A) two.
Qed.
End Theorems.
