(* What a leaf of a certificate by sums of squares has to show, and a checker for what shows it. *)
From Coq Require Import ZArith List Bool Rbase Lra.
From Verify Require Import Polynomials.
Import ListNotations.
Local Open Scope R_scope.

(* What is said of a real number. *)
Inductive sign := Zero | Nonzero | Positive | Nonnegative | Nonpositive | Negative.
Definition said (s : sign) (v : R) : Prop :=
  match s with
  | Zero => v = 0 | Nonzero => v <> 0 | Positive => 0 < v | Nonnegative => 0 <= v | Nonpositive => v <= 0 | Negative => v < 0
  end.
Definition fact := (poly * sign)%type.
Definition true_at (l : list R) (h : fact) : Prop := said (snd h) (value l (fst h)).

(* A leaf says: where all that is assumed holds, all goals do; or that it holds nowhere. What was assumed last comes first in a
   list, so that leaves share the rest of it. *)
Fixpoint assuming (l : list R) (assumed : list fact) (then_ : Prop) : Prop :=
  match assumed with [] => then_ | h :: t => assuming l t (true_at l h -> then_) end.
Fixpoint all_of (l : list R) (goals : list fact) : Prop :=
  match goals with [] => True | [g] => true_at l g | g :: t => true_at l g /\ all_of l t end.
Definition shows (l : list R) (assumed goals : list fact) : Prop := assuming l assumed (all_of l goals).
Definition is_empty (l : list R) (assumed : list fact) : Prop := assuming l assumed False.

(* Certificates. A square is a positive weight times assumptions, by place, times the square of a polynomial. An identity says:
   [scale] times a polynomial is [const] times a rest times the sums of squares, plus multiples of equations that are assumed.
   Of an integer that must be positive, [positive] makes one. *)
Inductive square := Square (weight : Z) (factors : list nat) (root : poly).
Definition multiples := list (nat * poly).
Inductive identity := Id (scale const : Z) (sums : list (list square)) (multiples : multiples).
Inductive inequality :=
  | Plain (i : identity)
  (* the rest is not negative: otherwise its product with positive assumptions would be negative, and it is a sum of squares *)
  | Rest (r : poly) (by_ : list nat) (of_rest i : identity).
Inductive certificate :=
  | Equation (scale : Z) (multiples : multiples)
  | Inequality (lemmas : list (poly * inequality)) (i : inequality).

(* The checker. *)
Definition positive (z : Z) : form := constant (Zpos (Z.to_pos z)).
Definition lookup (use : sign -> form -> option form) (hs : list fact) (i : nat) : option form :=
  match nth_error hs i with Some (p, s) => use s (normal p) | None => None end.
Definition not_negative (s : sign) (f : form) : option form :=
  match s with
  | Zero => None | Nonzero => Some (mul f f) | Positive | Nonnegative => Some f | Nonpositive | Negative => Some (opp f)
  end.
Definition positive_only (s : sign) (f : form) : option form :=
  match s with Nonzero => Some (mul f f) | Positive => Some f | Negative => Some (opp f) | _ => None end.
Definition equation (s : sign) (f : form) : option form := match s with Zero => Some f | _ => None end.

Fixpoint product (use : sign -> form -> option form) (hs : list fact) (is_ : list nat) (f : form) : option form :=
  match is_ with
  | [] => Some f
  | i :: t => match lookup use hs i with Some g => product use hs t (mul f g) | None => None end
  end.
Fixpoint sum (hs : list fact) (squares : list square) : option form :=
  match squares with
  | [] => Some (constant 0)
  | Square w is_ p :: t =>
      let root := normal p in
      match product not_negative hs is_ (mul root root), sum hs t with
      | Some f, Some g => Some (add (mul f (positive w)) g) | _, _ => None
      end
  end.
Fixpoint sums (hs : list fact) (groups : list (list square)) (f : form) : option form :=
  match groups with
  | [] => Some f
  | g :: t => match sum hs g with Some s => sums hs t (mul f s) | None => None end
  end.
