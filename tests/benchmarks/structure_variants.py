"""False variants where arrays have a structure, or a constant is better by a little, and true variants. Run by hand.

    python tests/benchmarks/structure_variants.py [WORD ...] [--seeds 2]  # 0: only whether each is false

Sixty random claims beside those of `narrow_variants.py` and `corner_variants.py`: what is false only for symmetric or skew
matrices, for orthogonal ones that are not diagonal, for transposed weights, rows of sum zero, points that all coincide, sets
of one element, where an array is zero beside others that are not; a constant improved by a thousandth up to a twentieth; a
hypothesis that is wider by a hundredth. An instance proves each false, which the search does not see.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from corner_variants import if_so, rows, what_survives

from theorems.bottleneck_structure import inner_minima, truncated_objective
from theorems.bottleneck_structure.balancedness import gradients
from theorems.bottleneck_structure.constructions.cheapest_constants import cheapest_constant, cost_at_the_value
from theorems.bottleneck_structure.example_20 import second_correction
from theorems.bottleneck_structure.homogeneous_activations import normal_form
from theorems.bottleneck_structure.narrowness import kernel as narrowness
from theorems.bottleneck_structure.narrowness import lower_bound
from theorems.bottleneck_structure.prop_9 import ends
from theorems.bottleneck_structure.prop_13 import growth
from theorems.bottleneck_structure.splitting import linear as splitting
from theorems.bottleneck_structure.theorem_6 import chain as image_chain
from theorems.bottleneck_structure.theorem_6 import shared
from theorems.feature_learning import interpolation
from theorems.feature_learning.caratheodory import dimension
from theorems.feature_learning.projected_gradient import small_rank
from theorems.feature_learning.prop_1 import local_minima
from theorems.feature_learning.prop_6 import wider
from theorems.feature_learning.prop_15 import alternating, fewer, merging
from theorems.feature_learning.prop_19 import endpoint
from theorems.feature_learning.remark_11 import boundary
from theorems.feature_learning.weight_decomposition import statement as decomposition
from theorems.leaky_resnets import conservation
from theorems.leaky_resnets.constructions.linear_paths import squared_determinant, with_ones
from theorems.leaky_resnets.constructions.representations import sigma
from theorems.leaky_resnets.cost_of_identity import bounds as identity_bounds
from theorems.leaky_resnets.gamma_choice import consequences as gamma_consequences
from theorems.leaky_resnets.gamma_choice import statement as gamma_choice
from theorems.leaky_resnets.legendre import duality, transform
from theorems.leaky_resnets.prop_1 import minimiser
from theorems.leaky_resnets.prop_2 import minima, new_neuron
from theorems.leaky_resnets.prop_5 import outputs
from theorems.leaky_resnets.theorem_4 import consequences
from theorems.notion_of_rank.diagonal_networks import tied
from theorems.notion_of_rank.infinite_depth_limit import statement as infinite_depth
from theorems.notion_of_rank.prop_2 import minimisers
from theorems.notion_of_rank.prop_4 import exponent, uncentred
from theorems.notion_of_rank.ridge import chain as ridge
from theorems.notion_of_rank.ridge import threshold
from theorems.notion_of_rank.shallow_networks import duality as shallow_duality
from theorems.notion_of_rank.theorem_1 import identity as half_line
from theorems.notion_of_rank.theorem_1 import statement as theorem_1
from theorems.symmetry_learning import (
    frequency_bottleneck,
    frequency_singular_values,
    half_bottleneck,
    linear_cnn_cost,
    symmetries,
    symmetry_overfitting,
)
from theorems.symmetry_learning.summary_statistics import flow
from verify import Q
from verify.words import (
    absolute,
    concatenate,
    eq,
    eye,
    ge,
    greatest,
    inner,
    le,
    log,
    maximum,
    norm,
    norm2,
    nuclear_norm,
    operator_norm,
    polar_factor,
    power,
    rank,
    relu,
    schatten_power,
    singular_values,
    sqrt,
    stack,
    trace,
    vector,
    where,
)

MORE, LESS, LITTLE = Q("1001/1000"), Q("999/1000"), Q("1/1000")


def more_if(condition: Any) -> Any:
    """A thousandth where the condition holds."""
    return where(condition, LITTLE, 0)


def is_square(M: Any, size: int | None = None) -> bool:
    return M.shape[-2] == M.shape[-1] and (M.shape[-1] > 1 if size is None else M.shape[-1] == size)


def is_symmetric(M: Any) -> Any:
    """Beyond the diagonal, too, and not constant."""
    return (M == M.T).all() & (M * (1 - eye(len(M))) != 0).any() & (M[0, 0] != M).any() if is_square(M) else False


def is_skew(M: Any) -> Any:
    return (M == -M.T).all() & (M != 0).any() if is_square(M) else False


def turns(M: Any) -> Any:
    """An orthogonal matrix with zeros on the diagonal, as a permutation that moves all."""
    return (eye(len(M)) == M @ M.T).all() & (M * eye(len(M)) == 0).all() if is_square(M) else False


def has_sums_zero(M: Any) -> Any:
    """All rows have the sum zero, though the matrix is not zero; of three columns."""
    return (M.sum(axis=1) == 0).all() & (M != 0).any() if M.shape[1] == 3 else False


# bottleneck_structure


def local_minimum_if(U, r, V, A, lam, wanted):
    T = truncated_objective.framed(U, r + lam / r, V)
    best, other = (truncated_objective.truncated(B, T, lam) for B in (truncated_objective.framed(U, r, V), A))
    return le(best + more_if(wanted), other)


def three_equal_values(U, r, V, A, lam):
    """A value three times."""
    wanted = (r[0] == r[1]) & (r[1] == r[2]) if len(r) == 3 else False
    return local_minimum_if(U, r, V, A, lam, wanted)


def one_frame_is_turned(U, r, V, A, lam):
    wanted = (eye(len(V)) == V).all() & (U != V).any() & (len(r) == 2)
    return local_minimum_if(U, r, V, A, lam, wanted)


def constant_at_depth(f, s, layers, depth, outputs):
    c2, p = cheapest_constant(s, layers)
    more = MORE if (f.depth, layers, f.widths[-1]) == (depth[0], depth[1], outputs) else 1
    return ge(cost_at_the_value(f, 0 * f.weights[0][0], c2[-1]), more * p.sum())


def constant_of_five_layers_of_thirteen(f, s, layers):
    return constant_at_depth(f, s, layers, (13, 5), 1)


def constant_of_four_layers_three_outputs(f, s, layers):
    return constant_at_depth(f, s, layers, (4, 4), 3)


def ends_of_five_layers(f, x, y):
    wanted = (x == -y).all() & ((f.depth, *f.widths) == (5, 3, 2, 2, 2, 2, 3))
    return le(if_so(wanted, MORE) * ends.moved_along(f, x, y) * ends.leaky_factor(f) / 4, ends.larger_end(f, x, y))


def folded_in_space(f, x, y):
    less = LESS if f.depth == 2 and f.widths == (3, 2, 3) else 1
    return le(ends.moved_along(f, x, y), less * power(2, Q(f.depth + 1, f.depth)) * ends.larger_end(f, x, y))


def gradients_by(f, x, v, wanted, layer):
    values = f.activations(x)[layer]
    return eq(gradients.into(f, x, v, layer), if_so(wanted, MORE) * gradients.out_of(f, x, v, layer, values))


def seven_equal_layers(f, x, v):
    """All seven are the same matrix, which is not diagonal."""
    W = f.weights
    wanted = False
    if f.depth == 7 and f.widths == (3,) * 8:
        wanted = (W[0] * (1 - eye(3)) != 0).any()
        for other in W[1:]:
            wanted = wanted & (W[0] == other).all()
    return gradients_by(f, x, v, wanted, min(3, f.depth - 1))


def transposed_layers(f, x, v):
    """Of two layers that are no square matrices."""
    W = f.weights
    alike = f.depth == 2 and f.widths[0] == f.widths[2] != f.widths[1] > 1
    wanted = (W[1] == W[0].T).all() & (W[0][0] != 0).all() & (W[0][1] != 0).all() if alike else False
    return gradients_by(f, x, v, wanted, 1)


def square_parts(M, N, m, n):
    """The second part is the transposed first one, at equal depths, and no symmetric matrix."""
    alike = M.shape == N.T.shape and min(M.shape) > 1 and m == n
    wanted = (N == M.T).all() & (M[0] != 0).all() & (rank(M) == 2) & (N[1, 0] != M[1, 0]) if alike else False
    return le(if_so(wanted, MORE) * splitting.cost(N @ M, m + n), splitting.cost(M, m) + splitting.cost(N, n))


def nine_layers(M, N, m, n):
    more = MORE if (m, n, *M.shape, len(N)) == (5, 4, 3, 3, 3) else 1
    return le(more * splitting.cost(N @ M, m + n), splitting.cost(M, m) + splitting.cost(N, n))


def square_of_the_stretch(f, x, factor):
    square = log(maximum(growth.stretch_before(f, x), 1)) ** 2 / np.arange(1, f.depth)
    return ge(f.weight_norm_squared, growth.rank_and_volume(f, x) + factor * square)


def stretch_at_depth_thirteen(f, x):
    """True below depth 12."""
    return square_of_the_stretch(f, x, Q("11/5"))


def stretch_at_depth_six(f, x):
    return square_of_the_stretch(f, x, Q("49/20"))


def excess_of_the_depth(m, share):
    """True but for depths from about 18 to 48."""
    L, e = second_correction.depth_and_excess(m, share)
    return ge(L * e, Q("17/5") * log(L) ** 2)


def excess_of_great_depths(m, share):
    """True but for depths of a hundred million and more."""
    L, e = second_correction.depth_and_excess(m, share)
    return ge((L - 2) * e, 20 * log(maximum(sqrt(2) / e, 1)) ** 2)


def a_small_slope(f, x):
    """1001/1000 for the absolute value at depth 6 and width 3, and one output."""
    L, wanted = f.depth, (f.activation.negative == -1) & (f.widths == (3, 3, 3, 3, 3, 3, 1))
    bound = L * power(norm2(f(x)), Q(L - 1, L)) * power(norm2(x), Q(1, L))
    return le(if_so(wanted, MORE) * bound, lower_bound.kernel_trace(f, x, biases=False))


def opposite_directions(f, x, u, v):
    wanted = (u == -v).all() & (u != 0).all() & (len(u) == 2) & (f.depth == 4)
    size = 8**2 * sum(narrowness.kernel_trace(f, point) for point in (x, x + u / 8, x + v / 8))
    return eq(narrowness.difference(f, x, u, v), where(wanted, 2, 1) * narrowness.along(f, x, u, v), beside=size)


def first_layer_turns(f, x):
    wanted = turns(f.weights[0])
    return le(shared.distances(f, shared.frames(f, x)) + more_if(wanted), shared.bound(f, x))


def all_values_are_negative(f, x):
    """Before every activation, for the absolute value and rank 2."""
    wanted = (f.activation.negative == -1) & (rank(f.jacobian(x)) == 2)
    for z in f.preactivations(x)[:-1]:
        wanted = wanted & (z < 0).all()
    biases, (factors, _) = f.parameter_norm_squared - f.weight_norm_squared, image_chain.image_chain(f, x)
    near = sum(norm2(W - polar_factor(A)) for W, A in zip(f.weights, factors, strict=True))
    return le(near + biases + more_if(wanted), image_chain.bound(f, x))


def a_linear_half(p, q, t):
    """Where the function is zero for positive numbers, and t has both signs."""
    c, a, s = normal_form.form(p, q)
    wanted = (p == 0) & (q != 0) & (t > 0).any() & (t < 0).any()
    return eq(normal_form.homogeneous(p, q)(t), if_so(wanted, MORE) * c * normal_form.leaky(a)(s * t))


def small_value_of_three(U, values, V, s, T, lam, L):
    A, nearby = (inner_minima.framed(U, concatenate([values, vector(more)]), V) for more in (0 * s, s))
    change = lam * (L + 2 * log(s)) + s**2 + 2 * s * norm(A - T)
    more = LITTLE if len(U) == 3 and L == 12 else 0
    return le(inner_minima.approximation(nearby, T, lam, L) + more, inner_minima.approximation(A, T, lam, L) + change)


# feature_learning


def twelve_dimensions_for_three_points(vectors, slopes):
    a, d = slopes
    less = where((d == 2 * a) & (a != 0) & (vectors.shape == (13, 3)), 1, 0)
    return le(rank(dimension.pairs(vectors, slopes)), dimension.dimension_of_pairs(slopes, vectors.shape[1]) - less)


def symmetric_first_layer(linear):
    """1001/1000 where the first of four layers is symmetric, of rank 3."""
    W = linear[0]
    more = if_so(is_symmetric(W[0]), MORE) if len(W) == 4 and len(W[0]) == 3 else 1
    K = interpolation.gram
    return interpolation.hidden_covariances(
        linear, lambda share, Z: more * interpolation.geometric_mean(K(Z[0]), K(Z[-1]), share)
    )


def outputs_across(z, b, d, Y, lam, rate):
    """Where the targets are orthogonal to z."""
    _, Z_2 = small_rank.projected_step(z, b, d, Y, lam, rate)
    wanted = (Y @ z == 0) & (Y != 0).all() & (z[0] != z[1])
    factor = b - 2 * rate * (lam * b / norm2(z) + b - (Y @ z) / norm2(z))
    return eq(Z_2, if_so(wanted, MORE) * factor * z)


def changes_by_a_hundredth_more(ends, reach, change, first, last):
    return local_minima.both_are_local_minima(ends, Q("101/100") * reach, change, first, last)


def right_neurons_alternate_less(data):
    """Of four neurons that are all active to the right."""
    neurons, x = data
    s = alternating.slopes(neurons, x)
    wanted = (neurons[:, 1] > 0).all() & (len(neurons) == 4)
    return le((s[1:] * s[:-1] < 0).sum(), len(neurons) - where(wanted, 2, 0))


def one_neuron_of_ten(r, u, v, x, sigma):
    kept = fewer.pruned(fewer.contributions(u, v, x, sigma), r, fewer.ones(len(r)))
    more = MORE if (len(r), u.shape[1], v.shape[1], len(x)) == (10, 3, 1, 1) else 1
    return le(more * kept.sum(), r.sum())


def cusps_in_the_middle(s, places, gap, side, beta):
    _, u = merging.neurons(s, places, gap, side, beta)
    wanted = (s[0] == s[1]) & (places == Q(1, 2)).all() & (beta == 2)
    return le(if_so(wanted, MORE) * norm(u[0] + u[1]), norm(u[0]) + norm(u[1]))


def steps_longer_by_half_a_percent(end, epsilon, divisor):
    return endpoint.end_descends(end, Q("201/200") * epsilon, divisor)


def pure_square(W, V, c):
    """For the square as activation, at depth 6."""
    wide = wider.in_parallel(W, [0 * weight for weight in V])
    wanted = (c[:3] == 0).all() & (c[3] != 0) & (len(W) == 6)
    return eq(sum(map(norm2, wide)), if_so(wanted, MORE) * sum(map(norm2, W)))


def nothing_but_the_bias(X, beta, Z, step):
    M, K = boundary.kernel_inverse(boundary.with_bias_row(X, beta)), boundary.gram(Z)
    less = if_so((X == 0).all() & (X.shape == (3, 4)), MORE) * step * norm2(M)
    return eq(inner(M, K) + less, inner(M, K - step * M) + 2 * less)


def transposed_outgoing_weights(W_1, W_2):
    """All positive, with two neurons that differ."""
    wanted = (W_2 == W_1.T).all() & (W_1 > 0).all() & (W_1[0] != W_1[1]).any() if min(W_1.shape) > 1 else False
    return le(if_so(wanted, MORE) * 2 * trace(W_2 @ relu(W_1)), norm2(W_1) + norm2(W_2))


def decomposed(W, x, sigma, beta, wanted):
    V, S = decomposition.seen_by(W, x, sigma, beta)[0]
    first = decomposition.first_term(V, S)
    return eq(if_so(wanted, MORE) * norm2(V), norm2(first) + norm2(V - first))


def six_points_in_one(W, x, sigma, beta):
    """At a point whose three coordinates differ."""
    wanted = (x == x[0]).all() & (x[0, 0] != x[0, 1]) & (x[0, 1] != x[0, 2]) if x.shape == (6, 3) else False
    return decomposed(W, x, sigma, beta, wanted)


def centred_points(W, x, sigma, beta):
    """Three points of the plane with the mean zero, none of which is zero."""
    wanted = (x.sum(axis=0) == 0).all() & (x != 0).all() if x.shape == (3, 2) else False
    return decomposed(W, x, sigma, beta, wanted)


# leaky_resnets


def distinct_points_of_one_neuron(A, B, gamma):
    wanted = (A[0] > 0).all() & (A[0, 1:] != A[0, :-1]).all() if A.shape == (1, 4) else False
    left = gamma * norm2(gamma_consequences.critical_weights(A, B, 1))
    return le(left, if_so(wanted, LESS) * gamma_consequences.chosen_gamma(A, gamma) * norm2(B))


def ends_of(path, wanted):
    A0, A1 = path.at(0), path.at(1)
    return eq(
        squared_determinant(with_ones(A1)) * squared_determinant(A0),
        if_so(wanted, MORE) * squared_determinant(A1) * squared_determinant(with_ones(A0)),
    )


def path_turns(path):
    """The first derivative is skew."""
    return ends_of(path, is_skew(path.E))


def path_stretches(path):
    """The first derivative is symmetric."""
    return ends_of(path, is_symmetric(path.E) if len(path.E) == 3 else False)


def norm_of_the_weights(A, B, wanted):
    return eq(norm2(B @ sigma(A).T), if_so(wanted, MORE) * 2 * (conservation.hamiltonian(A, B) + inner(B, A)))


def adjoint_without_bias(A, B):
    """Adjoints of three points with the sum zero: nothing for the bias."""
    return norm_of_the_weights(A, B, has_sums_zero(B) if len(B) == 3 else False)


def adjoint_across(A, B):
    """An adjoint that is orthogonal to the activations, without zeros."""
    wanted = (inner(A, B) == 0) & (A != 0).all() & (B != 0).all() if A.shape == (3, 4) else False
    return norm_of_the_weights(A, B, wanted)


def four_points_in_one(A):
    wanted = (A[:, :1] == A).all() & (A < 0).any() & (A > 0).any() if A.shape == (3, 4) else False
    return ge(identity_bounds.cost(A) * operator_norm(sigma(A)) ** 2, if_so(wanted, MORE) * norm2(A))


def momentum_without_bias(point):
    A, B, V = point
    wanted = has_sums_zero(B) & (inner(B, V) > 0) if len(B) == 3 else False
    bound = duality.kernel_norm2(A + V, sigma(A)) / 2 + duality.hamiltonian(A, B)
    return le(if_so(wanted, MORE) * inner(B, V), bound)


def momentum_if(A, B, wanted):
    return eq(transform.momentum(A, B @ transform.kernel(A) - A), if_so(wanted, MORE) * transform.seen(B, A))


def symmetric_activations(A, B):
    return momentum_if(A, B, is_symmetric(A) if len(A) == 3 else False)


def seen_part_without_bias(A, B):
    return momentum_if(A, B, has_sums_zero(B) if len(B) == 3 else False)


def neuron_beside(pair, epsilon, wanted):
    A, z = pair
    P, v = new_neuron.inverse_kernel(A), relu(z)
    saved = (epsilon**2 * (z @ P @ v) ** 2 + norm2(A @ P @ v)) / (1 + epsilon**2 * (v @ P @ v))
    found = new_neuron.cost(new_neuron.with_neuron(A, z, epsilon)) + epsilon**2 * saved
    return eq(found, if_so(wanted, MORE) * (new_neuron.cost(A) + epsilon**2 * (z @ P @ z)))


def copied_neuron(pair, epsilon):
    """The new neuron is the first one again, and positive."""
    A, z = pair
    return neuron_beside(pair, epsilon, (z == A[0]).all() & (z[0] != z[1]) & (z > 0).all() if len(z) > 1 else False)


def opposite_neuron(pair, epsilon):
    A, z = pair
    return neuron_beside(pair, epsilon, (z == -A[0]).all() & (z[0] != z[1]) & (z < 0).all() if len(z) > 1 else False)


def whole_step_of_the_neuron(move, epsilon):
    wanted = (move == 0).all() & (epsilon == 1)
    saved = if_so(wanted, MORE) * epsilon**2 * (19 - 3 * epsilon**2) / (50 * (1 + 5 * epsilon**2))
    return eq(minima.cost_at_unstable_minimum(epsilon), 2 - saved)


def four_different_points(A):
    F = relu(A)
    wanted = False
    if A.shape == (3, 4):
        wanted = F[0, 0] == F[0, 0]
        for i in range(4):
            for j in range(i):
                wanted = wanted & (F[:, i] != F[:, j]).any()
    return le(if_so(wanted, MORE) * operator_norm(gamma_choice.kernel(A)), A.shape[1] + operator_norm(F) ** 2)


def mean_of_a_permutation(A):
    N = A.shape[1]
    mean = N + norm2(relu(A).sum(axis=1)) / N
    return le(if_so(turns(A) & (A >= 0).all() if N == 3 else False, MORE) * mean, operator_norm(gamma_choice.kernel(A)))


def dual_of(A, B, D, W, L, wanted):
    V = W[:, :-1]
    return eq(inner((A > 0) * (V.T @ B) - L * B, D), if_so(wanted, MORE) * inner(B, V @ ((A > 0) * D) - L * D))


def dual_of_a_turn(A, B, D, W, L):
    """Skew weights, with three neurons."""
    return dual_of(A, B, D, W, L, is_skew(W[:, :-1]) if len(A) == 3 else False)


def dual_at_the_kink(A, B, D, W, L):
    """Where all activations are zero, and nothing else."""
    wanted = (A == 0).all() & (B != 0).all() & (D != 0).any() if A.shape == (3, 3) else False
    return dual_of(A, B, D, W, L, wanted)


def cost_changes_if(f, X, t, F, ridge, wanted):
    N, a, A = X.shape[1], outputs.new_neuron(f, X, t), f.activations(X)
    B = f.adjoints(A, 2 * (F - A[-1]) / (ridge * N))
    parts = zip(f.steps, t, A[:-1], a[:-1], B[1:], strict=True)
    moved = sum(
        rho * height * inner(height * outputs.kernel_row(before) - own, after.T @ before[:, 0])
        for rho, height, before, own, after in parts
    )
    found = ridge * f.leak * moved + norm2(a[-1]) / N
    return eq(outputs.slope_of_the_cost(f, X, t, F), if_so(wanted, MORE) * found)


def targets_are_zero(f, X, t, F, ridge):
    """Three neurons and points that start anywhere else."""
    return cost_changes_if(f, X, t, F, ridge, (F == 0).all() & (X != 0).all() if X.shape == (3, 3) else False)


def path_starts_at_zero(f, X, t, F, ridge):
    return cost_changes_if(f, X, t, F, ridge, (X == 0).all() & (F != 0).all() if X.shape == (3, 3) else False)


def rank_of_the_velocity(motion):
    A, dA = motion[:2]
    together = rank(concatenate([A, dA])) if A.shape == (3, 4) else 0
    return le(together, rank(relu(A)))


def features_of_a(A, wanted):
    root = minimiser.gram_power(A, Q(1, 4))
    return eq(trace(minimiser.factor(A) * (root @ root)), if_so(wanted, MORE) * norm2(A))


def features_of_a_permutation(A):
    return features_of_a(A, turns(A) if len(A) == 3 else False)


def features_of_a_skew_matrix(A):
    return features_of_a(A, is_skew(A) if len(A) == 3 else False)


def a_thousandth_of_the_largest_adjoint(case):
    return consequences.few_layers_at(case, share=LESS)


def linear_term_of_the_difference(A, B, gamma):
    return consequences.difference_is_small(A, B, gamma, two=Q("1999/1000"))


# notion_of_rank


def shifted_to_zero(parts, x, s, c, depth):
    """The shift takes three values of g, which are not zero, to zero."""
    (g, _), f = parts, theorem_1.through(*parts, depth, s, c)
    wanted = (g(x) + s == 0).all() & (s != 0).all() & (s[0] != s[1]) if len(s) == 3 else False
    return eq(f.parameter_norm_squared, if_so(wanted, MORE) * theorem_1.N(parts, s, c, depth))


def transposed_ends(parts, s, c, depth):
    """What leaves the bottleneck is transposed to what enters it."""
    (g, h), f = parts, theorem_1.through(*parts, depth, s, c)
    A, B = g.weights[-1], h.weights[0]
    wanted = (A == B.T).all() & (A[0] != A[1]).any() & (A != 0).all() if A.shape == B.T.shape == (3, 3) else False
    return eq(f.parameter_norm_squared, if_so(wanted, MORE) * theorem_1.N(parts, s, c, depth))


def absolute_values_of_three_neurons(f, x, lam):
    wanted = (f.activation.negative == -1) & (f.widths[1] == 3) & (len(x) == 4)
    square = shallow_duality.G2(x, lam, f.activation.negative)
    beta, pairing = f.biases[1][0], 2 * absolute(lam @ f(x[:, None])[:, 0])
    bound = 2 * absolute(beta * lam.sum()) + sqrt(square) * (f.parameter_norm_squared - beta**2)
    return le(if_so(wanted, MORE) * pairing, bound)


def squared_logarithms(A, depth):
    """199/100 times the squares."""
    L, s = depth, infinite_depth.singular_values_or_zero(A)
    rest = Q("199/100") * (infinite_depth.log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L
    distance = absolute(schatten_power(A, Q(2, L)) - rank(A))
    return le(distance, (2 * absolute(infinite_depth.log_or_zero(s).sum()) + rest) / L)


def on_the_threshold(a, t, ridge):
    return threshold.strong_convexity(a, t, ridge, curvature=if_so((t == -ridge) & (a < 0), MORE))


def half_line_of_thirteen(s, w):
    N, L = half_line.lifted_chain(s, w).parameter_norm_squared, len(w) + 1
    return ge(N, if_so((s >= 2) & (L == 13), MORE) * (L * power(1 + s**2, Q(1, L)) + s**2))


def scales_of_five_points(X, Y, u, a, depth):
    at = (depth, *X.shape, Y.shape[1]) == (13, 5, 3, 3)
    return minimisers.no_scales_are_better(X, Y, u, a, depth, factor=Q("2001/1000") if at else 2)


def largest_share(eps, depth):
    """The largest is a 16th, where eps^2 is 3."""
    return le(exponent.share(exponent.data_of_the_kink(exponent.chain_with_a_kink(eps, depth))[1]), Q("999/16000"))


def biases_of_three_layers(f, X):
    return uncentred.with_biases(f, X, factor=Q("1999/1000") if f.depth == 3 else 2)


def product_turns(f, U, t, V, R):
    A, L = ridge.product(f), f.depth
    wanted = turns(A) if len(A) == 3 and L > 2 else False
    C = ridge.C(A, U, t, V)
    return le(C + if_so(wanted, MORE) * R * ridge.R(A, L), C + R * f.weight_norm_squared)


def ridge_of_a_permutation(f, U, t, V, ridge):
    return product_turns(f, U, t, V, ridge)


def alternating_supports(plus, minus, L):
    wanted = (plus[0] != 0) & (minus[1] != 0) & (plus[2] != 0) if len(plus) == 3 and L == 14 else False
    return ge(norm2(plus) + norm2(minus), if_so(wanted, MORE) * tied.quasi_norm(plus**L - minus**L, Q(2, L)))


# symmetry_learning


def gradient_if(v, w, E, u, wanted):
    size = flow.loss(v + 2 * u, w, E) + flow.loss(v - 2 * u, w, E)
    found = 12 * (flow.gradient(v, w, flow.symmetric_part(E)) @ u)
    return eq(flow.difference(v, w, E, u), where(wanted, 2, 1) * found, beside=size)


def gradient_of_skew_noise(v, w, E, u):
    return gradient_if(v, w, E, u, is_skew(E) if len(v) > 2 else False)


def gradient_of_symmetric_noise(v, w, E, u):
    return gradient_if(v, w, E, u, is_symmetric(E) if len(v) > 2 else False)


def gradient_at_the_direction(v, w, E, u):
    """Where v is w, in four dimensions."""
    return gradient_if(v, w, E, u, (v == w).all() & (len(v) == 4))


def fourteenth_position(p0, p1, g):
    p = [p0, p1]
    while len(p) < 14:
        p.append(2 * p[-1] - p[-2] + g)
    return eq(p[13] + where((p1 - p0 == 16) & (g == -2), 1, 0), p0 + 13 * (p1 - p0) + 78 * g)


def cyclic_orders(f, X):
    """The cyclic orders of three coordinates in place of all."""
    orders = ([0, 1, 2], [1, 2, 0], [2, 0, 1]) if X.shape[1] == 3 else ([0, 1], [1, 0])
    return le(half_bottleneck.orbits(X), half_bottleneck.same(sum(f(X[:, order]) for order in orders)))


def symmetric_filter(k):
    """One channel, the same in both axes, on three or four pixels."""
    wanted = is_symmetric(k[0, 0]) if k.shape[:2] == (1, 1) and k.shape[2] > 2 else False
    W, K = frequency_singular_values.convolution_matrix(k), frequency_singular_values.blocks(k)
    sums = frequency_singular_values.power_sums
    return eq(if_so(wanted, MORE) * 2 * sums(W), sums(K, min(W.shape)).sum(axis=(1, 2)))


def cost_of_blocks(a, b, L, wanted):
    f = linear_cnn_cost.linear([linear_cnn_cost.filter_with_complex_blocks(a, b)] * L)
    cost = 16 * sum(norm2(k) for k in f.kernels)
    return eq(cost, if_so(wanted, MORE) * L * schatten_power(linear_cnn_cost.dense_matrix(f), Q(2, L)))


def imaginary_blocks(a, b, L):
    odd = (b - linear_cnn_cost.opposite(b) != 0).any()
    return cost_of_blocks(a, b, L, (a == 0).all() & odd & (L == 3))


def real_blocks(a, b, L):
    """The blocks are real though neither of both is zero."""
    wanted = (b == linear_cnn_cost.opposite(b)).all() & (b != b[0, 0]).any() & (a != 0).any() & (L == 3)
    return cost_of_blocks(a, b, L, wanted)


def one_frequency(signal, n, L):
    F, x = signal
    F, c = frequency_bottleneck.with_zero(F, 0), absolute(x).sum()
    f = frequency_bottleneck.layers(F, [*[c] * (L - 1), 0 * c])
    R = L * F.sum() / n**2 + (L - 1) * c**2
    return eq(f.parameter_norm_squared, if_so((F.sum() == 1) & (n == 4) & (c != 0), MORE) * R)


def two_frequencies(signal, n, L):
    """Frequency 0 and one that is its own opposite."""
    F, x = signal
    F, c = frequency_bottleneck.with_zero(F), absolute(x).sum()
    f = frequency_bottleneck.layers(F, [c, *[0 * c] * (L - 2), -c])
    R = L * F.sum() / n**2 + 2 * c**2
    return eq(f.parameter_norm_squared, if_so((F.sum() == 2) & (n == 4) & (c != 0), MORE) * R)


def radius_is_the_first_coordinate(f, pair):
    x, y = pair
    wanted = (x[0] == y[2]) & (x[0] > 0) & (x[1] != x[0]) if symmetries.still(f) == 2 and len(x) == 5 else False
    return eq(if_so(wanted, MORE) * symmetries.value(f, x), symmetries.value(f, y))


def two_labels_coincide(parts, X):
    """Exactly two of five."""
    g, h = parts
    Y = symmetry_overfitting.compose(h, g, merge=False)(X)
    pairs, m = symmetry_overfitting.close_pairs(Y), np.arange(len(X) - 1, 0, -1)
    wanted = (pairs[0] == 0) & (pairs[1] > 0) if len(X) == 5 else False
    return le(if_so(wanted, MORE) * m**2 * pairs, symmetry_overfitting.shortest_path(Y) ** 2)


# What is true


def moved_minimum(U, r, V, A, lam):
    T = truncated_objective.framed(U, r + lam / r, V)
    best, other = (truncated_objective.truncated(B, T, lam) for B in (truncated_objective.framed(U, r, V), A))
    return le(best - norm2(T), other - norm2(T))


def values_less_the_constant(parts, x, s, c, depth):
    (g, h), f = parts, theorem_1.through(*parts, depth, s, c)
    return eq(f(x) - h(g(x)), 0 * h(g(x)), beside=norm(f(x)) + f.parameter_norm_squared)


def constant_less_its_cost(f, s, layers):
    c2, p = cheapest_constant(s, layers)
    return ge(cost_at_the_value(f, 0 * f.weights[0][0], c2[-1]) - p[:-1].sum(), p[-1])


def squared_weights(A, B):
    return le(norm2(gamma_consequences.critical_weights(A, B, 1)), operator_norm(gamma_choice.kernel(A)) * norm2(B))


def trace_by_the_sums(A, B):
    change = inner(conservation.adjoint_velocity(A, B), A) + inner(B, conservation.velocity(A, B))
    return eq(change, norm2(B.sum(axis=1)))


def gradient_of_the_parts(v, w, E, u):
    """The symmetric part of the noise in place of all of it."""
    S, size = flow.symmetric_part(E), flow.loss(v + 2 * u, w, E) + flow.loss(v - 2 * u, w, E)
    return eq(flow.difference(v, w, S, u), 12 * (flow.gradient(v, w, S) @ u), beside=size)


def second_differences(p0, p1, g):
    p = [p0 + (p1 - p0) * t + g * (t * (t - 1) // 2) for t in range(14)]
    return eq(stack([p[t + 1] - 2 * p[t] + p[t - 1] for t in range(1, 13)]), g)


def nuclear_norm_less(A):
    """The norm in place of its square, both under a root."""
    return ge(sqrt(identity_bounds.cost(A)) * operator_norm(sigma(A)), norm(A))


def out_less_into(f, x, v):
    into, out = gradients.into(f, x, v, 1), gradients.out_of(f, x, v, 1, f.activations(x)[1])
    return eq(into - out, 0 * into, beside=norm(into) + norm(out))


def triangle_less(s, places, gap, side, beta):
    _, u = merging.neurons(s, places, gap, side, beta)
    return le(norm(u[0] + u[1]) - norm(u[0]), norm(u[1]))


def mean_of_the_parts(M, N, m, n):
    cost = splitting.cost(M, m) + splitting.cost(N, n)
    return le(schatten_power(N @ M, Q(2, m + n)), cost / (m + n))


def trace_of_the_product(W_1, W_2):
    return le(trace(W_2 @ relu(W_1)), norm(W_1) * norm(W_2))


def gap_of_the_trace(W_1, W_2):
    return le(0, norm2(W_1) + norm2(W_2) - 2 * trace(W_2 @ relu(W_1)))


def stretch_alone(f, x):
    """Half of the square only."""
    return square_of_the_stretch(f, x, 1)


def by_the_square(f, x, lam):
    """The second bound, divided by the square of G where that is not zero."""
    G2 = shallow_duality.G2(x, lam, f.activation.negative)
    pairing = 2 * absolute(lam @ f(x[:, None])[:, 0]) * sqrt(G2)
    return le(where(G2 > 0, pairing - lam.sum() ** 2, 0), where(G2 > 0, G2 * f.parameter_norm_squared, 0))


def squared_logarithms_and_more(A, depth):
    L, s = depth, infinite_depth.singular_values_or_zero(A)
    rest = Q("201/100") * (infinite_depth.log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L
    distance = schatten_power(A, Q(2, L)) - rank(A)
    return le(distance, (2 * absolute(infinite_depth.log_or_zero(s).sum()) + rest) / L)


def above_the_threshold(a, t, ridge):
    best = threshold.soft_threshold(t, ridge)
    return ge(threshold.G(a, t, ridge) - threshold.G(best, t, ridge), (a - best) ** 2)


def hundredfold(m, share):
    """What is false from a factor of 336/100 on."""
    L, e = second_correction.depth_and_excess(m, share)
    return ge(L * e, Q("33/10") * log(L) ** 2)


def right_neurons(data):
    """Of neurons that are all active to the right, the first slope is zero left of all cusps."""
    neurons, x = data
    s = alternating.slopes(neurons, x)
    return le((s[1:] * s[:-1] < 0).sum(), len(neurons) - where((neurons[:, 1] > 0).all(), 1, 0))


def norm_of_the_sum(A):
    N = A.shape[1]
    return le(operator_norm(gamma_choice.kernel(A)) - N, norm2(relu(A)))


def norm_by_the_trace(A):
    N = A.shape[1]
    return le(N + norm2(relu(A)) / min(A.shape), operator_norm(gamma_choice.kernel(A)) + N)


def shorter_steps(end, epsilon, divisor):
    return endpoint.end_descends(end, Q("199/200") * epsilon, divisor)


def changes_by_less(ends, reach, change, first, last):
    return local_minima.both_are_local_minima(ends, Q("99/100") * reach, change, first, last)


def fewer_bends(f, x, y):
    """A tenth less than the bound at one end."""
    return le(Q("9/10") * ends.moved_along(f, x, y) * ends.leaky_factor(f) / 4, ends.larger_end(f, x, y))


def cost_of_the_chain(s, w):
    N, L = half_line.lifted_chain(s, w).parameter_norm_squared, len(w) + 1
    return ge(N - s**2, L * power(1 + s**2, Q(1, L)))


def whole_expansion(pair, epsilon):
    return neuron_beside(pair, epsilon, False)


def logarithm_of_the_difference(A, B, gamma):
    uu, BB = consequences.squared_speed(A, B, gamma), gamma * norm2(B)
    return le(absolute(consequences.difference(A, B, gamma)) + uu, (sqrt(BB) + sqrt(uu)) ** 2)


def norm_of_the_momentum(A, B):
    """What the kernel sees of a momentum is no longer than it."""
    return le(norm2(transform.seen(B, A)), norm2(B))


def smallest_is_shared(A):
    """The norm of the best features by singular values."""
    s = singular_values(A)
    return eq(norm2(A) / nuclear_norm(A) * s.sum(), norm2(A))


def supports_of_any_kind(plus, minus, L):
    cost = norm2(plus) + norm2(minus)
    return ge(cost - tied.quasi_norm(plus**L - minus**L, Q(2, L)), 0)


def no_more_than_the_dimension(vectors, slopes):
    N = vectors.shape[1]
    return le(rank(dimension.pairs(vectors, slopes)), N * (N + 1))


def one_filter_for_all(k):
    """The squared norm from the blocks."""
    real, imaginary = frequency_singular_values.frequency_blocks(k)
    return eq(norm2(frequency_singular_values.convolution_matrix(k)) - norm2(real), norm2(imaginary))


def largest_label_gap(parts, X):
    g, h = parts
    Y = symmetry_overfitting.compose(h, g, merge=False)(X)
    return le(sqrt(greatest(symmetry_overfitting.squared_distances(Y))), symmetry_overfitting.shortest_path(Y))


TRUE: Mapping[str, Mapping[str, Any]] = {
    "bottleneck_structure.truncated_objective": {"difference": moved_minimum},
    "notion_of_rank.theorem_1": {"difference of values": values_less_the_constant},
    "bottleneck_structure.known_costs.constants": {"less all but the last layer": constant_less_its_cost},
    "leaky_resnets.gamma_choice.weights": {"without gamma": squared_weights},
    "leaky_resnets.conservation.trace": {"sums of rows": trace_by_the_sums},
    "symmetry_learning.summary_statistics.gradient": {"of the symmetric part": gradient_of_the_parts},
    "symmetry_learning.newtonian_mechanics.positions": {"second differences": second_differences},
    "leaky_resnets.cost_of_identity.zero": {"roots": nuclear_norm_less},
    "bottleneck_structure.balancedness.gradients": {"difference": out_less_into},
    "feature_learning.prop_15.merging": {"less one": triangle_less},
    "bottleneck_structure.splitting.parts": {"per layer": mean_of_the_parts},
    "feature_learning.remark_23.representation_cost": {"product of norms": trace_of_the_product, "gap": gap_of_the_trace},
    "bottleneck_structure.prop_13.growth": {"half of the square": stretch_alone},
    "notion_of_rank.shallow_networks.dual": {"less the sum": by_the_square},
    "notion_of_rank.infinite_depth_limit": {"201/100 times the squares": squared_logarithms_and_more},
    "notion_of_rank.ridge.soft_threshold": {"difference": above_the_threshold},
    "bottleneck_structure.example_20.second_correction": {"33/10": hundredfold},
    "feature_learning.prop_15.alternating": {"active to the right": right_neurons},
    "leaky_resnets.gamma_choice.bounds": {"squared norm": norm_of_the_sum, "mean of the squares": norm_by_the_trace},
    "feature_learning.prop_19.endpoint": {"199/200 of the step": shorter_steps},
    "feature_learning.prop_1.local_minima": {"99/100 of the reach": changes_by_less},
    "bottleneck_structure.prop_9.ends": {"9/10": fewer_bends},
    "notion_of_rank.theorem_1.chain": {"less the shift": cost_of_the_chain},
    "leaky_resnets.prop_2.expansion": {"closed form": whole_expansion},
    "leaky_resnets.theorem_4.stable_difference": {"square of the sum": logarithm_of_the_difference},
    "leaky_resnets.legendre.momentum": {"norms": norm_of_the_momentum},
    "leaky_resnets.prop_1.attained": {"by singular values": smallest_is_shared},
    "notion_of_rank.diagonal_networks.tied": {"difference": supports_of_any_kind},
    "feature_learning.caratheodory.dimension": {"N(N + 1)": no_more_than_the_dimension},
    "symmetry_learning.frequency_singular_values": {"norms": one_filter_for_all},
    "symmetry_learning.symmetry_overfitting": {"two points": largest_label_gap},
}
"""By the claim: other formulas, many with cancellation, and weaker bounds."""


# The instances


def filled(value: Any, *shape: int) -> Any:
    return np.full(shape, value, dtype=object).tolist()


def layers(name: str, *weights: Any, **biases: Any) -> dict[str, Any]:
    """Free numbers of a network with these weights, without biases but for those given."""
    found = {}
    for k, W in enumerate(weights, start=1):
        found |= {f"{name}.W{k}": W, f"{name}.b{k}": biases.get(f"b{k}", [0] * len(W))}
    return found


def ones_on_the_diagonal(*widths: int, times: Any = 1, kept: int = 9) -> list[Any]:
    """Partial identities."""
    return [[[times if i == j < kept else 0 for j in range(n)] for i in range(m)] for n, m in pairwise(widths)]


def chain_of_the_constant(s: float, count: int, depth: int, widths: tuple[int, int, int]) -> dict[str, Any]:
    """The cheapest layers for the constant with the parameter s, behind layers of zeros, up to a millionth."""
    c2, p = [s - 1, s * s], [s - 1, s]
    while len(p) < count:
        p.append(p[-1] * (1 + c2[-1]) / c2[-1])
        c2.append(p[-1] * (1 + c2[-1]))
    before, sizes = [0.0, *c2], [widths[0], *[widths[1]] * (depth - 1), widths[2]]
    found: dict[str, Any] = {}
    for k in range(1, depth + 1):
        place = k - (depth - count) - 1
        paid, square = (p[place], before[place]) if place >= 0 else (0.0, 0.0)
        weight, bias = (round(1e6 * root**0.5) for root in (paid * square / (1 + square), paid / (1 + square)))
        W, b = filled(0, sizes[k], sizes[k - 1]), [0] * sizes[k]
        W[0][0], b[0] = Q(weight, 10**6), Q(bias, 10**6)
        found |= {f"f.W{k}": W, f"f.b{k}": b}
    return {**found, "f.slope": 0, "s": Q(str(s))}


def one_layer_stretches(depth: int, by: Any) -> dict[str, Any]:
    """The first of scalar layers, which the others take back together."""
    rest = Q(round(1e9 * float(by) ** (-1 / (depth - 1))), 10**9)
    network = layers("f.network", [[by]], *[[[rest]]] * (depth - 1))
    return {**network, "f.network.slope": 0, "f.kind": 0, "x": [1]}


def representation(name: str, *matrix: Any) -> dict[str, Any]:
    """With these rows."""
    return {f"{name}.{key[2:]}": value for key, value in rows(*matrix).items()}


P33 = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
E22, E33 = np.eye(2, dtype=int).tolist(), np.eye(3, dtype=int).tolist()
SUMS_ZERO = [[4, -4, 0], [0, 4, -4], [4, 0, -4]]
SKEW = [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
SYMMETRIC = [[1, 2, 1], [2, 1, 3], [1, 3, 1]]
SIX_POINTS = {"W.network.W1": [[1, 2, 3]], "W.network.b1": [1], "sigma.kind": 0, "sigma.numbers": [0, 0], "beta": 1}


def best_scales(X: Any, Y: Any, u: Any) -> list[Any]:
    """Of the interpolant of data whose projections ascend, up to a millionth."""
    X, Y = np.array(X, dtype=float), np.array(Y, dtype=float)
    z = X @ np.array(u, dtype=float)
    z -= z.min()
    v = np.diff(Y, axis=0) / np.diff(z)[:, None]
    m = np.concatenate([v[:1], np.diff(v, axis=0)])
    return [Q(round(1e6 * a), 10**6) for a in (np.linalg.norm(m, axis=1) / np.sqrt(1 + z[:-1] ** 2)) ** 0.5]


def along_the_top(A: Any) -> list[Any]:
    """The direction in which the kernel of activations is largest, up to 1e-9."""
    F = np.concatenate([np.maximum(np.array(A, dtype=float), 0), np.ones((1, len(A[0])))])
    return [Q(round(1e9 * abs(entry)), 10**9) for entry in np.linalg.svd(F)[2][0]]


FIVE_POINTS = [[k, 0, 0] for k in range(5)]
FIVE_LABELS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]

VARIANTS: Mapping[str, Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "bottleneck_structure.truncated_objective": {
        "three equal values": (
            three_equal_values,
            {
                "U.chart": [1, 0, 0],
                "r": [1, 1, 1],
                "V.chart": [0] * 3,
                "lam": "1/2",
                "A.left.chart": [1, 0, 0],
                "A.values": [1, 1, 1],
                "A.right.chart": [0] * 3,
            },
        ),
        "one frame is turned": (
            one_frame_is_turned,
            {
                "U.chart": [1],
                "r": [2, 1],
                "V.chart": [0],
                "lam": "1/2",
                "A.left.chart": [1],
                "A.values": [2, 1],
                "A.right.chart": [0],
            },
        ),
    },
    "bottleneck_structure.known_costs.constants": {
        "1001/1000 for five layers of 13": (
            constant_of_five_layers_of_thirteen,
            {**chain_of_the_constant(1.5, 5, 13, (1, 1, 1)), "layers": 5},
        ),
        "1001/1000 for three outputs": (
            constant_of_four_layers_three_outputs,
            {**chain_of_the_constant(1.5, 4, 4, (2, 3, 3)), "layers": 4},
        ),
    },
    "bottleneck_structure.prop_9.ends": {
        "1001/1000 at depth 5, rank 2": (
            ends_of_five_layers,
            {
                **layers("f.network.network", *ones_on_the_diagonal(3, 2, 2, 2, 2, 3, times=0)),
                "f.network.kind": 1,
                "f.slope": 1,
                "x": [1, 0, 0],
                "y": [-1, 0, 0],
            },
        )
    },
    "bottleneck_structure.prop_9.improved": {
        "999/1000 for a folded interval in space": (
            folded_in_space,
            {
                **layers(
                    "f.network",
                    [[Q(-42, 99), Q(-56, 99), 0], [Q(42, 99), Q(56, 99), 0]],
                    [[Q(-3, 5), Q(3, 5)], [Q(-4, 5), Q(4, 5)], [0, 0]],
                    b1=[Q(70, 99)] * 2,
                ),
                "f.kind": 0,
                "x": [Q(-3, 5), Q(-4, 5), 0],
                "y": [Q(3, 5), Q(4, 5), 0],
            },
        )
    },
    "bottleneck_structure.balancedness.gradients": {
        "seven equal layers": (
            seven_equal_layers,
            {**layers("f", *[[[1, 1, 0], [0, 1, 1], [1, 0, 1]]] * 7), "f.slope": 0, "x": [1] * 3, "v": [1] * 3},
        ),
        "transposed layers": (
            transposed_layers,
            {**layers("f", [[1, 2], [3, 1], [1, 1]], [[1, 3, 1], [2, 1, 1]]), "f.slope": 0, "x": [1, 1], "v": [1, 1]},
        ),
    },
    "bottleneck_structure.splitting.parts": {
        "the second part is transposed": (
            square_parts,
            {"M": [[1, 1], [0, 1], [1, 0]], "N": [[1, 0, 1], [1, 1, 0]], "m": 2, "n": 2},
        ),
        "1001/1000 for five and four layers": (nine_layers, {"M": E33, "N": E33, "m": 5, "n": 4}),
    },
    "bottleneck_structure.prop_13.growth": {
        "11/5 of the square": (stretch_at_depth_thirteen, one_layer_stretches(13, Q(129, 128))),
        "49/20 of the square": (stretch_at_depth_six, one_layer_stretches(6, Q(129, 128))),
    },
    "bottleneck_structure.example_20.second_correction": {
        "17/5 of the square": (excess_of_the_depth, {"m": 13, "share": "67/200"}),
        "20 of the square": (excess_of_great_depths, {"m": 10**9, "share": "377/500"}),
    },
    "bottleneck_structure.narrowness.lower_bound": {
        "1001/1000 for the absolute value": (
            a_small_slope,
            {
                **{f"f.W{k}": W for k, W in enumerate(ones_on_the_diagonal(*[3] * 6, 1, kept=1), start=1)},
                "f.slope": -1,
                "x": [-1, 0, 0],
            },
        )
    },
    "bottleneck_structure.narrowness.mixed_derivative": {
        "opposite directions": (
            opposite_directions,
            {**layers("f", *[E22] * 4), "f.slope": 0, "x": [8, 8], "u": [1, 1], "v": [-1, -1]},
        )
    },
    "bottleneck_structure.theorem_6.shared": {
        "the first layer turns": (
            first_layer_turns,
            {**layers("f.network", P33, E33, E33), "f.network.slope": 0, "f.kind": 0, "x": [1, 1, 1]},
        )
    },
    "bottleneck_structure.theorem_6.image_frames": {
        "all values are negative": (
            all_values_are_negative,
            {
                **layers("f.network", *ones_on_the_diagonal(*[2] * 5, times=-1)),
                "f.network.slope": -1,
                "f.kind": 0,
                "x": [1, 1],
            },
        )
    },
    "bottleneck_structure.homogeneous_activations": {"a linear half": (a_linear_half, {"p": 0, "q": 1, "t": [1, -1, 2]})},
    "bottleneck_structure.inner_minima.small_values": {
        "a thousandth in space at depth 12": (
            small_value_of_three,
            {
                "U.chart": [0] * 3,
                "values": [2, 1],
                "V.chart": [0] * 3,
                "s": "1/8",
                "lam": "1/2",
                "L": 12,
                "T": [[2, 0, 0], [0, 1, 0], [0, 0, -3]],
            },
        )
    },
    "feature_learning.caratheodory.dimension": {
        "one less for the slopes 1 and 2": (
            twelve_dimensions_for_three_points,
            {"vectors": [*dimension.spanning_vectors(3), [1, 2, 3]][:13], "slopes.a": 1, "slopes.ratio": 2},
        )
    },
    "feature_learning.interpolation.geometric_mean": {
        "the first layer is symmetric": (
            symmetric_first_layer,
            {
                "linear.frames": [["1/2", 0, 0], [0] * 3, [0] * 3],
                "linear.last": [0] * 3,
                "linear.first": ["1/2", 0, 0],
                "linear.scale": 1,
                "linear.roots": [2, 1, 1],
                "linear.coordinates.entries": filled(0, 3, 3),
            },
        )
    },
    "feature_learning.projected_gradient.direction": {
        "targets across": (outputs_across, {"z": [2, 1], "b": 1, "d": 0, "Y": [1, -2], "lam": "1/4", "rate": "1/4"})
    },
    "feature_learning.prop_1.local_minima": {
        "changes by a hundredth more": (
            changes_by_a_hundredth_more,
            {
                "ends": ["3/10", "2/5"],
                "reach": 1,
                "change": [-1, Q(100, 303), Q(-99, 101), Q(100, 303)],
                "first": filled(0, 2, 2),
                "last": [[0, 0]],
            },
        )
    },
    "feature_learning.prop_15.alternating": {
        "two less if active to the right": (
            right_neurons_alternate_less,
            {
                "data.neurons": [[1, 1, 0], [-2, 1, -1], [2, 1, -2], [-2, 1, -3]],
                "data.steps": [0, 1, 1, 1, 1],
                "data.heights": [0] * 4,
                "data.zigzags": 0,
            },
        )
    },
    "feature_learning.prop_15.fewer": {
        "1001/1000 for ten neurons": (
            one_neuron_of_ten,
            {
                "r": [1] * 10,
                "u.chart": filled(0, 10, 2),
                "v.chart": [[]] * 10,
                "v.flipped": [0] * 10,
                "x": [[0, 0, 1]],
                "sigma.kind": 0,
                "sigma.numbers": [0, 0],
            },
        )
    },
    "feature_learning.prop_15.merging": {
        "equal neurons in the middle": (
            cusps_in_the_middle,
            {"s": [1, 1], "places": ["1/2", "1/2"], "gap": [0, 2], "side": 1, "x": 3, "beta": 2},
        )
    },
    "feature_learning.prop_19.endpoint": {
        "steps longer by half a percent": (steps_longer_by_half_a_percent, {"end": "1/2", "epsilon": "1414/2000", "divisor": 1})
    },
    "feature_learning.prop_6": {
        "the square as activation": (
            pure_square,
            {
                **layers("W.network", *[[[1]]] * 6),
                **layers("V.network", *[[[1]]] * 6),
                "c": [0, 0, 0, 1],
                "x": [[1]],
                "beta": 1,
            },
        )
    },
    "feature_learning.remark_11.boundary": {
        "nothing but the bias": (nothing_but_the_bias, {"X": filled(0, 3, 4), "beta": 1, "Z": filled(1, 2, 4), "step": 1})
    },
    "feature_learning.remark_23.representation_cost": {
        "transposed outgoing weights": (
            transposed_outgoing_weights,
            {"W_1": [[1, 2, 3], [3, 1, 2], [2, 2, 1], [1, 1, 2]], "W_2": [[1, 3, 2, 1], [2, 1, 2, 1], [3, 2, 1, 2]]},
        )
    },
    "feature_learning.weight_decomposition": {
        "six points in one": (six_points_in_one, {**SIX_POINTS, "x": [[1, 2, 3]] * 6, "width": 1}),
        "points of mean zero": (
            centred_points,
            {**SIX_POINTS, "W.network.W1": [[1, 2]], "x": [[1, 2], [1, -1], [-2, -1]], "width": 1},
        ),
    },
    "leaky_resnets.gamma_choice.weights": {
        "999/1000 for one neuron": (
            distinct_points_of_one_neuron,
            {"A": [[1, 2, 3, 4]], "B": [along_the_top([[1, 2, 3, 4]])], "gamma": 1},
        )
    },
    "leaky_resnets.linear_cross_term.outside": {
        "skew": (
            path_turns,
            {
                "path.left": E33,
                "path.right": [[1, 2, 0], [0, 1, 1], [1, 1, 1]],
                "path.drop": 0,
                "path.E": [[0, "1/8", 0], ["-1/8", 0, 0], [0, 0, 0]],
                "path.G": filled(0, 3, 3),
            },
        ),
        "symmetric": (
            path_stretches,
            {
                "path.left": E33,
                "path.right": [[1, 2, 0], [0, 1, 1], [1, 1, 1]],
                "path.drop": 0,
                "path.E": [[0, "1/8", 0], ["1/8", 0, 0], [0, 0, 0]],
                "path.G": filled(0, 3, 3),
            },
        ),
    },
    "leaky_resnets.conservation.trace": {
        "sums zero": (adjoint_without_bias, {"A": E33, "B": SUMS_ZERO}),
        "orthogonal": (adjoint_across, {"A": [[1, 2, 1, 1]] * 3, "B": [[1, 1, -1, -2]] * 3}),
    },
    "leaky_resnets.cost_of_identity.zero": {
        "1001/1000 for four points in one": (four_points_in_one, rows([1] * 4, [1] * 4, [-1] * 4))
    },
    "leaky_resnets.legendre.duality": {
        "1001/1000 for sums zero": (
            momentum_without_bias,
            {"point.A": E33, "point.B": SUMS_ZERO, "point.D": filled(0, 3, 3), "point.kind": 0},
        )
    },
    "leaky_resnets.legendre.momentum": {
        "symmetric": (symmetric_activations, {"A": SYMMETRIC, "B": E33}),
        "sums zero": (seen_part_without_bias, {"A": E33, "B": SUMS_ZERO}),
    },
    "leaky_resnets.prop_2.expansion": {
        "a neuron twice": (
            copied_neuron,
            {
                **representation("pair.A", [1, 2, 1], [1, 4, 2]),
                "pair.free": [1, 2, 1],
                "pair.coefficients": [0] * 3,
                "pair.kind": 0,
                "epsilon": 1,
            },
        ),
        "a neuron and its opposite": (
            opposite_neuron,
            {
                **representation("pair.A", [1, 2, 1], [1, 4, 2]),
                "pair.free": [-1, -2, -1],
                "pair.coefficients": [0] * 3,
                "pair.kind": 0,
                "epsilon": 1,
            },
        ),
    },
    "leaky_resnets.prop_2.unstable_minimum": {
        "the whole step": (whole_step_of_the_neuron, {"move": filled(0, 2, 3), "epsilon": 1})
    },
    "leaky_resnets.gamma_choice.bounds": {
        "1001/1000 for four different points": (four_different_points, {"A": [[3, 0, 0, 1], [0, 3, 0, 1], [0, 0, 3, 1]]}),
        "1001/1000 for a permutation": (mean_of_a_permutation, {"A": P33}),
    },
    "leaky_resnets.backward_equation.continuous": {
        "skew weights": (
            dual_of_a_turn,
            {"A": filled(1, 3, 1), "B": [[1], [2], [3]], "D": [[1], [0], [2]], "W": [[*row, 0] for row in SKEW], "L": 1},
        ),
        "at the kink": (
            dual_at_the_kink,
            {"A": filled(0, 3, 3), "B": filled(1, 3, 3), "D": filled(1, 3, 3), "W": filled(1, 3, 4), "L": 1},
        ),
    },
    "leaky_resnets.prop_5.cost_change": {
        "targets zero": (
            targets_are_zero,
            {
                "f.weights": [filled(1, 3, 4)] * 2,
                "f.leak": "1/4",
                "f.steps": ["1/8"] * 2,
                "X": filled(1, 3, 3),
                "t": ["1/2"] * 2,
                "F": filled(0, 3, 3),
                "ridge": 1,
            },
        ),
        "the path starts at zero": (
            path_starts_at_zero,
            {
                "f.weights": [filled(1, 3, 4)] * 3,
                "f.leak": "1/4",
                "f.steps": ["1/8"] * 3,
                "X": filled(0, 3, 3),
                "t": ["1/2"] * 3,
                "F": filled(1, 3, 3),
                "ridge": 1,
            },
        ),
    },
    "leaky_resnets.energy_split.finite": {
        "rank of the velocity": (
            rank_of_the_velocity,
            {
                **representation("motion.A", [1, 0, 0, 2], [0, 1, 0, 1], [0, 0, 1, 3]),
                "motion.W": filled(0, 3, 4),
                "motion.L": 1,
                "motion.kind": 0,
                "motion.D": [[0, 0, 0, 1], [0] * 4, [0] * 4],
            },
        )
    },
    "leaky_resnets.prop_1.attained": {
        "1001/1000 for a permutation": (features_of_a_permutation, {"A.entries": P33, "A.kind": 1}),
        "1001/1000 for a skew matrix": (features_of_a_skew_matrix, {"A.entries": SKEW, "A.kind": 1}),
    },
    "leaky_resnets.theorem_4.few_layers": {
        "999/1000 of the largest adjoint": (
            a_thousandth_of_the_largest_adjoint,
            {
                "case.A": [[[0] * 4]],
                "case.B": [[[0] * 4]],
                "case.gamma": "1/4",
                "case.delta": 1,
                "case.kind": 1,
                "case.size": 1,
                "case.ratio": 64,
                "case.place": "1999/2000",
                "case.moving": 0,
            },
        )
    },
    "leaky_resnets.theorem_4.stable_difference": {
        "1999/1000": (
            linear_term_of_the_difference,
            {"A": [["-1/1024", "1/1024"]], "B": [[Q(1, 2**18), Q(-1, 2**18)]], "gamma": "1/16"},
        )
    },
    "notion_of_rank.theorem_1": {
        "shifted to zero": (
            shifted_to_zero,
            {
                **layers("parts.inner", [[1], [2], [3]]),
                **layers("parts.outer", [[1, 1, 1]]),
                "parts.slope": 0,
                "x": [1],
                "s": [-1, -2, -3],
                "c": [1] * 3,
                "depth": 2,
                "width": 1,
            },
        ),
        "transposed ends": (
            transposed_ends,
            {
                **layers("parts.inner", [[1, 2, 3], [1, 1, 2], [2, 1, 1]]),
                **layers("parts.outer", [[1, 1, 2], [2, 1, 1], [3, 2, 1]], [[1, 1, 1]]),
                "parts.slope": 0,
                "x": [1] * 3,
                "s": [0] * 3,
                "c": [1] * 3,
                "depth": 3,
            },
        ),
    },
    "notion_of_rank.shallow_networks.dual": {
        "1001/1000 for the absolute value": (
            absolute_values_of_three_neurons,
            {
                **layers("f", [[0]] * 3, [[1, 0, 0]], b1=[1, 0, 0]),
                "f.slope": -1,
                "x": [0] * 4,
                "lam": [1, 0, 0, 0],
            },
        )
    },
    "notion_of_rank.infinite_depth_limit": {
        "199/100 of the squares": (
            squared_logarithms,
            {"A.left.chart": [0], "A.values": ["15/14", "14/15"], "A.right.chart": [0], "depth": 14},
        )
    },
    "notion_of_rank.ridge.soft_threshold": {"on the threshold": (on_the_threshold, {"a": -1, "t": -1, "ridge": 1})},
    "notion_of_rank.theorem_1.chain": {
        "1001/1000 at depth 13": (half_line_of_thirteen, {"s": 2, "w": [Q("475753/1000000"), *[Q("1063841/1000000")] * 11]})
    },
    "notion_of_rank.prop_2.constant": {
        "2001/1000 for five points": (
            scales_of_five_points,
            {
                "X.points": FIVE_POINTS,
                "X.repeated": 0,
                "Y": FIVE_LABELS,
                "u": [1, 0, 0],
                "a": best_scales(FIVE_POINTS, FIVE_LABELS, [1, 0, 0]),
                "depth": 13,
            },
        )
    },
    "notion_of_rank.prop_4.exponent": {"999/1000 of the largest share": (largest_share, {"eps": "7/4", "depth": 3})},
    "notion_of_rank.prop_4.with_biases": {
        "1999/1000 for three layers": (
            biases_of_three_layers,
            {
                **layers(
                    "f.network",
                    *ones_on_the_diagonal(1, 2, 2, 1),
                    b1=[Q(1, 10**5), 0],
                    b2=[Q(1, 10**5), 0],
                    b3=[Q(1, 10**5)],
                ),
                "f.network.slope": 0,
                "f.distance": [0] * 3,
                "f.nearness": 0,
                "f.biased": 1,
                "X": [[1]],
            },
        )
    },
    "notion_of_rank.ridge": {
        "the product turns": (
            ridge_of_a_permutation,
            {
                "f.W1": P33,
                "f.W2": E33,
                "f.W3": E33,
                "U.chart": [0] * 3,
                "V.chart": [0] * 3,
                "t": [1] * 3,
                "ridge": 1,
            },
        )
    },
    "notion_of_rank.diagonal_networks.tied": {
        "1001/1000 for supports by turns": (alternating_supports, {"plus": [1, 0, 1], "minus": [0, 1, 0], "L": 14})
    },
    "symmetry_learning.summary_statistics.gradient": {
        "skew noise": (gradient_of_skew_noise, {"v": [1, 2, 1], "w.chart": [0, 0], "E": SKEW, "u": [1, 0, 0]}),
        "symmetric noise": (gradient_of_symmetric_noise, {"v": [1, 2, 1], "w.chart": [0, 0], "E": SYMMETRIC, "u": [0, 1, 0]}),
        "at the direction": (
            gradient_at_the_direction,
            {"v": [0, 0, 0, 1], "w.chart": [0, 0, 0], "E": np.eye(4, dtype=int), "u": [0, 0, 0, 1]},
        ),
    },
    "symmetry_learning.newtonian_mechanics.positions": {
        "the fourteenth": (fourteenth_position, {"p0": -8, "p1": 8, "g": -2}),
    },
    "symmetry_learning.half_bottleneck.orbits": {
        "cyclic orders": (
            cyclic_orders,
            {
                "f.W1": [[1, -2, 0], [0, 0, 0]],
                "f.b": [0, 0],
                "f.W2": [[1, 0]],
                "f.slope": 0,
                "X": [[0, 1, 2], [1, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
            },
        )
    },
    "symmetry_learning.frequency_singular_values": {
        "a symmetric filter": (symmetric_filter, {"k": [[[[1, 2, 0, 0], [2, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]]]]}),
    },
    "symmetry_learning.linear_cnn_cost.complex_blocks": {
        "imaginary blocks": (imaginary_blocks, {"a": filled(0, 4, 4), "b": [[0, 1, 0, 0], *filled(0, 3, 4)], "L": 3}),
        "real blocks": (
            real_blocks,
            {"a": [[0, 1, 0, 0], *filled(0, 3, 4)], "b": [[0, 1, 0, 1], *filled(0, 3, 4)], "L": 3},
        ),
    },
    "symmetry_learning.frequency_bottleneck.new_offsets": {
        "one frequency": (
            one_frequency,
            {
                "signal.F": [*filled(0, 2, 4), [0, 0, 1, 0], [0] * 4],
                "signal.special": 0,
                "L": 2,
                "signal.x": [[1, 0, 0, 0], *filled(0, 3, 4)],
            },
        )
    },
    "symmetry_learning.frequency_bottleneck.with_offset": {
        "two frequencies": (
            two_frequencies,
            {
                "signal.F": [*filled(0, 2, 4), [0, 0, 1, 0], [0] * 4],
                "signal.special": 0,
                "L": 2,
                "signal.x": [[1, 0, 0, 0], *filled(0, 3, 4)],
            },
        )
    },
    "symmetry_learning.symmetries.rotations": {
        "radius and coordinate": (
            radius_is_the_first_coordinate,
            {
                **layers("f", [[1, 1, 1]]),
                "f.slope": 0,
                "pair.kept": [1, 2],
                "pair.radius": 1,
                "pair.chart": [1, 0],
                "width": 3,
            },
        )
    },
    "symmetry_learning.symmetry_overfitting": {
        "1001/1000 where two labels coincide": (
            two_labels_coincide,
            {
                **layers("parts.inner", [[1, 0]]),
                **layers("parts.outer", [[1]]),
                "parts.slope": 0,
                "X": [[2, 0], [0, 0], [1, 0], [0, 0], [3, 0]],
                "width": 2,
            },
        )
    },
}
"""By the claim: statements, each with an instance of the domain at which it is false."""


if __name__ == "__main__":
    sys.exit(what_survives(VARIANTS, TRUE, __doc__))
