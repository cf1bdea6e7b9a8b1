(* What a programme of a certificate by identities says, and a checker that computes with quotients of polynomials.

   A programme is a list of operations. Each takes results by their distances: 1 is the result before. What it says is that certain
   results are zero, whatever the numbers are that satisfy the equations of the operations. *)
From Coq Require Import ZArith Rbase Lra Lia BinList Bool List.
From Verify Require Import Polynomials.
Import ListNotations.
Local Open Scope R_scope.

Inductive operation :=
  | Any (* a coordinate, or the value of a function of which nothing is known *)
  | Rational (n : Z) (d : positive)
  | Plus (i j : positive) | Minus (i j : positive) | Times (i j : positive) | Over (i j : positive)
  | Choice (c i j : positive) (* i where c is not negative, else j *).
(* For the checker: a quotient that is n / d, with g cancelled. *)
Inductive reduction := Cancel (n d g : poly).
Definition step := (operation * list reduction)%type.

Definition at_ (results : list R) (i : positive) : R := BinList.nth 0 i results.
Definition equation (o : operation) (before : list R) (r : R) (then_ : Prop) : Prop :=
  match o with
  | Any => then_
  | Rational n 1 => r = IZR n -> then_
  | Rational n d => r = IZR n / IZR (Zpos d) -> then_
  | Plus i j => r = at_ before i + at_ before j -> then_
  | Minus i j => r = at_ before i - at_ before j -> then_
  | Times i j => r = at_ before i * at_ before j -> then_
  | Over i j => at_ before j <> 0 -> r = at_ before i / at_ before j -> then_
  | Choice c i j => (0 <= at_ before c -> r = at_ before i) -> (at_ before c < 0 -> r = at_ before j) -> then_
  end.
Fixpoint all_zero (results : list R) (zeros : list positive) : Prop :=
  match zeros with
  | [] => True | [z] => at_ results z = 0 | z :: t => at_ results z = 0 /\ all_zero results t
  end.
Fixpoint says (code : list step) (before after : list R) (zeros : list positive) : Prop :=
  match code, after with
  | [], _ => all_zero before zeros
  | (o, _) :: code, r :: after => equation o before r (says code (r :: before) after zeros)
  | _ :: _, [] => True
  end.

(* The checker. A quotient is a numerator and a denominator, and signs that were chosen are kept. *)
Definition quotient := (form * form)%type.
Definition one := constant 1.
Definition zero := constant 0.
Definition get (known : list quotient) (i : positive) : quotient := BinList.nth (zero, one) i known.
Definition is_zero (q : quotient) : bool := eqb (fst q) zero.
Definition same (a b : quotient) : bool := eqb (fst a) (fst b) && eqb (snd a) (snd b).
Definition add_or_sub (f : form -> form -> form) (a b : quotient) : quotient :=
  if eqb (snd a) (snd b) then (f (fst a) (fst b), snd a)
  else (f (mul (fst a) (snd b)) (mul (fst b) (snd a)), mul (snd a) (snd b)).
Definition multiply (a b : quotient) : quotient := (mul (fst a) (fst b), mul (snd a) (snd b)).
Definition divide (a b : quotient) : quotient :=
  if eqb (snd a) (snd b) then (fst a, fst b) else (mul (fst a) (snd b), mul (snd a) (fst b)).
Fixpoint reduced (a : quotient) (rs : list reduction) : quotient :=
  match rs with
  | [] => a
  | Cancel n d g :: t =>
      let n := normal n in let d := normal d in let g := normal g in
      if eqb (fst a) (mul g n) && eqb (snd a) (mul g d) then (n, d) else reduced a t
  end.
Definition choices := list (quotient * bool).
Fixpoint chosen (cs : choices) (a : quotient) : option bool :=
  match cs with [] => None | (b, answer) :: t => if same a b then Some answer else chosen t a end.
