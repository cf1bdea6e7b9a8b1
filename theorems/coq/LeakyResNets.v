(** Leaky ResNets: Hamilton's equations, the cost of the identity, the Legendre transform. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Require Import Matrices Positive.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B V dA : 'M[R]_(w, n).

(** The Hamiltonian, the velocities of its equations, and a step of the symplectic Euler method; energies and velocities are
    divided by L. *)
Definition hamiltonian A B : R := norm2 (B *m (sigma A)^T) / 2%:R - inner B A.
Definition velocity A B := B *m kernel A - A.
Definition adjoint_velocity A B := B - entrywise (positive A) ((B *m (relu A)^T)^T *m B).
Definition euler_adjoint A B (L rho : R) := B - (L * rho) *: adjoint_velocity A B.
Definition euler_step A B (L rho : R) := A + (L * rho) *: velocity A B.

(** The cost of the identity, the Lagrangian divided by L, the momentum of a velocity, what the kernel sees of a momentum. *)
Definition cost A : R := norm2 (A *m pinv (sigma A)).
Definition lagrangian A V : R := norm2 ((A + V) *m pinv (sigma A)) / 2%:R.
Definition momentum A V := (A + V) *m pinv (sigma A) *m (pinv (sigma A))^T.
Definition seen B A := B *m pinv (sigma A) *m sigma A.
Definition lacking A V B : R := lagrangian A V + hamiltonian A B - inner B V.

(** The smallest weights of a path with the derivative dA. *)
Definition derivative A (W : 'M[R]_(w, w + 1)) (L : R) := W *m sigma A - L *: A.
Definition weights A dA (L : R) := (L *: A + dA) *m pinv (sigma A).

(** The cost of the identity is finite. *)
Definition is_finite A := A *m pinv (sigma A) *m sigma A = A.
End Definitions.

Section Theorems.
Variables (R : realFieldType) (w n : nat).
Implicit Types A B V D Q S X Y : 'M[R]_(w, n).
Implicit Types W Z : 'M[R]_(w, w + 1).

Lemma half (x : R) : x / 2%:R + x / 2%:R = x.
Proof. by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0. Qed.
Lemma twice_half (x : R) : 2%:R * (x / 2%:R) = x.
Proof. by rewrite mulrCA mulfV ?mulr1 // pnatr_eq0. Qed.
Lemma kernelE A : kernel A = (relu A)^T *m relu A + ones R n *m (ones R n)^T.
Proof. by rewrite /kernel /sigma tr_col_mx mul_row_col trmxK. Qed.
Lemma inner_kernel A B : inner B (B *m kernel A) = norm2 (B *m (sigma A)^T).
Proof. by rewrite /kernel /norm2 inner_mulr trmxK mulmxA. Qed.
Lemma norm2_features A B : norm2 (B *m (sigma A)^T) = norm2 (B *m (relu A)^T) + norm2 (B *m ones R n).
Proof. by rewrite /norm2 !inner_mulr !trmxK -!mulmxA -innerDr -mulmxDr -kernelE. Qed.

(** [leaky_resnets.conservation.trace] *)
Theorem conservation_trace A B :
  inner (adjoint_velocity A B) A + inner B (velocity A B) = norm2 (B *m ones R n) /\
  norm2 (B *m (sigma A)^T) = 2%:R * hamiltonian A B + 2%:R * inner B A.
Proof.
split; last by rewrite /hamiltonian -mulrDr subrK twice_half.
rewrite /adjoint_velocity /velocity innerDl innerNl innerDr innerNr inner_kernel norm2_features.
rewrite inner_entrywise -relu_positive inner_mull trmxK inner_gram; ring.
Qed.

(** [leaky_resnets.prop_10.at_a_point] *)
Theorem prop_10_at_a_point A B :
  let F := sigma A in
  let dF := col_mx (entrywise (positive A) (velocity A B)) 0 in
  let dW := adjoint_velocity A B *m F^T + B *m dF^T in
  2%:R * inner (B *m F^T) dW = 2%:R * norm2 (B *m ones R n).
Proof.
move=> F dF dW; congr (_ * _); rewrite /dW innerDr.
have -> : inner (B *m F^T) (adjoint_velocity A B *m F^T)
    = norm2 (B *m F^T) - inner (entrywise (positive A) (B *m kernel A)) (relu A *m B^T *m B).
  rewrite innerC inner_mulr trmxK -(mulmxA B) -/(kernel A) /adjoint_velocity innerDl innerNl inner_kernel.
  by rewrite trmx_mul trmxK inner_entrywise [inner (entrywise _ _) _]innerC.
have -> : inner (B *m F^T) (B *m dF^T)
    = inner (relu A *m B^T *m B) (entrywise (positive A) (B *m kernel A)) - norm2 (B *m (relu A)^T).
  rewrite /F /dF /sigma !tr_col_mx !mul_mx_row trmx0 mulmx0 inner_row_mx (innerC _ 0) inner0l addr0.
  rewrite -inner_tr !trmx_mul !trmxK [LHS]innerC [LHS]inner_mulr trmxK [LHS]innerC /velocity entrywiseBr -relu_positive.
  by rewrite innerDr innerNr -[inner _ (relu A)]inner_tr !trmx_mul !trmxK (inner_mull B^T) trmxK.
rewrite /F norm2_features innerC; ring.
Qed.

(** [leaky_resnets.prop_10.discrete] *)
Theorem prop_10_discrete A B (L rho : R) (A_ge0 : forall i j, 0 <= A i j) :
  let F := sigma (- A) in let before := euler_adjoint (- A) B L rho in let b := L *: B *m ones R n in
  norm2 (L *: B *m F^T) = norm2 (L *: before *m F^T) + rho * L * (2%:R - rho * L) * norm2 b.
Proof.
have z : relu (- A) = 0 by apply/matrixP => i j; rewrite !mxE max_l // oppr_le0.
have p : positive (- A) = 0 by apply/matrixP => i j; rewrite !mxE oppr_gt0 ltNge A_ge0.
move=> F before b; rewrite !norm2_features z trmx0 !mulmx0.
have -> : before = (1 - L * rho) *: B.
  rewrite /before /euler_adjoint /adjoint_velocity p.
  have -> : entrywise (0 : 'M[R]_(w, n)) ((B *m (relu (- A))^T)^T *m B) = 0.
    by apply/matrixP => i j; rewrite !mxE mul0r.
  by rewrite subr0 scalerBl scale1r.
rewrite /b -!scalemxAl !norm2Z /norm2 inner0l; ring.
Qed.

Lemma gram_seen A : kernel A *m pinv (sigma A) = (sigma A)^T.
Proof. by rewrite -mulmxA tr_mul_pinv. Qed.
Lemma gram_inverse A : kernel A *m pinv (sigma A) *m (pinv (sigma A))^T = pinv (sigma A) *m sigma A.
Proof. by rewrite gram_seen tr_tr_pinv. Qed.

(** [leaky_resnets.legendre.momentum] *)
Theorem legendre_momentum A B : momentum A (B *m kernel A - A) = seen B A.
Proof. by rewrite /momentum /seen addrC subrK -2!(mulmxA B) gram_inverse mulmxA. Qed.

Section Legendre.
Variables (A B1 : 'M[R]_(w, n)) (W : 'M[R]_(w, w + 1)).
Let F := sigma A. Let S := pinv F. Let V := W *m F - A. Let B := momentum A V.
Let moved : A + V = W *m F. Proof. by rewrite /V addrC subrK. Qed.
Let BF : B *m F^T = W *m F *m S.
Proof. by rewrite /B /momentum moved -(mulmxA _ S^T) tr_pinv_tr -(mulmxA (W *m F)) (mulmxA S) pinv_mul_pinv. Qed.
Let inner_moved : inner B (A + V) = norm2 (W *m F *m S).
Proof. by rewrite /B /momentum moved inner_mulr trmxK. Qed.
Lemma legendre_parts :
  [/\ B *m kernel A - A = V, hamiltonian A B = inner B V - lagrangian A V
    & lacking A V B1 = norm2 ((B1 - B) *m (sigma A)^T) / 2%:R].
Proof.
split.
- by rewrite /kernel mulmxA BF -(mulmxA _ S) -(mulmxA W) (mulmxA F) mul_pinv_mul.
- rewrite /hamiltonian /lagrangian moved BF -/S; have := inner_moved; rewrite innerDr => <-.
  by field.
- have h : inner (B1 *m F^T) (W *m F *m S) = inner B1 A + inner B1 V.
    by rewrite -innerDr moved innerC -(mulmxA W) inner_mulr mul_pinv_sym -mulmxA tr_mul_pinv -inner_mulr innerC.
  rewrite /lacking /lagrangian /hamiltonian moved -/S mulmxBl BF norm2B h; by field.
Qed.
End Legendre.

(** [leaky_resnets.legendre] *)
Theorem legendre A (B1 : 'M[R]_(w, n)) W :
  let V := W *m sigma A - A in let B := momentum A V in
  [/\ B *m kernel A - A = V, hamiltonian A B = inner B V - lagrangian A V
    & lacking A V B1 = norm2 ((B1 - B) *m (sigma A)^T) / 2%:R].
Proof. exact: legendre_parts. Qed.

(** [leaky_resnets.legendre.duality]: where the norm of A + V is finite *)
Theorem legendre_duality A B V :
  (A + V) *m pinv (sigma A) *m sigma A = A + V -> inner B V <= lagrangian A V + hamiltonian A B.
Proof.
move=> finite; rewrite -subr_ge0 -/(lacking A V B).
have := legendre_parts A B ((A + V) *m pinv (sigma A)); rewrite finite [A + V - A]addrAC subrr add0r.
by case=> _ _ ->; rewrite mulr_ge0 ?norm2_ge0 // invr_ge0 ler0n.
Qed.

(** [leaky_resnets.speed_law.lower_bound]: where the cost is finite *)
Theorem speed_law_lower_bound A B : is_finite A -> - (2%:R * hamiltonian A B) <= cost A.
Proof.
move=> finite; have := @legendre_duality A B 0; rewrite /lagrangian !addr0 innerC inner0l => /(_ finite) h.
rewrite ler_oppl -subr_ge0 opprK.
have -> : 2%:R * hamiltonian A B + cost A = 2%:R * (cost A / 2%:R + hamiltonian A B) by rewrite mulrDr twice_half addrC.
by rewrite mulr_ge0 ?ler0n.
Qed.

(** [leaky_resnets.speed_law] *)
Theorem speed_law A B (L rho : R) : is_finite A -> L * rho != 0 ->
  let dA := (L * rho)^-1 *: (euler_step A B L rho - A) in
  2%:R * hamiltonian A B = norm2 (dA *m pinv (sigma A)) - norm2 (A *m pinv (sigma A)).
Proof.
move=> finite nonzero; rewrite /euler_step addrAC subrr add0r scalerA mulVf // scale1r /=.
rewrite /velocity mulmxBl -mulmxA gram_seen norm2B (inner_mulr B) trmxK finite /hamiltonian; numbers; by field.
Qed.

(** [leaky_resnets.weights_from_activations] *)
Theorem weights_from_activations A W (L : R) :
  let smallest := weights A (derivative A W L) L in let M := W *m sigma A in
  [/\ smallest *m sigma A = M, norm2 W = norm2 smallest + norm2 (W - smallest)
    & inner (M *m pinv (kernel A)) M = norm2 smallest].
Proof.
move=> smallest M; have -> : smallest = W *m sigma A *m pinv (sigma A).
  by rewrite /smallest /weights /derivative addrC subrK.
split; last by rewrite /kernel pinv_gram mulmxA inner_mulr trmxK.
- by rewrite -!mulmxA (mulmxA (sigma A)) mul_pinv_mul.
- exact: norm2_parts.
Qed.

Lemma free_pinv m k (F : 'M[R]_(m, k)) : row_free F -> F *m pinv F = 1%:M.
Proof.
move=> free; have := mul_pinv_mul F; move/(congr1 (mulmx^~ (pinvmx F))).
by rewrite /= -(mulmxA (F *m _) F) mulmxVp // mulmx1.
Qed.

(** [leaky_resnets.weights_from_activations.unique] *)
Theorem unique_weights A W (L : R) : row_free (sigma A) -> weights A (derivative A W L) L = W.
Proof. by move=> free; rewrite /weights /derivative addrC subrK -mulmxA free_pinv // mulmx1. Qed.

(** [leaky_resnets.weights_from_activations.critical] *)
Theorem critical_weights A B (L : R) :
  let W := L *: B *m (sigma A)^T in weights A (derivative A W L) L = W.
Proof. by move=> W; rewrite /weights /derivative addrC subrK /W -!mulmxA tr_mul_pinv. Qed.

(** [leaky_resnets.cost_of_identity] *)
Theorem cost_of_identity A Z : is_finite A ->
  let F := sigma A in let W := A *m pinv F + Z - Z *m F *m pinv F in
  [/\ W *m F + Z *m F = A + Z *m F, cost A <= norm2 W & \tr (A *m pinv (kernel A) *m A^T) = cost A].
Proof.
move=> finite F W; split.
- by congr (_ + _); rewrite /W mulmxBl mulmxDl -!mulmxA (mulmxA F) mul_pinv_mul addrK mulmxA.
- have -> : W = A *m pinv F + (Z - Z *m (F *m pinv F)) by rewrite /W -!mulmxA addrA.
  rewrite norm2D inner_seen; last by rewrite mulmxA pinv_mul_pinv.
  by rewrite mulr0 addr0 ler_addl norm2_ge0.
- by rewrite /kernel pinv_gram /cost /norm2 /inner [RHS]mxtrace_mulC trmx_mul !mulmxA.
Qed.

Definition dual_value A Y : R := 2%:R * inner Y A - norm2 (Y *m (sigma A)^T).
(** [leaky_resnets.cost_of_identity.semicontinuous] *)
Theorem semicontinuous A Y : is_finite A ->
  dual_value A Y <= cost A /\ cost A = dual_value A (A *m (pinv (sigma A) *m (pinv (sigma A))^T)).
Proof.
move=> finite; have dualE Y' : dual_value A Y' = - (2%:R * hamiltonian A Y').
  by rewrite /dual_value /hamiltonian mulrBr twice_half opprB.
split; first by rewrite dualE; exact: speed_law_lower_bound.
rewrite /dual_value -mulmxA -mulmxA tr_pinv_tr (mulmxA (pinv _)) pinv_mul_pinv.
by rewrite mulmxA inner_mulr trmxK -/(norm2 _) -/(cost A) mulr_natl mulr2n addrK.
Qed.

(** [leaky_resnets.discretisation.trace] *)
Theorem discretisation_trace A B (L rho : R) : L != 0 ->
  inner B (euler_step A B L rho) - inner (euler_adjoint A B L rho) A = rho * norm2 (L *: B *m ones R n) / L.
Proof.
move=> L0; rewrite -scalemxAl norm2Z -(proj1 (conservation_trace A B)) /euler_step /euler_adjoint.
by rewrite innerDr innerDl innerNl innerZr innerZl; field.
Qed.

(** [leaky_resnets.backward_equation.continuous]: V are the weights without the biases *)
Theorem backward_equation A B D (V : 'M[R]_w) (L : R) :
  inner (entrywise (positive A) (V^T *m B) - L *: B) D = inner B (V *m entrywise (positive A) D - L *: D).
Proof. by rewrite innerDl innerDr innerNl innerNr innerZl innerZr inner_entrywise inner_mull trmxK. Qed.

(** [leaky_resnets.output_scaling] *)
Theorem output_scaling A (V : 'M[R]_w) (b : 'cV[R]_w) (L c scale : R) : 0 <= scale ->
  V *m relu (scale *: A) + scale *: b *m (ones R n)^T - ((L + c) * scale) *: A
  = scale *: (V *m relu A + b *m (ones R n)^T - L *: A - c *: A).
Proof.
move=> s0; rewrite reluZ // -scalemxAr -scalemxAl !scalerBr scalerDr !scalerA mulrDl scalerDl opprD addrA.
by rewrite ![scale * _]mulrC.
Qed.

(** [leaky_resnets.reparametrisation] *)
Theorem reparametrisation A (V : 'M[R]_w) (b : 'cV[R]_w) (L pace growth : R) : 0 <= growth ->
  let B := b *m (ones R n)^T in
  (L * (pace - 1) * growth) *: A + (growth * pace) *: (V *m relu A + B - L *: A)
  = pace *: V *m relu (growth *: A) + (pace * growth) *: B - (L * growth) *: A.
Proof.
move=> g0 B; rewrite reluZ // -scalemxAr -scalemxAl; move: (V *m relu A) B => X B.
by apply/matrixP => i j; rewrite !mxE; move: (X i j) (B i j) (A i j) => x y z; ring.
Qed.

(** [leaky_resnets.prop_2.column]: where the cost is finite *)
Theorem columns A : is_finite A ->
  let P := pinv (sigma A) *m (pinv (sigma A))^T in let Kbar := (relu A)^T *m relu A in let one := ones R n in
  Kbar *m P *m Kbar + 2%:R *: (one *m one^T) = kernel A + (one^T *m P *m one) 0 0 *: (one *m one^T) /\
  A *m P *m Kbar + A *m P *m one *m one^T = A.
Proof.
move=> finite P Kbar one; have KE : Kbar = kernel A - one *m one^T by rewrite kernelE addrK.
have KP : kernel A *m P = pinv (sigma A) *m sigma A by rewrite /P mulmxA gram_inverse.
have PK : P *m kernel A = pinv (sigma A) *m sigma A.
  by rewrite /P /kernel mulmxA -(mulmxA (pinv _)) tr_pinv_tr (mulmxA (pinv _)) pinv_mul_pinv.
have seen_one : one^T *m (pinv (sigma A) *m sigma A) = one^T.
  have -> : one^T = row_mx 0 1%:M *m sigma A by rewrite /sigma mul_row_col mul0mx add0r mul1mx.
  by rewrite -mulmxA (mulmxA (sigma A)) mul_pinv_mul.
have one_seen : pinv (sigma A) *m sigma A *m one = one.
  by rewrite -[LHS]trmxK trmx_mul pinv_mul_sym seen_one trmxK.
split; last first.
  rewrite -(mulmxA (A *m P) one) -mulmxDr KE subrK -mulmxA PK mulmxA; exact: finite.
have KPK : kernel A *m P *m kernel A = kernel A by rewrite KP /kernel mulmxA pinv_mul_tr.
rewrite KE !(mulmxBl, mulmxBr) KPK outer KP mulmxA one_seen -(mulmxA (one *m _)) PK -(mulmxA one) seen_one.
by rewrite scaler_nat mulr2n opprB -!addrA; congr (_ + _); rewrite addKr addrC addrK.
Qed.

(** [leaky_resnets.prop_3.kernels] *)
Theorem kernels A :
  norm2 (A - relu A) ^+ 2 <= n%:R * norm2 (A^T *m A - (relu A)^T *m relu A).
Proof.
rewrite relu_sq; have -> : norm2 A - norm2 (relu A) = \tr (A^T *m A - (relu A)^T *m relu A) by rewrite linearB.
exact: trace_bound.
Qed.

Definition cost_without_bias A : R := norm2 (A *m pinv (relu A)).
(** [leaky_resnets.cost_of_identity.bias]: where the cost without bias is finite *)
Theorem bias_is_cheaper A : A *m pinv (relu A) *m relu A = A -> cost A <= cost_without_bias A.
Proof.
move=> finite; set W := row_mx (A *m pinv (relu A)) (0 : 'cV_w).
have WA : W *m sigma A = A by rewrite /W /sigma mul_row_col mul0mx addr0.
have -> : cost_without_bias A = norm2 W by rewrite /cost_without_bias /W /norm2 inner_row_mx inner0l addr0.
by rewrite (norm2_parts (sigma A) W) WA ler_addl norm2_ge0.
Qed.

Lemma legendre_momentum_kernel A X : momentum A (X *m kernel A - A) *m kernel A = X *m kernel A.
Proof. by rewrite legendre_momentum /seen -(mulmxA X) -(mulmxA X) /kernel (mulmxA (_ *m sigma A)) pinv_mul_tr. Qed.

(** [leaky_resnets.legendre.derivative]: for the velocity V = Q K - A and the momentum with any part of S in the kernel *)
Theorem legendre_derivative A Q S D :
  let V := Q *m kernel A - A in let change := D *m kernel A in
  let B := momentum A V + S - seen S A in
  let slope := (lagrangian A (V + change) - lagrangian A (V - change)) / 2%:R in
  B *m kernel A - A = V /\ slope = inner B change.
Proof.
move=> V change B slope.
have moved : A + V = Q *m kernel A by rewrite /V addrC subrK.
have BK : B *m kernel A = Q *m kernel A.
  have seen_kernel X : seen X A *m kernel A = X *m kernel A.
    by rewrite /seen -(mulmxA X) -(mulmxA X) /kernel (mulmxA (_ *m sigma A)) pinv_mul_tr.
  by rewrite /B mulmxBl mulmxDl seen_kernel addrK legendre_momentum_kernel // moved.
split; first by rewrite BK.
have part X : (X *m kernel A) *m pinv (sigma A) = X *m (sigma A)^T by rewrite -mulmxA gram_seen.
rewrite /slope /lagrangian (addrA A V change) (addrA A V (- change)) moved /change mulmxDl mulmxBl !part norm2B norm2D.
have -> : inner B (D *m kernel A) = inner (Q *m (sigma A)^T) (D *m (sigma A)^T).
  have sym := proj1 (gram_psd (sigma A)); rewrite -/(kernel A) in sym.
  by rewrite innerC (inner_mulr D) sym BK innerC (inner_mulr Q) sym [RHS](inner_mulr Q) trmxK -mulmxA.
by numbers => *; field.
Qed.

(** [leaky_resnets.energy_split]: where the costs are finite *)
Theorem energy_split A (dA : 'M[R]_(w, n)) (L : R) :
  is_finite A -> dA *m pinv (sigma A) *m sigma A = dA -> L != 0 ->
  let S := pinv (sigma A) in
  norm2 ((L *: A + dA) *m S) / (2%:R * L ^+ 2)
  = norm2 (A *m S) / 2%:R + inner (dA *m S) (A *m S) / L + norm2 (dA *m S) / (2%:R * L ^+ 2).
Proof.
move=> _ _ L0 S; rewrite mulmxDl -scalemxAl norm2D norm2Z innerZl [inner (A *m S) _]innerC.
by move: L0; numbers => *; field.
Qed.

(** [leaky_resnets.cost_of_identity.infinite] *)
Theorem missing_rank A W : (\rank (col_mx (sigma A) A) - \rank (sigma A) <= \rank (A - W *m sigma A)%R)%N.
Proof.
rewrite leq_subLR [X in (_ <= X)%N]addnC; apply: leq_trans (mxrank_adds_leqif (A - W *m sigma A) (sigma A)).
apply: mxrankS; rewrite col_mx_sub addsmxSr /=.
by rewrite -[X in (X <= _)%MS](subrK (W *m sigma A)) addmx_sub_adds // submxMl.
Qed.

(** [leaky_resnets.prop_2.not_strict]: where the cost is finite *)
Theorem shrinking_never_costs A (s : R) : is_finite A -> 0 < s <= 1 -> cost (s *: A) <= cost A.
Proof.
move=> finite /andP[s0 s1]; set W := A *m pinv (sigma A).
set W' := row_mx (lsubmx W) (s *: rsubmx W).
have W'A : W' *m sigma (s *: A) = s *: A.
  rewrite /W' /sigma mul_row_col reluZ ?ltW // -scalemxAr -scalemxAl -scalerDr -mul_row_col hsubmxK.
  by rewrite -/(sigma A) /W; congr (_ *: _).
have le_W : norm2 W' <= norm2 W.
  have -> : norm2 W = norm2 (lsubmx W) + norm2 (rsubmx W) by rewrite -{1}[W]hsubmxK /norm2 inner_row_mx.
  have -> : norm2 W' = norm2 (lsubmx W) + norm2 (s *: rsubmx W) by rewrite /W' /norm2 inner_row_mx.
  by rewrite norm2Z ler_add2l ler_pimull ?norm2_ge0 // expr_le1 // ltW.
apply: le_trans le_W; rewrite (norm2_parts (sigma (s *: A)) W') W'A ler_addl; exact: norm2_ge0.
Qed.

(** A layer of a leaky ResNet with weights W, and what it pulls the adjoints B back to. *)
Definition layer A W (L rho : R) := (1 - rho * L) *: A + rho *: (W *m sigma A).
Definition pulled A B W (L rho : R) :=
  (1 - rho * L) *: B + rho *: entrywise (positive A) ((lsubmx W)^T *m B).
(** [leaky_resnets.discretisation] *)
Theorem step_is_symplectic A B (L rho : R) :
  let W := L *: B *m (sigma A)^T in
  layer A W L rho = euler_step A B L rho /\ pulled A B W L rho = euler_adjoint A B L rho.
Proof.
move=> W; split.
  rewrite /layer /euler_step /velocity /W -!scalemxAl -mulmxA -/(kernel A) scalerA scalerBl scale1r scalerBr.
  by rewrite -addrA [- _ + _]addrC [rho * L]mulrC.
have WE : lsubmx W = L *: B *m (relu A)^T by rewrite /W /sigma tr_col_mx mul_mx_row row_mxKl.
have scaled (a : R) X Y : entrywise X (a *: Y) = a *: entrywise X Y by apply/matrixP => i j; rewrite !mxE mulrCA.
rewrite /pulled /euler_adjoint /adjoint_velocity WE -scalemxAl [(L *: _)^T]linearZ /= -scalemxAl scaled scalerA.
by rewrite scalerBl scale1r scalerBr opprB [rho * L]mulrC -!addrA; congr (_ + _); rewrite addrC.
Qed.

Fixpoint steps A W (L : R) rho := if rho is r :: rho' then steps (layer A W L r) W L rho' else A.
(** [leaky_resnets.discretisation.bottleneck]: steps of any lengths *)
Theorem bottleneck_is_still A (L : R) rho : (forall i j, 0 <= A i j) -> steps A (row_mx L%:M 0) L rho = A.
Proof.
move=> A0; have A_relu : relu A = A by apply/matrixP => i j; rewrite !mxE max_r.
elim: rho => //= r rho IH; have -> : layer A (row_mx L%:M 0) L r = A; last exact: IH.
rewrite /layer /sigma mul_row_col mul0mx addr0 A_relu mul_scalar_mx scalerA scalerBl scale1r subrK.
by [].
Qed.

Fixpoint forward A (layers : seq (R * 'M[R]_(w, w + 1))) (L : R) : seq 'M[R]_(w, n) :=
  if layers is (rho, W) :: others then layer A W L rho :: forward (layer A W L rho) others L else [::].
Definition squared_norm (layers : seq (R * 'M[R]_(w, w + 1))) : R := \sum_(one <- layers) one.1 * norm2 one.2.
Definition stretched (layers : seq (R * 'M[R]_(w, w + 1))) (c : R) := [seq (one.1 * c, c^-1 *: one.2) | one <- layers].
(** [leaky_resnets.range_symmetry]: weights and steps of all layers *)
Theorem range_is_a_unit layers A (L c : R) : c != 0 ->
  squared_norm (stretched layers c) * c = squared_norm layers /\
  forward A (stretched layers c) (L / c) = forward A layers L.
Proof.
move=> c0; split.
  rewrite /squared_norm /stretched big_map mulr_suml; apply: eq_bigr => one _ /=.
  by rewrite norm2Z; move: (norm2 _) (one.1) => x y; field.
elim: layers A => //= -[rho W] others IH A.
have -> : layer A (c^-1 *: W) (L / c) (rho * c) = layer A W L rho.
  rewrite /layer -scalemxAl scalerA; congr (_ *: _ + _ *: _); by field.
by rewrite IH.
Qed.
End Theorems.