Fixpoint combination (hs : list fact) (ms : multiples) : option form :=
  match ms with
  | [] => Some (constant 0)
  | (i, p) :: t =>
      match lookup equation hs i, combination hs t with
      | Some e, Some f => Some (add (mul e (normal p)) f) | _, _ => None
      end
  end.
Definition identical (hs : list fact) (left rest : form) (i : identity) : bool :=
  match i with Id scale const groups ms =>
    match sums hs groups rest, combination hs ms with
    | Some f, Some g => eqb (mul left (positive scale)) (add (mul f (positive const)) g)
    | _, _ => false
    end
  end.
Definition one := constant 1.
Definition contradicts (hs : list fact) (left : form) (by_ : list nat) (i : identity) : bool :=
  match product positive_only hs by_ left with Some f => identical hs f one i | None => false end.
Definition shown (hs : list fact) (p : poly) (c : inequality) : bool :=
  match c with
  | Plain i => identical hs (normal p) one i
  | Rest r by_ of_rest i => contradicts ((r, Negative) :: hs) (normal r) by_ of_rest && identical hs (normal p) (normal r) i
  end.
Fixpoint with_lemmas (hs : list fact) (ls : list (poly * inequality)) : option (list fact) :=
  match ls with
  | [] => Some hs
  | (p, c) :: t => if shown hs p c then with_lemmas ((p, Nonnegative) :: hs) t else None
  end.
Definition goal (hs : list fact) (g : fact) (c : certificate) : bool :=
  match snd g, c with
  | Zero, Equation scale ms =>
      match combination hs ms with Some f => eqb (mul (normal (fst g)) (positive scale)) f | None => false end
  | Nonnegative, Inequality ls i => match with_lemmas hs ls with Some hs => shown hs (fst g) i | None => false end
  | _, _ => false
  end.
Fixpoint goals (hs gs : list fact) (cs : list certificate) : bool :=
  match gs, cs with [], [] => true | g :: gs, c :: cs => goal hs g c && goals hs gs cs | _, _ => false end.

(* It is sound. *)
Definition hold (l : list R) (hs : list fact) : Prop := forall h, In h hs -> true_at l h.

Lemma hold_also : forall l hs h, hold l hs -> true_at l h -> hold l (h :: hs).
Proof. intros l hs h A B k [<- | I]; [exact B | exact (A k I)]. Qed.
Lemma lookup_ok : forall l use hs i f, hold l hs -> lookup use hs i = Some f ->
  exists s g, use s g = Some f /\ said s (val l g).
Proof.
  intros l use hs i f A E. unfold lookup in E. destruct (nth_error hs i) as [[p s] |] eqn:N; [| discriminate].
  exists s, (normal p). split; [exact E |]. rewrite normal_ok. exact (A _ (nth_error_In _ _ N)).
Qed.
Lemma square_positive : forall x, x <> 0 -> 0 < x * x.
Proof. intros x N. destruct (Rtotal_order x 0) as [L | [L | L]]; [| contradiction |]; nra. Qed.
Lemma not_negative_ok : forall l s f g, not_negative s f = Some g -> said s (val l f) -> 0 <= val l g.
Proof.
  intros l [] f g; try discriminate; intros [= <-]; cbn; rewrite ?mul_ok, ?opp_ok; try lra.
  intros N. apply Rlt_le, square_positive, N.
Qed.
Lemma positive_only_ok : forall l s f g, positive_only s f = Some g -> said s (val l f) -> 0 < val l g.
Proof.
  intros l [] f g; try discriminate; intros [= <-]; cbn; rewrite ?mul_ok, ?opp_ok; try lra. apply square_positive.
Qed.
Lemma product_not_negative : forall l hs is_ f g,
  hold l hs -> product not_negative hs is_ f = Some g -> 0 <= val l f -> 0 <= val l g.
Proof.
  intros l hs is_; induction is_ as [| i is_ IH]; cbn; intros f g A E F.
  - injection E as <-. exact F.
  - destruct (lookup not_negative hs i) as [h |] eqn:L; [| discriminate].
    destruct (lookup_ok l _ _ _ _ A L) as (s & k & K & V). apply (IH _ _ A E). rewrite mul_ok.
    apply Rmult_le_pos; [exact F | exact (not_negative_ok l _ _ _ K V)].