Fixpoint runs (code : list step) (inputs : nat) (cs : choices) (known : list quotient) (zeros : list positive) : bool :=
  match code with
  | [] => forallb (fun z => is_zero (get known z)) zeros
  | (o, rs) :: t =>
      let next q := runs t inputs cs (reduced q rs :: known) zeros in
      match o with
      | Any => runs t (S inputs) cs ((unknown inputs, one) :: known) zeros
      | Rational n d => next (constant n, constant (Zpos d))
      | Plus i j => next (add_or_sub add (get known i) (get known j))
      | Minus i j => next (add_or_sub sub (get known i) (get known j))
      | Times i j => next (multiply (get known i) (get known j))
      | Over i j => if is_zero (get known j) then true else next (divide (get known i) (get known j))
      | Choice c i j =>
          let q := get known c in
          let way cs (answer : bool) := runs t inputs cs (get known (if answer then i else j) :: known) zeros in
          match chosen cs q with
          | Some answer => way cs answer
          | None => way ((q, true) :: cs) true && way ((q, false) :: cs) false
          end
      end
  end.

(* It is sound. *)
Definition is (l : list R) (v : R) (a : quotient) : Prop := val l (snd a) <> 0 /\ v = val l (fst a) / val l (snd a).
Definition are (l : list R) (vs : list R) (qs : list quotient) : Prop :=
  forall k, is l (nth k vs 0) (nth k qs (zero, one)).

Lemma one_ok : forall l, val l one = 1.
Proof. intros l. exact (constant_ok l 1). Qed.
Lemma are_none : forall l, are l [] [].
Proof.
  intros l k. assert (N : is l 0 (zero, one)).
  { unfold is; cbn [fst snd]. rewrite one_ok. unfold zero. rewrite constant_ok. split; [lra | field]. }
  destruct k; exact N.
Qed.
Lemma are_cons : forall l v q vs qs, is l v q -> are l vs qs -> are l (v :: vs) (q :: qs).
Proof. intros l v q vs qs A B [| k]; [exact A | exact (B k)]. Qed.
Lemma get_ok : forall l vs qs, are l vs qs -> forall i, is l (at_ vs i) (get qs i).
Proof.
  intros l vs qs A i. destruct (Pos2Nat.is_succ i) as [k K]. apply SuccNat2Pos.inv in K. subst i.
  unfold at_, get. rewrite !nth_of_succ. apply A.
Qed.
Lemma both : forall x y, x <> 0 -> y <> 0 -> x * y <> 0.
Proof. intros x y A B. apply Rmult_integral_contrapositive_currified; assumption. Qed.
Lemma add_or_sub_ok : forall l (f : form -> form -> form) (g : R -> R -> R),
  (forall p q, val l (f p q) = g (val l p) (val l q)) -> (forall a b c, c <> 0 -> g (a / c) (b / c) = g a b / c) ->
  forall v w a b, is l v a -> is l w b -> is l (g v w) (add_or_sub f a b).
Proof.
  intros l f g F G v w [n1 d1] [n2 d2] [A ->] [B ->]; cbn [fst snd] in *; unfold add_or_sub; cbn [fst snd].
  destruct (eqb d1 d2) eqn:E; split; cbn [fst snd].
  - exact A.
  - rewrite F. rewrite <- (eqb_ok l _ _ E). apply G. exact A.
  - rewrite mul_ok. apply both; assumption.
  - rewrite F, !mul_ok, <- G by (apply both; assumption). f_equal; field; split; assumption.
Qed.
Lemma multiply_ok : forall l v w a b, is l v a -> is l w b -> is l (v * w) (multiply a b).
Proof.
  intros l v w [n1 d1] [n2 d2] [A ->] [B ->]; cbn [fst snd] in *; split; cbn [fst snd multiply]; rewrite !mul_ok.
  - apply both; assumption.
  - field; split; assumption.
Qed.
Lemma is_zero_ok : forall l v a, is l v a -> is_zero a = true -> v = 0.
Proof.
  intros l v [n d] [A ->] E. apply (eqb_ok l) in E. cbn [fst snd] in *. rewrite E. unfold zero. rewrite constant_ok. unfold Rdiv. ring.
