(** Circular convolutional networks: shifts, and the networks at every pixel.
    The pixels are any finite abelian group, such as pairs of numbers modulo n. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
Require Import Matrices Networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** * Definitions *)
Section Definitions.
Variables (R : realFieldType) (pixels : finZmodType) (slope : R).

(** An image with c channels, and the image moved by v; a filter, and the convolution with it, with a bias for each channel. *)
Definition image c := 'I_c -> pixels -> R.
Definition shifted c (v : pixels) (x : image c) : image c := fun i u => x i (u - v).
Definition filter c' c := 'I_c' -> 'I_c -> pixels -> R.
Definition convolved c' c (k : filter c' c) (b : 'I_c' -> R) (x : image c) : image c' :=
  fun o u => \sum_i \sum_w k o i (u - w) * x i w + b o.
(** A convolutional network, its value, and the squared norm of its parameters. *)
Inductive cnn (c' : nat) : nat -> Type :=
| LastFilter c (k : filter c' c) (b : 'I_c' -> R) : cnn c' c
| Filter c h (k : filter h c) (b : 'I_h -> R) (others : cnn c' h) : cnn c' c.
Fixpoint value_at c' c (f : cnn c' c) : image c -> image c' :=
  match f in cnn _ c return image c -> image c' with
  | LastFilter _ k b => convolved k b
  | Filter _ _ k b others => fun x => value_at others (fun i u => act slope (convolved k b x i u))
  end.
Definition filter_norm c' c (k : filter c' c) (b : 'I_c' -> R) : R := \sum_o (\sum_i \sum_w k o i w ^+ 2 + b o ^+ 2).
Fixpoint cnn_norm c' c (f : cnn c' c) : R :=
  match f with LastFilter _ k b => filter_norm k b | Filter _ _ k b others => filter_norm k b + cnn_norm others end.

(** Linear maps of images, that of a convolution, and the average over all shifts. *)
Definition linear_map c' c := 'I_c' -> pixels -> 'I_c -> pixels -> R.
Definition convolution_matrix c' c (k : filter c' c) : linear_map c' c := fun o u i w => k o i (u - w).
Definition average_over_shifts c' c (M : linear_map c' c) : linear_map c' c :=
  fun o u i w => (\sum_v M o (u + v) i (w + v)) / #|pixels|%:R.

(** The equivariant map of a fully connected network of images, as a convolutional network: the first filter is as large as the
    image, the rows of the first weights with the pixels in the opposite order; the others are of one pixel. *)
Definition flat c (x : image c) : 'cV[R]_#|{: 'I_c * pixels}| := \col_l x (enum_val l).1 (enum_val l).2.
Definition of_one_pixel c' c (W : 'M[R]_(c', c)) : filter c' c := fun o i w => if w == 0 then W o i else 0.
Definition reversed c' c m (W : 'M[R]_(c', m)) (place : 'I_c -> pixels -> 'I_m) : filter c' c := fun o i w => W o (place i (- w)).
Fixpoint pointwise n m (phi : network R n m) : cnn n m :=
  match phi in network _ _ m return cnn n m with
  | Last _ W b => LastFilter (of_one_pixel W) (fun o => b o 0)
  | Layer _ _ W b others => Filter (of_one_pixel W) (fun o => b o 0) (pointwise others)
  end.
Definition with_reversed n c m (phi : network R n m) : ('I_c -> pixels -> 'I_m) -> cnn n c :=
  match phi in network _ _ m return ('I_c -> pixels -> 'I_m) -> cnn n c with
  | Last _ W b => fun place => LastFilter (reversed W place) (fun o => b o 0)
  | Layer _ _ W b others => fun place => Filter (reversed W place) (fun o => b o 0) (pointwise others)
  end.
Definition equivariant n c (phi : network R n #|{: 'I_c * pixels}|) : cnn n c :=
  with_reversed phi (fun i u => enum_rank (i, u)).
End Definitions.

Section Theorems.
Variables (R : realFieldType) (pixels : finZmodType) (slope : R).
Notation image := (image R pixels).
Notation value_at := (value_at slope).

Lemma convolved_same c' c (k : filter R pixels c' c) b (x y : image c) : (forall i u, x i u = y i u) ->
  forall o u, convolved k b x o u = convolved k b y o u.
Proof. by move=> e o u; congr (_ + _); apply: eq_bigr => i _; apply: eq_bigr => w _; rewrite e. Qed.
Lemma value_same c' c (f : cnn R pixels c' c) (x y : image c) : (forall i u, x i u = y i u) ->
  forall o u, value_at f x o u = value_at f y o u.
Proof.
elim: f x y => [{}c k b | {}c h k b others IH] x y e o u /=; first exact: convolved_same.
by apply: IH => i w; congr (act _ _); exact: convolved_same.
Qed.
Lemma convolved_shifted c' c (k : filter R pixels c' c) b (x : image c) v o u :
  convolved k b (shifted v x) o u = shifted v (convolved k b x) o u.