Qed.
Lemma product_positive : forall l hs is_ f g,
  hold l hs -> product positive_only hs is_ f = Some g -> exists k, 0 < k /\ val l g = val l f * k.
Proof.
  intros l hs is_; induction is_ as [| i is_ IH]; cbn; intros f g A E.
  - injection E as <-. exists 1. lra.
  - destruct (lookup positive_only hs i) as [h |] eqn:L; [| discriminate].
    destruct (lookup_ok l _ _ _ _ A L) as (s & k & K & V). pose proof (positive_only_ok l _ _ _ K V) as H.
    destruct (IH _ _ A E) as (m & M & Q). exists (val l h * m). split; [apply Rmult_lt_0_compat; assumption |].
    rewrite Q, mul_ok. ring.
Qed.
Lemma positive_ok : forall l z, 0 < val l (positive z).
Proof. intros l z. unfold positive. rewrite constant_ok. apply IZR_lt. reflexivity. Qed.
Lemma sum_ok : forall l hs squares f, hold l hs -> sum hs squares = Some f -> 0 <= val l f.
Proof.
  intros l hs squares; induction squares as [| [w is_ p] squares IH]; cbn [sum]; intros f A E.
  - injection E as <-. rewrite constant_ok. lra.
  - destruct (product not_negative hs is_ _) as [g |] eqn:P; [| discriminate].
    destruct (sum hs squares) as [h |] eqn:Q; [| discriminate].
    assert (V : f = add (mul g (positive w)) h) by congruence. rewrite V, add_ok, mul_ok.
    apply Rplus_le_le_0_compat; [| exact (IH _ A eq_refl)]. apply Rmult_le_pos; [| apply Rlt_le, positive_ok].
    apply (product_not_negative l _ _ _ _ A P). rewrite mul_ok. apply Rle_0_sqr.
Qed.
Lemma sums_ok : forall l hs groups f g, hold l hs -> sums hs groups f = Some g -> 0 <= val l f -> 0 <= val l g.
Proof.
  intros l hs groups; induction groups as [| s groups IH]; cbn; intros f g A E F.
  - injection E as <-. exact F.
  - destruct (sum hs s) as [h |] eqn:Q; [| discriminate]. apply (IH _ _ A E). rewrite mul_ok.
    apply Rmult_le_pos; [exact F | exact (sum_ok l hs s h A Q)].
Qed.
Lemma combination_ok : forall l hs ms f, hold l hs -> combination hs ms = Some f -> val l f = 0.
Proof.
  intros l hs ms; induction ms as [| [i p] ms IH]; cbn [combination]; intros f A E.
  - injection E as <-. reflexivity.
  - destruct (lookup equation hs i) as [e |] eqn:L; [| discriminate].
    destruct (combination hs ms) as [g |] eqn:Q; [| discriminate]. injection E as <-.
    destruct (lookup_ok l _ _ _ _ A L) as (s & k & K & V). destruct s; try discriminate. injection K as ->.
    cbn in V. rewrite add_ok, mul_ok, V, (IH g A eq_refl). ring.
Qed.
Lemma identical_ok : forall l hs left rest i,
  hold l hs -> identical hs left rest i = true -> 0 <= val l rest -> 0 <= val l left.
Proof.
  intros l hs left rest [scale const groups ms] A E F. unfold identical in E.
  destruct (sums hs groups _) as [f |] eqn:P; [| discriminate].
  destruct (combination hs ms) as [g |] eqn:Q; [| discriminate].
  apply (eqb_ok l) in E. rewrite add_ok, !mul_ok, (combination_ok l hs ms g A Q) in E.
  pose proof (sums_ok l _ _ _ _ A P F) as S. pose proof (positive_ok l scale) as C. pose proof (positive_ok l const) as D.
  destruct (Rle_or_lt 0 (val l left)) as [K | K]; [exact K | exfalso; nra].
