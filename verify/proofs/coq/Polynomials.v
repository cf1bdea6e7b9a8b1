(* Polynomials with integer coefficients, as the theorems read them, and a normal form of them in which they are compared.

   [value] is what a polynomial is at real numbers. It computes to the very text that a theorem has: 2 * x * x - y. *)
From Coq Require Import ZArith Rbase Lra Ring_theory Ring_polynom BinList Setoid List.
Import ListNotations.
Local Open Scope R_scope.

(* An integer, and the numbers of the unknowns that it is multiplied with. *)
Record monomial := M { coefficient : Z; unknowns : list nat }.
Definition poly := list monomial.

Fixpoint times (l : list R) (a : R) (m : list nat) : R :=
  match m with [] => a | k :: t => times l (a * nth k l 0) t end.
Definition term (l : list R) (c : Z) (m : list nat) : R :=
  match c, m with 1%Z, k :: t => times l (nth k l 0) t | _, _ => times l (IZR c) m end.
Definition plus (l : list R) (a : R) (t : monomial) : R :=
  match coefficient t with Zneg c => a - term l (Zpos c) (unknowns t) | c => a + term l c (unknowns t) end.
Definition first (l : list R) (t : monomial) : R :=
  match coefficient t with Zneg c => - term l (Zpos c) (unknowns t) | c => term l c (unknowns t) end.
Definition value (l : list R) (p : poly) : R :=
  match p with [] => 0 | t :: r => fold_left (plus l) r (first l t) end.

(* The normal form is that of the tactic ring. *)
Definition form := Pol Z.
Definition val (l : list R) (f : form) : R := Pphi 0 Rplus Rmult IZR l f.
Definition constant (c : Z) : form := Pc c.
Definition add (f g : form) : form := Padd 0%Z Z.add Z.eqb f g.
Definition sub (f g : form) : form := Psub 0%Z Z.add Z.sub Z.opp Z.eqb f g.
Definition mul (f g : form) : form := Pmul 0%Z 1%Z Z.add Z.mul Z.eqb f g.
Definition opp (f : form) : form := Popp Z.opp f.
Definition eqb (f g : form) : bool := Peq Z.eqb f g.
Definition unknown (k : nat) : form := mk_X 0%Z 1%Z (Pos.of_succ_nat k).
Definition normal (p : poly) : form :=
  fold_right (fun t f => add (fold_right (fun k g => mul (unknown k) g) (constant (coefficient t)) (unknowns t)) f) (constant 0) p.

Lemma extensional : ring_eq_ext Rplus Rmult Ropp (@eq R).
Proof. constructor; congruence. Qed.
Lemma reals : ring_theory 0 1 Rplus Rmult Rminus Ropp (@eq R).
Proof. constructor; intros; ring. Qed.
Lemma almost : almost_ring_theory 0 1 Rplus Rmult Rminus Ropp (@eq R).
Proof. exact (Rth_ARth (Eqsth R) extensional reals). Qed.
Lemma integers : ring_morph 0 1 Rplus Rmult Rminus Ropp (@eq R) 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Z.eqb IZR.
Proof.
  constructor; try reflexivity; intros.
  - apply plus_IZR.
  - apply minus_IZR.
  - apply mult_IZR.
  - apply opp_IZR.
  - f_equal. apply Z.eqb_eq. assumption.
Qed.

Lemma constant_ok : forall l c, val l (constant c) = IZR c.
Proof. reflexivity. Qed.
Lemma add_ok : forall l f g, val l (add f g) = val l f + val l g.
Proof. intros l f g. exact (Padd_ok (Eqsth R) extensional almost integers g f l). Qed.
Lemma sub_ok : forall l f g, val l (sub f g) = val l f - val l g.
Proof. intros l f g. exact (Psub_ok (Eqsth R) extensional almost integers g f l). Qed.
Lemma mul_ok : forall l f g, val l (mul f g) = val l f * val l g.
Proof. intros l f g. exact (Pmul_ok (Eqsth R) extensional almost integers f g l). Qed.
Lemma opp_ok : forall l f, val l (opp f) = - val l f.
Proof. intros l f. exact (Popp_ok (Eqsth R) extensional almost integers f l). Qed.
Lemma eqb_ok : forall l f g, eqb f g = true -> val l f = val l g.
Proof. intros l f g E. exact (Peq_ok (Eqsth R) extensional integers f g E l). Qed.

