(** Words that the theorems share: the Frobenius product, the ReLU, the pseudo-inverse, squares that are not negative.
    R is any ordered field, such as the rationals or the real numbers; the sizes are any natural numbers. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variable R : realFieldType.

(** The sum of the products of entries, and the squared Frobenius norm. *)
Definition inner m n (A B : 'M[R]_(m, n)) : R := \tr (A^T *m B).
Definition norm2 m n (A : 'M[R]_(m, n)) : R := inner A A.

(** The entrywise product, the positive part, and where an entry is positive. *)
Definition entrywise m n (A B : 'M[R]_(m, n)) : 'M[R]_(m, n) := \matrix_(i, j) (A i j * B i j).
Definition relu m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx (Num.max 0) A.
Definition positive m n (A : 'M[R]_(m, n)) : 'M[R]_(m, n) := map_mx (fun a => (0 < a)%R%:R) A.

(** The vector of n ones, and the features of a representation: its positive part above a row of ones. *)
Definition ones n : 'cV[R]_n := const_mx 1.
Definition sigma w n (A : 'M[R]_(w, n)) : 'M[R]_(w + 1, n) := col_mx (relu A) (ones n)^T.
Definition kernel w n (A : 'M[R]_(w, n)) : 'M[R]_n := (sigma A)^T *m sigma A.

(** The pseudo-inverse, from a factorisation of full rank. *)
Definition pinv_of m k n (C : 'M[R]_(m, k)) (B : 'M[R]_(k, n)) : 'M[R]_(n, m) :=
  B^T *m invmx (B *m B^T) *m (invmx (C^T *m C) *m C^T).
Definition pinv m n (A : 'M[R]_(m, n)) : 'M[R]_(n, m) :=
  locked (pinv_of (col_base A) (row_base A)).
End Definitions.

(** * What holds of them *)
Section Facts.
Variable R : realFieldType.

Lemma innerE m n (A B : 'M[R]_(m, n)) : inner A B = \sum_j \sum_i A i j * B i j.
Proof. by rewrite /inner /mxtrace; apply: eq_bigr => j _; rewrite mxE; apply: eq_bigr => i _; rewrite mxE. Qed.
Lemma innerC m n (A B : 'M[R]_(m, n)) : inner A B = inner B A.
Proof. by rewrite /inner -mxtrace_tr trmx_mul trmxK. Qed.
Lemma inner0l m n (A : 'M[R]_(m, n)) : inner 0 A = 0.
Proof. by rewrite /inner trmx0 mul0mx mxtrace0. Qed.
Lemma innerDl m n (A B C : 'M[R]_(m, n)) : inner (A + B) C = inner A C + inner B C.
Proof. by rewrite /inner linearD /= mulmxDl mxtraceD. Qed.
Lemma innerDr m n (A B C : 'M[R]_(m, n)) : inner C (A + B) = inner C A + inner C B.
Proof. by rewrite innerC innerDl !(innerC C). Qed.
Lemma innerZl m n (a : R) (A B : 'M[R]_(m, n)) : inner (a *: A) B = a * inner A B.
Proof. by rewrite /inner linearZ /= -scalemxAl mxtraceZ. Qed.
Lemma innerZr m n (a : R) (A B : 'M[R]_(m, n)) : inner A (a *: B) = a * inner A B.
Proof. by rewrite innerC innerZl innerC. Qed.
Lemma innerNl m n (A B : 'M[R]_(m, n)) : inner (- A) B = - inner A B.
Proof. by rewrite -scaleN1r innerZl mulN1r. Qed.
Lemma innerNr m n (A B : 'M[R]_(m, n)) : inner A (- B) = - inner A B.
Proof. by rewrite innerC innerNl innerC. Qed.
(** Factors go to the other side as their transposes. *)
Lemma inner_mull m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) (C : 'M[R]_(m, p)) :
  inner (A *m B) C = inner B (A^T *m C).
Proof. by rewrite /inner trmx_mul mulmxA. Qed.
Lemma inner_mulr m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) (C : 'M[R]_(m, p)) :
  inner (A *m B) C = inner A (C *m B^T).
Proof. by rewrite /inner trmx_mul -mulmxA mxtrace_mulC mulmxA. Qed.
Lemma inner_tr m n (A B : 'M[R]_(m, n)) : inner A^T B^T = inner A B.
Proof. by rewrite /inner trmxK mxtrace_mulC -mxtrace_tr trmx_mul trmxK. Qed.

Lemma inner_row_mx m n p (A C : 'M[R]_(m, n)) (B D : 'M[R]_(m, p)) :
  inner (row_mx A B) (row_mx C D) = inner A C + inner B D.
Proof. by rewrite /inner tr_row_mx mul_col_row mxtrace_block. Qed.

Lemma norm2E m n (A : 'M[R]_(m, n)) : norm2 A = \sum_j \sum_i A i j ^+ 2.
Proof. by rewrite /norm2 innerE; under eq_bigr do under eq_bigr do rewrite -expr2. Qed.
Lemma norm2_ge0 m n (A : 'M[R]_(m, n)) : 0 <= norm2 A.
Proof. by rewrite norm2E; apply: sumr_ge0 => j _; apply: sumr_ge0 => i _; apply: sqr_ge0. Qed.
Lemma norm2_eq0 m n (A : 'M[R]_(m, n)) : norm2 A = 0 -> A = 0.
Proof.
rewrite norm2E => /eqP; rewrite psumr_eq0 => [/allP H | j _]; last by apply: sumr_ge0 => i _; apply: sqr_ge0.
apply/matrixP => i j; rewrite mxE; have /H := mem_index_enum j; rewrite implyTb.
rewrite psumr_eq0 => [/allP K | k _]; last exact: sqr_ge0.
by have /K := mem_index_enum i; rewrite implyTb sqrf_eq0 => /eqP.
Qed.
Lemma norm2D m n (A B : 'M[R]_(m, n)) : norm2 (A + B) = norm2 A + 2%:R * inner A B + norm2 B.
Proof. by rewrite /norm2 innerDl !innerDr (innerC B A) mulr_natl mulr2n !addrA. Qed.
Lemma norm2N m n (A : 'M[R]_(m, n)) : norm2 (- A) = norm2 A.
Proof. by rewrite /norm2 innerNl innerNr opprK. Qed.
Lemma norm2B m n (A B : 'M[R]_(m, n)) : norm2 (A - B) = norm2 A - 2%:R * inner A B + norm2 B.
Proof. by rewrite norm2D innerNr mulrN norm2N. Qed.
Lemma norm2Z m n (a : R) (A : 'M[R]_(m, n)) : norm2 (a *: A) = a ^+ 2 * norm2 A.
Proof. by rewrite /norm2 innerZl innerZr mulrA expr2. Qed.
Lemma norm2_tr m n (A : 'M[R]_(m, n)) : norm2 A^T = norm2 A.
Proof. exact: inner_tr. Qed.

Lemma inner_gram m k p (B : 'M[R]_(m, k)) (F : 'M[R]_(p, k)) : inner B (B *m F^T *m F) = norm2 (B *m F^T).
Proof. by rewrite /norm2 inner_mulr trmxK. Qed.

(** ** The ReLU *)
Lemma reluZ m n (a : R) (A : 'M[R]_(m, n)) : 0 <= a -> relu (a *: A) = a *: relu A.
Proof. by move=> a0; apply/matrixP => i j; rewrite !mxE maxr_pmulr // mulr0. Qed.
Lemma relu_sq m n (A : 'M[R]_(m, n)) : norm2 (A - relu A) = norm2 A - norm2 (relu A).
Proof.
rewrite !norm2E -sumrB; apply: eq_bigr => j _; rewrite -sumrB; apply: eq_bigr => i _; rewrite !mxE.
by case: (leP 0 (A i j)) => _; rewrite ?subrr ?expr0n ?subr0.
Qed.
Lemma entrywiseC m n (A B : 'M[R]_(m, n)) : entrywise A B = entrywise B A.
Proof. by apply/matrixP => i j; rewrite !mxE mulrC. Qed.
Lemma entrywiseBr m n (D A B : 'M[R]_(m, n)) : entrywise D (A - B) = entrywise D A - entrywise D B.
Proof. by apply/matrixP => i j; rewrite !mxE mulrBr. Qed.
Lemma inner_entrywise m n (D A B : 'M[R]_(m, n)) : inner (entrywise D A) B = inner A (entrywise D B).
Proof. by rewrite !innerE; apply: eq_bigr => j _; apply: eq_bigr => i _; rewrite !mxE mulrAC mulrC. Qed.
Lemma relu_positive m n (A : 'M[R]_(m, n)) : relu A = entrywise (positive A) A.
Proof.
by apply/matrixP => i j; rewrite !mxE; case: ltrP => _; rewrite ?mul1r ?mul0r.
Qed.
Lemma positive_relu m n (A : 'M[R]_(m, n)) : entrywise (positive A) (relu A) = relu A.
Proof.
by apply/matrixP => i j; rewrite !mxE; case: ltrP => _; rewrite ?mul1r ?mul0r.
Qed.

(** ** The pseudo-inverse has Penrose's four properties, and is the only matrix that has them *)
Lemma gram_unit m n (B : 'M[R]_(m, n)) : row_free B -> B *m B^T \in unitmx.
Proof.
move=> free; rewrite -row_free_unit -kermx_eq0; apply/rowV0P => x /sub_kermxP xB.
have : norm2 (x *m B)^T = 0.
  by rewrite /norm2 /inner trmxK trmx_mul mulmxA -(mulmxA x) xB mul0mx mxtrace0.
move/norm2_eq0 => h; have {h} : x *m B = 0 by rewrite -[LHS]trmxK h trmx0.
by move/(congr1 (mulmx^~ (pinvmx B))); rewrite -mulmxA mulmxVp // mulmx1 mul0mx.
Qed.
End Facts.

Lemma outer (R : realFieldType) m n p q (a : 'cV[R]_m) (b : 'cV_n) (Q : 'M_(n, p)) (c : 'cV_p) (d : 'cV_q) :
  a *m b^T *m Q *m (c *m d^T) = (b^T *m Q *m c) 0 0 *: (a *m d^T).
Proof. by rewrite -!mulmxA (mulmxA b^T) (mulmxA (b^T *m Q)) [b^T *m Q *m c]mx11_scalar mul_scalar_mx -scalemxAr mulmxA. Qed.

(** Cauchy's inequality for a diagonal: the squares of n t - T, summed. *)
Lemma trace_bound (R : realFieldType) n (M : 'M[R]_n) : (\tr M) ^+ 2 <= n%:R * norm2 M.
Proof.
set T := \tr M; have d : \sum_j M j j ^+ 2 <= norm2 M.
  rewrite norm2E; apply: ler_sum => j _; rewrite (bigD1 j) //= ler_addl.
  by apply: sumr_ge0 => i _; apply: sqr_ge0.
have e : \sum_j (n%:R * M j j - T) ^+ 2 = n%:R * (n%:R * (\sum_j M j j ^+ 2) - T ^+ 2).
  under eq_bigr => j _ do rewrite sqrrB exprMn.
  rewrite big_split /= sumrB sumrMnl sumr_const card_ord -mulr_sumr -mulr_suml -mulr_sumr -/T.
  rewrite -[T ^+ 2 *+ n]mulr_natl -/(\tr M) -/T; move: T (\sum_j _) n%:R => x y N; ring.
case: (posnP n) => [n0 | n_pos].
  have -> : T = 0 by rewrite /T /mxtrace big1 // => i; move: (ltn_ord i); rewrite {2}n0.
  by rewrite expr0n /= mulr_ge0 // ?ler0n // norm2_ge0.
have h : 0 <= \sum_j (n%:R * M j j - T) ^+ 2 by apply: sumr_ge0 => j _; apply: sqr_ge0.
rewrite e pmulr_rge0 ?ltr0n // subr_ge0 in h.
by apply: le_trans h _; rewrite ler_pmul2l // ltr0n.
Qed.

Section Factorisation.
Variables (R : realFieldType) (m k n : nat) (C : 'M[R]_(m, k)) (B : 'M[R]_(k, n)).
Hypotheses (BB : B *m B^T \in unitmx) (CC : C^T *m C \in unitmx).
Let P := pinv_of C B.
Lemma mul_pinv_of : C *m B *m P = C *m invmx (C^T *m C) *m C^T.
Proof. by rewrite /P /pinv_of !mulmxA -(mulmxA C B) -(mulmxA C (B *m _)) mulmxV // mulmx1. Qed.
Lemma pinv_of_mul : P *m (C *m B) = B^T *m invmx (B *m B^T) *m B.
Proof. by rewrite /P /pinv_of -!mulmxA (mulmxA C^T) (mulmxA (invmx (C^T *m C))) mulVmx // mul1mx. Qed.
Lemma penrose_of :
  [/\ C *m B *m P *m (C *m B) = C *m B, P *m (C *m B) *m P = P,
      (C *m B *m P)^T = C *m B *m P & (P *m (C *m B))^T = P *m (C *m B)].
Proof.
split.
- by rewrite mul_pinv_of -!mulmxA (mulmxA C^T) (mulmxA (invmx _)) mulVmx // mul1mx.
- by rewrite pinv_of_mul /P /pinv_of !mulmxA -(mulmxA _ B) -(mulmxA _ (B *m _)) mulmxV // mulmx1.
- by rewrite mul_pinv_of !trmx_mul trmxK trmx_inv trmx_mul trmxK mulmxA.
- by rewrite pinv_of_mul !trmx_mul trmxK trmx_inv trmx_mul trmxK mulmxA.
Qed.
End Factorisation.

Section PseudoInverse.
Variables (R : realFieldType) (m n : nat) (A : 'M[R]_(m, n)).
Lemma penrose :
  [/\ A *m pinv A *m A = A, pinv A *m A *m pinv A = pinv A, (A *m pinv A)^T = A *m pinv A & (pinv A *m A)^T = pinv A *m A].
Proof.
rewrite /pinv -lock; have := @penrose_of R m (\rank A) n (col_base A) (row_base A); rewrite mulmx_base; apply.
  by apply: gram_unit; apply: row_base_free.
by rewrite -{2}[col_base A]trmxK; apply: gram_unit; rewrite /row_free mxrank_tr; exact: col_base_full.
Qed.
Lemma mul_pinv_mul : A *m pinv A *m A = A. Proof. by case: penrose. Qed.
Lemma pinv_mul_pinv : pinv A *m A *m pinv A = pinv A. Proof. by case: penrose. Qed.
Lemma mul_pinv_sym : (A *m pinv A)^T = A *m pinv A. Proof. by case: penrose. Qed.
Lemma pinv_mul_sym : (pinv A *m A)^T = pinv A *m A. Proof. by case: penrose. Qed.
Lemma tr_mul_pinv : A^T *m (A *m pinv A) = A^T.
Proof. by rewrite -mul_pinv_sym -trmx_mul mul_pinv_mul. Qed.
Lemma pinv_mul_tr : pinv A *m A *m A^T = A^T.
Proof. by rewrite -pinv_mul_sym -trmx_mul mulmxA mul_pinv_mul. Qed.
Lemma pinv_unique (P : 'M[R]_(n, m)) :
  A *m P *m A = A -> P *m A *m P = P -> (A *m P)^T = A *m P -> (P *m A)^T = P *m A -> P = pinv A.
Proof.
move=> h1 h2 h3 h4.
have e : A *m P = A *m pinv A.
  by rewrite -h3 -{1}mul_pinv_mul -mulmxA trmx_mul h3 mul_pinv_sym mulmxA h1.
have f : P *m A = pinv A *m A.
  by rewrite -h4 -{1}mul_pinv_mul -(mulmxA A) (mulmxA P) trmx_mul h4 pinv_mul_sym -mulmxA (mulmxA A) h1.
by rewrite -h2 -mulmxA e mulmxA f pinv_mul_pinv.
Qed.
End PseudoInverse.

Section Gram.
Variables (R : realFieldType) (m n : nat) (F : 'M[R]_(m, n)).
Notation S := (pinv F).
Lemma tr_pinv_tr : S^T *m F^T = F *m S. Proof. by rewrite -trmx_mul mul_pinv_sym. Qed.
Lemma tr_tr_pinv : F^T *m S^T = S *m F. Proof. by rewrite -trmx_mul pinv_mul_sym. Qed.
(** The pseudo-inverse of a Gram matrix. *)
Lemma pinv_gram : pinv (F^T *m F) = S *m S^T.
Proof.
have e1 : F^T *m F *m (S *m S^T) = S *m F by rewrite -mulmxA (mulmxA F) mulmxA tr_mul_pinv tr_tr_pinv.
have e2 : S *m S^T *m (F^T *m F) = S *m F by rewrite -mulmxA (mulmxA S^T) tr_pinv_tr mul_pinv_mul.
symmetry; apply: pinv_unique.
- by rewrite e1 mulmxA pinv_mul_tr.
- by rewrite e2 mulmxA pinv_mul_pinv.
- by rewrite e1 pinv_mul_sym.
- by rewrite e2 pinv_mul_sym.
Qed.
(** The two parts of weights, seen and not seen by the features, are orthogonal. *)
Lemma norm2_parts k (W : 'M[R]_(k, m)) : norm2 W = norm2 (W *m F *m S) + norm2 (W - W *m F *m S).
Proof.
have h : inner W (W *m F *m S) = norm2 (W *m F *m S).
  by rewrite /norm2 -(mulmxA W) inner_mulr mul_pinv_sym -(mulmxA W) (mulmxA (F *m S) F S) mul_pinv_mul.
by rewrite norm2B h; ring.
Qed.
Lemma inner_seen k p (A : 'M[R]_(k, p)) (S' : 'M[R]_(p, m)) (Z : 'M[R]_(k, m)) :
  S' *m (F *m S) = S' -> inner (A *m S') (Z - Z *m (F *m S)) = 0.
Proof. by move=> h; rewrite innerDr innerNr [inner _ (Z *m _)]innerC (inner_mulr Z) mul_pinv_sym -mulmxA h innerC subrr. Qed.
End Gram.

(** Norms and products are numbers as any others. *)
Ltac numbers :=
  repeat match goal with
  | |- context [@norm2 ?R ?m ?n ?X] => let x := fresh "x" in move: (@norm2 R m n X) => x
  | |- context [@inner ?R ?m ?n ?X ?Y] => let x := fresh "x" in move: (@inner R m n X Y) => x
  end.