Proof.
congr (_ + _); apply: eq_bigr => i _; rewrite (reindex_inj (addIr v)) /=; apply: eq_bigr => w _.
by rewrite /shifted addrK opprD addrA addrAC.
Qed.
(** [symmetry_learning.equivariance]: of every depth *)
Theorem commutes_with_shifts c' c (f : cnn R pixels c' c) (x : image c) v o u :
  value_at f (shifted v x) o u = shifted v (value_at f x) o u.
Proof.
elim: f x o u => [{}c k b | {}c h k b others IH] x o u /=; first exact: convolved_shifted.
by rewrite -IH; apply: value_same => i w; rewrite convolved_shifted.
Qed.

(** [symmetry_learning.equivariance.circulant]: the average is the convolution with its column of the pixel 0 *)
Theorem average_is_a_convolution c' c (M : linear_map R pixels c' c) o u i w :
  average_over_shifts M o u i w = convolution_matrix (fun o i u => average_over_shifts M o u i 0) o u i w.
Proof.
congr (_ / _); rewrite [RHS](reindex_inj (addrI w)) /=; apply: eq_bigr => v _.
by rewrite addrA subrK add0r.
Qed.

Lemma convolved_of_one_pixel c' c (W : 'M[R]_(c', c)) (b : 'cV_c') (x : image c) o v :
  convolved (of_one_pixel W) (fun o => b o 0) x o v = (W *m (\col_i x i v) + b) o 0.
Proof.
rewrite !mxE; congr (_ + _); apply: eq_bigr => i _; rewrite mxE (bigD1 v) //= /of_one_pixel subrr eqxx.
by rewrite big1 ?addr0 // => w /negPf wv; rewrite subr_eq0 eq_sym wv mul0r.
Qed.
Lemma value_pointwise n m (phi : network R n m) (x : image m) o v :
  value_at (pointwise pixels phi) x o v = value slope phi (\col_i x i v) o 0.
Proof.
elim: phi x o v => [{}m W b | {}m k W b others IH] x o v; first exact: convolved_of_one_pixel.
rewrite /= IH; congr (value _ _ _ _ _); apply/colP => i; rewrite !mxE convolved_of_one_pixel.
by rewrite !mxE.
Qed.
Lemma convolved_reversed n c (W : 'M[R]_(n, #|{: 'I_c * pixels}|)) (b : 'cV_n) (x : image c) o v :
  convolved (reversed W (fun i u => enum_rank (i, u))) (fun o => b o 0) x o v = (W *m flat (shifted (- v) x) + b) o 0.
Proof.
rewrite !mxE; congr (_ + _).
transitivity (\sum_i \sum_u W o (enum_rank (i, u)) * flat (shifted (- v) x) (enum_rank (i, u)) 0).
  apply: eq_bigr => i _; rewrite (reindex_inj (addIr v)) /=; apply: eq_bigr => w _.
  by rewrite /reversed opprB addrK mxE enum_rankK /shifted opprK.
rewrite pair_bigA [RHS](reindex_onto enum_rank enum_val) /=; last by move=> l _; rewrite enum_valK.
by apply: eq_big => [p|[i u] _]; rewrite ?enum_rankK ?eqxx.
Qed.
Lemma norm_of_one_pixel c' c (W : 'M[R]_(c', c)) (b : 'cV_c') :
  filter_norm (of_one_pixel W : filter R pixels c' c) (fun o => b o 0) = norm2 W + norm2 b.
Proof.
rewrite /filter_norm big_split /= -(norm2_tr W) !norm2E big_ord1; congr (_ + _).
apply: eq_bigr => o _; apply: eq_bigr => i _; rewrite mxE (bigD1 0) //= /of_one_pixel eqxx big1 ?addr0 // => w /negPf ->.
by rewrite expr0n.
Qed.
Lemma norm_reversed n c (W : 'M[R]_(n, #|{: 'I_c * pixels}|)) (b : 'cV_n) :
  filter_norm (reversed W (fun (i : 'I_c) (u : pixels) => enum_rank (i, u))) (fun o => b o 0) = norm2 W + norm2 b.
Proof.
rewrite /filter_norm big_split /= -(norm2_tr W) !norm2E big_ord1; congr (_ + _).
apply: eq_bigr => o _; transitivity (\sum_i \sum_u W^T (enum_rank (i, u)) o ^+ 2).
  by apply: eq_bigr => i _; rewrite (reindex_inj oppr_inj) /=; apply: eq_bigr => w _; rewrite /reversed opprK mxE.
rewrite pair_bigA [RHS](reindex_onto enum_rank enum_val) /=; last by move=> l _; rewrite enum_valK.
by apply: eq_big => [p|[i u] _]; rewrite ?enum_rankK ?eqxx.
Qed.
Lemma norm_pointwise n m (phi : network R n m) : cnn_norm (pointwise pixels phi) = norm phi.
Proof. by elim: phi => [m' W b | m' k W b others IH] /=; rewrite norm_of_one_pixel ?IH. Qed.

Lemma value_with_reversed n c m (phi : network R n m) (place : 'I_c -> pixels -> 'I_m) (x : image c) (view : pixels -> 'cV[R]_m) :
  (forall k (W : 'M[R]_(k, m)) (b : 'cV_k) o v,
    convolved (reversed W place) (fun o => b o 0) x o v = (W *m view v + b) o 0) ->
  forall o v, value_at (with_reversed phi place) x o v = value slope phi (view v) o 0.
Proof.
case: phi place view => [{}m W b | {}m k W b others] place view seen o v /=; first exact: seen.
by rewrite value_pointwise; congr (value _ _ _ _ _); apply/colP => i; rewrite mxE seen [RHS]mxE.
Qed.
Lemma norm_with_reversed n c m (phi : network R n m) (place : 'I_c -> pixels -> 'I_m) :
  (forall k (W : 'M[R]_(k, m)) (b : 'cV_k), filter_norm (reversed W place) (fun o => b o 0) = norm2 W + norm2 b) ->
  cnn_norm (with_reversed phi place) = norm phi.
Proof. by case: phi place => [{}m W b | {}m k W b others] place same /=; rewrite same ?norm_pointwise. Qed.
(** [symmetry_learning.equivariant_networks]: the values at all pixels v are those of the views T_(-v) x *)
Theorem network_at_every_pixel n c (phi : network R n #|{: 'I_c * pixels}|) (x : image c) :
  (forall o v, value_at (equivariant phi) x o v = value slope phi (flat (shifted (- v) x)) o 0) /\
  cnn_norm (equivariant phi) = norm phi.
Proof.
split; first exact: (value_with_reversed phi (fun k W b => convolved_reversed W b x)).
by apply: norm_with_reversed => k W b; exact: norm_reversed.
Qed.
End Theorems.