Lemma nth_of_succ : forall A (d : A) k l, BinList.nth d (Pos.of_succ_nat k) l = nth k l d.
Proof.
  intros A d. assert (next : forall p l, BinList.nth d (Pos.succ p) l = BinList.nth d p (tl l)).
  { assert (from : forall p l, BinList.nth d p l = hd d (jump p (d :: l))).
    { intros p l. exact (nth_jump d p (d :: l)). }
    intros p l. rewrite nth_jump, (from (Pos.succ p)), jump_succ. cbn [jump].
    rewrite jump_tl. reflexivity. }
  induction k as [| k IH]; intros l.
  - destruct l; reflexivity.
  - cbn [Pos.of_succ_nat]. rewrite next, IH. destruct l; [destruct k |]; reflexivity.
Qed.
Lemma unknown_ok : forall l k, val l (unknown k) = nth k l 0.
Proof.
  intros l k. rewrite <- nth_of_succ. symmetry.
  exact (mkX_ok (Eqsth R) extensional almost integers (Pos.of_succ_nat k) l).
Qed.

Lemma times_ok : forall l m a, times l a m = a * val l (fold_right (fun k g => mul (unknown k) g) (constant 1) m).
Proof.
  intros l m; induction m as [| k m IH]; intros a; cbn [times fold_right].
  - rewrite constant_ok. ring.
  - rewrite IH, mul_ok, unknown_ok. ring.
Qed.
Lemma product_ok : forall l c m,
  val l (fold_right (fun k g => mul (unknown k) g) (constant c) m) = times l (IZR c) m.
Proof.
  intros l c m. rewrite times_ok. induction m as [| k m IH]; cbn [fold_right].
  - rewrite !constant_ok. ring.
  - rewrite !mul_ok, IH. ring.
Qed.
Lemma times_scaled : forall l m a, times l a m = a * times l 1 m.
Proof. intros l m a. rewrite times_ok, (times_ok l m 1). ring. Qed.
Lemma term_ok : forall l c m, term l c m = times l (IZR c) m.
Proof.
  intros l c m. assert (one : forall k t, times l (nth k l 0) t = times l 1 (k :: t)).
  { intros k t. cbn [times]. f_equal. ring. }
  unfold term. destruct c as [| [c | c |] | c]; try reflexivity. destruct m; [reflexivity | apply one].
Qed.
Lemma first_ok : forall l t, first l t = times l (IZR (coefficient t)) (unknowns t).
Proof.
  intros l [c m]; unfold first; cbn [coefficient unknowns]. destruct c as [| c | c]; rewrite term_ok; try reflexivity.
  rewrite (times_scaled l m (IZR (Zpos c))), (times_scaled l m (IZR (Zneg c))), <- Pos2Z.opp_pos, opp_IZR. ring.
Qed.
Lemma plus_ok : forall l a t, plus l a t = a + first l t.
Proof. intros l a [c m]; unfold plus, first; cbn [coefficient unknowns]. destruct c; ring. Qed.

Theorem normal_ok : forall l p, val l (normal p) = value l p.
Proof.
  intros l p. assert (sum : forall p a, fold_left (plus l) p a = a + val l (normal p)).
  { clear p. induction p as [| t p IH]; intros a; cbn [fold_left normal fold_right].
    - rewrite constant_ok. ring.
    - rewrite IH, plus_ok, add_ok, product_ok, first_ok. fold (normal p). ring. }
  destruct p as [| t p]; cbn [value].
  - reflexivity.
  - rewrite sum, first_ok. cbn [normal fold_right]. rewrite add_ok, product_ok. reflexivity.
Qed.