Qed.
Lemma divide_ok : forall l v w a b, is l v a -> is l w b -> w <> 0 -> is l (v / w) (divide a b).
Proof.
  intros l v w [n1 d1] [n2 d2] [A ->] [B ->] N; cbn [fst snd] in *; unfold divide; cbn [fst snd].
  assert (M : val l n2 <> 0) by (intros Z; apply N; rewrite Z; unfold Rdiv; ring).
  destruct (eqb d1 d2) eqn:E; split; cbn [fst snd].
  - exact M.
  - rewrite <- (eqb_ok l _ _ E). field; split; assumption.
  - rewrite mul_ok. apply both; assumption.
  - rewrite !mul_ok. field; repeat split; assumption.
Qed.
Lemma reduced_ok : forall l v rs a, is l v a -> is l v (reduced a rs).
Proof.
  intros l v rs; induction rs as [| [n d g] rs IH]; intros a A; cbn [reduced]; [exact A |].
  destruct (_ && _) eqn:E; [| exact (IH a A)]. apply andb_true_iff in E as [E F].
  apply (eqb_ok l) in E. apply (eqb_ok l) in F. destruct A as [A ->]. rewrite mul_ok in E, F. rewrite E, F in *.
  assert (G : val l (normal g) <> 0) by (intros Z; apply A; rewrite Z; ring).
  assert (K : val l (normal d) <> 0) by (intros Z; apply A; rewrite Z; ring).
  split; cbn [fst snd]; [exact K | field; split; assumption].
Qed.
Lemma same_ok : forall l v a b, same a b = true -> is l v a -> is l v b.
Proof.
  intros l v a b E [A ->]. apply andb_true_iff in E as [E F]. unfold is.
  rewrite <- (eqb_ok l _ _ E), <- (eqb_ok l _ _ F). split; [exact A | reflexivity].
Qed.
Lemma is_unique : forall l v w a, is l v a -> is l w a -> v = w.
Proof. intros l v w a [_ ->] [_ ->]. reflexivity. Qed.

Definition signed (answer : bool) (v : R) : Prop := if answer then 0 <= v else v < 0.
Definition agree (l : list R) (cs : choices) : Prop :=
  forall a answer, In (a, answer) cs -> forall v, is l v a -> signed answer v.
Lemma chosen_ok : forall l cs a v answer, agree l cs -> is l v a -> chosen cs a = Some answer -> signed answer v.
Proof.
  intros l cs a v; induction cs as [| [b x] cs IH]; intros answer A V E; [discriminate |]. cbn in E.
  destruct (same a b) eqn:Q.
  - injection E as <-. exact (A b x (or_introl eq_refl) v (same_ok l v a b Q V)).
  - apply IH; try assumption. intros c y I. exact (A c y (or_intror I)).
Qed.
Lemma agree_also : forall l cs a v answer, agree l cs -> is l v a -> signed answer v -> agree l ((a, answer) :: cs).
Proof.
  intros l cs a v answer A V S b x [E | I] w W; [| exact (A b x I w W)].
  injection E as <- <-. rewrite (is_unique l w v a W V). exact S.
Qed.
Lemma all_zero_ok : forall l vs qs zeros,
  are l vs qs -> forallb (fun z => is_zero (get qs z)) zeros = true -> all_zero vs zeros.
Proof.
  intros l vs qs zeros A; induction zeros as [| z zeros IH]; intros E; [exact I |].
  cbn [forallb] in E. apply andb_true_iff in E as [E F].
  pose proof (is_zero_ok l _ _ (get_ok l vs qs A z) E) as Z. pose proof (IH F) as G.
  destruct zeros; [exact Z | split; assumption].
Qed.

(* The numbers that the coordinates of a programme are. *)
Fixpoint inputs_of (code : list step) (results : list R) : list R :=
  match code, results with
  | (Any, _) :: code, r :: results => r :: inputs_of code results
  | _ :: code, _ :: results => inputs_of code results
  | _, _ => []
  end.
