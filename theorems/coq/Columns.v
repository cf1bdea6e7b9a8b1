(** Columns of the kernel as new neurons, and the best features of a norm. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets Constants CostOfIdentity OperatorNorms NuclearNorms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Columns.
Variables (R : realFieldType) (w n : nat).
Implicit Types A : 'M[R]_(w, n).
Notation one := (ones R n).

(** [leaky_resnets.prop_2.column_norms]: of a point at which the column of the kernel does not help, if some point is zero *)
Theorem column_norms A (first i : 'I_n) : is_finite A -> col first A = 0 ->
  let P := pinv (sigma A) *m (pinv (sigma A))^T in let z := col i (kernel_without_bias A) in
  norm2 (A *m P *m z) <= (z^T *m P *m z) 0 0 ->
  norm2 (col i A) + 1 <= norm2 (col i (sigma A)).
Proof.
move=> finite zero P z help; have [seen shifted] := columns finite; rewrite -/P -/(kernel_without_bias A) in seen shifted.
have [_ c1] := constants_have_norm_at_most_1 A; rewrite -/P in c1.
have z0 a : A a first = 0 by move/matrixP/(_ a 0): zero; rewrite !mxE.
have APone : A *m P *m one = 0.
  have K0 : kernel_without_bias A *m delta_mx first (0 : 'I_1) = 0.
    rewrite /kernel_without_bias -mulmxA -colE (_ : col first (relu A) = 0) ?mulmx0 //.
    by apply/matrixP => a b; rewrite !mxE z0 maxxx.
  have := congr1 (fun M => M *m delta_mx first (0 : 'I_1)) shifted; rewrite /= mulmxDl -mulmxA K0 mulmx0 add0r -(colE first A) zero.
  rewrite -mulmxA (_ : one^T *m _ = 1%:M) ?mulmx1 // -colE.
  by apply/matrixP => a b; rewrite !mxE !ord1 eqxx.
have APz : A *m P *m z = col i A by rewrite /z -[in RHS]shifted APone mul0mx addr0 !colE mulmxA.
have Kt : (kernel_without_bias A)^T = kernel_without_bias A by rewrite /kernel_without_bias trmx_mul trmxK.
have zPz : (z^T *m P *m z) 0 0 + 2%:R = norm2 (col i (sigma A)) + (one^T *m P *m one) 0 0.
  have -> : (z^T *m P *m z) 0 0 = (kernel_without_bias A *m P *m kernel_without_bias A) i i.
    by rewrite /z tr_col Kt -row_mul mxE [RHS]mxE; apply: eq_bigr => j _; rewrite [row _ _ _ _]mxE [col _ _ _ _]mxE.
  have -> : (kernel_without_bias A *m P *m kernel_without_bias A) i i + 2%:R = kernel A i i + (one^T *m P *m one) 0 0.
    move/matrixP/(_ i i): seen; move: (_ *m P *m _) (kernel A) (_ 0 0) => M K c.
    by rewrite !mxE !big_ord1 !mxE !mulr1.
  by congr (_ + _); rewrite norm2E big_ord1 mxE; apply: eq_bigr => j _; rewrite !mxE expr2.
move: help; rewrite APz => help; rewrite -(ler_add2r ((one^T *m P *m one) 0 0)) -zPz -addrA; apply: ler_add => //.
by rewrite (natrD _ 1 1) ler_add2l.
Qed.

(** [leaky_resnets.prop_1.attained]: B^T B is V diag(s) V^T times the squared factor, its pseudo-inverse has the inverses *)
Theorem fourth_root_attains A k (U : 'M[R]_(w, k)) (s : 'rV_k) (V : 'M_(n, k)) (c : R) : singular_values A U s V ->
  c = \sum_i s 0 i -> A != 0 ->
  let size := norm2 A / c in
  let gram_of_B := size *: (V *m diag_mx s *m V^T) in
  let inverse := size^-1 *: (V *m diag_mx (map_mx GRing.inv s) *m V^T) in
  [/\ \tr gram_of_B = norm2 A, gram_of_B *m inverse *m A^T = A^T & \tr (A *m inverse *m A^T) * norm2 A = c ^+ 2].
Proof.
move=> [hU hV s0 e] c_is A0 size gram_of_B inverse.
have trace_of (u : 'rV[R]_k) : \tr (V *m diag_mx u *m V^T) = \sum_i u 0 i.
  by rewrite mxtrace_mulC mulmxA hV mul1mx mxtrace_diag.
have N0 : norm2 A != 0 by apply: contraNneq A0 => /norm2_eq0 ->.
have cn : c != 0.
  apply: contraNneq N0 => c0; have z i : s 0 i = 0.
    move: c_is; rewrite c0 => /esym/eqP; rewrite psumr_eq0 => [/allP/(_ i (mem_index_enum i))/eqP // | j _]; exact: ltW.
  have -> : A = 0; last by rewrite /norm2 inner0l.
  by rewrite e (_ : diag_mx s = 0) ?mulmx0 ?mul0mx //; apply/matrixP => i j; rewrite !mxE z mul0rn.
have szn : size != 0 by rewrite mulf_neq0 ?invr_neq0.
have At : A^T = V *m diag_mx s *m U^T by rewrite e !trmx_mul trmxK tr_diag_mx mulmxA.
have VV (u v : 'rV[R]_k) p (Y : 'M_(k, p)) :
    V *m diag_mx u *m V^T *m (V *m diag_mx v *m Y) = V *m diag_mx (\row_i (u 0 i * v 0 i)) *m Y.
  by rewrite !mulmxA -(mulmxA _ V^T V) hV mulmx1 -(mulmxA V) mulmx_diag.
split.
- by rewrite mxtraceZ trace_of -c_is /size divfK.
- have -> : gram_of_B *m inverse = V *m V^T.
    rewrite /gram_of_B /inverse -scalemxAr -scalemxAl scalerA mulVf // scale1r.
    rewrite VV (_ : \row_i _ = const_mx 1) ?diag_const_mx ?mulmx1 //.
    by apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
  by rewrite At !mulmxA -(mulmxA V) hV mulmx1.
- have -> : A *m inverse *m A^T = size^-1 *: (U *m diag_mx s *m U^T).
    rewrite /inverse -scalemxAr -scalemxAl; congr (_ *: _); rewrite e !trmx_mul trmxK tr_diag_mx.
    rewrite -!mulmxA (mulmxA V^T V) hV mul1mx (mulmxA V^T V) hV mul1mx (mulmxA (diag_mx s) (diag_mx _)) mulmx_diag.
    rewrite (_ : \row_i _ = const_mx 1) ?diag_const_mx ?mul1mx //.
    by apply/rowP => i; rewrite !mxE mulfV // gt_eqF.
  rewrite mxtraceZ mxtrace_mulC mulmxA hU mul1mx mxtrace_diag -c_is /size; field.
  by rewrite N0 cn.
Qed.
End Columns.