Qed.
Lemma one_ok : forall l, 0 <= val l one.
Proof. intros l. unfold one. rewrite constant_ok. lra. Qed.
Lemma contradicts_ok : forall l hs left by_ i, hold l hs -> contradicts hs left by_ i = true -> 0 <= val l left.
Proof.
  intros l hs left by_ i A E. unfold contradicts in E.
  destruct (product positive_only hs by_ left) as [f |] eqn:P; [| discriminate].
  destruct (product_positive l _ _ _ _ A P) as (k & K & Q). pose proof (identical_ok l _ _ _ _ A E (one_ok l)) as N.
  destruct (Rle_or_lt 0 (val l left)) as [L | L]; [exact L | exfalso; nra].
Qed.
Lemma shown_ok : forall l hs p c, hold l hs -> shown hs p c = true -> 0 <= value l p.
Proof.
  intros l hs p [i | r by_ of_rest i] A E; rewrite <- normal_ok; cbn in E.
  - exact (identical_ok l _ _ _ _ A E (one_ok l)).
  - apply andb_true_iff in E as [E F]. apply (identical_ok l _ _ _ _ A F).
    destruct (Rle_or_lt 0 (val l (normal r))) as [L | L]; [exact L |].
    refine (contradicts_ok l _ _ _ _ _ E). apply hold_also; [exact A |]. cbn. rewrite <- normal_ok. exact L.
Qed.
Lemma with_lemmas_ok : forall l ls hs hs', hold l hs -> with_lemmas hs ls = Some hs' -> hold l hs'.
Proof.
  intros l ls; induction ls as [| [p c] ls IH]; cbn; intros hs hs' A E.
  - injection E as <-. exact A.
  - destruct (shown hs p c) eqn:P; [| discriminate]. refine (IH _ _ _ E). apply hold_also; [exact A |].
    exact (shown_ok l _ _ _ A P).
Qed.
Lemma goal_ok : forall l hs g c, hold l hs -> goal hs g c = true -> true_at l g.
Proof.
  intros l hs [p s] c A E. unfold goal in E; cbn [fst snd] in E.
  destruct s; try discriminate; destruct c as [scale ms | ls i]; try discriminate; unfold true_at; cbn.
  - destruct (combination hs ms) as [f |] eqn:Q; [| discriminate]. apply (eqb_ok l) in E.
    rewrite mul_ok, (combination_ok l _ _ _ A Q), normal_ok in E.
    apply Rmult_integral in E as [E | E]; [exact E |]. pose proof (positive_ok l scale). lra.
  - destruct (with_lemmas hs ls) as [hs' |] eqn:L; [| discriminate].
    exact (shown_ok l hs' p i (with_lemmas_ok l _ _ _ A L) E).
Qed.
Lemma goals_ok : forall l hs gs cs, hold l hs -> goals hs gs cs = true -> all_of l gs.
Proof.
  intros l hs gs; induction gs as [| g gs IH]; intros [| c cs] A E; try discriminate; [exact I |].
  cbn [goals] in E. apply andb_true_iff in E as [E F]. pose proof (goal_ok l hs g c A E) as G.
  pose proof (IH cs A F) as H. destruct gs; [exact G | split; assumption].
Qed.
Lemma assuming_ok : forall l hs (P : Prop), (hold l hs -> P) -> assuming l hs P.
Proof.
  intros l hs; induction hs as [| h hs IH]; cbn; intros P F.
  - apply F. intros h [].
  - apply IH. intros A H. apply F. exact (hold_also l hs h A H).
Qed.

Theorem by_squares : forall hs gs cs, goals hs gs cs = true -> forall l, shows l hs gs.
Proof. intros hs gs cs E l. apply assuming_ok. intros A. exact (goals_ok l hs gs cs A E). Qed.
Theorem nowhere : forall hs by_ i, contradicts hs (constant (-1)) by_ i = true -> forall l, is_empty l hs.
Proof.
  intros hs by_ i E l. apply assuming_ok. intros A. pose proof (contradicts_ok l _ _ _ _ A E) as N.
  rewrite constant_ok in N. lra.
Qed.