Lemma runs_ok : forall l zeros code n cs before after qs,
  agree l cs -> are l before qs -> (forall k, nth (n + k) l 0 = nth k (inputs_of code after) 0) ->
  runs code n cs qs zeros = true -> says code before after zeros.
Proof.
  intros l zeros code; induction code as [| [o rs] code IH]; intros n cs before after qs C A N E.
  - exact (all_zero_ok l before qs zeros A E).
  - destruct after as [| r after]; [exact I |]. cbn [says].
    assert (go : forall q, o <> Any -> is l r q -> runs code n cs (reduced q rs :: qs) zeros = true ->
      says code (r :: before) after zeros).
    { intros q O Q F. refine (IH n cs (r :: before) after _ C _ _ F).
      - apply are_cons; [apply reduced_ok; exact Q | exact A].
      - intros k. rewrite N. destruct o; try reflexivity. contradiction. }
    pose proof (get_ok l before qs A) as G.
    destruct o as [| m d | i j | i j | i j | i j | c i j]; cbn [runs] in E; cbn [equation].
    + refine (IH (S n) cs (r :: before) after _ C _ _ E).
      * apply are_cons; [| exact A]. split; cbn [fst snd]; rewrite one_ok; [lra |]. rewrite unknown_ok.
        pose proof (N 0%nat) as Z. cbn in Z. rewrite Nat.add_0_r in Z. rewrite Z. field.
      * intros k. specialize (N (S k)). cbn in N. rewrite <- N. f_equal. lia.
    + assert (Q : r = IZR m / IZR (Zpos d) -> says code (r :: before) after zeros).
      { intros V. refine (go _ _ _ E); [discriminate |]. split; cbn [fst snd]; rewrite !constant_ok; [| exact V].
        intros Z. apply eq_IZR in Z. discriminate. }
      destruct d; try exact Q. intros V. apply Q. rewrite V. field.
    + intros ->. refine (go _ _ _ E); [discriminate |]. apply (add_or_sub_ok l add Rplus); auto.
      * intros; apply add_ok.
      * intros; field; assumption.
    + intros ->. refine (go _ _ _ E); [discriminate |]. apply (add_or_sub_ok l sub Rminus); auto.
      * intros; apply sub_ok.
      * intros; field; assumption.
    + intros ->. refine (go _ _ _ E); [discriminate |]. apply multiply_ok; auto.
    + intros D ->. destruct (is_zero (get qs j)) eqn:Z.
      * contradiction (D (is_zero_ok l _ _ (G j) Z)).
      * refine (go _ _ _ E); [discriminate |]. apply divide_ok; auto.
    + intros P M.
      assert (way : forall cs' (answer : bool), agree l cs' -> signed answer (at_ before c) ->
        runs code n cs' (get qs (if answer then i else j) :: qs) zeros = true -> says code (r :: before) after zeros).
      { intros cs' answer C' S F. refine (IH n cs' (r :: before) after _ C' _ _ F).
        - apply are_cons; [| exact A]. destruct answer; cbn in S; [rewrite (P S) | rewrite (M S)]; apply G.
        - intros k. rewrite N. reflexivity. }
      destruct (chosen cs (get qs c)) as [answer |] eqn:H.
      * exact (way cs answer C (chosen_ok l cs _ _ _ C (G c) H) E).
      * apply andb_true_iff in E as [E F]. destruct (Rle_or_lt 0 (at_ before c)) as [S | S].
        -- exact (way _ true (agree_also l cs _ _ true C (G c) S) S E).
        -- exact (way _ false (agree_also l cs _ _ false C (G c) S) S F).
Qed.

Theorem by_computation : forall code zeros, runs code 0 [] [] zeros = true -> forall results, says code [] results zeros.
Proof.
  intros code zeros E results. refine (runs_ok (inputs_of code results) zeros code 0 [] [] results [] _ _ _ E).
  - intros a answer [].
  - apply are_none.
  - reflexivity.
Qed.
