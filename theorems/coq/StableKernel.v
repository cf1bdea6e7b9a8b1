(** Theorem 4 of the paper on leaky ResNets: the norm of the stable kernel at a point of phase space. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive LeakyResNets.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B : 'M[R]_(w, n).
(** The squared extra cost, |A|^2 + 2 H / L. *)
Definition radicand A B (gamma : R) : R := kernel_norm2 A (kernel A) gamma + 2%:R * hamiltonian A B.
End Definitions.

Section Theorem4.
Variables (R : realFieldType) (w n : nat) (A B : 'M[R]_(w, n)) (gamma : R).
Hypothesis gamma_pos : 0 < gamma.
Let K := kernel A.
Let S := K + gamma%:M.
Let P := invmx S.

Lemma kernel_psd : positive_semidefinite (kernel A). Proof. exact: gram_psd. Qed.
Let P_s : P^T = P. Proof. by apply: P_sym; exact: kernel_psd. Qed.
Let P_p : positive_semidefinite P. Proof. by apply: P_psd => //; exact: kernel_psd. Qed.
Let SP1 : S *m P = 1%:M. Proof. by apply: SP => //; exact: kernel_psd. Qed.
Let PS1 : P *m S = 1%:M. Proof. by apply: PS => //; exact: kernel_psd. Qed.
Lemma norm2_of_kernel (M : 'M[R]_(w, n)) : product S M M = norm2 (M *m (sigma A)^T) + gamma * norm2 M.
Proof. by rewrite S_split /product -inner_kernel innerC. Qed.
Lemma through (M N : 'M[R]_(w, n)) : product P (M *m S) N = inner M N.
Proof. by rewrite /product -mulmxA SP1 mulmx1. Qed.
Lemma shifted : velocity A B + gamma *: B = B *m S - A.
Proof. by rewrite /velocity /S mulmxDr mul_mx_scalar addrAC. Qed.

(** [leaky_resnets.theorem_4.identity] *)
Theorem theorem_4_identity :
  kernel_norm2 (velocity A B + gamma *: B) (kernel A) gamma = radicand A B gamma + gamma * norm2 B.
Proof.
rewrite /radicand /kernel_norm2 -/K -/S -/P shifted productDl !productDr // !productNl !productNr //.
rewrite (productC A (B *m S)) // !through -[inner B (B *m S)]innerC -/(product S B B) norm2_of_kernel /hamiltonian.
by rewrite opprK; move: (product _ _ _); numbers=> *; field.
Qed.

(** [leaky_resnets.theorem_4.length] *)
Theorem theorem_4_length :
  gamma * kernel_norm2 (velocity A B) (kernel A) gamma <= norm2 (velocity A B).
Proof. by apply: stable_le => //; exact: kernel_psd. Qed.

(** [leaky_resnets.theorem_4.stable_hamiltonian] *)
Theorem stable_hamiltonian :
  let V := velocity A B in let Q := B *m invmx (kernel A + gamma%:M) in
  2%:R * hamiltonian A B - (kernel_norm2 V (kernel A) gamma - kernel_norm2 A (kernel A) gamma)
  = 2%:R * gamma * inner Q V - gamma * inner (Q *m kernel A) B.
Proof.
move=> V Q; have := theorem_4_identity; rewrite /radicand /kernel_norm2 -/K -/S -/P -/V => h.
have -> : inner Q V = product P V B by rewrite productC.
have -> : inner (Q *m K) B = norm2 B - gamma * product P B B.
  have -> : Q *m K = B - gamma *: Q by apply/esym/eqP; rewrite subr_eq -mul_mx_scalar -mulmxDr /Q -mulmxA PS1 mulmx1.
  by rewrite innerDl innerNl innerZl.
clearbody V; move: h; rewrite productDl !productDr // !productZl !productZr // (productC B V) //.
move: (product P V V) (product P V B) (product P B B) (product P A A) (hamiltonian A B) (norm2 B) => v x b a H N h.
have -> : 2%:R * H = v + gamma * x + (gamma * x + gamma * (gamma * b)) - a - gamma * N by rewrite h; ring.
by ring.
Qed.
End Theorem4.

Section Trajectory.
Variables (R : realFieldType) (w n : nat) (T : Type) (A B : T -> 'M[R]_(w, n)) (gamma H c least : R).
(** [leaky_resnets.theorem_4.upper_bound]: along a path with the energy H, adjoints of at most the norm c, and least the smallest
    squared norm of its points *)
Theorem gap_is_at_most : 0 < gamma -> (forall p, hamiltonian (A p) (B p) = H) -> (forall p, norm2 (B p) <= c ^+ 2) ->
  (exists p, kernel_norm2 (A p) (kernel (A p)) gamma = least) -> - (least + 2%:R * H) <= gamma * c ^+ 2.
Proof.
move=> gamma_pos energy adjoints [p <-]; rewrite -(energy p); apply: le_trans (_ : gamma * norm2 (B p) <= _).
  rewrite -subr_ge0 opprK addrC -/(radicand (A p) (B p) gamma) -theorem_4_identity //.
  by apply: product_ge0; apply: P_psd => //; exact: kernel_psd.
by rewrite ler_pmul2l.
Qed.
End Trajectory.

Section Pointwise.
Variables (R : rcfType) (w n : nat) (A B : 'M[R]_(w, n)) (g : R).
Hypothesis g_pos : 0 < g.
Let gamma := g ^+ 2.
Let P := invmx (kernel A + gamma%:M).
Let gamma_pos : 0 < gamma. Proof. exact: exprn_gt0. Qed.
Let P_s : P^T = P. Proof. by apply: P_sym; exact: kernel_psd. Qed.
Let P_p : positive_semidefinite P. Proof. by apply: P_psd => //; exact: kernel_psd. Qed.

Definition norm_by (Q : 'M[R]_n) (M : 'M[R]_(w, n)) : R := Num.sqrt (product Q M M).
Lemma norm_by_ge0 Q M : 0 <= norm_by Q M. Proof. exact: sqrtr_ge0. Qed.
Lemma norm_by_sq Q M : positive_semidefinite Q -> norm_by Q M ^+ 2 = product Q M M.
Proof. by move=> H; rewrite sqr_sqrtr // product_ge0. Qed.
Lemma triangle Q M N : positive_semidefinite Q -> norm_by Q (M + N) <= norm_by Q M + norm_by Q N.
Proof.
move=> H; have [s _] := H.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?addr_ge0 ?norm_by_ge0 //.
rewrite sqrrD !norm_by_sq // productDl !productDr // (productC N M) //.
have h : product Q M N <= norm_by Q M * norm_by Q N.
  apply: le_trans (ler_norm _) _; rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 ?norm_by_ge0 ?normr_ge0 //.
  by rewrite exprMn !norm_by_sq // real_normK ?num_real // cauchy.
have -> : product Q M M + product Q M N + (product Q M N + product Q N N) = product Q M M + product Q M N *+ 2 + product Q N N.
  by rewrite mulr2n !addrA.
by rewrite ler_add2r ler_add2l ler_muln2r.
Qed.
Lemma norm_byN Q M : Q^T = Q -> norm_by Q (- M) = norm_by Q M.
Proof. by move=> s; rewrite /norm_by productNl productNr // opprK. Qed.
Lemma norm_byZ Q (a : R) M : Q^T = Q -> 0 <= a -> norm_by Q (a *: M) = a * norm_by Q M.
Proof. by move=> s a0; rewrite /norm_by productZl productZr // mulrA -expr2 sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm. Qed.

Let V := velocity A B.
Definition speed := Num.sqrt (kernel_norm2 (velocity A B) (kernel A) (g ^+ 2)).
Definition adjoint := g ^+ 2 * Num.sqrt (kernel_norm2 B (kernel A) (g ^+ 2)).
Definition extra := radicand A B (g ^+ 2).
Let u := speed. Let v := adjoint. Let plain := g * Num.sqrt (norm2 B).
Let xx := extra.

(** [leaky_resnets.theorem_4.pointwise] *)
Theorem theorem_4_pointwise :
  [/\ - (g ^+ 2 * norm2 B) <= extra,
      extra <= speed ^+ 2 + 2%:R * speed * adjoint,
      - adjoint <= speed - Num.sqrt (Num.max 0 extra)
    & speed - Num.sqrt (Num.max 0 extra) <= adjoint + g * Num.sqrt (norm2 B)].
Proof.
rewrite -/gamma -/u -/v -/plain -/xx.
have g0 : 0 <= gamma by apply: ltW.
have uE : u = norm_by P V by []. have vE : v = norm_by P (gamma *: B) by rewrite norm_byZ.
have u0 : 0 <= u by apply: sqrtr_ge0.
have v0 : 0 <= v by rewrite vE norm_by_ge0.
have p0 : 0 <= plain by rewrite mulr_ge0 ?sqrtr_ge0 // ltW.
have p2 : plain ^+ 2 = gamma * norm2 B by rewrite exprMn sqr_sqrtr ?norm2_ge0.
have v_le : v <= plain.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE // p2 vE norm_by_sq // productZl productZr // ler_pmul2l //.
  by apply: stable_le => //; exact: kernel_psd.
have s2 : norm_by P (V + gamma *: B) ^+ 2 = xx + plain ^+ 2 by rewrite norm_by_sq // p2 -theorem_4_identity.
set s := norm_by P (V + gamma *: B) in s2.
have s0 : 0 <= s by apply: norm_by_ge0.
have s_le : s <= u + v by rewrite uE vE; apply: triangle.
have u_le : u <= s + v.
  rewrite uE vE -(norm_byN (gamma *: B) P_s) -[X in norm_by P X <= _](addrK (gamma *: B)); exact: triangle.
set r := Num.sqrt _.
have r0 : 0 <= r by apply: sqrtr_ge0.
have m0 : 0 <= Num.max 0 xx by rewrite le_maxr lexx.
have r2 : r ^+ 2 = Num.max 0 xx by rewrite sqr_sqrtr.
have up : xx <= u ^+ 2 + 2%:R * u * v.
  have h1 : s ^+ 2 <= (u + v) ^+ 2 by rewrite ler_pexpn2r ?nnegrE ?addr_ge0.
  have h2 : v ^+ 2 <= plain ^+ 2 by rewrite ler_pexpn2r ?nnegrE.
  rewrite -(ler_add2r (plain ^+ 2)) -s2; apply: le_trans h1 _.
  have -> : (u + v) ^+ 2 = u ^+ 2 + 2%:R * u * v + v ^+ 2 by ring.
  by rewrite ler_add2l.
split=> //.
- by rewrite -p2 -subr_ge0 opprK -s2 sqr_ge0.
- rewrite ler_subr_addl ler_subl_addr -(@ler_pexpn2r _ 2) ?nnegrE ?addr_ge0 // r2 le_maxl sqr_ge0 /=.
  apply: le_trans up _; have -> : (u + v) ^+ 2 = u ^+ 2 + 2%:R * u * v + v ^+ 2 by ring.
  by rewrite ler_addl sqr_ge0.
- rewrite ler_subl_addr; apply: le_trans u_le _; rewrite addrC -addrA ler_add2l.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?addr_ge0 // s2.
  have -> : (plain + r) ^+ 2 = r ^+ 2 + plain ^+ 2 + 2%:R * plain * r by ring.
  apply: ler_paddr; first by rewrite -mulrA pmulr_rge0 ?ltr0n // mulr_ge0.
  by rewrite ler_add2r r2 le_maxr lexx orbT.
Qed.
End Pointwise.

Section Difference.
Variables (R : rcfType) (w n : nat) (A B : 'M[R]_(w, n)) (gamma : R).
Hypothesis gamma_pos : 0 < gamma.
Let P := invmx (kernel A + gamma%:M).
Let P_p : positive_semidefinite P. Proof. by apply: P_psd => //; exact: gram_psd. Qed.
Definition difference :=
  2%:R * hamiltonian A B - (kernel_norm2 (velocity A B) (kernel A) gamma - kernel_norm2 A (kernel A) gamma).
(** [leaky_resnets.theorem_4.stable_difference] *)
Theorem stable_difference :
  `|difference| <= 2%:R * Num.sqrt (gamma * norm2 B * kernel_norm2 (velocity A B) (kernel A) gamma) + gamma * norm2 B.
Proof.
set uu := kernel_norm2 _ _ _; set BB := _ * norm2 B; have g0 := ltW gamma_pos.
have := stable_hamiltonian A B gamma_pos; rewrite /= -/difference => ->.
set Q := B *m _; set V := velocity A B.
have -> : inner Q V = product P B V by [].
have QK : inner (Q *m kernel A) B = norm2 B - gamma * product P B B.
  have -> : Q *m kernel A = B - gamma *: Q.
    apply/esym/eqP; rewrite subr_eq -mul_mx_scalar -mulmxDr /Q -mulmxA mulVmx ?mulmx1 //.
    by apply: S_unit => //; exact: gram_psd.
  by rewrite innerDl innerNl innerZl.
have le1 : gamma * product P B B <= norm2 B by apply: stable_le => //; exact: gram_psd.
have p0 := product_ge0 B P_p; have v0 : 0 <= uu by apply: product_ge0.
have q0 : 0 <= gamma * inner (Q *m kernel A) B by rewrite QK mulr_ge0 // subr_ge0.
have q1 : gamma * inner (Q *m kernel A) B <= BB by rewrite QK /BB ler_wpmul2l // ler_subl_addr ler_addl mulr_ge0.
have r : gamma * `|product P B V| <= Num.sqrt (BB * uu).
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?sqrtr_ge0 ?mulr_ge0 ?normr_ge0 //.
  rewrite sqr_sqrtr; last by rewrite mulr_ge0 // mulr_ge0 // norm2_ge0.
  rewrite exprMn real_normK ?num_real //.
  apply: le_trans (_ : gamma ^+ 2 * (product P B B * uu) <= _); first by rewrite ler_wpmul2l ?sqr_ge0 // cauchy.
  rewrite mulrA ler_wpmul2r // expr2 -mulrA ler_wpmul2l //.
apply: le_trans (ler_norm_sub _ _) _; rewrite (ger0_norm q0) ler_add // -mulrA normrM ger0_norm ?ler0n //.
by rewrite ler_pmul2l ?ltr0n // normrM ger0_norm.
Qed.
End Difference.
