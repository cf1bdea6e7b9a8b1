(** Frames along the layers of a network: what its weights are to the singular values of its Jacobian, at every width and depth. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Networks OperatorNorms NuclearNorms Balanced Diagonal Rescaled Counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The columns of U are orthonormal. *)
Definition frame m k (U : 'M[R]_(m, k)) := U^T *m U = 1%:M.
(** The k numbers s are the positive singular values of J, whose rank is k. *)
Definition are_singular_values n m (J : 'M[R]_(n, m)) k (s : 'rV[R]_k) := exists U V, singular_values J U s V.
(** J is the product of the weights with diagonals of entries between -1 and 1 for the activations. *)
Fixpoint is_product n m (f : network R n m) : 'M[R]_(n, m) -> Prop :=
  match f in network _ _ m return 'M[R]_(n, m) -> Prop with
  | Last _ W b => fun J => J = W
  | Layer _ k W b others => fun J =>
      exists (D : 'rV[R]_k) J', [/\ forall i, `|D 0 i| <= 1, is_product others J' & J = J' *m (diag_mx D *m W)]
  end.
(** The matrix of a network without activations and biases. *)
Fixpoint matrix_of n m (f : network R n m) : 'M[R]_(n, m) :=
  match f with Last _ W b => W | Layer _ _ W b others => matrix_of others *m W end.
(** The distance of a layer to a partial isometry of rank k, that of some frames; the sum of the k largest of some numbers, and
    the least distance, by the singular values t of the weights. *)
Definition layer_distance n m (W : 'M[R]_(n, m)) (b : 'cV[R]_n) k (U : 'M[R]_(n, k)) (V : 'M[R]_(m, k)) : R :=
  norm2 (W - U *m V^T) + norm2 b.
Definition sum_of_largest k p (t : 'rV[R]_p) : R := \sum_(x <- take k (descending [seq t 0 i | i <- enum 'I_p])) x.
Definition least_layer_distance n m (W : 'M[R]_(n, m)) (b : 'cV[R]_n) k (d : R) :=
  exists p (t : 'rV[R]_p), are_singular_values W t /\ d = norm2 W + k%:R - 2%:R * sum_of_largest k t + norm2 b.
Fixpoint least_distances n m (f : network R n m) k (d : seq R) : Prop :=
  match f, d with
  | Last _ W b, [:: d0] => least_layer_distance W b k d0
  | Layer _ _ W b others, d0 :: d' => least_layer_distance W b k d0 /\ least_distances others k d'
  | _, _ => False
  end.
Definition upper_triangular k (T : 'M[R]_k) := forall i j : 'I_k, (j < i)%N -> T i j = 0.
End Definitions.

(** * Orthonormal columns times an upper triangle *)
Section Triangles.
Variable R : rcfType.

Lemma orthonormalised m k (A : 'M[R]_(m, k)) (L : 'M_(k, m)) : L *m A = 1%:M ->
  exists (P : 'M_(m, k)) T, [/\ frame P, A = P *m T, upper_triangular T & forall i, 0 < T i i].
Proof.
elim: k A L => [|k IH] A L.
  by exists 0, 0; split=> [|||[]//]; [apply/matrixP => -[] | apply/matrixP => ? [] | case].
move: (A : 'M_(m, 1 + k)) (L : 'M_(1 + k, m)) => {A L} A L.
rewrite -[A]hsubmxK -[L]vsubmxK -[k.+1]/(1 + k)%N; move: (lsubmx A) (rsubmx A) (usubmx L) (dsubmx L) => {A L} a B l L.
rewrite mul_col_row scalar_mx_block => /eq_block_mx[la _ La LB].
have a0 : 0 < norm2 a.
  rewrite lt0r norm2_ge0 andbT; apply/eqP => /norm2_eq0 e; move/matrixP/(_ 0 0): la.
  by rewrite e mulmx0 !mxE => /eqP; rewrite eq_sym oner_eq0.
set t := Num.sqrt (norm2 a); have t0 : 0 < t by rewrite sqrtr_gt0.
have tn : t != 0 by rewrite gt_eqF.
pose p := t^-1 *: a; have aE : a = p *m t%:M by rewrite mul_mx_scalar scalerA mulfV // scale1r.
have pp : p^T *m p = 1%:M.
  rewrite [LHS]mx11_scalar -trace_mx11 -/(inner p p) -/(norm2 p) norm2Z exprVn sqr_sqrtr ?ltW //.
  by rewrite mulVf // gt_eqF.
pose B' := B - p *m (p^T *m B).
have Lp : L *m p = 0 by rewrite -scalemxAr La scaler0.
have LB' : L *m B' = 1%:M by rewrite mulmxBr LB (mulmxA L) Lp mul0mx subr0.
have [P [T [fP BE uT T0]]] := IH B' L LB'.
have pB' : p^T *m B' = 0 by rewrite mulmxBr mulmxA pp mul1mx subrr.
have TU : T *m (L *m P) = 1%:M by apply: mulmx1C; rewrite -mulmxA -BE.
have pP : p^T *m P = 0 by rewrite -[P]mulmx1 -TU (mulmxA P T) -BE mulmxA pB' mul0mx.
exists (row_mx p P), (block_mx t%:M (p^T *m B) 0 T); split.
- by rewrite /frame tr_row_mx mul_col_row pp fP pP -[P^T *m p]trmxK trmx_mul trmxK pP trmx0 -scalar_mx_block.
- rewrite mul_row_block mulmx0 addr0 -aE; congr row_mx; by rewrite -BE addrC subrK.
- move=> i j; rewrite -[i]splitK -[j]splitK; case: (split i) => i'; case: (split j) => j' /=.
  + by rewrite !ord1.
  + by rewrite ord1.
  + by rewrite block_mxEdl mxE.
  + by rewrite block_mxEdr ltn_add2l => /uT.
- move=> i; rewrite -[i]splitK; case: (split i) => i' /=; first by rewrite block_mxEul ord1 mxE eqxx.
  by rewrite block_mxEdr.
Qed.

Lemma upperM k (T S : 'M[R]_k) : upper_triangular T -> upper_triangular S ->
  upper_triangular (T *m S) /\ forall i, (T *m S) i i = T i i * S i i.
Proof.
move=> uT uS; have zero (i j l : 'I_k) : (j <= i)%N -> (l != i) || (j < i)%N -> T i l * S l j = 0.
  move=> ji h; case: (ltngtP l i) => li; first by rewrite uT // mul0r.
    by rewrite uS ?mulr0 // (leq_ltn_trans ji).
  by move/val_inj: li h => ->; rewrite eqxx /= => /uS ->; rewrite mulr0.
split=> [i j ji | i]; rewrite mxE.
  by apply: big1 => l _; apply: zero; rewrite ?ji ?orbT // ltnW.
by rewrite (bigD1 i) //= big1 ?addr0 // => l li; rewrite zero // li.
Qed.
(** What is upper triangular behind an upper triangle is so itself. *)
Lemma upper_behind k (N T : 'M[R]_k) (s : 'rV_k) : upper_triangular T -> (forall i, 0 < T i i) -> N *m T = diag_mx s ->
  upper_triangular N /\ forall i, N i i * T i i = s 0 i.
Proof.
move=> uT T0 e; have uN : upper_triangular N.
  move=> i j; have [d] := ubnP (val j); elim: d i j => // d IH i j jd ji.
  move/matrixP/(_ i j): (e); rewrite !mxE (bigD1 j) //= big1 ?addr0; last first.
    move=> l lj; case: (ltngtP l j) => h; last by move/val_inj: h lj => ->; rewrite eqxx.
      by rewrite IH ?mul0r ?(leq_trans h jd) ?(ltn_trans h ji).
    by rewrite uT // mulr0.
  rewrite -val_eqE /= gtn_eqF // mulr0n => /eqP; by rewrite mulf_eq0 [T j j == 0]gt_eqF // orbF => /eqP.
split=> // i; rewrite -(proj2 (upperM uN uT)) e !mxE eqxx mulr1n //.
Qed.
End Triangles.

(** * Along the layers *)
Section Chain.
Variable R : rcfType.

Lemma diag_contracts k n (D : 'rV[R]_k) (X : 'M_(k, n)) : (forall i, `|D 0 i| <= 1) -> norm2 (diag_mx D *m X) <= norm2 X.
Proof.
move=> D1; rewrite !norm2E; apply: ler_sum => j _; apply: ler_sum => i _; rewrite mul_diag_mx mxE exprMn ler_pimull ?sqr_ge0 //.
by rewrite -sq_abs expr_le1.
Qed.
Lemma norm2_frame m k (U : 'M[R]_(m, k)) : frame U -> norm2 U = k%:R.
Proof. by rewrite /norm2 /inner => ->; rewrite mxtrace1. Qed.
Lemma norm2_in_frame m k p (U : 'M[R]_(m, k)) (X : 'M_(k, p)) : frame U -> norm2 (U *m X) = norm2 X.
Proof. by move=> fU; rewrite /norm2 inner_mull mulmxA fU mul1mx. Qed.
(** What is seen between two frames is not larger. *)
Lemma norm2_seen m k p (U : 'M[R]_(m, k)) (X : 'M_(m, p)) : frame U -> norm2 (U^T *m X) <= norm2 X.
Proof.
move=> fU; have := norm2_ge0 (X - U *m (U^T *m X)); rewrite norm2B norm2_in_frame // [inner X _]innerC inner_mull -/(norm2 _).
have -> : norm2 X - 2%:R * norm2 (U^T *m X) + norm2 (U^T *m X) = norm2 X - norm2 (U^T *m X) by numbers; ring.
by rewrite subr_ge0.
Qed.
Lemma norm2_behind m k p (V : 'M[R]_(m, k)) (X : 'M_(p, m)) : frame V -> norm2 (X *m V) <= norm2 X.
Proof. by move=> fV; rewrite -norm2_tr trmx_mul -[norm2 X]norm2_tr; exact: norm2_seen. Qed.
Lemma diagonal_le k (M : 'M[R]_k) : \sum_i M i i ^+ 2 <= norm2 M.
Proof.
rewrite norm2E; apply: ler_sum => i _; rewrite (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => j _; apply: sqr_ge0.
Qed.
Lemma distanceE n m (W : 'M[R]_(n, m)) b k (U : 'M_(n, k)) (V : 'M_(m, k)) : frame U -> frame V ->
  layer_distance W b U V = norm2 W + norm2 b + k%:R - 2%:R * \tr (U^T *m (W *m V)).
Proof.
move=> fU fV; rewrite /layer_distance norm2B (norm2_in_frame _ fU) norm2_tr (norm2_frame fV).
have -> : inner W (U *m V^T) = \tr (U^T *m (W *m V)) by rewrite innerC inner_mull /inner trmxK mxtrace_mulC mulmxA.
by numbers; move: (\tr _) => t; ring.
Qed.

(** What two frames see of a matrix is at most the sum of its k largest singular values. *)
Lemma trace_between n m k p (W : 'M[R]_(n, m)) (U : 'M_(n, k)) (V : 'M_(m, k)) (U0 : 'M_(n, p)) t V0 :
  singular_values W U0 t V0 -> frame U -> frame V -> \tr (U^T *m (W *m V)) <= sum_of_largest k t.
Proof.
move=> [fU0 fV0 t0 ->] fU fV.
pose x i : R := norm2 (col i (U^T *m U0)); pose y i : R := norm2 (col i (V^T *m V0)).
have of_frame q l (Y : 'M[R]_(q, k)) (Z : 'M_(q, l)) : frame Y -> frame Z -> 
    (forall i, norm2 (col i (Y^T *m Z)) <= 1) /\ \sum_i norm2 (col i (Y^T *m Z)) <= k%:R.
  move=> fY fZ; split=> [i | ].
    have -> : col i (Y^T *m Z) = Y^T *m col i Z by rewrite !colE mulmxA.
    apply: le_trans (norm2_seen _ fY) _; rewrite -[X in _ <= X](_ : norm2 (col i (1%:M : 'M[R]_l)) = 1).
      by rewrite (_ : col i Z = Z *m col i 1%:M) ?norm2_in_frame // !colE mul1mx.
    by rewrite colE mul1mx norm2E big_ord1 (bigD1 i) //= big1 ?mxE ?eqxx ?expr1n ?addr0 // => j ji;
      rewrite mxE (negPf ji) expr0n.
  by rewrite -norm2_cols -norm2_tr trmx_mul trmxK; apply: le_trans (norm2_seen _ fZ) _; rewrite norm2_frame.
have [x1 xk] := of_frame _ _ _ _ fU fU0; have [y1 yk] := of_frame _ _ _ _ fV fV0.
have -> : \tr (U^T *m (U0 *m diag_mx t *m V0^T *m V)) = \sum_i t 0 i * inner (col i (U^T *m U0)) (col i (V^T *m V0)).
  have -> : U^T *m (U0 *m diag_mx t *m V0^T *m V) = (U^T *m U0 *m diag_mx t) *m (V^T *m V0)^T.
    by rewrite trmx_mul trmxK !mulmxA.
  rewrite mxtrace_mulC -[LHS]mxtrace_tr trmx_mul trmxK -/(inner _ _) innerE; apply: eq_bigr => i _.
  rewrite innerE big_ord1 mulr_sumr; apply: eq_bigr => j _; rewrite mul_mx_diag ![X in X * _]mxE [col _ _ _ _ in RHS]mxE.
  by rewrite [col i (V^T *m V0) j 0]mxE mulrCA mulrA.
apply: le_trans (_ : \sum_i t 0 i * ((x i + y i) / 2%:R) <= _).
  apply: ler_sum => i _; apply: ler_wpmul2l; first exact: ltW.
  rewrite ler_pdivl_mulr ?ltr0n // -subr_ge0; have := norm2_ge0 (col i (U^T *m U0) - col i (V^T *m V0)).
  by rewrite norm2B /x /y; congr (0 <= _); numbers; field.
apply: largest_of_weighted => [i | i |]; first exact: ltW.
  apply/andP; split; first by rewrite divr_ge0 ?ler0n // addr_ge0 ?norm2_ge0.
  by rewrite ler_pdivr_mulr ?ltr0n // mul1r (natrD _ 1 1) ler_add ?x1 ?y1.
rewrite -mulr_suml big_split /= ler_pdivr_mulr ?ltr0n // mulr_natr mulr2n.
exact: ler_add.
Qed.
Lemma least_is_least n m (W : 'M[R]_(n, m)) b k d (U : 'M_(n, k)) (V : 'M_(m, k)) : least_layer_distance W b k d ->
  frame U -> frame V -> d <= layer_distance W b U V.
Proof.
move=> [p [t [[U0 [V0 svd]] ->]]] fU fV; rewrite distanceE //; have := trace_between svd fU fV.
move: (norm2 W) (norm2 b) (sum_of_largest k t) (\tr _) => w c S T TS; rewrite -subr_ge0.
have -> : w + c + k%:R - 2%:R * T - (w + k%:R - 2%:R * S + c) = 2%:R * (S - T) by ring.
by rewrite mulr_ge0 ?ler0n // subr_ge0.
Qed.
Lemma least_ge0 n m (W : 'M[R]_(n, m)) b k d : least_layer_distance W b k d -> 0 <= d.
Proof.
move=> [p [t [[U0 [V0 svd]] ->]]]; apply: addr_ge0; last exact: norm2_ge0.
rewrite subr_ge0 (norm2_svd svd) /sum_of_largest; set d' := [seq _ | i <- _].
have -> : \sum_i t 0 i ^+ 2 = \sum_(x <- descending d') x ^+ 2.
  by rewrite (perm_big _ (permEl (perm_sort >=%R d'))) /= /d' big_map big_enum.
rewrite -[X in \sum_(x <- X) x ^+ 2](cat_take_drop k) big_cat /= mulr_sumr.
apply: le_trans (_ : \sum_(x <- take k (descending d')) (x ^+ 2 + 1) <= _).
  by apply: ler_sum => x _; rewrite -subr_ge0; have := sqr_ge0 (x - 1); congr (0 <= _); ring.
rewrite big_split /= -addrA ler_add2l; apply: ler_paddl; first by apply: sumr_ge0 => x _; exact: sqr_ge0.
by rewrite big_const_seq iter_addr_0 count_predT ler_nat size_take; case: ltnP.
Qed.

(** What stands before orthonormal columns and positive numbers has a left inverse. *)
Lemma has_left_inverse n p k (J : 'M[R]_(n, p)) (M : 'M_(p, k)) (S : 'M_k) (U : 'M_(n, k)) (s : 'rV_k) :
  frame U -> (forall i, 0 < s 0 i) -> J *m M *m S = U *m diag_mx s -> exists L, L *m M = 1%:M.
Proof.
move=> fU s0 e; exists (S *m (diag_mx (map_mx GRing.inv s) *m U^T *m J)); rewrite -[LHS]mulmxA; apply: mulmx1C.
rewrite -!mulmxA in e *; rewrite e (mulmxA U^T) fU mul1mx mulmx_diag -diag_const_mx.
by congr diag_mx; apply/rowP => i; rewrite !mxE mulVf // gt_eqF.
Qed.
(** One layer, with a diagonal for its activation. *)
Lemma one_layer k' m k (W : 'M[R]_(k', m)) (D : 'rV_k') (Q : 'M_(m, k)) (L : 'M_(k, k')) : (forall i, `|D 0 i| <= 1) ->
  frame Q -> L *m (diag_mx D *m W *m Q) = 1%:M ->
  exists (P : 'M_(k', k)) T, [/\ frame P, diag_mx D *m W *m Q = P *m T, upper_triangular T /\ forall i, 0 < T i i,
    \sum_i T i i ^+ 2 <= norm2 W & exists2 U, frame U & \tr T <= \tr (U^T *m (W *m Q))].
Proof.
move=> D1 fQ /orthonormalised[P [T [fP e uT T0]]]; exists P, T; split=> //.
  apply: le_trans (diagonal_le T) _; rewrite -(norm2_in_frame T fP) -e -mulmxA.
  by apply: le_trans (diag_contracts _ D1) (norm2_behind _ fQ).
pose M := W *m Q *m P^T; pose E : 'rV[R]_k' := \row_i (if 0 <= M i i then 1 else -1).
have EE : diag_mx E *m diag_mx E = 1%:M.
  rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i; rewrite !mxE; case: ifP => _; rewrite ?mulr1 ?mulrNN ?mulr1 //.
exists (diag_mx E *m P); first by rewrite /frame trmx_mul tr_diag_mx -mulmxA (mulmxA (diag_mx E)) EE mul1mx.
have traceE (F : 'rV[R]_k') : \tr (P^T *m (diag_mx F *m (W *m Q))) = \sum_i F 0 i * M i i.
  by rewrite mxtrace_mulC -mulmxA -/M; apply: eq_bigr => i _; rewrite mul_diag_mx mxE.
have -> : T = P^T *m (diag_mx D *m (W *m Q)) by rewrite (mulmxA _ W) e mulmxA fP mul1mx.
rewrite trmx_mul tr_diag_mx -mulmxA !traceE; apply: ler_sum => i _.
rewrite [E 0 i]mxE; apply: le_trans (ler_norm _) _; rewrite normrM; apply: le_trans (ler_pimull _ (D1 i)) _ => //.
by case: ifP => h; [rewrite mul1r ger0_norm | rewrite mulN1r ltr0_norm // ltNge h].
Qed.

(** Numbers of all layers: their product are the singular values, their squares the norms, and frames are as near as they are. *)
Fixpoint are_distances n m (f : network R n m) k (d : seq R) : Prop :=
  match f, d with
  | Last _ W b, [:: d0] => exists (U : 'M_(_, k)) V, [/\ frame U, frame V & d0 = layer_distance W b U V]
  | Layer _ _ W b others, d0 :: d' =>
      (exists (U : 'M_(_, k)) V, [/\ frame U, frame V & d0 = layer_distance W b U V]) /\ are_distances others k d'
  | _, _ => False
  end.
Lemma numbers_along_the_chain n m (f : network R n m) J k (Q : 'M_(m, k)) (S : 'M_k) (U : 'M_(n, k)) (s : 'rV_k) :
  is_product f J -> frame Q -> frame U -> (forall i, 0 < s 0 i) -> upper_triangular S -> (forall i, 0 < S i i) ->
  J *m Q *m S = U *m diag_mx s ->
  exists (t : nat -> 'I_k -> R) d, [/\ forall l i, 0 < t l i, forall i, (\prod_(l < depth f) t l i) * S i i = s 0 i,
    forall l, (l < depth f)%N -> \sum_i t l i ^+ 2 <= nth 0 (weight_norms f) l, are_distances f k d &
    \sum_(x <- d) x <= norm f + (depth f * k)%:R - 2%:R * (\sum_(l < depth f) \sum_i t l i)].
Proof.
move=> + + fU s0; elim: f J Q S => [l W b | l k' W b others IH] J Q S /=.
  move=> -> fQ uS S0 e; have e' : U^T *m (W *m Q) *m S = diag_mx s by rewrite -(mulmxA U^T) e mulmxA fU mul1mx.
  have [uN N] := upper_behind uS S0 e'; set M := U^T *m (W *m Q) in e' uN N *.
  exists (fun l i => if l is 0 then M i i else 1), [:: layer_distance W b U Q]; split=> /=.
  - by case=> [|l'] i; rewrite ?ltr01 // -(pmulr_lgt0 _ (S0 i)) N.
  - by move=> i; rewrite big_ord1 N.
  - case=> // _; apply: le_trans (diagonal_le M) _; apply: le_trans (norm2_seen _ fU) (norm2_behind _ fQ).
  - by exists U, Q.
  - by rewrite big_seq1 distanceE // big_ord1 mul1n.
move=> [D [J' [D1 J'_is ->]]] fQ uS S0 e.
have [L LM] : exists L, L *m (diag_mx D *m W *m Q) = 1%:M.
  by apply: (has_left_inverse (J := J') (S := S) fU s0); rewrite -e !mulmxA.
have [P [T [fP eT [uT T0] norms [V fV trace]]]] := one_layer D1 fQ LM.
have [uTS diagTS] := upperM uT uS.
have [||t [d [t0 prod sums dist total]]] := IH J' P (T *m S) J'_is fP uTS.
- by move=> i; rewrite diagTS mulr_gt0.
- by rewrite -e mulmxA -(mulmxA J' P) -eT !mulmxA.
exists (fun l i => if l is l'.+1 then t l' i else T i i), (layer_distance W b V Q :: d); split=> /=.
- by case.
- by move=> i; rewrite big_ord_recl /= mulrAC mulrC -prod diagTS mulrA.
- by case.
- by split=> //; exists V, Q.
rewrite big_cons distanceE // big_ord_recl /= mulSn natrD mulrDr.
have : norm2 W + norm2 b + k%:R - 2%:R * \tr (V^T *m (W *m Q)) <= norm2 W + norm2 b + k%:R - 2%:R * \tr T.
  by rewrite ler_add2l ler_opp2 ler_pmul2l // ltr0n.
move=> h; apply: le_trans (ler_add h total) _; rewrite le_eqVlt /mxtrace; apply/orP; left; apply/eqP.
by move: (\sum_i T i i) (\sum_(l < depth others) _) (norm others) => a c y; numbers; ring.
Qed.
End Chain.

(** * What singular values cost *)
Section Costs.
Variables (R : rcfType) (slope at_zero : R).
Notation jacobian := (jacobian slope at_zero).

Lemma jacobian_is_product n m (f : network R n m) x : `|slope| <= 1 -> `|at_zero| <= 1 -> is_product f (jacobian f x).
Proof.
move=> a1 z1; elim: f x => [//|l k W b others IH] x /=; exists (slopes_at slope at_zero (W *m x + b))^T.
exists (jacobian others (activation slope (W *m x + b))); split=> // i; rewrite !mxE /slope_at.
by case: ifP => _; rewrite ?normr1 //; case: ifP.
Qed.
(** The same numbers for a product whose singular values are s, along the image of a projection. *)
Lemma numbers_of_layers n m (f : network R n m) J P k (s : 'rV_k) : is_product f J -> P^T = P -> P *m P = P ->
  are_singular_values (J *m P) s ->
  exists (t : nat -> 'I_k -> R) d, [/\ forall l i, 0 < t l i, forall i, \prod_(l < depth f) t l i = s 0 i,
    forall l, (l < depth f)%N -> \sum_i t l i ^+ 2 <= nth 0 (weight_norms f) l, are_distances f k d &
    \sum_(x <- d) x <= norm f + (depth f * k)%:R - 2%:R * (\sum_(l < depth f) \sum_i t l i)].
Proof.
move=> J_is sym idem [U [V [fU fV s0 e]]].
have PV : P *m V = V.
  have VE : V = P *m J^T *m U *m diag_mx (map_mx GRing.inv s).
    rewrite -{1}sym -trmx_mul e !trmx_mul trmxK tr_diag_mx -!mulmxA (mulmxA U^T) fU mul1mx mulmx_diag.
    rewrite -[LHS]mulmx1 -diag_const_mx; congr (_ *m diag_mx _).
    by apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
  by rewrite VE !mulmxA idem.
have [|||t [d [t0 prod sums dist total]]] := numbers_along_the_chain (S := 1%:M) J_is fV fU s0; last 1 first.
- by exists t, d; split=> // i; rewrite -prod mxE eqxx mulr1.
- by move=> i j ji; rewrite mxE -val_eqE gtn_eqF.
- by move=> i; rewrite mxE eqxx ltr01.
- by rewrite mulmx1 -[in LHS]PV mulmxA e -!mulmxA fV mulmx1.
Qed.
Lemma schatten n m (f : network R n m) J P k (s : 'rV_k) r : is_product f J -> P^T = P -> P *m P = P ->
  are_singular_values (J *m P) s -> are_powers (depth f) (s 0) r -> (depth f)%:R * (\sum_i r i) <= \sum_(w <- weight_norms f) w.
Proof.
move=> J_is sym idem values powers; have [t [d [t0 prod sums _ _]]] := numbers_of_layers J_is sym idem values.
apply: le_trans (_ : \sum_(l < depth f) \sum_i t l i ^+ 2 <= _); last first.
  by rewrite (big_nth 0) big_mkord (sizes f).1; apply: ler_sum => l _; exact: sums.
rewrite exchange_big mulr_sumr; apply: ler_sum => i _; have [r0 e] := powers i.
by apply: means => // [l|]; rewrite ?sqr_ge0 // e -prod -prodrXl.
Qed.
Lemma schatten_of_product n m (f : network R n m) J k (s : 'rV_k) r : is_product f J -> are_singular_values J s ->
  are_powers (depth f) (s 0) r -> (depth f)%:R * (\sum_i r i) <= \sum_(w <- weight_norms f) w.
Proof. by move=> J_is values; apply: schatten J_is (trmx1 _ _) (mulmx1 _) _; rewrite mulmx1. Qed.

(** [notion_of_rank.linear_networks] *)
Theorem cost_of_a_product n m (f : network R n m) k (s : 'rV_k) r : are_singular_values (matrix_of f) s ->
  are_powers (depth f) (s 0) r -> (depth f)%:R * (\sum_i r i) <= \sum_(w <- weight_norms f) w.
Proof.
apply: schatten_of_product; elim: f => [//|l k' W b others IH] /=; exists (const_mx 1), (matrix_of others); split=> // [i|].
  by rewrite mxE normr1.
by rewrite diag_const_mx mul1mx.
Qed.

(** [notion_of_rank.prop_3]: s are the singular values, and r their powers 2/L *)
Theorem schatten_bound n m (f : network R n m) x k (s : 'rV_k) r : `|slope| <= 1 -> `|at_zero| <= 1 ->
  are_singular_values (jacobian f x) s -> are_powers (depth f) (s 0) r ->
  \sum_i r i <= (\sum_(w <- weight_norms f) w) / (depth f)%:R.
Proof.
move=> a1 z1 values powers; rewrite ler_pdivl_mulr ?ltr0n ?depth_gt0 // mulrC.
exact: schatten_of_product (jacobian_is_product f x a1 z1) values powers.
Qed.
(** [notion_of_rank.prop_3.slopes]: J is a product of the layers with any diagonals *)
Theorem any_slopes n m (f : network R n m) J k (s : 'rV_k) r : is_product f J -> are_singular_values J s ->
  are_powers (depth f) (s 0) r -> \sum_i r i <= (\sum_(w <- weight_norms f) w) / (depth f)%:R.
Proof.
by move=> J_is values powers; rewrite ler_pdivl_mulr ?ltr0n ?depth_gt0 // mulrC; exact: schatten_of_product values powers.
Qed.

Section Logarithms.
Variable log : R -> R.
Hypothesis log_is : is_logarithm log.
Lemma log_le (x : R) : 0 < x -> 1 + log x <= x.
Proof. by move=> x0; rewrite addrC -ler_subr_addr; exact: (proj2 log_is). Qed.
Lemma log_prod I (u : seq I) (F : I -> R) : (forall i, 0 < F i) -> log (\prod_(i <- u) F i) = \sum_(i <- u) log (F i).
Proof.
move=> F0; elim: u => [|i u IH]; rewrite ?big_nil ?big_cons ?(log1 log_is) // (proj1 log_is) ?IH //.
by rewrite prodr_gt0.
Qed.
Lemma log_power (x : R) L : 0 < x -> log (x ^+ L) = L%:R * log x.
Proof.
move=> x0; elim: L => [|L IH]; first by rewrite mul0r (log1 log_is).
by rewrite exprS (proj1 log_is) ?exprn_gt0 // IH -[L.+1]add1n natrD mulrDl mul1r.
Qed.
Lemma volume_le k (s : 'rV_k) r L : (0 < L)%N -> (forall i, 0 < s 0 i) -> are_powers L (s 0) r ->
  (k * L)%:R + 2%:R * log (\prod_i s 0 i) <= L%:R * (\sum_i r i).
Proof.
move=> L0 s0 powers; have -> : (k * L)%:R = \sum_(i < k) L%:R :> R by rewrite sumr_const card_ord mulnC natrM mulr_natr.
rewrite log_prod // !mulr_sumr -big_split /=; apply: ler_sum => i _; have [r0 e] := powers i.
have rp : 0 < r i.
  by rewrite lt0r r0 andbT; apply: contraTneq (exprn_gt0 2 (s0 i)) => z; rewrite -e z expr0n gtn_eqF ?ltxx.
by rewrite -log_power // -e log_power // -[X in X + _]mulr1 -mulrDr ler_pmul2l ?ltr0n // log_le.
Qed.

(** [bottleneck_structure.theorem_3.lower_bound]: P is an orthogonal projection, s are the singular values along its image *)
Theorem jacobian_bounds_the_cost n m (f : network R n m) x (P : 'M_m) k (s : 'rV_k) r : `|slope| <= 1 -> `|at_zero| <= 1 ->
  P^T = P -> P *m P = P -> are_singular_values (jacobian f x *m P) s -> are_powers (depth f) (s 0) r ->
  (depth f)%:R * (\sum_i r i) <= \sum_(w <- weight_norms f) w /\
  (k * depth f)%:R + 2%:R * log (\prod_i s 0 i) <= (depth f)%:R * (\sum_i r i).
Proof.
move=> a1 z1 sym idem values powers; split; last by case: values => [U [V [_ _ s0 _]]]; exact: volume_le (depth_gt0 f) s0 powers.
exact: schatten (jacobian_is_product f x a1 z1) sym idem values powers.
Qed.

(** Frames whose distances cost no more than what the parameters cost beyond the rank and the volume. *)
Lemma near_frames n m (f : network R n m) J k (s : 'rV_k) : is_product f J -> are_singular_values J s ->
  exists2 d, are_distances f k d & \sum_(one <- d) one <= norm f - (k * depth f)%:R - 2%:R * log (\prod_i s 0 i).
Proof.
move=> J_is values; have values1 : are_singular_values (J *m 1%:M) s by rewrite mulmx1.
have [t [d [t0 prod _ dist total]]] := numbers_of_layers J_is (trmx1 _ _) (mulmx1 _) values1; exists d => //.
have -> : \prod_i s 0 i = \prod_(l < depth f) \prod_i t l i by rewrite exchange_big; apply: eq_bigr => i _; rewrite prod.
apply: le_trans total _; rewrite log_prod; last by move=> l; rewrite prodr_gt0.
rewrite -subr_ge0.
have -> : norm f - (k * depth f)%:R - 2%:R * (\sum_(l < depth f) log (\prod_i t l i))
    - (norm f + (depth f * k)%:R - 2%:R * (\sum_(l < depth f) \sum_i t l i))
  = 2%:R * (\sum_(l < depth f) \sum_i t l i - \sum_(l < depth f) log (\prod_i t l i) - (k * depth f)%:R).
  by rewrite mulnC; move: (\sum_(l < _) log _) (\sum_(l < _) \sum_i _) (norm f) => *; ring.
have -> : (k * depth f)%:R = \sum_(l < depth f) \sum_(i < k) 1 :> R.
  by rewrite !sumr_const !card_ord mulrnA.
rewrite -!sumrB mulr_ge0 ?ler0n // sumr_ge0 // => l _.
by rewrite log_prod // -!sumrB sumr_ge0 // => i _; rewrite subr_ge0 ler_subr_addr log_le.
Qed.
Section Distances.
Variables (n m : nat) (f : network R n m) (x : 'cV[R]_m) (k : nat) (s : 'rV[R]_k) (d : seq R).
Hypotheses (a1 : `|slope| <= 1) (z1 : `|at_zero| <= 1).
Hypotheses (values : are_singular_values (jacobian f x) s) (least : least_distances f k d).
(** [bottleneck_structure.theorem_6]: d are the distances at the best frames, s the singular values of the Jacobian *)
Theorem nearly_isometries : \sum_(one <- d) one <= norm f - (k * depth f)%:R - 2%:R * log (\prod_i s 0 i).
Proof.
have [e dist] := near_frames (jacobian_is_product f x a1 z1) values; apply: le_trans.
elim: f d e least dist => [l W b | l k' W b others IH] [|d0 d'] [|e0 e] //=.
  by case: d' => //; case: e => // best [U [V [fU fV ->]]]; rewrite !big_seq1; exact: least_is_least best fU fV.
move=> [best rest] [[U [V [fU fV ->]]] rest']; rewrite !big_cons ler_add ?(least_is_least best fU fV) //; exact: IH.
Qed.
Lemma distances_ge0 : size d = depth f /\ forall one, one \in d -> 0 <= one.
Proof.
elim: f d least => [l W b | l k' W b others IH] [|d0 d'] //=.
  by case: d' => // /least_ge0 h; split=> // one; rewrite inE => /eqP->.
by move=> [/least_ge0 h0 /IH[-> h]]; split=> // one; rewrite inE => /orP[/eqP->|/h].
Qed.
(** [bottleneck_structure.theorem_6.bad_layers]: of the layer j + 1 in descending order *)
Theorem few_bad_layers (p : R) j : 0 <= p -> (j < depth f)%N ->
  (if p * (depth f)%:R <= j.+1%:R then p * (depth f)%:R * nth 0 (descending d) j else 0)
  <= norm f - (k * depth f)%:R - 2%:R * log (\prod_i s 0 i).
Proof.
move=> p0 jL; apply: le_trans nearly_isometries; have [size_d d0] := distances_ge0.
case: ifP => [h | _]; last by rewrite big_seq sumr_ge0.
have jd : (j < size d)%N by rewrite size_d.
apply: le_trans (first_of_descending d0 jd); apply: ler_wpmul2r h.
by apply: d0; rewrite -(mem_sort >=%R) mem_nth // size_sort.
Qed.
End Distances.

(** [bottleneck_structure.theorem_6.scalar_inequality]: U and V have the singular vectors of A, and U V^T is its polar factor *)
Theorem logarithm_is_less n m k (U : 'M[R]_(n, k)) (V : 'M_(m, k)) (s : 'rV_k) :
  frame U -> frame V -> (forall i, 0 < s 0 i) -> let A := U *m diag_mx s *m V^T in
  norm2 (A - U *m V^T) + k%:R <= norm2 A - 2%:R * log (\prod_i s 0 i).
Proof.
move=> fU fV s0 /=; set A := U *m _ *m _; have normE (u : 'rV_k) : norm2 (U *m diag_mx u *m V^T) = \sum_i u 0 i ^+ 2.
  rewrite -mulmxA norm2_in_frame // -norm2_tr trmx_mul trmxK tr_diag_mx norm2_in_frame // norm2E; apply: eq_bigr => i _.
  rewrite (bigD1 i) //= big1 ?addr0 => [|j ji]; rewrite !mxE ?eqxx // (negPf ji) mulr0n expr0n //.
have -> : A - U *m V^T = U *m diag_mx (s - const_mx 1) *m V^T.
  by rewrite linearB /= diag_const_mx mulmxBr mulmx1 mulmxBl.
have -> : k%:R = \sum_(i < k) 1 :> R by rewrite sumr_const card_ord.
rewrite !normE log_prod // mulr_sumr -big_split -sumrB; apply: ler_sum => i _; rewrite !mxE.
have := log_le (s0 i); rewrite -(ler_pmul2l (ltr0n _ 2)) => h; rewrite -subr_ge0.
have -> : s 0 i ^+ 2 - 2%:R * log (s 0 i) - ((s 0 i - 1) ^+ 2 + 1) = 2%:R * s 0 i - 2%:R * (1 + log (s 0 i)) by ring.
by rewrite subr_ge0.
Qed.
End Logarithms.

(** The construction of Theorem 1 has the product of the Jacobians. *)
Lemma product_after_affine n k m (h : network R n k) (U : 'M[R]_(k, m)) v J :
  is_product h J -> is_product (after_affine h U v) (J *m U).
Proof.
case: h U v J => [l W b | l k' W b others] U v J /=; first by move->.
by move=> [D [J' [D1 J'_is ->]]]; exists D, J'; split=> //; rewrite -!mulmxA.
Qed.
Lemma product_through n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d Jh Jg : (forall i, 0 < c i 0) ->
  is_product h Jh -> is_product g Jg -> is_product (through h s c d g) (Jh *m Jg).
Proof.
move=> c0 h_is; have one p : forall i, `|(const_mx 1 : 'rV[R]_p) 0 i| <= 1 by move=> i; rewrite mxE normr1.
elim: g Jg => [l W b | l p W b others IH] Jg /=; last first.
  by move=> [D [J' [D1 J'_is ->]]]; exists D, (Jh *m J'); split; rewrite ?mulmxA //; exact: IH.
move=> ->; exists (const_mx 1), (Jh *m diag_mx (map_mx GRing.inv c)^T); split=> //.
  elim: d => [|d IH] /=; first exact: product_after_affine.
  by exists (const_mx 1), (Jh *m diag_mx (map_mx GRing.inv c)^T); split=> //; rewrite diag_const_mx !mulmx1.
rewrite diag_const_mx mul1mx mulmxA -(mulmxA Jh) mulmx_diag; congr (_ *m W); rewrite -[LHS]mulmx1 -diag_const_mx.
by congr (_ *m diag_mx _); apply/rowP => i; rewrite !mxE mulVf // gt_eqF.
Qed.
Lemma depth_after_affine n k m (h : network R n k) (U : 'M[R]_(k, m)) v : depth (after_affine h U v) = depth h.
Proof. by case: h U v. Qed.
Lemma depth_through n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d :
  depth (through h s c d g) = (depth g + depth h + d)%N.
Proof.
elim: g => [l W b | l p W b others IH] /=; last by rewrite IH.
elim: d => [|d IH] /=; last by rewrite addnS IH.
by rewrite addn0 depth_after_affine.
Qed.
(** [notion_of_rank.theorem_1.sandwich]: through k neurons and d identities, with any shifts s and positive scales c *)
Theorem sandwich n k m (h : network R n k) (g : network R k m) (s c : 'cV_k) d x r (u : 'rV_r) q :
  `|slope| <= 1 -> `|at_zero| <= 1 -> (forall i, 0 < c i 0) ->
  let L := (depth g + depth h + d)%N in let J := jacobian h (value slope g x) *m jacobian g x in
  are_singular_values J u -> are_powers L (u 0) q ->
  \sum_i q i <= (norm_but_last g + \sum_i c i 0 ^+ 2 * Networks.before g s i + (d * k)%:R + \sum_i Networks.after h i / c i 0 ^+ 2
    + norm2 (first_biases h - first_weights h *m s) + norm_but_first h) / L%:R /\
  (\rank J <= k)%N.
Proof.
move=> a1 z1 c0 L J values powers; rewrite -norm_through -(depth_through h g s c d) in L powers *.
split; last by apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
have J_is : is_product (through h s c d g) J by apply: product_through => //; exact: jacobian_is_product.
rewrite ler_pdivl_mulr ?ltr0n ?depth_gt0 // mulrC; apply: le_trans (schatten_of_product J_is values powers) _.
rewrite norm_is_sum ler_addl (big_nth 0) sumr_ge0 // => i _; exact: bias_norms_ge0.
Qed.
End Costs.
