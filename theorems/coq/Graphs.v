(** Completely positive factorisations and graphs: rows of a factor are cliques, and without triangles they are edges. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** How many entries of row i are not zero, and how many rows have at least two such entries. *)
Definition non_zeros r N (B : 'M[R]_(r, N)) (i : 'I_r) : nat := #|[pred a | B i a != 0]|.
Definition rows_of_edges r N (B : 'M[R]_(r, N)) : nat := #|[pred i | (1 < non_zeros B i)%N]|.
(** The edges of the support of a symmetric matrix: the pairs a < b whose entry is not zero; and that there is no triangle. *)
Definition edges N (M : 'M[R]_N) : nat := #|[pred q : 'I_N * 'I_N | (q.1 < q.2)%N && (M q.1 q.2 != 0)]|.
Definition no_triangle N (M : 'M[R]_N) :=
  forall a b c : 'I_N, a != b -> b != c -> a != c -> M a b != 0 -> M b c != 0 -> M a c != 0 -> False.
(** The matrix of a graph with k edges, one row for each with ones at its two ends. *)
Definition incidence N k (ends : 'I_k -> 'I_N * 'I_N) : 'M[R]_(k, N) :=
  \matrix_(e, a) ((a == (ends e).1) || (a == (ends e).2))%:R.
End Definitions.

(** * Theorems *)
Section Theorems.
Variables (R : realFieldType) (N : nat).

Lemma entry_ge0 r (B : 'M[R]_(r, N)) a b : (forall i j, 0 <= B i j) -> 0 <= (B^T *m B) a b.
Proof. by move=> B0; rewrite mxE; apply: sumr_ge0 => i _; rewrite mxE mulr_ge0. Qed.
(** Two vertices are joined if and only if a row has both. *)
Lemma joined r (B : 'M[R]_(r, N)) a b : (forall i j, 0 <= B i j) ->
  ((B^T *m B) a b != 0) = [exists i, (B i a != 0) && (B i b != 0)].
Proof.
move=> B0; rewrite mxE psumr_eq0 => [|i _]; last by rewrite mxE mulr_ge0.
rewrite -has_predC; apply/hasP/existsP => [[i _] | [i both]].
  by rewrite /= mxE mulf_eq0 negb_or => both; exists i.
by exists i; rewrite ?mem_index_enum //= mxE mulf_eq0 negb_or.
Qed.
Lemma at_most_two r (B : 'M[R]_(r, N)) i : (forall i j, 0 <= B i j) -> no_triangle (B^T *m B) -> (non_zeros B i <= 2)%N.
Proof.
move=> B0 none; rewrite leqNgt; apply/negP => /card_gt2P[a [b [c [[ha hb hc] [ab bc ca]]]]].
rewrite !inE in ha hb hc; apply: (none a b c) => //; first by rewrite eq_sym.
all: by rewrite joined //; apply/existsP; exists i; apply/andP.
Qed.
(** Each edge is the two entries of a row. *)
Lemma edges_le_rows r (B : 'M[R]_(r, N)) : (forall i j, 0 <= B i j) -> no_triangle (B^T *m B) ->
  (edges (B^T *m B) <= rows_of_edges B)%N.
Proof.
move=> B0 none; rewrite /edges /rows_of_edges; set E := [pred q : 'I_N * 'I_N | _]; set S := [pred i | _].
pose f (q : 'I_N * 'I_N) : option 'I_r := [pick i | (B i q.1 != 0) && (B i q.2 != 0)].
have fP q : q \in E -> exists2 i, f q = Some i & (B i q.1 != 0) && (B i q.2 != 0).
  rewrite inE joined // => /andP[_ /existsP[i both]]; rewrite /f; case: pickP => [l lP | none']; first by exists l.
  by have := none' i; rewrite both.
have lt q : q \in E -> (q.1 < q.2)%N by rewrite inE => /andP[].
rewrite -(card_in_imset (f := f) (D := E)) => [|q q' qE q'E]; last first.
  have [i -> /andP[h1 h2]] := fP q qE; have [j -> /andP[h1' h2']] := fP q' q'E; case=> e; rewrite -{j}e in h1' h2'.
  have two := at_most_two i B0 none; rewrite leqNgt in two.
  have same (a b c : 'I_N) : B i a != 0 -> B i b != 0 -> B i c != 0 -> a != b -> (c == a) || (c == b).
    move=> ha hb hc ab; apply: contraNT two; rewrite negb_or => /andP[ca cb]; apply/card_gt2P.
    by exists a, b, c; split; split; rewrite ?inE // eq_sym.
  have ne : q.1 != q.2 by apply: contraTN (lt q qE) => /eqP->; rewrite ltnn.
  have [/lt lq /lt lq'] := (qE, q'E); case: q q' {qE q'E} lq lq' h1 h2 h1' h2' ne => [a b] [c d] /= ab cd ha hb hc hd ne.
  have /orP[/eqP ca | /eqP cb] := same a b c ha hb hc ne; have /orP[/eqP da | /eqP db] := same a b d ha hb hd ne; subst => //.
  - by rewrite ltnn in cd.
  - by have := ltn_trans ab cd; rewrite ltnn.
  - by rewrite ltnn in cd.
rewrite -(card_imset S (f := Some)) => [|i j [] //]; apply: subset_leq_card; apply/subsetP => o /imsetP[q qE ->].
have [i -> /andP[h1 h2]] := fP q qE; apply/imsetP; exists i => //; rewrite inE /non_zeros; apply/card_gt1P.
by exists q.1, q.2; rewrite !inE; split=> //; apply: contraTN (lt q qE) => /eqP->; rewrite ltnn.
Qed.
(** [feature_learning.prop_13.supports] *)
Theorem rows_are_edges r (B : 'M[R]_(r, N)) : (forall i j, 0 <= B i j) -> no_triangle (B^T *m B) ->
  (forall i, (non_zeros B i <= 2)%N) /\ (edges (B^T *m B) <= rows_of_edges B)%N.
Proof. by move=> B0 none; split=> [i|]; [exact: at_most_two | exact: edges_le_rows]. Qed.

(** [feature_learning.prop_13]: E has k rows, all of them in use, and no factor without negative entries has fewer *)
Theorem cp_rank_is_the_number_of_edges k (ends : 'I_k -> 'I_N * 'I_N) : injective ends ->
  (forall e, ((ends e).1 < (ends e).2)%N) -> let E := incidence R ends in no_triangle (E^T *m E) ->
  [/\ forall e a, 0 <= E e a, forall e, exists a, E e a != 0, edges (E^T *m E) = k,
      forall a b, (E^T *m E) a b =
        (if a == b then #|[pred e | (a == (ends e).1) || (a == (ends e).2)]|
         else [exists e, (ends e == (a, b)) || (ends e == (b, a))] : nat)%:R
    & forall r (B : 'M[R]_(r, N)), (forall i j, 0 <= B i j) -> B^T *m B = E^T *m E -> (k <= r)%N].
Proof.
move=> inj lt E none; have E0 e a : 0 <= E e a by rewrite mxE ler0n.
have EP e a : (E e a != 0) = (a == (ends e).1) || (a == (ends e).2) by rewrite mxE pnatr_eq0 eqb0 negbK.
have count : edges (E^T *m E) = k.
  rewrite -[RHS]card_ord -(card_imset predT inj); apply: eq_card => -[a b]; rewrite !inE joined //=.
  apply/andP/imsetP => [[ab /existsP[e]] | [e _ ab]]; last first.
    by have := lt e; rewrite -ab /= => h; split=> //; apply/existsP; exists e; rewrite !EP -ab !eqxx orbT.
  rewrite !EP => /andP[ha hb]; exists e => //; have := lt e; case: (ends e) ha hb => c d /=.
  case/orP=> /eqP ac; case/orP=> /eqP bd cd; subst=> //.
  - by rewrite ltnn in ab.
  - by have := ltn_trans ab cd; rewrite ltnn.
  - by rewrite ltnn in ab.
split=> // [e | a b | r B B0 e].
  - by exists (ends e).1; rewrite EP eqxx.
  have [<- | ab] := eqVneq a b.
    rewrite mxE -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => e _; rewrite !mxE inE.
    by case: (_ || _); rewrite ?mulr0 ?mulr1.
  have ordered e c d : ends e = (c, d) -> (c < d)%N by move=> e_; have := lt e; rewrite e_.
  have both e : E e a * E e b = ((ends e == (a, b)) || (ends e == (b, a)))%:R.
    rewrite !mxE -natrM mulnb; congr (nat_of_bool _)%:R; case: (ends e) => c d; rewrite !xpair_eqE /= ![_ == c]eq_sym ![_ == d]eq_sym.
    apply/idP/idP => [/andP[/orP[] /eqP h1 /orP[] /eqP h2] | /orP[] /andP[/eqP-> /eqP->]]; rewrite ?eqxx ?orbT //.
    - by subst; rewrite eqxx in ab.
    - by subst; rewrite !eqxx.
    - by subst; rewrite !eqxx orbT.
    - by subst; rewrite eqxx in ab.
  rewrite mxE; under eq_bigr => e _ do rewrite mxE both.
  case: existsP => [[e eP] | no]; last by rewrite big1 // => e _; case: orP => // /orP eP; case: no; exists e.
  rewrite (bigD1 e) //= eP big1 ?addr0 // => e' ne; case: orP => // /orP e'P; case/eqP: ne; apply: inj.
  case/orP: eP => /eqP h; case/orP: e'P => /eqP h'; rewrite h h' //.
    by have := ltn_trans (ordered _ _ _ h) (ordered _ _ _ h'); rewrite ltnn.
  by have := ltn_trans (ordered _ _ _ h) (ordered _ _ _ h'); rewrite ltnn.
rewrite -count -e; apply: leq_trans (_ : _ <= rows_of_edges B)%N _; first by apply: edges_le_rows; rewrite ?e.
by rewrite -[X in (_ <= X)%N]card_ord; exact: max_card.
Qed.
End Theorems.
