"""False variants, each with an instance at which it is false, and true variants. Run by hand.

    python tests/benchmarks/corner_variants.py [WORD ...] [--seeds 2]  # 0: only whether each is false

Random claims of the five documents, beside those of `narrow_variants.py`: a constant better by a thousandth at one size or
rank, what is false only where two things coincide (two points, repeated values, two arrays that are opposite), a count that is
too small by one, a hypothesis that is wider by a hundredth. The instance proves that a variant is false; it is not shown to the
search. Then true variants of the same claims, other formulas and weaker bounds, which must survive.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from narrow_variants import options, survivors

from theorems.bottleneck_structure import geodesic_limits, inner_minima, prop_4
from theorems.bottleneck_structure.completely_positive_domains import plane
from theorems.bottleneck_structure.example_20 import function as example_20
from theorems.bottleneck_structure.narrowness import hessian
from theorems.bottleneck_structure.prop_13 import statement as prop_13
from theorems.bottleneck_structure.splitting import constants as splitting
from theorems.bottleneck_structure.theorem_3 import composition
from theorems.bottleneck_structure.theorem_6 import shared
from theorems.feature_learning import aligned_neurons
from theorems.feature_learning.constructions.graphs import support_graph
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.forces import scaling as forces
from theorems.feature_learning.lemma_10 import few_points
from theorems.feature_learning.prop_1 import local_minima
from theorems.feature_learning.prop_3 import one_point
from theorems.feature_learning.prop_5 import depth_three
from theorems.feature_learning.prop_13 import mantel, supports
from theorems.feature_learning.prop_14 import attained, optimum, ridge
from theorems.feature_learning.prop_15 import count
from theorems.leaky_resnets import (
    balanced_fully_connected,
    equidistant_steps,
    hamiltonian,
    lagrangian,
    prop_10,
    range_symmetry,
    stable_solve,
    weights_from_activations,
)
from theorems.leaky_resnets.constructions.representations import cost_without_bias, sigma
from theorems.leaky_resnets.cost_of_identity import smallest_weights
from theorems.leaky_resnets.gamma_choice import statement as gamma_choice
from theorems.leaky_resnets.linear_cross_term import path as cross_term
from theorems.leaky_resnets.prop_2 import columns
from theorems.leaky_resnets.prop_3 import saddle
from theorems.leaky_resnets.prop_5 import gap
from theorems.notion_of_rank.diagonal_networks import tied
from theorems.notion_of_rank.linear_networks import cost as linear_cost
from theorems.notion_of_rank.ridge import chain, jump, threshold
from theorems.notion_of_rank.shallow_networks import statement as shallow
from theorems.notion_of_rank.theorem_1 import sandwich
from theorems.notion_of_rank.theorem_1 import statement as theorem_1
from theorems.notion_of_rank.theorem_2 import grids, snake
from theorems.symmetry_learning.summary_statistics import closed_form, descent
from verify import Q, catalogue
from verify.checker.checking import Checker
from verify.claims.by_hand import samples_by_hand
from verify.numbers.relation import Verdict
from verify.search.decide import decide_sample, verdict_of
from verify.words import (
    absolute,
    eq,
    exp,
    eye,
    ge,
    greatest,
    le,
    log_pseudo_determinant,
    norm,
    norm2,
    nuclear_norm,
    operator_norm,
    power,
    rank,
    relu,
    schatten_power,
    singular_values,
    sqrt,
    stack,
    trace,
    where,
    zeros,
)

MORE, LESS = Q("1001/1000"), Q("999/1000")


def if_so(condition: Any, value: Any) -> Any:
    """The changed constant where the condition holds, else 1."""
    return where(condition, value, 1)


def first_points_coincide(A):
    """Of three neurons or more, all of which move there, and which differ."""
    if A.shape[0] < 3 or A.shape[1] < 2:
        return False
    return (
        (A[:, 0] == A[:, 1]).all() & (A[:, 0] != 0).all() & (A[0, 0] != A[1, 0]) & (A[1, 0] != A[2, 0]) & (A[0, 0] != A[2, 0])
    )


# leaky_resnets


def one_shared_neuron(positive, negative):
    """The first of one family and the last of the other are the same: then one dimension less."""
    same = (positive[0] == negative[-1]).all() & (positive[0] > 0).all()
    ranks = [rank(saddle.neuron_pairs(A)) for A in (saddle.concatenate([positive, -negative]), positive, -negative)]
    return eq(ranks[0], ranks[1] + ranks[2] - where(same & (len(positive) == 3), 1, 0))


def logarithm_of_rank_two(path):
    A = path.at(0)
    few = if_so((rank(A) == 2) & (min(A.shape) == 3), LESS)
    found = few * (log_pseudo_determinant(path.at(1)) - log_pseudo_determinant(A))
    return le(abs(cross_term.cross_term(path, bias=False) - found), Q(1, 2**30))


def sixty_four_layers(f):
    L, M = f.leak, len(f.steps)
    return le((1 - L / M) ** M, if_so((Q(1, 4) <= L) & (M == 64), LESS) * exp(-L))


def sign_at_the_leak(f, x):
    L, M = f.leak, len(f.steps)
    return eq(equidistant_steps.sign(f.activations(x)[1]), where((L == M) & (M == 5), -1, equidistant_steps.sign(M - L)))


def moves_less_at_four_points(pair, M, gamma):
    K, K1 = stable_solve.kernel(pair[0]), stable_solve.kernel(pair[1])
    difference = absolute(stable_solve.stable_norm2(M, K, gamma) - stable_solve.stable_norm2(M, K1, gamma))
    less = LESS if pair[0].shape == (3, 4) else 1
    return le(difference, less * operator_norm(K - K1) * norm2(M) / gamma**2)


def steps_that_are_equal(f, c):
    same = (f.steps == f.steps[0]).all() & (len(f.steps) == 6)
    g = range_symmetry.stretched(f, c)
    return eq(range_symmetry.squared_norm(g) * c, if_so(same, MORE) * range_symmetry.squared_norm(f))


def leak_at_coinciding_points(A, W, L):
    return weights_from_activations.unique_weights(A, W, L, leak=if_so(first_points_coincide(A), MORE))


def negative_neuron_of_rank_one(A):
    """For four points, three neurons and rank 1, where an entry is negative."""
    wanted = (rank(A) == 1) & (A < 0).any() if A.shape == (3, 4) else False
    return ge(cost_without_bias(A) * norm2(relu(A)), if_so(wanted, MORE) * nuclear_norm(A) ** 2)


def norm_at_coinciding_points(A, B):
    return prop_10.derivative_of_the_norm(A, B, factor=where(first_points_coincide(A), Q("2001/1000"), 2))


def fully_connected_step(A, B, L, rho):
    """Where rho L is 1 for a leak of 2 or more, with three neurons."""
    return prop_10.growth_in_a_step(A, B, L, rho, lost=if_so((rho * L == 1) & (L >= 2) & (len(A) == 3), MORE))


def smaller_of_rank_two(A, Z):
    """Features of rank 2 in three neurons, four points."""
    F, W = sigma(A), smallest_weights.weights_that_keep(A, Z)
    wanted = (rank(F) == 2) if A.shape == (3, 4) else False
    return ge(norm2(W), if_so(wanted, MORE) * smallest_weights.cost(A))


def columns_that_coincide(A):
    return columns.column_neurons(A, added=where(first_points_coincide(A), Q("2001/1000"), 2))


def price_of_three_layers(problem):
    L, lam, C, smallest = problem.L, problem.lam, problem.misfit, lagrangian.smallest_weights(problem)
    more = MORE if len(problem.rho) == 3 and problem.F.shape == (3, 1) else 1
    least = more * lagrangian.integral(problem, smallest)
    return le(C + lam / (2 * L) * least, C + lam / (2 * L) * lagrangian.integral(problem, problem.W))


def lonely_negative_entry(A):
    x = A[:, gap.POINT]
    lonely = ((x < 0).sum() == 1) & ((x == 0).sum() == 2) & (A.shape == (3, 4))
    return ge(norm2(x), norm2(relu(x)) + if_so(lonely, MORE) * gap.least(x) ** 2)


def opposite_direction(A, B, D):
    """Where D is -A: from the activations to the origin."""
    backward = (A > 0) * (relu(A) @ B.T @ B) - B
    towards = (D == -A).all() & (A.shape[0] > 1) & (A.shape[1] > 1)
    return eq(hamiltonian.slope_in_A(A, B, D), if_so(towards, MORE) * hamiltonian.inner(backward, D))


def backward_at_coinciding_points(A, B, D):
    backward = (A > 0) * (relu(A) @ B.T @ B) - if_so(first_points_coincide(A), MORE) * B
    return eq(hamiltonian.slope_in_A(A, B, D), hamiltonian.inner(backward, D))


def spectrum_of_coinciding_points(A, t):
    F, more = sigma(A), if_so(first_points_coincide(A), MORE)
    left = t ** len(F) * gamma_choice.characteristic(gamma_choice.kernel(A), t)
    return eq(left, more * t ** A.shape[1] * gamma_choice.characteristic(F @ F.T, t))


def opposite_ends(f, X, last):
    """Where the last adjoint is -X, for six layers."""
    opposite = (last == -X).all() & (f.depth == 6) & (len(X) == 3)
    return balanced_fully_connected.gradients_before_and_after(f, X, last, bias=if_so(opposite, MORE))


# bottleneck_structure


def constants_of_six_layers(f, s):
    c2, p = splitting.cheapest_constant(s, f.depth + 2)
    return ge(splitting.cost_at_the_value(f, splitting.start(f, s), c2[-1]), (MORE if f.depth == 4 else 1) * p[2:].sum())


def three_by_two_at_depth_six(A, B, depth):
    less = LESS if depth == 6 and A.shape == (3, 2) else 1
    return le(prop_4.cost(A + B, depth), prop_4.cost(A, depth) + less * prop_4.cost(B, depth))


def summand_of_rank_two(A, B, depth):
    """Of rank 2 beside one of rank 1, in space, at depth 13."""
    wanted = (rank(A) == 2) & (rank(B) == 1) & (A.shape == (3, 3)) & (depth == 13)
    return le(prop_4.cost(A + B, depth), if_so(wanted, LESS) * prop_4.cost(A, depth) + prop_4.cost(B, depth))


def long_powers(A, B, p):
    """Where A is far larger than B."""
    whole, wanted = prop_4.R2(A @ B), (p >= Q(9, 10)) & (A.shape == B.shape == (3, 3))
    return le(if_so(wanted, MORE) * whole, prop_4.R2(A) / p + prop_4.R2(B) / (1 - p))


def last_term_at_depth_fourteen(t, depth):
    """The smallest term of the norm is left out where it is smallest."""
    L, m, network = depth, (depth - 2) // 2, example_20.diverging(depth, t)
    last = where((t >= 2) & (depth == 14), 0, t ** (-4 * m))
    return eq(network.parameter_norm_squared, 3 * L + example_20.halves(t, m) + 2 * t ** (-2 * m) + last)


def value_on_the_diagonal(t, x, depth):
    """Where x1 and x2 are equal and not 0, at depth 10."""
    wanted = (x[0] == x[1]) & (x[0] != 0) & (depth == 10)
    return eq(example_20.diverging(depth, t)(x)[2], example_20.f(x)[2] + where(wanted, Q(1, 1000), 0))


def planes_in_space(f, k):
    return ge(f.weight_norm_squared, f.depth * k * (MORE if (f.depth, k, f.widths[1]) == (6, 2, 3) else 1))


def rest_of_rank_two(f):
    """99/100 of the rest for two values at depth 6."""
    A, L = geodesic_limits.partial_products(f)[-1], f.depth
    found = stack([norm2(W) - rank(A) for W in f.weights]) * L
    limit, rest = 2 * log_pseudo_determinant(A), geodesic_limits.second_order(geodesic_limits.singular_values(A), L)
    return le(found, limit + if_so((rank(A) == 2) & (L == 6), Q(99, 100)) * rest)


def repeated_values(f):
    """Where the first two of three singular values are equal and the third is another: at depth 6."""
    M, N = geodesic_limits.partial_products(f), geodesic_limits.remaining_products(f)
    s = singular_values(M[-1])
    wanted = (s[0] == s[1]) & (s[2] != s[1]) if len(s) == 3 and f.depth == 6 else False
    volumes = [geodesic_limits.volume2(A) for A in (M[0], N[1], M[-1])]
    return le(volumes[0] * volumes[1], if_so(wanted, LESS) * volumes[2])


def volume_of_planes(A, B):
    wanted = (rank(A) == 2) if A.shape == (3, 4) and B.shape == (4, 3) else False
    return le(if_so(wanted, MORE) * composition.volume2(A @ B), composition.volume2(A) * composition.volume2(B))


def a_column_at_least(f, x):
    relation, k = shared.Relation(()), rank(f.jacobian(x))
    for V in shared.columns(f, x)[1:]:
        relation &= eq((shared.diag(V.T @ V) != 0).sum(), where((k == 2) & (f.depth == 4), 1, k))
    return relation


def minimum_between_turned_frames(U, u, t, V, B, lam, L):
    """For two of three values at L = 7, in frames that are turned."""
    r, wanted = u**L, (eye(len(U)) != U).any() & (L == 7) & (len(u) == 2) & (t > 0).all()
    T = inner_minima.framed(U, inner_minima.concatenate([r + lam * u**2 / r, t]), V)
    here = inner_minima.framed(U, inner_minima.concatenate([r, 0 * t]), V)
    return le(if_so(wanted, MORE) * inner_minima.loss(here, T, lam, L), inner_minima.loss(B, T, lam, L))


def change_at_depth(f, x, y, depth):
    more = MORE if f.depth == depth else 1
    return ge((f.weight_norm_squared - prop_13.mean_norm(f, x, y)) * prop_13.G(f, x, y), more * prop_13.change(f, x, y))


def change_at_depth_six(f, x, y):
    return change_at_depth(f, x, y, 6)


def change_at_depth_thirteen(f, x, y):
    return change_at_depth(f, x, y, 13)


def bound_of_three_layers(f, X, v, misfit):
    J = hessian.stacked_jacobian(f, X)
    more = MORE if (f.depth, f.widths[-1], len(X)) == (3, 3, 3) else 1
    return le(more * hessian.second_derivative(f, X, v, misfit), 2 * operator_norm(J @ J.T) * norm2(v) / len(X))


def not_parallel_for_six(X):
    determinants, products = plane.others(X)
    little = Q(1, 1000) if len(X) == 6 else 0
    return ge(greatest(plane.least(determinants - little * products, axis=1)), 0)


# notion_of_rank


def two_neurons_at_depth_fourteen(parts, x, s, c, depth):
    J, less = sandwich.jacobian(parts, x), LESS if (depth, len(s)) == (14, 2) else 1
    return le(schatten_power(J, Q(2, depth)), less * sandwich.N(parts, s, c, depth) / depth)


def neuron_without_ends(parts, s, c, depth):
    """A neuron of the bottleneck that nothing enters and nothing leaves costs nothing, between parts of depth 2 and width 3."""
    (g, h), k = parts, len(s)
    dead = (g.weights[-1] == 0).all(axis=1) & (h.weights[0] == 0).all(axis=0)
    wanted = k == 3 and g.depth == h.depth == 2 and h.widths[1] == 3
    return theorem_1.growth(parts, s, c, depth, less=where(dead, 1, 0).sum() if wanted else 0)


def two_equal_roots(q, negative, L):
    wanted = (q[0] == q[1]) & (q[2] != q[1]) & (q > 0).all() if len(q) == 3 and L == 14 else False
    v = tied.signed_power(q, negative, L)
    plus, minus = tied.tied(v, L)
    return eq(if_so(wanted, MORE) * (norm2(plus) + norm2(minus)), tied.quasi_norm(v, Q(2, L)))


def almost_six_tenths(f, side):
    """589/1000 in the plane, where the constant centre has 1/2 and the root of 2 over 16."""
    slope = operator_norm(f.weights[0]) * operator_norm(f.weights[1])
    wanted = Q("589/1000") if f.widths[0] == 2 else Q(1, 2)
    return ge(grids.sum_of_both(grids.displacement(f, side), slope, side, f.widths[0]), wanted)


def jump_at_depth_thirteen(v, u, ridge, depth):
    t, critical = jump.target_of_the_jump(v, depth), jump.critical_ridge(v, depth)
    less = LESS if depth == 13 else 1
    return ge(jump.G(u, t, ridge, depth), t**2 + depth * u**2 * (ridge - less * critical))


def fifth_snake(x, toward, side):
    images, points = snake.squared_distances(x, toward, side)
    return le(images, (LESS if side == 5 else 1) * (1 + (2 * side - 1) ** 2) * points)


def five_neurons_three_outputs(f):
    used = (shallow.atomic_norm(f) > 0) & (f.widths[1:] == (5, 3))
    return ge(f.parameter_norm_squared, if_so(used, MORE) * shallow.variation(f))


def chain_of_thirteen(f, T, ridge):
    return threshold.growth_at_zero(f, T, ridge, cross=Q("1999/1000") if f.depth == 13 and f.widths[1] == 4 else 2)


def matrices_at_depth_six(A, U, t, V, ridge, depth):
    """For three values at depth 6, none of which is 0."""
    least = sum(chain.least_value(s, ridge, depth) for s in t)
    wanted = (t > 0).all() & (depth == 6) & (len(t) == 3)
    return le(if_so(wanted, MORE) * least, chain.C(A, U, t, V) + ridge * chain.R(A, depth))


def three_values_at_depth_six(f):
    """For three different values at depth 6 and width 4."""
    A, L = linear_cost.product(f), f.depth
    s = singular_values(A)
    wanted = (s[0] > 2 * s[1]) & (s[1] > 2 * s[2]) & (s[2] > 0) if len(s) == 3 and L == 6 and f.widths[1] == 4 else False
    return le(if_so(wanted, MORE) * L * schatten_power(A, Q(2, L)), f.weight_norm_squared)


def an_end_pays_its_share(f):
    """The first or the last layer, at depth 3."""
    paid, W = f.weight_norm_squared / f.depth, f.weights
    ends = prop_4.maximum(norm2(W[0]), norm2(W[-1])) if f.depth == 3 else paid
    return le(schatten_power(linear_cost.product(f), Q(2, f.depth)), ends)


# feature_learning


def fewer_classes(W, x, beta, points):
    u, _ = count.merged_neurons(W, x, beta, False)
    return le((u != 0).any(axis=1).sum(), 4 * len(x) - (len(x) == points))


def eleven_classes_of_three_points(W, x, beta):
    return fewer_classes(W, x, beta, 3)


def fifteen_classes_of_four_points(W, x, beta):
    return fewer_classes(W, x, beta, 4)


def nearly_convex(first, second, share, wider):
    """In both numbers where b^2 <= 4 a at both ends, which is a little wider than where the Hessian is not negative."""
    t, inside = share, (first[1] ** 2 <= wider * first[0]) & (second[1] ** 2 <= wider * second[0])
    mixed = t * depth_three.cost(*first) + (1 - t) * depth_three.cost(*second)
    middle = depth_three.cost(*(t * first + (1 - t) * second))
    return le(where(inside, middle, 0), where(inside, mixed, 0))


def convex_up_to_a_hundredth(first, second, share):
    return nearly_convex(first, second, share, Q("101/25"))


def convex_up_to_a_tenth(first, second, share):
    return nearly_convex(first, second, share, Q("22/5"))


def ridge_of_three_values(problem, alpha, lam):
    _, Y, V = problem
    wanted = (rank(Y) == 3) & (lam >= Q(1, 16)) & (V.shape == (5, 3))
    return le(if_so(wanted, MORE) * ridge.cost_of_singular_values(Y, lam, len(V[0])), ridge.loss(V, alpha, Y, lam))


def group_of_three(group, w, c, others, last):
    p, length = group
    W = aligned_neurons.shallow(np.outer(p, w), c, others, last)
    W_new = aligned_neurons.shallow(length * w[None], (p @ c)[None] / length, others, last)
    wanted = len(p) == 3 and len(others) == 2
    return le((MORE if wanted else 1) * sum(map(norm2, W_new)), sum(map(norm2, W)))


def slope_minus_one(problem, alpha, d):
    """For the absolute value and a root of rank 3."""
    A, Y, V = problem
    wanted = (d == -1) & (rank(A) == 3) & (V.shape == (5, 4))
    return le(if_so(wanted, MORE) * 2 * trace(A), optimum.cost_of(Y, V, alpha, d))


def opposite_rows_count_twice(layer):
    """For one point and two rows."""
    Z, _ = layer
    twice = (Z[0] == -Z[1]).all() & (Z[0] != 0).all() if Z.shape == (2, 1) else False
    return le(rank(Z) + where(twice, 1, 0), few_points.rank_of_layer(*layer))


def forces_at_coinciding_points(layer):
    return forces.forces_along_the_layer(layer, factor=where(first_points_coincide(layer.Z), Q("2001/1000"), 2))


def steep_with_both_signs(z, slopes, beta):
    """Where both signs and two different slopes are present, for four neurons."""
    a, d = slopes
    wanted = (z > 0).any() & (z < 0).any() & (a**2 != d**2) & (len(z) == 4) & (beta == 0)
    most = one_point.maximum(a**2, d**2) * norm2(z) + beta**2
    return le(norm2(one_point.activated(z, slopes)) + beta**2, if_so(wanted, LESS) * most)


def five_edges_of_five_vertices(B):
    edges = supports.edges_of(support_graph(gram(B))).sum()
    return le(where(B.shape == (5, 5), edges, 0), 4)


def no_cycle_of_five(B):
    """Where every vertex has exactly two edges there are at most four."""
    adjacency = support_graph(gram(B))
    cycle = (adjacency.sum(axis=0) == 2).all() & (B.shape == (5, 5))
    return le(where(cycle, supports.edges_of(adjacency).sum(), 0), 4)


def nine_edges_with_a_cycle_of_five(edges):
    """For seven vertices with a cycle of odd length: in truth there are up to ten."""
    A = support_graph(gram(mantel.incidence_matrix(edges)))
    odd = (trace(A @ A @ A @ A @ A) > 0) & (len(A) == 7)
    return le(where(odd, edges.sum(), 0), 9)


def rank_two_of_five(B, normal):
    A = gram(B)
    wanted = (rank(B) == 2) & (B > 0).all() & (B.shape == (5, 4))
    W_2 = attained.reflected(A, normal) @ attained.pinv(B)
    return eq(norm2(B) + norm2(W_2), if_so(wanted, MORE) * 2 * trace(A))


def whole_step(problem, W, t):
    """Where all residuals are taken off, at depth 6."""
    return local_minima.law(problem, W, t, slice(None), if_so((t == 1) & (len(W) == 6), MORE) * t * (2 - t))


# symmetry_learning


def equal_starts(t, p0, q0):
    return closed_form.closed_form(t, p0, q0, rate=where((p0 == q0) & (t > 0), Q("8008/1000"), 8))


def across_the_direction(v, w, eta, u):
    """A start at a right angle to w, in six dimensions."""
    wanted = (w @ v == 0) & (v != 0).any() & (len(v) == 6)
    mirrored = descent.reflected(v, u - (w @ u) * w)
    return eq(descent.losses(v, w, eta), if_so(wanted, MORE) * descent.losses(mirrored, w, eta))


# What is true


def cost_by_the_kernel(A):
    K = relu(A).T @ relu(A)
    return ge(trace(A @ smallest_weights.pinv(K) @ A.T) * norm2(relu(A)), nuclear_norm(A) ** 2)


def lost_norm(A):
    x = A[:, gap.POINT]
    return ge(norm2(x) - norm2(relu(x)), gap.least(x) ** 2)


def energy_to_second_order(A, B, D):
    """Moved by D alone, without its second order."""
    change = hamiltonian.hamiltonian(A, B + D) - hamiltonian.hamiltonian(A, B) - norm2(D @ sigma(A).T) / 2
    return eq(change, hamiltonian.inner(B @ (relu(A).T @ relu(A) + 1) - A, D))


def growth_alone(A, B, L, rho):
    F, before = sigma(-A), prop_10.symplectic_euler_step(-A, B, L, rho)[1]
    gained = norm2(L * B @ F.T) - norm2(L * before @ F.T)
    return eq(gained, rho * L * (2 - rho * L) * norm2(L * B @ np.ones(B.shape[1], dtype=int)))


def logarithm_of_the_leak(f):
    L, M = f.leak, len(f.steps)
    return le(M * prop_4.log(1 - L / M), -L)


def leak_as_a_difference(f):
    L, M = f.leak, len(f.steps)
    return ge(exp(-L) - (1 - L / M) ** M, 0)


def difference_of_spectra(A, t):
    F, K = sigma(A), gamma_choice.kernel(A)
    left, right = t ** len(F) * gamma_choice.characteristic(K, t), t ** len(K) * gamma_choice.characteristic(F @ F.T, t)
    return eq(left - right, 0)


def stretched_norms(f, c):
    return eq(range_symmetry.squared_norm(range_symmetry.stretched(f, c)) - range_symmetry.squared_norm(f) / c, 0)


def prices_without_the_misfit(problem):
    smallest = lagrangian.smallest_weights(problem)
    return le(lagrangian.integral(problem, smallest) - lagrangian.integral(problem, problem.W), 0)


def sum_less_one(A, B, depth):
    return le(prop_4.cost(A + B, depth) - prop_4.cost(A, depth), prop_4.cost(B, depth))


def squared_roots(A, B):
    whole, a, b = prop_4.R2(A @ B), prop_4.R2(A), prop_4.R2(B)
    return le(whole - a - b, 2 * sqrt(a * b))


def norm_beyond_the_layers(t, depth):
    L, m, network = depth, (depth - 2) // 2, example_20.diverging(depth, t)
    return eq(network.parameter_norm_squared - 3 * L, example_20.halves(t, m) + (t ** (-2 * m) + 1) ** 2 - 1)


def beyond_the_dimension(f, k):
    return ge(f.weight_norm_squared - f.depth * k, 0)


def little_more_than_the_rest(f):
    A, L = geodesic_limits.partial_products(f)[-1], f.depth
    found = stack([norm2(W) - rank(A) for W in f.weights]) * L
    limit, rest = 2 * log_pseudo_determinant(A), geodesic_limits.second_order(geodesic_limits.singular_values(A), L)
    return le(found - limit, MORE * rest)


def roots_of_volumes(A, B):
    left, right = composition.volume2(A @ B), composition.volume2(A) * composition.volume2(B)
    return le(sqrt(left), sqrt(right))


def bound_by_the_trace(f, X, v, misfit):
    J = hessian.stacked_jacobian(f, X)
    return le(hessian.second_derivative(f, X, v, misfit), 2 * norm2(J) * norm2(v) / len(X))


def per_network(parts, x, s, c, depth):
    J = sandwich.jacobian(parts, x)
    return le(depth * schatten_power(J, Q(2, depth)) - sandwich.N(parts, s, c, depth), 0)


def distance_from_the_jump(v, u, ridge, depth):
    t, critical = jump.target_of_the_jump(v, depth), jump.critical_ridge(v, depth)
    return ge(jump.G(u, t, ridge, depth) - t**2 - depth * u**2 * (ridge - critical), 0)


def images_less_points(x, toward, side):
    images, points = snake.squared_distances(x, toward, side)
    return le(images - (1 + (2 * side - 1) ** 2) * points, 0)


def norm_less_variation(f):
    return ge(f.parameter_norm_squared - shallow.variation(f), 0)


def cross_terms(f, T):
    P, n, L = threshold.product(f), f.weight_norm_squared, f.depth
    return ge(norm2(P - T) - norm2(T) - norm2(P), -2 * norm(T) * power(n / L, Q(L, 2)))


def mean_of_the_layers(f):
    return le(schatten_power(linear_cost.product(f), Q(2, f.depth)), f.weight_norm_squared / f.depth)


def convex_inside_the_parabola(first, second, share):
    return nearly_convex(first, second, share, 4)


def singular_values_less_loss(problem, alpha, lam):
    _, Y, V = problem
    return le(ridge.cost_of_singular_values(Y, lam, len(V[0])) - ridge.loss(V, alpha, Y, lam), 0)


def steep_side_alone(z, slopes):
    a, d = slopes
    return le(0, one_point.maximum(a**2, d**2) * norm2(z) - norm2(one_point.activated(z, slopes)))


def four_times_the_edges(edges):
    return le(4 * edges.sum(), mantel.number_of_vertices(edges) ** 2)


def ten_edges_with_a_cycle_of_five(edges):
    A = support_graph(gram(mantel.incidence_matrix(edges)))
    return le(where((trace(A @ A @ A @ A @ A) > 0) & (len(A) == 7), edges.sum(), 0), 10)


def halves_of_the_norm(B, normal):
    A = gram(B)
    return eq(norm2(B) - trace(A), trace(A) - norm2(attained.reflected(A, normal) @ attained.pinv(B)))


def drops_of_the_losses(v, w, eta, u):
    first, second = descent.losses(v, w, eta), descent.losses(descent.reflected(v, u - (w @ u) * w), w, eta)
    return eq(first[1:] - first[:-1], second[1:] - second[:-1])


TRUE: Mapping[str, Mapping[str, Any]] = {
    "leaky_resnets.prop_1.chain": {"by the kernel": cost_by_the_kernel},
    "leaky_resnets.prop_5.gap": {"what is lost": lost_norm},
    "leaky_resnets.hamiltonian": {"to second order": energy_to_second_order},
    "leaky_resnets.prop_10.discrete": {"growth alone": growth_alone},
    "leaky_resnets.equidistant_steps.leak": {"logarithm": logarithm_of_the_leak, "difference": leak_as_a_difference},
    "leaky_resnets.gamma_choice.spectrum": {"difference": difference_of_spectra},
    "leaky_resnets.range_symmetry": {"difference": stretched_norms},
    "leaky_resnets.lagrangian": {"without the misfit": prices_without_the_misfit},
    "bottleneck_structure.prop_4.sums": {"less one": sum_less_one},
    "bottleneck_structure.prop_4": {"squared": squared_roots},
    "bottleneck_structure.example_20": {"beyond 3L": norm_beyond_the_layers},
    "bottleneck_structure.identity_dimension": {"difference": beyond_the_dimension},
    "bottleneck_structure.geodesic_limits.middle": {"1001/1000 of the rest": little_more_than_the_rest},
    "bottleneck_structure.theorem_3.composition": {"roots": roots_of_volumes},
    "bottleneck_structure.narrowness.hessian": {"by the trace": bound_by_the_trace},
    "notion_of_rank.theorem_1.sandwich": {"difference": per_network},
    "notion_of_rank.ridge.critical": {"difference": distance_from_the_jump},
    "notion_of_rank.theorem_2.snake": {"difference": images_less_points},
    "notion_of_rank.shallow_networks": {"difference": norm_less_variation},
    "notion_of_rank.ridge.local_minimum": {"cross terms": cross_terms},
    "notion_of_rank.linear_networks": {"mean of the layers": mean_of_the_layers},
    "feature_learning.prop_5.depth_three": {"inside the parabola": convex_inside_the_parabola},
    "feature_learning.prop_14.ridge": {"difference": singular_values_less_loss},
    "feature_learning.prop_3.one_point": {"steep side": steep_side_alone},
    "feature_learning.prop_13.mantel": {"four times": four_times_the_edges, "ten edges": ten_edges_with_a_cycle_of_five},
    "feature_learning.prop_14.attained": {"halves": halves_of_the_norm},
    "symmetry_learning.summary_statistics.rotation": {"drops": drops_of_the_losses},
}
"""By the claim: other formulas, many with cancellation, and weaker bounds."""


# The instances


def rows(*values: Any) -> dict[str, Any]:
    """A representation with these rows."""
    matrix = [*map(list, values)]
    return {"A.rows": matrix, "A.mix": [[0] * (len(matrix) + 1)] * len(matrix), "A.family": 0, "A.origin": 1}


def identities(name: str, *widths: int) -> dict[str, Any]:
    """Partial identities without biases."""
    shapes = [*zip(widths[1:], widths[:-1], strict=True)]
    return {
        **{f"{name}.W{k}": np.eye(*shape, dtype=int).tolist() for k, shape in enumerate(shapes, start=1)},
        **{f"{name}.b{k}": [0] * shape[0] for k, shape in enumerate(shapes, start=1)},
    }


def kink_at_the_start(depth: int, width: int) -> dict[str, Any]:
    """The absolute value, lifted by 3 and taken back, and layers of one neuron that pass it on."""
    parts = {f"f.network.{part}": value for part, value in _kink(depth, width).items()}
    return {**parts, "f.network.slope": 0, "f.kind": 0, "x": [1], "y": [-1]}


def _kink(depth: int, width: int) -> dict[str, Any]:
    widths = [1, *[width] * (depth - 1), 1]
    shapes = [*zip(widths[1:], widths[:-1], strict=True)]
    W = [[[int(i == j == 0) for j in range(n)] for i in range(m)] for m, n in shapes]
    b = [[0] * m for m, _ in shapes]
    W[1][1][0], b[0][0], b[1][0], b[1][1], W[2][0][1] = -1, 3, -3, 3, 1
    return {**{f"W{k}": w for k, w in enumerate(W, start=1)}, **{f"b{k}": c for k, c in enumerate(b, start=1)}}


def two_of_five() -> dict[str, Any]:
    """The five-cycle with two adjacent vertices doubled: ten edges on seven vertices."""
    classes = [0, 0, 1, 1, 2, 3, 4]
    pairs = [int((classes[i] - classes[j]) % 5 in (1, 4)) for i in range(7) for j in range(i + 1, 7)]
    return {"edges.pairs": pairs, "edges.colours": [0] * 7, "edges.bipartite": 0, "edges.complete": 0}


def one_of_each_class(points: int) -> dict[str, Any]:
    """Neurons of all 4N classes at the points 0, 1, ..., with beta = 1, and others that are 0."""
    found = [[a, b, c] for a in (1, -1) for b, c in _kinks(points)]
    return {"W": found + [[0, 0, 0]] * (16 - len(found)), "x": [*range(points)], "beta": 1, "elsewhere": [0] * points}


def _kinks(points: int) -> list[list[Any]]:
    rising = [[1, Q(2 * k + 3, 2) - points] for k in range(points)]
    return [*rising, *([-1, Q(2 * k + 1, 2)] for k in range(points))]


def cheapest_layers() -> dict[str, Any]:
    """Four layers after the second of the cheapest constant for s = 9/4, up to a millionth."""
    s = 9 / 4
    c2, p = [s - 1, s * s], [s - 1, s]
    for _ in range(4):
        p.append(p[-1] * (1 + c2[-1]) / c2[-1])
        c2.append(p[-1] * (1 + c2[-1]))
    found: dict[str, Any] = {}
    for k in range(1, 5):
        before, paid = c2[k], p[k + 1]
        found[f"f.W{k}"] = [[Q(round(1e6 * (paid * before / (1 + before)) ** 0.5), 10**6)]]
        found[f"f.b{k}"] = [Q(round(1e6 * (paid / (1 + before)) ** 0.5), 10**6)]
    return {**found, "f.slope": 0, "s": "9/4"}


E33 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
DISTINCT = [[1, 1, 2], [2, 2, 1], [3, 3, 1]]
"""Three points of which two coincide."""
VARIANTS: Mapping[str, Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "leaky_resnets.prop_3.sharp": {
        "one shared neuron": (
            one_shared_neuron,
            {"positive": [[1, 2, 3], [0, 1, 0], [0, 0, 1]], "negative": [[1, 0, 1], [0, 0, 2], [1, 2, 3]]},
        )
    },
    "leaky_resnets.linear_cross_term": {
        "999/1000 at rank 2 of 3": (
            logarithm_of_rank_two,
            {"path.left": E33, "path.right": E33, "path.drop": 0, "path.E": [["1/8", 0, 0]] * 3, "path.G": zeros(3, 3)},
        )
    },
    "leaky_resnets.equidistant_steps.leak": {"999/1000 at 64 layers": (sixty_four_layers, {"f.L": "1/4", "layers": 64})},
    "leaky_resnets.equidistant_steps": {
        "sign at L = M = 5": (sign_at_the_leak, {"f.L": 5, "x": [[1, 1]], "layers": 5}),
    },
    "leaky_resnets.stable_solve.stable": {
        "999/1000 at three neurons, four points": (
            moves_less_at_four_points,
            {
                **{f"pair.{name}": value for name, value in rows([1] * 4, [1] * 4, [1] * 4).items()},
                "pair.D": [["1/10", "-1/10", 0, 0], ["-1/10", "1/10", 0, 0], [0] * 4],
                "pair.near": 1,
                "M": [[1, -1, 0, 0]],
                "gamma": 1,
            },
        )
    },
    "leaky_resnets.range_symmetry": {
        "six equal steps": (
            steps_that_are_equal,
            {"f.weights": [[[1, 0]]] * 6, "f.leak": 1, "f.steps": [1] * 6, "X": [[1]], "c": 2},
        )
    },
    "leaky_resnets.weights_from_activations.unique": {
        "points that coincide": (
            leak_at_coinciding_points,
            {**rows([1, 1, 2, -1, 1], [2, 2, 1, 1, -1], [3, 3, 1, 1, 2]), "W": zeros(3, 4), "L": 1},
        )
    },
    "leaky_resnets.prop_1.chain": {
        "1001/1000 at a negative neuron": (negative_neuron_of_rank_one, rows([1] * 4, [1] * 4, [-1] * 4)),
    },
    "leaky_resnets.prop_10.at_a_point": {
        "points that coincide": (norm_at_coinciding_points, {"A": DISTINCT, "B": [[1, 0, 0], [0, 0, 0], [0, 0, 0]]}),
    },
    "leaky_resnets.prop_10.discrete": {
        "rho L = 1": (fully_connected_step, {"A": [[1]] * 3, "B": [[1]] * 3, "L": 2, "rho": "1/2"}),
    },
    "leaky_resnets.cost_of_identity": {
        "1001/1000 at rank 2": (smaller_of_rank_two, {**rows([1, 2, 1, 1], [2, 3, 2, 2], [1, 2, 1, 1]), "Z": zeros(3, 4)}),
    },
    "leaky_resnets.prop_2.column": {
        "points that coincide": (columns_that_coincide, rows(*DISTINCT)),
    },
    "leaky_resnets.lagrangian": {
        "1001/1000 of three layers": (
            price_of_three_layers,
            {
                "problem.X": zeros(3, 1),
                "problem.W": np.concatenate([zeros(2, 3, 4), [[[0, 0, 0, 1]] * 3]]),
                "problem.rho": [1] * 3,
                "problem.L": 1,
                "problem.lam": 1,
                "problem.F": zeros(3, 1),
            },
        )
    },
    "leaky_resnets.prop_5.gap": {
        "one negative entry and two zeros": (lonely_negative_entry, {"A": [[-1, 0, 0, 0], [0] * 4, [0] * 4]}),
    },
    "leaky_resnets.hamiltonian": {
        "points that coincide": (backward_at_coinciding_points, {"A": DISTINCT, "B": DISTINCT, "D": DISTINCT}),
        "D = -A": (opposite_direction, {"A": [[1, 2], [3, 1]], "B": [[1, 0], [0, 0]], "D": [[-1, -2], [-3, -1]]}),
    },
    "leaky_resnets.gamma_choice.spectrum": {
        "points that coincide": (spectrum_of_coinciding_points, {"A": DISTINCT, "t": 1}),
    },
    "leaky_resnets.balanced_fully_connected": {
        "the last adjoint is -X": (
            opposite_ends,
            {
                "f.weights": [[[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]] * 6,
                "f.leak": 1,
                "f.steps": [1] * 6,
                "X": [[1]] * 3,
                "last": [[-1]] * 3,
            },
        )
    },
    "bottleneck_structure.splitting.constants": {"1001/1000 for six layers": (constants_of_six_layers, cheapest_layers())},
    "bottleneck_structure.prop_4.sums": {
        "999/1000 at depth 6, 3 x 2": (
            three_by_two_at_depth_six,
            {"A": [[1, 0], [0, 0], [0, 0]], "B": [[0, 0], [0, 1], [0, 0]], "depth": 6},
        ),
        "999/1000 of rank 2 at depth 13": (
            summand_of_rank_two,
            {"A": [[1, 0, 0], [0, 1, 0], [0, 0, 0]], "B": [[0, 0, 0], [0, 0, 0], [0, 0, 1]], "depth": 13},
        ),
    },
    "bottleneck_structure.prop_4": {
        "1001/1000 from p = 9/10 on": (
            long_powers,
            {"A": [[512, 0, 0], [0, 1, 0], [0, 0, 1]], "B": [[2, 0, 0], [0, 1, 0], [0, 0, 1]], "p": "9/10"},
        )
    },
    "bottleneck_structure.example_20": {
        "without the last term at t >= 2, depth 14": (last_term_at_depth_fourteen, {"t": 2, "x": [0, 0, 0], "depth": 14}),
        "x1 = x2 at depth 10": (value_on_the_diagonal, {"t": 2, "x": ["1/2", "1/2", 0], "depth": 10}),
    },
    "bottleneck_structure.identity_dimension": {
        "1001/1000 for planes in space at depth 6": (
            planes_in_space,
            {"f.frames": zeros(6, 2, 3), "f.changes.changes": zeros(5, 2, 2), "f.changes.free": 0},
        )
    },
    "bottleneck_structure.geodesic_limits.middle": {
        "99/100 of the rest": (
            rest_of_rank_two,
            {
                "f.left.chart": [0],
                "f.right.chart": [0],
                "f.hidden.chart": zeros(5, 1),
                "f.kind": 0,
                "f.roots": ["1001/1000", 1],
            },
        )
    },
    "bottleneck_structure.geodesic_limits": {
        "two equal values of three": (
            repeated_values,
            {
                "f.left.chart": [0] * 3,
                "f.right.chart": [0] * 3,
                "f.hidden.chart": zeros(5, 3),
                "f.kind": 0,
                "f.roots": [2, 2, 1],
            },
        )
    },
    "bottleneck_structure.theorem_3.composition": {
        "1001/1000 for planes": (
            volume_of_planes,
            {"A": [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4], "B": [[1, 0, 0], [0, 1, 0], [0] * 3, [0] * 3]},
        )
    },
    "bottleneck_structure.theorem_6.frames": {
        "one column for two at depth 4": (
            a_column_at_least,
            {
                **identities("f.network", 2, 2, 2, 2, 2),
                "f.network.slope": 0,
                "f.kind": 0,
                "x": [1, 1],
            },
        )
    },
    "bottleneck_structure.inner_minima": {
        "1001/1000 between turned frames": (
            minimum_between_turned_frames,
            {
                "U.chart": [1, 0, 0],
                "V.chart": [0, 0, 0],
                "B.left.chart": [1, 0, 0],
                "B.right.chart": [0, 0, 0],
                "u": [1, 1],
                "t": ["1/2"],
                "B.large": [1, 1],
                "B.small": [0],
                "lam": "1/8",
                "L": 7,
            },
        )
    },
    "bottleneck_structure.prop_13.norms": {
        "1001/1000 at depth 6": (change_at_depth_six, kink_at_the_start(6, 4)),
        "1001/1000 at depth 13": (change_at_depth_thirteen, kink_at_the_start(13, 2)),
    },
    "bottleneck_structure.narrowness.hessian": {
        "1001/1000 for three layers": (
            bound_of_three_layers,
            {
                "f.W1": zeros(2, 1),
                "f.b1": [0, 0],
                "f.W2": zeros(2, 2),
                "f.b2": [0, 0],
                "f.W3": zeros(3, 2),
                "f.b3": [0] * 3,
                "f.slope": 0,
                "X": zeros(3, 1),
                "v": [0] * 16 + [1, 0, 0],
                "misfit": 0,
            },
        )
    },
    "bottleneck_structure.completely_positive_domains.plane": {
        "not parallel by a thousandth, six points": (not_parallel_for_six, {"X": [[1, 0]] * 6}),
    },
    "notion_of_rank.theorem_1.sandwich": {
        "999/1000 of two neurons at depth 14": (
            two_neurons_at_depth_fourteen,
            {
                **identities("parts.inner", 2, 2),
                **identities("parts.outer", 2, 2),
                "parts.slope": 0,
                "x": [1, 1],
                "s": [0, 0],
                "c": [1, 1],
                "width": 1,
                "depth": 14,
            },
        )
    },
    "notion_of_rank.theorem_1.affine_in_depth": {
        "a neuron without ends": (
            neuron_without_ends,
            {
                **identities("parts.inner", 1, 3, 3),
                "parts.inner.W2": [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
                **identities("parts.outer", 3, 3, 1),
                "parts.outer.W1": [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
                "parts.slope": 0,
                "x": [1],
                "s": [0] * 3,
                "c": [1] * 3,
                "depth": 6,
            },
        )
    },
    "notion_of_rank.diagonal_networks.tied_attained": {
        "two equal roots": (two_equal_roots, {"q": [2, 2, 1], "negative": [0, 0, 0], "L": 14}),
    },
    "notion_of_rank.theorem_2.deficient_rank": {
        "589/1000": (
            almost_six_tenths,
            {"f.entry": [[-8, 0]], "f.exit_weight": [[-8], [0]], "f.entry_bias": [0], "f.exit_bias": [4, 0]},
        )
    },
    "notion_of_rank.ridge.critical": {
        "999/1000 at depth 13": (jump_at_depth_thirteen, {"v": 1, "u": 1, "ridge": "1/11", "depth": 13}),
    },
    "notion_of_rank.theorem_2.snake": {"999/1000 of five": (fifth_snake, snake.steepest_place(5))},
    "notion_of_rank.shallow_networks": {
        "1001/1000 for five neurons": (
            five_neurons_three_outputs,
            {
                "f.incoming.chart": zeros(5, 1),
                "f.incoming.flip": [0] * 5,
                "f.outgoing.chart": zeros(5, 2),
                "f.outgoing.flip": [0] * 5,
                "f.roots": [1] * 5,
                "f.stretch": [1] * 5,
                "f.offset": [0] * 3,
                "f.slope": 0,
                "x": [1],
            },
        )
    },
    "notion_of_rank.ridge.local_minimum": {
        "1999/1000 at depth 13, width 4": (
            chain_of_thirteen,
            {
                **{f"f.W{k}": [[1, 0, 0, 0], *zeros(3, 4)] for k in range(2, 13)},
                "f.W1": [[1], [0], [0], [0]],
                "f.W13": [[1, 0, 0, 0]],
                "T": [[1]],
                "ridge": 1,
            },
        )
    },
    "notion_of_rank.ridge.matrices": {
        "1001/1000 at depth 6": (
            matrices_at_depth_six,
            {"A": E33, "U.chart": [0] * 3, "V.chart": [0] * 3, "t": ["9/8"] * 3, "ridge": "1/8", "depth": 6},
        )
    },
    "notion_of_rank.linear_networks": {
        "1001/1000 for three values": (
            three_values_at_depth_six,
            {
                **{f"f.W{k}": [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, "1/2", 0], [0] * 4] for k in range(2, 6)},
                "f.W1": [[2, 0, 0], [0, 1, 0], [0, 0, "1/2"], [0] * 3],
                "f.W6": [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, "1/2", 0]],
            },
        ),
        "an end pays its share": (an_end_pays_its_share, {"f.W1": [[1]], "f.W2": [[8]], "f.W3": [[1]]}),
    },
    "feature_learning.prop_15": {
        "11 neurons for three points": (eleven_classes_of_three_points, one_of_each_class(3)),
        "15 neurons for four points": (fifteen_classes_of_four_points, one_of_each_class(4)),
    },
    "feature_learning.prop_5.depth_three": {
        "convex where b^2 <= 4.04 a": (
            convex_up_to_a_hundredth,
            {"first": ["999/1000", "1000/500"], "second": ["1001/1000", "1004/500"], "share": "1/2"},
        ),
        "convex where b^2 <= 4.4 a": (
            convex_up_to_a_tenth,
            {"first": ["199/200", "41/20"], "second": ["201/200", "209/100"], "share": "1/2"},
        ),
    },
    "feature_learning.prop_14.ridge": {
        "1001/1000 for three values": (
            ridge_of_three_values,
            {
                "problem.factor": [*E33, [0] * 3, [0] * 3],
                "problem.normal": [0] * 3,
                "problem.noise": zeros(5, 3),
                "problem.kind": 0,
                "alpha": ["5/8", "5/8", "5/8", 0, 0],
                "lam": "1/8",
            },
        )
    },
    "feature_learning.aligned_neurons.network": {
        "1001/1000 for a group of three": (
            group_of_three,
            {
                "group.parameters": [0, 0],
                "group.length": 1,
                "w": [1, 0],
                "c": [[0], [0], [1]],
                "others": zeros(2, 2),
                "last": zeros(1, 3),
                "x": [[1]],
                "sigma.kind": 0,
                "sigma.numbers": [0, 0],
                "beta": 1,
            },
        )
    },
    "feature_learning.prop_14": {
        "1001/1000 for the absolute value": (
            slope_minus_one,
            {
                "problem.factor": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0] * 4, [0] * 4],
                "problem.normal": [0] * 4,
                "problem.noise": zeros(5, 4),
                "problem.kind": 0,
                "alpha": [1] * 5,
                "d.kind": 1,
                "d.number": 0,
            },
        )
    },
    "feature_learning.lemma_10.few_points": {
        "opposite rows count twice": (
            opposite_rows_count_twice,
            {"layer.Z": [[1], [-1]], "layer.slopes.kind": 1, "layer.slopes.numbers": [0, 0]},
        )
    },
    "feature_learning.forces.along_the_layer": {
        "points that coincide": (
            forces_at_coinciding_points,
            {
                "layer.before": E33,
                "layer.Z": [*DISTINCT, [1, 1, 1]],
                "layer.after": E33,
                "layer.sigma.kind": 0,
                "layer.sigma.numbers": [0, 0],
                "layer.beta": 1,
            },
        )
    },
    "feature_learning.prop_3.one_point": {
        "999/1000 with both signs": (
            steep_with_both_signs,
            {"z": [4, 0, 0, "-1/8"], "slopes.kind": 0, "slopes.numbers": [0, 0], "beta": 0, "t": 0},
        )
    },
    "feature_learning.prop_13.supports": {
        "four edges of five vertices": (
            five_edges_of_five_vertices,
            {
                "B.pattern": [[int((i - j) % 5 < 2) for i in range(5)] for j in range(5)],
                "B.values": [[1] * 5] * 5,
                "B.signed": 0,
            },
        ),
        "no cycle of five": (
            no_cycle_of_five,
            {
                "B.pattern": [[int((i - j) % 5 < 2) for i in range(5)] for j in range(5)],
                "B.values": [[1] * 5] * 5,
                "B.signed": 0,
            },
        ),
    },
    "feature_learning.prop_13.mantel": {"nine edges with a cycle of five": (nine_edges_with_a_cycle_of_five, two_of_five())},
    "feature_learning.prop_14.attained": {
        "1001/1000 at rank 2 of 5": (
            rank_two_of_five,
            {"B.sizes": [[1, 1, 1, 1], *[[1, 2, 1, 1]] * 4], "B.signs": [[1] * 4] * 5, "B.signed": 0, "normal": [0] * 4},
        )
    },
    "feature_learning.prop_1.local_minima.residuals": {
        "the whole step at depth 6": (
            whole_step,
            {
                **identities("W.network", 1, 1, 1, 1, 1, 1, 1),
                "problem.x": [[0]],
                "problem.beta": 0,
                "problem.sigma.kind": 0,
                "problem.sigma.numbers": [0, 0],
                "problem.Y": [[0]],
                "problem.lam": 1,
                "t": 1,
            },
        )
    },
    "symmetry_learning.summary_statistics.closed_form": {
        "p = q at the start": (equal_starts, {"t": "1/2", "p0": 1, "q0": 1}),
    },
    "symmetry_learning.summary_statistics.rotation": {
        "at a right angle": (
            across_the_direction,
            {"v": [1, 0, 0, 0, 0, 0], "w.chart": [0] * 5, "eta": "1/16", "u": [0] * 6},
        )
    },
}
"""By the claim: statements, each with an instance of the domain at which it is false."""


Variants = Mapping[str, Mapping[str, tuple[Any, Mapping[str, Any]]]]


def proved_false(variants: Variants, claim: Any, name: str) -> str:
    """What keeps the instance of a variant from proving it false; nothing if it does."""
    statement, instance = variants[claim.id][name]
    (sample,) = samples_by_hand(claim.domain, [instance], f"{claim.id}, {name}: ")
    decision = decide_sample(statement, claim.domain, sample)
    if decision.relation is None:
        return f"not decided: {decision}"
    return "" if verdict_of(decision.relation) == Verdict.FAILS else "true there"


def true_ones_lost(true: Mapping[str, Mapping[str, Any]], words: list[str], seed: int) -> int:
    """Prints the outcome of each true variant, and returns how many did not survive."""
    wrong, claims = 0, catalogue()
    print("\n| claim | true variant | outcome | seconds |\n|---|---|---|---|")
    for identifier, variants in true.items():
        for name, statement in variants.items():
            if words and not any(word in identifier for word in words):
                continue
            claim, start = dataclasses.replace(claims[identifier], statement=statement), time.process_time()
            found = Checker(claim, "quick", seed).searched(1)
            outcome = f"{found.outcome} {'; '.join(found.problems)}".strip()
            print("|", " | ".join((identifier, name, outcome, f"{time.process_time() - start:.1f}")), "|", flush=True)
            wrong += found.outcome != "survived"
    return wrong


def what_survives(variants: Variants, true: Mapping[str, Mapping[str, Any]], description: str | None) -> int:
    """Prints a row for each variant, and returns how many were not as they should be with some seed."""
    arguments = options(description)
    statements = {name: {key: one for key, (one, _) in of_claim.items()} for name, of_claim in variants.items()}
    left = survivors(statements, arguments, partial(proved_false, variants))
    return left + sum(true_ones_lost(true, arguments.words, seed) for seed in range(arguments.seeds))


if __name__ == "__main__":
    sys.exit(what_survives(VARIANTS, TRUE, __doc__))
