"""False variants as an author might wrongly print them, each with an instance at which it is false. Run by hand.

    python tests/benchmarks/natural_variants.py [WORD ...] [--seeds 2]  # 0: only whether each is false

Two for each of 45 random claims beside those of `narrow_variants.py`, `corner_variants.py` and `structure_variants.py`: an
exponent, a factor, L - 1 for L, a sum for a maximum, another norm, a missing bias, a transposed matrix, a shifted index, a
constant better by a tenth, a wrong sign, an equality for an inequality. For inequalities among them also constants better by
a hundredth. An instance proves each false; the search sees it only where the claim has it among its examples.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
from corner_variants import what_survives

from theorems.bottleneck_structure.decoupled_objective import decoupled, halvings
from theorems.bottleneck_structure.geodesic_energy.layers import norms
from theorems.bottleneck_structure.narrowness.hessian import gram, trace_of_hessian
from theorems.bottleneck_structure.prop_5.angles import log_volume, sines
from theorems.feature_learning.caratheodory.pruning import pruned
from theorems.feature_learning.constructions.layers import gram as gram_of_rows
from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.solvers import ACCURACY as SOLVED
from theorems.feature_learning.constructions.solvers import best_neurons, solved
from theorems.feature_learning.constructions.tuples import inside_the_images, is_reached, pair, pre_image
from theorems.feature_learning.frank_wolfe.linear_minimisation import quotient
from theorems.feature_learning.one_hot import sizes_of_classes
from theorems.feature_learning.prop_5.outputs import loss as loss_of_outputs
from theorems.feature_learning.prop_14 import few_neurons
from theorems.feature_learning.prop_19.covariance_descent import covariance_loss
from theorems.feature_learning.remark_11.measure import derivative_of_pair, dimension_of_pairs, slopes_of
from theorems.leaky_resnets import discretisation, regularised_problem
from theorems.leaky_resnets.constructions.phase_points import hamiltonian
from theorems.leaky_resnets.constructions.representations import cost, cost_without_bias, in_row_space, sigma, weights
from theorems.leaky_resnets.constructions.seen_trajectories import kernel, kernel_norm2
from theorems.leaky_resnets.constructions.wider_weights import POINT, widened_weights
from theorems.leaky_resnets.prop_2 import limit
from theorems.leaky_resnets.prop_2.minima import STABLE_MINIMA, cost_near
from theorems.leaky_resnets.prop_2.value import size_of_constants
from theorems.leaky_resnets.prop_5.construction import moved_column, weights_at_rest
from theorems.leaky_resnets.stable_solve import stable_norm2
from theorems.leaky_resnets.theorem_4.one_over_leak import error_of_the_speed
from theorems.leaky_resnets.theorem_4.pointwise import radicand, shifted_norm
from theorems.notion_of_rank import prop_5
from theorems.notion_of_rank.depth_window.statement import R
from theorems.notion_of_rank.no_tripoints.statement import DIRECTIONS, ahead_somewhere, derivative_along, first_output
from theorems.notion_of_rank.prop_1.ring import left_by_bisection, opposite
from theorems.notion_of_rank.prop_4.layers import squared_norm
from theorems.notion_of_rank.prop_4.statement import centred_representations
from theorems.notion_of_rank.prop_4.witnesses import decaying_network, excess_bound, squared_ratios
from theorems.notion_of_rank.ridge.one_point import cost_of_value, least_value
from theorems.notion_of_rank.shallow_networks.programme import ACCURACY, cheapest
from theorems.notion_of_rank.theorem_1.affine_map import volume, with_shift
from theorems.notion_of_rank.theorem_2.dense_atoms import norm_of_the_fit
from theorems.notion_of_rank.theorem_2.random_labels import close, tree
from theorems.notion_of_rank.theorem_2.random_labels import cost as cost_of_the_fit
from theorems.shared.hidden_direction import flow, gradient, loss, statistics
from theorems.symmetry_learning.dynamics_rank import descend, recursion
from theorems.symmetry_learning.frequency_one_pairs import distinct, on_torus
from theorems.symmetry_learning.newtonian_mechanics import law, same
from verify import Q
from verify.words import (
    absolute,
    concatenate,
    eq,
    eye,
    gcd,
    ge,
    greatest,
    inner,
    le,
    log,
    log_pseudo_determinant,
    maximum,
    minimum,
    norm,
    norm2,
    ones,
    pinv,
    power,
    rank,
    relu,
    singular_values,
    sqrt,
    stack,
    trace,
    vector,
)

TENTH = Q("11/10")

# bottleneck_structure


def one_layer_less(A, X, Y, lam, j, depth):
    N, k = X.shape[1], rank(A)
    bound = 2 * (norm2(A @ X) + norm2(Y)) / N + lam * ((depth - 1) * k + 2 * log_pseudo_determinant(A) - 2 * k * j * log(2))
    return le(decoupled(halvings(j) * A, X, Y, lam, depth), bound)


def nineteen_tenths_of_the_squares(A, X, Y, lam, j, depth):
    N, k = X.shape[1], rank(A)
    squares = Q("19/10") * (norm2(A @ X) + norm2(Y)) / N
    return le(
        decoupled(halvings(j) * A, X, Y, lam, depth),
        squares + lam * (depth * k + 2 * log_pseudo_determinant(A) - 2 * k * j * log(2)),
    )


def layers_in_the_other_order(B):
    W = B[1:] @ pinv(B[:-1])
    return eq(reduce(lambda product, layer: product @ layer, W), B[-1] @ pinv(B[0]))


def norm_of_the_product(B):
    W = B[1:] @ pinv(B[:-1])
    return eq(norm2(B[-1] @ pinv(B[0])), norms(W).prod())


def mean_over_the_outputs(f, X, misfit):
    return eq(trace_of_hessian(f, X, misfit), 2 * trace(gram(f, X)) / (len(X) * f.widths[-1]))


def last_bias_left_out(f, X, misfit):
    return eq(trace_of_hessian(f, X, misfit), 2 * trace(gram(f, X)) / len(X) - 2 * f.widths[-1])


def last_bias_missing(f, x):
    return eq(f(x), f.weights[-1] @ f.activation(f.activations(x)[-1]))


def activation_of_the_outputs(f, x):
    return eq(f(x), f.activation(f(x)))


def sine_and_a_tenth(M, Tx, Ty):
    larger = maximum(log_volume(M, Tx), log_volume(M, Ty))
    return ge(trace(M) + larger, Tx.shape[1] + log(1 + TENTH * sines(Tx, Ty)).sum())


def bases_of_any_size(M, Tx, Ty):
    sizes = [log_volume(M, T) + log_volume(eye(len(M)), T) for T in (Tx, Ty)]
    grown = [size + 2 * log_pseudo_determinant(T) for size, T in zip(sizes, (Tx, Ty), strict=True)]
    return ge(trace(M) + maximum(*grown), Tx.shape[1] + log(1 + sines(Tx, Ty)).sum())


# feature_learning


def largest_term_of_the_cost(omega, alpha, c):
    return le(greatest(c * pruned(omega, alpha, c)), greatest(c * alpha))


def squares_of_the_weights(omega, alpha, c):
    return le(norm2(pruned(omega, alpha, c)), norm2(alpha))


def without_the_bias_row(X, b, U, v, d):
    S = with_bias_row(X, b)
    largest, _ = best_neurons(with_bias_row(X, 0 * b), U, d)
    above, below = quotient(v, S, U, d)
    return le(above, (1 + SOLVED) * largest * below + SOLVED)


def norm_for_its_square(X, b, U, v, d):
    S = with_bias_row(X, b)
    largest, _ = best_neurons(S, U, d)
    above, below = quotient(v, S, U, d)
    return le(above, (1 + SOLVED) * largest * sqrt(below) + SOLVED)


def _misfit(X, Y, b, divisor, kept):
    W_1, W_2 = kept
    return norm2(W_2 @ with_bias_row(relu(W_1 @ with_bias_row(X, b)), b) - Y) / divisor


def ridge_of_the_last_layer(X, Y, b, lam, weights):
    bound, value, _ = solved(X, Y, b, lam)
    return le(bound - SOLVED * value, _misfit(X, Y, b, 1, weights) + lam * norm2(weights[1]))


def mean_over_the_points(X, Y, b, lam, weights):
    bound, value, _ = solved(X, Y, b, lam)
    ridge = lam * (norm2(weights[0]) + norm2(weights[1]))
    return le(bound - SOLVED * value, _misfit(X, Y, b, X.shape[1], weights) + ridge)


def as_many_terms_as_points_or_classes(Y):
    return eq(rank(Y.T @ Y), minimum(Y.shape[1], len(Y)))


def roots_for_their_inverses(Y):
    root = Y.T @ (sqrt(sizes_of_classes(Y))[:, None] * Y)
    return eq(root @ root, Y.T @ Y)


def eight_twenty_fifths(B):
    return few_neurons.three_neurons_cost_more(B, gap=Q(8, 25))


def half_of_the_cost_is_the_trace(B):
    return ge(norm2(B), 8)


def descent_and_a_tenth(lam, share, divisor):
    gap = 1 - divisor * lam
    delta = share * absolute(gap)
    before, after = (covariance_loss(vector(relu(gap), second), lam, divisor) for second in (0, delta))
    return le(after + TENTH * absolute(gap) * delta / divisor, before)


def ridge_without_the_points(lam, share, divisor):
    gap = 1 - divisor * lam
    delta = share * absolute(gap)
    before, after = (covariance_loss(vector(relu(gap), second), lam, divisor) for second in (0, delta))
    return eq(after, before + (delta**2 - 2 * (1 - lam) * delta) / divisor)


def cost_before_the_activation(r, V, Z_L, x, sigma, beta):
    inside, ends = inside_the_images(r, V, Z_L, x, sigma, beta)
    W, before, total = pre_image(r, inside, ends, x, sigma, beta), with_bias_row(x.T, beta), 0
    for own, vectors in zip(r, inside, strict=True):
        rows = own[:, None] * vectors
        total, before = total + norm2(rows @ pinv(before)), with_bias_row(rows, beta)
    return eq(sum(map(norm2, W)), total + norm2(ends @ pinv(before)))


def network_without_biases(r, V, Z_L, x, sigma, beta):
    inside, ends = inside_the_images(r, V, Z_L, x, sigma, beta)
    return is_reached(r, inside, ends, x, sigma, 0 * beta)


def half_of_two_copies(r, V, Z_L, x, sigma, beta):
    inside, _ = inside_the_images(r, V, Z_L, x, sigma, beta)
    doubled = pair(concatenate([r[0], r[0]]) / 2, concatenate([inside[0], inside[0]]), sigma, beta)
    return eq(doubled[0], pair(r[0], inside[0], sigma, beta)[0])


def terms_up_to_the_rank(r, V, Z_L, x, sigma, beta):
    inside, _ = inside_the_images(r, V, Z_L, x, sigma, beta)
    rows = r[0][:, None] * inside[0]
    return le(((rows != 0).any(axis=1)).sum(), rank(gram_of_rows(rows)))


def strongly_convex(Z, Z_other, F, Y, lam):
    middle, first, second = (loss_of_outputs(lambda Z: norm2(Z - Y), one, F, lam) for one in ((Z + Z_other) / 2, Z, Z_other))
    return le(2 * middle + (1 + lam) * norm2(Z - Z_other) / 2, first + second)


def affine_in_the_outputs(Z, Z_other, F, Y, lam):
    middle, first, second = (loss_of_outputs(lambda Z: norm2(Z - Y), one, F, lam) for one in ((Z + Z_other) / 2, Z, Z_other))
    return eq(2 * middle, first + second)


def square_of_the_points(Z, slope):
    return le(rank(derivative_of_pair(Z, slope)), Z.shape[1] ** 2)


def rank_is_the_smaller_one(Z, slope):
    k, N = Z.shape
    return eq(rank(derivative_of_pair(Z, slope)), minimum(k * N, dimension_of_pairs(slopes_of(slope), N)))


# leaky_resnets


def twice_what_the_bias_costs(A):
    return le(cost(A) + 2 * norm2(weights(A)[:, -1]), cost_without_bias(A))


def at_most_the_rank(A):
    return le(cost(A), rank(A))


def weights_without_the_leak(A, B, L, rho):
    f = discretisation.network([B @ sigma(A).T], L, rho * ones(1))
    return eq(f(A), discretisation.symplectic_euler_step(A, B, L, rho)[0])


def adjoint_the_other_way(A, B, L, rho):
    _, before = discretisation.critical_layer(A, B, L, rho)
    return eq(2 * B - before, discretisation.symplectic_euler_step(A, B, L, rho)[1])


def denominator_not_squared(A, gamma):
    one = ones(A.shape[1])
    w = one @ pinv(A)
    total = limit.image_of_ones(A, gamma).sum()
    return le(limit.lost_by_bias(A, gamma) / (1 + total), gamma * norm2(w) / norm(one - w @ A))


def one_missing_below(A, gamma):
    total = limit.image_of_ones(A, gamma).sum()
    return eq(limit.stable_cost(A, gamma) + limit.lost_by_bias(A, gamma) / total, limit.stable_cost(A, gamma, bias=False))


def at_least_the_rank(move, width):
    A = np.array([*STABLE_MINIMA[width - 1], [0] * (width + 1)])
    return ge(cost_near(STABLE_MINIMA[width - 1], move), rank(A + move))


def always_the_rank(move, width):
    return eq(cost_near(STABLE_MINIMA[width - 1], move), width)


def square_of_the_constants(A):
    s, V = size_of_constants(A), weights(A)[:, :-1]
    return eq(norm2(V) + (s / (1 + s)) ** 2, cost(A))


def bias_at_twice(A):
    s = size_of_constants(A)
    return eq(cost(A) + 2 * s / (1 + s) ** 2, cost_without_bias(A))


def square_for_the_fourth_power(A, epsilon, t):
    W = weights_at_rest(A)
    return eq(norm2(widened_weights(A, W, 1, epsilon, t)), norm2(W) + (epsilon * t) ** 4 * norm2(A[:, POINT]))


def time_squared(A, epsilon, t):
    W = weights_at_rest(A)
    return eq(norm2(widened_weights(A, W, 1, epsilon, t)), norm2(W) + epsilon**4 * t**2 * norm2(A[:, POINT]) ** 2)


def _norm_change(A, W, L, t, epsilon, fourth):
    x = A[:, POINT]
    linear = 2 * (inner(x, W[:, -1]) - inner(x, moved_column(A, W, L))) / L
    second = (L * epsilon * t) ** 2 * (norm2(relu(x)) - norm2(x) + linear)
    return eq(norm2(widened_weights(A, W, L, epsilon, t)), norm2(W) + second + fourth)


def fourth_order_without_the_leak(A, W, L, t, epsilon):
    x = A[:, POINT]
    return _norm_change(A, W, L, t, epsilon, (epsilon * t) ** 4 * norm2(x) * norm2(relu(x)))


def fourth_power_of_the_values(A, W, L, t, epsilon):
    return _norm_change(A, W, L, t, epsilon, L**2 * (epsilon * t) ** 4 * norm2(A[:, POINT]) ** 2)


def ridge_twice(path, F, lam):
    f = path.f
    more = lam / f.leak * regularised_problem.along(path, f.weights)
    along = regularised_problem.along(path, regularised_problem.gradient(f, path.X, F, lam))
    return eq(regularised_problem.slope(path, F, lam), along + more)


def adjoint_of_the_layer_before(path, F, lam):
    f = path.f
    A = f.activations(path.X)
    B = f.adjoints(A, 2 * (F - A[-1]) / (lam * F.shape[1]))
    shifted = [lam / f.leak * f.weights[k] - lam * B[k] @ sigma(A[k]).T for k in range(f.depth)]
    return eq(regularised_problem.slope(path, F, lam), regularised_problem.along(path, shifted))


def singular_value_for_eigenvalue(A, M, gamma):
    F = sigma(A)
    s = singular_values(F)[-1]
    return ge(stable_norm2(M, kernel(A), gamma), s / (s + gamma) * norm2(M @ pinv(F)))


def nine_tenths_of_gamma(A, M, gamma):
    F = sigma(A)
    k = singular_values(F)[-1] ** 2
    return ge(stable_norm2(M, kernel(A), gamma), k / (k + Q("9/10") * gamma) * norm2(M @ pinv(F)))


def gamma_squared(A, B, gamma):
    return eq(shifted_norm(A, B, gamma), radicand(A, B, gamma) + gamma**2 * norm2(B))


def hamiltonian_once(A, B, gamma):
    return eq(shifted_norm(A, B, gamma), kernel_norm2(A, kernel(A), gamma) + hamiltonian(A, B) + gamma * norm2(B))


def three_fifths(second, gap, root_leak):
    return ge(error_of_the_speed(second, gap, root_leak), Q(3, 5) * root_leak / gap)


def gap_squared(second, gap, root_leak):
    return ge(error_of_the_speed(second, gap, root_leak), root_leak / (2 * gap**2))


def homogeneous_path(f, X):
    return eq(f(2 * X), 2 * f(X))


def points_come_together(f, X):
    return le(norm2(f(X)[:, 0] - f(0 * X)[:, 0]), norm2(X[:, 0]))


def divided_by_the_points(v, D):
    constant = v[:, None] * ones(1, D.shape[1])
    return eq(norm2(constant @ pinv(sigma(0 * D))), norm2(v) / D.shape[1])


def finite_at_rank_one(D):
    return eq(in_row_space(D, sigma(0 * D)), rank(D) <= 1)


# notion_of_rank


def deeper_is_cheaper(u, side, depth):
    return le(R(u, side, depth + 1), R(u, side, depth))


def rank_of_the_points(u, side, depth):
    return le(side * depth, R(u, side, depth))


def weakly_ahead(g, h, x):
    """A class counts where it has the largest score beside another one."""
    f = first_output(g)
    z = f(x)
    changes = [derivative_along(h, z, derivative_along(f, x, vector(*u))) for u in DIRECTIONS]
    return le(stack([change == greatest(change) for change in changes]).any(axis=0).sum(), 2)


def exactly_two_classes(g, h, x):
    return eq(ahead_somewhere(first_output(g), h, x).sum(), 2)


def one_side_of_the_ring(g, h):
    p = opposite(g)
    error = minimum(greatest(absolute(h(g(p)) - p)), greatest(absolute(h(g(-p)) + p)))
    return ge(error + left_by_bisection(g, h), 1)


def error_and_a_tenth(g, h):
    p = opposite(g)
    error = maximum(greatest(absolute(h(g(p)) - p)), greatest(absolute(h(g(-p)) + p)))
    return ge(error + left_by_bisection(g, h), TENTH)


def three_over_s(s, depth):
    return le(decaying_network(s, depth).parameter_norm_squared, depth + excess_bound(s) - 1 / s)


def ratio_and_a_tenth(s, depth):
    return ge(squared_ratios(decaying_network(s, depth)), TENTH * (4 / (4 * s + 5)) ** 2)


def norm_lost_by_the_root(f, X):
    sizes = stack([norm2(Z) for Z in centred_representations(f, X)])
    p = stack([squared_norm(W) for W in f.weights])
    return le(sizes[1:], sqrt(p) * sizes[:-1])


def logarithm_of_the_frobenius_norm(f):
    weights, p = stack([norm2(W) for W in f.weights]), stack([squared_norm(W) for W in f.weights])
    return le(1 + log(weights), p)


def a_layer_less_each(case):
    _, _, F, _, _, s, _, _ = case
    return prop_5.bounded_by(len(s) * (F.depth - 1) + prop_5.constant(case), case)


def ridge_per_point(case):
    _, _, F, X, Y, s, _, ridge = case
    bound = len(s) * F.depth + prop_5.constant(case)
    return le(F.depth * norm2(F(X) - Y) / len(X), ridge / len(X) * bound)


def half_of_the_exponent(f, size, u):
    L = f.depth
    return le(L * power(norm2(f(size * u)) / size**2, Q(1, 2 * L)), f.weight_norm_squared)


def values_and_a_tenth(f, size, u):
    return le(TENTH * cost_of_value(f(size * u), size, f.depth), f.weight_norm_squared)


def shift_of_the_points(x, y):
    return le(cheapest(x + 1, y)[1], (1 + ACCURACY) * cheapest(x, y)[1])


def degree_one(x, y):
    return le(cheapest(x, 2 * y)[1], 2 * (1 + ACCURACY) * cheapest(x, y)[1])


def logarithm_once(B, C, b, radius, depth):
    s = radius * absolute(C).sum(axis=1)
    return le(len(C) * depth + log(volume(B, C)) / 2, with_shift(B, C, b, s, depth).parameter_norm_squared)


def length_of_the_rows(B, C, b, place, radius, depth):
    s, x = radius * sqrt((C**2).sum(axis=1)), radius * place
    return eq(with_shift(B, C, b, s, depth)(x), B @ (C @ x) + b)


def points_of_the_sample(sample, depth):
    return le(norm_of_the_fit(sample, depth), depth + 16 * distinct(sample) ** 2)


def power_three_halves(sample, depth):
    J = greatest(sample) + 1
    return le(norm_of_the_fit(sample, depth), depth + 4 * J * sqrt(J))


def half_not_rounded(X, epsilon):
    N, k = X.shape
    return le(Q(N, 2) * close(epsilon, N, k), tree(X))


def cube_of_diameter_one(X, u, depth):
    return le(tree(X) ** 2, cost_of_the_fit(X, u, depth) / X.shape[1])


# symmetry_learning


def radius_for_its_square(v, w, eta):
    a, (_, q) = w @ v, statistics(v, w)
    return eq(descend(v, w, eta)[0], recursion(absolute(a), q, eta)[0])


def a_dimension_for_the_direction(v, w, eta):
    return le(rank(descend(v, w, eta)[1]), min(2, len(v) - 1, len(eta)))


def gradient_of_the_whole_length(v, w, eta):
    J, K, a = descend(v, w, eta)[1], recursion(*statistics(v, w), eta)[1], w @ v
    return eq(J, K @ stack([2 * a * w, 2 * v]))


def steps_that_are_not_zero(v, w, eta):
    return eq(rank(descend(v, w, eta)[1]), minimum(2, (eta != 0).sum()))


def product_of_the_frequencies(omega, n):
    return eq(distinct(on_torus(omega, n)), n / gcd(omega[0] * omega[1], n))


def larger_of_both_axes(omega, n):
    return eq(distinct(on_torus(omega, n)), maximum(n / gcd(omega[0], n), n / gcd(omega[1], n)))


def reflected_law(z0, z1, gamma):
    return same(law(z0.T, z1.T, gamma), law(z0, z1, gamma).T)


def shift_transposed(z0, z1, gamma, v):
    return same(law(v @ z0, v @ z1, gamma), v.T @ law(z0, z1, gamma))


def same_rate_for_both(v, w):
    (p, q), dq = statistics(v, w), flow(v, w)[1]
    return eq(dq, -8 * (p + q - 1) * q)


def square_of_the_length(v, w):
    p, q = statistics(v, w)
    return eq(loss(v, w), (p + q - 1) ** 2)


def same_factor_across(v, w, eta):
    (p, q), after = statistics(v, w), v - eta * gradient(v, w)
    return eq(statistics(after, w)[1], q * (1 - 4 * eta * (p + q - 1)) ** 2)


def factor_not_squared(v, w, eta):
    (p, q), after = statistics(v, w), v - eta * gradient(v, w)
    return eq(statistics(after, w)[1], q * (1 - 4 * eta * (p + q)))


# Constants better by a hundredth

HUNDREDTH = Q("101/100")


def sine_and_a_hundredth(M, Tx, Ty):
    larger = maximum(log_volume(M, Tx), log_volume(M, Ty))
    return ge(trace(M) + larger, Tx.shape[1] + log(1 + HUNDREDTH * sines(Tx, Ty)).sum())


def squares_less_a_hundredth(A, X, Y, lam, j, depth):
    N, k = X.shape[1], rank(A)
    squares = Q("199/100") * (norm2(A @ X) + norm2(Y)) / N
    return le(
        decoupled(halvings(j) * A, X, Y, lam, depth),
        squares + lam * (depth * k + 2 * log_pseudo_determinant(A) - 2 * k * j * log(2)),
    )


def largest_quotient_less_a_hundredth(X, b, U, v, d):
    S = with_bias_row(X, b)
    largest, _ = best_neurons(S, U, d)
    above, below = quotient(v, S, U, d)
    return le(above, Q("99/100") * largest * below)


def networks_cost_a_hundredth_more(X, Y, b, lam, weights):
    bound, _, _ = solved(X, Y, b, lam)
    ridge = lam * (norm2(weights[0]) + norm2(weights[1]))
    return le(HUNDREDTH * bound, _misfit(X, Y, b, 1, weights) + ridge)


def descent_and_a_hundredth(lam, share, divisor):
    gap = 1 - divisor * lam
    delta = share * absolute(gap)
    before, after = (covariance_loss(vector(relu(gap), second), lam, divisor) for second in (0, delta))
    return le(after + HUNDREDTH * absolute(gap) * delta / divisor, before)


def bias_and_a_hundredth(A):
    return le(cost(A) + HUNDREDTH * norm2(weights(A)[:, -1]), cost_without_bias(A))


def rate_less_a_hundredth(A, gamma):
    total = limit.image_of_ones(A, gamma).sum()
    return le(limit.lost_by_bias(A, gamma) / (1 + total), Q("99/100") * limit.rate(A, gamma))


def gamma_less_a_hundredth(A, M, gamma):
    F = sigma(A)
    k = singular_values(F)[-1] ** 2
    return ge(stable_norm2(M, kernel(A), gamma), k / (k + Q("99/100") * gamma) * norm2(M @ pinv(F)))


def error_on_the_ring_and_a_hundredth(g, h):
    p = opposite(g)
    error = maximum(greatest(absolute(h(g(p)) - p)), greatest(absolute(h(g(-p)) + p)))
    return ge(error + left_by_bisection(g, h), HUNDREDTH)


def logarithm_and_a_hundredth(f):
    p = stack([squared_norm(W) for W in f.weights])
    return le(1 + HUNDREDTH * log(p), p)


def norm_lost_less_a_hundredth(f, X):
    sizes = stack([norm2(Z) for Z in centred_representations(f, X)])
    p = stack([squared_norm(W) for W in f.weights])
    return le(sizes[1:], Q("99/100") * p * sizes[:-1])


def dimensions_and_a_hundredth(case):
    _, _, F, _, _, s, _, _ = case
    return le(F.parameter_norm_squared, Q("99/100") * (len(s) * F.depth + prop_5.constant(case)))


def data_loss_less_a_hundredth(case):
    _, _, F, X, Y, s, _, ridge = case
    bound = len(s) * F.depth + prop_5.constant(case)
    return le(F.depth * norm2(F(X) - Y) / len(X), Q("99/100") * ridge * bound)


def values_and_a_hundredth(f, size, u):
    return le(HUNDREDTH * cost_of_value(f(size * u), size, f.depth), f.weight_norm_squared)


def least_value_and_a_hundredth(f, size, u, t, v, ridge):
    L, y = f.depth, f(size * u)
    return le(HUNDREDTH * least_value(t, ridge, L, size), norm2(y - t * v) + ridge * cost_of_value(y, size, L))


def volume_and_a_hundredth(B, C, b, radius, depth):
    s = radius * absolute(C).sum(axis=1)
    bound = len(C) * depth + HUNDREDTH * log(volume(B, C))
    return le(bound, with_shift(B, C, b, s, depth).parameter_norm_squared)


def length_and_a_hundredth(X, epsilon):
    N, k = X.shape
    return le(HUNDREDTH * (N // 2) * close(epsilon, N, k), tree(X))


def length_and_a_hundredth_of_eight(X, epsilon):
    """For eight points."""
    N, k = X.shape
    return le((HUNDREDTH if N == 8 else 1) * (N // 2) * close(epsilon, N, k), tree(X))


def path_and_a_hundredth(X, u, depth):
    return le(HUNDREDTH * tree(X) ** 2, cost_of_the_fit(X, u, depth))


def neurons_cost_a_hundredth_more(B):
    return few_neurons.three_neurons_cost_more(B, gap=Q(312, 1000))


# True variants


def average_of_both_spaces(M, Tx, Ty):
    mean = (log_volume(M, Tx) + log_volume(M, Ty)) / 2
    return ge(trace(M) + mean, Tx.shape[1] + log(1 + sines(Tx, Ty)).sum())


def what_the_bias_costs(A):
    return le(cost(A) + norm2(weights(A)[:, -1]), cost_without_bias(A))


def window_of_any_side(u, side, depth):
    return le(side * depth if depth < side else 0, R(u, side, depth))


TRUE: Mapping[str, Mapping[str, Any]] = {
    "bottleneck_structure.prop_5.angles": {"average of both spaces": average_of_both_spaces},
    "leaky_resnets.cost_of_identity.bias": {"with what the bias costs": what_the_bias_costs},
    "notion_of_rank.depth_window": {"n L up to the depth n": window_of_any_side},
}
"""By the claim: other statements that are true."""

VARIANTS: Mapping[str, Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "bottleneck_structure.decoupled_objective": {
        "L - 1 for L": (one_layer_less, {"A": [[-1]], "X": [[0]], "Y": [[0]], "lam": 4, "j": 7, "depth": 2}),
        "19/10 for 2": (nineteen_tenths_of_the_squares, {"A": [[-1]], "X": [[-1]], "Y": [[-1]], "lam": 3, "j": 0, "depth": 4}),
        "199/100 for 2": (squares_less_a_hundredth, {"A": [[-1]], "X": [[-1]], "Y": [[-1]], "lam": 3, "j": 0, "depth": 4}),
    },
    "bottleneck_structure.geodesic_energy.layers": {
        "the other order": (layers_in_the_other_order, {"B.B": [[[2], [-3]], [[-4], [0]], [[4], [2]]], "B.rows": [[2]]}),
        "norms of a product": (
            norm_of_the_product,
            {"B.B": [[[-1, 2], [0, 4]], [[4, -2], [-1, 0]], [[0, -3], [2, -4]]], "B.rows": [[0, -4], [2, 4]]},
        ),
    },
    "bottleneck_structure.homogeneous_activations.idempotent": {
        "bias missing": (last_bias_missing, {"f.W1": [[0]], "f.b1": [1], "f.W2": [[-1]], "f.b2": [3], "f.slope": 0, "x": [-1]}),
        "activation of the outputs": (
            activation_of_the_outputs,
            {"f.W1": [[0, 0]], "f.b1": [1], "f.W2": [[0]], "f.b2": [-2], "f.slope": -1, "x": [0, 0]},
        ),
    },
    "bottleneck_structure.narrowness.hessian_trace": {
        "mean over the outputs": (
            mean_over_the_outputs,
            {"f.W1": [[0], [0]], "f.b1": [0, 2], "f.slope": -1, "X": [[-2]], "misfit": -4},
        ),
        "last bias left out": (last_bias_left_out, {"f.W1": [[2]], "f.b1": [0], "f.slope": 0, "X": [[0]], "misfit": -1}),
    },
    "bottleneck_structure.prop_5.angles": {
        "11/10 of the sine": (
            sine_and_a_tenth,
            {"M.root": [["-1/2", "1/2"], ["-1/2", "-1/2"]], "Tx": [["-1/2"], [0]], "Ty": [[0], ["3/2"]]},
        ),
        "bases not orthonormal": (bases_of_any_size, {"M.root": [[1]], "Tx": [["-1/2"]], "Ty": [["1/2"]]}),
        "101/100 of the sine": (
            sine_and_a_hundredth,
            {
                "M.root": [["209/256", "-25/64", "-1/16"], ["19/64", "91/256", "69/128"], ["3/256", "-163/256", "135/256"]],
                "Tx": [["3/8", "123/128"], ["331/256", "-15/256"], ["-69/128", "9/64"]],
                "Ty": [["-27/256", "613/256"], ["39/64", "-801/256"], ["625/256", "-797/256"]],
            },
        ),
    },
    "feature_learning.caratheodory.cost": {
        "the largest term": (
            largest_term_of_the_cost,
            {"omega": [["3/256"], ["121/256"]], "alpha": ["65/128", "53/256"], "c": ["1/8", "37/64"]},
        ),
        "squares of the weights": (squares_of_the_weights, {"omega": [[-2], [-2]], "alpha": [2, 2], "c": [0, 2]}),
    },
    "feature_learning.frank_wolfe": {
        "without the bias": (
            without_the_bias_row,
            {"X": [[0, -1]], "b": 2, "U": [[3, 0]], "v": [0, -4], "d.kind": 3, "d.number": 2},
        ),
        "norm for its square": (
            norm_for_its_square,
            {"X": [[-3]], "b": 0, "U": [[3]], "v": [-2, 0], "d.kind": 1, "d.number": -1},
        ),
        "99/100 of the quotient": (
            largest_quotient_less_a_hundredth,
            {"X": [[0, 0]], "b": 1, "U": [[-3, 0], [-6, 0]], "v": [0, 2], "d.kind": 2, "d.number": 1},
        ),
    },
    "feature_learning.frank_wolfe.solver": {
        "ridge of the last layer": (
            ridge_of_the_last_layer,
            {
                "X": [[2, 0, 0, 0], [0, 2, 0, 0]],
                "Y": [[2, 0, 0, 0], [0, 2, 0, 0]],
                "b": 1,
                "lam": 1,
                "weights.W_1": [[1, 0, 0], [0, 1, 0]],
                "weights.W_2": [[1, 0, 0], [0, 1, 0]],
                "weights.constant": 0,
            },
        ),
        "mean over the points": (
            mean_over_the_points,
            {
                "X": [[0, 0, 1]],
                "Y": [[2, 1, 1]],
                "b": 0,
                "lam": 2,
                "weights.W_1": [[0, -1]],
                "weights.W_2": [[0, 0]],
                "weights.constant": 0,
            },
        ),
        "101/100 of the bound": (
            networks_cost_a_hundredth_more,
            {
                "X": [[0]],
                "Y": [[0], [2], [2]],
                "b": 0,
                "lam": 2,
                "weights.W_1": [[0, 0], [1, 0]],
                "weights.W_2": [[0, 0, 0], [1, 0, 0], [1, 0, 0]],
                "weights.constant": 1,
            },
        ),
    },
    "feature_learning.one_hot": {
        "points or classes": (as_many_terms_as_points_or_classes, {"Y.labels": [0, 0]}),
        "roots for their inverses": (roots_for_their_inverses, {"Y.labels": [0, 0]}),
    },
    "feature_learning.prop_14.three_neurons": {
        "at least 16 + 8/25": (eight_twenty_fifths, {"B.shares": [[2, 4, 1, 1], [0, 2, 0, 2], [2, 0, 1, 0]], "B.best": 1}),
        "half is the trace": (
            half_of_the_cost_is_the_trace,
            {"B.shares": [[0, 0, "1/4", "1/2"], [0, 0, 0, "3/4"], [1, 0, 0, 0]], "B.best": 0},
        ),
        "at least 16 + 39/125": (
            neurons_cost_a_hundredth_more,
            {"B.shares": [[2, 4, 1, 1], [0, 2, 0, 2], [2, 0, 1, 0]], "B.best": 1},
        ),
    },
    "feature_learning.prop_19.covariance_descent": {
        "11/10 of the descent": (descent_and_a_tenth, {"lam": 0, "share": 1, "divisor": 1}),
        "ridge without N": (ridge_without_the_points, {"lam": "1/4", "share": "3/4", "divisor": 2}),
        "101/100 of the descent": (descent_and_a_hundredth, {"lam": 0, "share": 1, "divisor": 1}),
    },
    "feature_learning.prop_3": {
        "cost before the activation": (
            cost_before_the_activation,
            {
                "r": [[1]],
                "V": [[[-4]]],
                "Z_L": [[1], [-3], [4]],
                "sigma.kind": 0,
                "sigma.numbers": [-2, 1],
                "x": [[-4]],
                "beta": 1,
            },
        ),
        "no biases": (
            network_without_biases,
            {"r": [[0]], "V": [[[0]]], "Z_L": [[1]], "sigma.kind": 3, "sigma.numbers": [1, -2], "x": [[0]], "beta": 2},
        ),
    },
    "feature_learning.prop_5.outputs": {
        "strongly convex": (strongly_convex, {"Z": [[0]], "Z_other": [[2]], "F": [[2]], "Y": [[0]], "lam": 3}),
        "equality": (affine_in_the_outputs, {"Z": [[0]], "Z_other": [[4]], "F": [[1]], "Y": [[2]], "lam": 0}),
    },
    "feature_learning.prop_8": {
        "halves of two copies": (
            half_of_two_copies,
            {
                "r": [["1/2"]],
                "V": [[[-1]]],
                "Z_L": [[0]],
                "room": [[0]],
                "sigma.kind": 1,
                "sigma.numbers": [1, -2],
                "x": [[1]],
                "beta": 0,
            },
        ),
        "rank of K": (
            terms_up_to_the_rank,
            {
                "r": [[1, "1/2"]],
                "V": [[[4], [3]]],
                "Z_L": [[0]],
                "room": [[0], [0]],
                "sigma.kind": 0,
                "sigma.numbers": [-2, -2],
                "x": [[2]],
                "beta": 1,
            },
        ),
    },
    "feature_learning.remark_11.measure": {
        "N^2": (square_of_the_points, {"Z": [[2], [-1]], "slope": 0}),
        "equality": (rank_is_the_smaller_one, {"Z": [[2], [1]], "slope": 0}),
    },
    "leaky_resnets.cost_of_identity.bias": {
        "twice what the bias costs": (
            twice_what_the_bias_costs,
            {"A.rows": [[2]], "A.mix": [[0, 0]], "A.family": 2, "A.origin": 2},
        ),
        "at most the rank": (
            at_most_the_rank,
            {"A.rows": [[1], [0]], "A.mix": [[0, -2, 0], [-2, 2, 0]], "A.family": 2, "A.origin": 2},
        ),
        "101/100 of the bias": (
            bias_and_a_hundredth,
            {"A.rows": [[3], [0], [-3]], "A.mix": [[1, 3, 0, 4], [1, 0, 0, 0], [4, -4, 1, 1]], "A.family": 2, "A.origin": 2},
        ),
    },
    "leaky_resnets.discretisation": {
        "no leak": (weights_without_the_leak, {"A": [[-1]], "B": [[-1]], "L": 2, "rho": 1}),
        "sign of the adjoint": (adjoint_the_other_way, {"A": [[3]], "B": [[-3]], "L": 1, "rho": 1}),
    },
    "leaky_resnets.prop_2.limit": {
        "d for its square": (
            denominator_not_squared,
            {"A.left": [[-2]], "A.right": [[1, 4]], "A.signs": 3, "A.constant": 2, "A.drop": 1, "gamma.root": "1/16"},
        ),
        "no 1 below": (
            one_missing_below,
            {"A.left": [[-2]], "A.right": [[1, 4]], "A.signs": 3, "A.constant": 2, "A.drop": 1, "gamma.root": "1/16"},
        ),
        "99/100 of the rate": (
            rate_less_a_hundredth,
            {"A.left": [[-2]], "A.right": [[1, 4]], "A.signs": 3, "A.constant": 2, "A.drop": 1, "gamma.root": "1/16"},
        ),
    },
    "leaky_resnets.prop_2.stable_minimum": {
        "at least the rank": (at_least_the_rank, {"move": [["-1/2048", 0], [0, "1/2048"]]}),
        "equality": (always_the_rank, {"move": [[0, 0], ["-1/1024", "1/1024"]]}),
    },
    "leaky_resnets.prop_2.value": {
        "s squared": (square_of_the_constants, {"A.left": [[2]], "A.right": [[0]], "A.signs": 3, "A.constant": 0, "A.drop": 0}),
        "twice the bias": (bias_at_twice, {"A.left": [[2]], "A.right": [[0]], "A.signs": 3, "A.constant": 0, "A.drop": 0}),
    },
    "leaky_resnets.prop_5.nonnegative": {
        "square for the fourth power": (square_for_the_fourth_power, {"A": [[3]], "epsilon": 1, "t": 1}),
        "t squared": (time_squared, {"A": [[2]], "epsilon": 1, "t": "1/2"}),
    },
    "leaky_resnets.prop_5.norm_change": {
        "no leak in the fourth order": (
            fourth_order_without_the_leak,
            {"A": [[2]], "W": [[0, 0]], "L": 2, "t": 1, "epsilon": 1},
        ),
        "fourth power of the values": (
            fourth_power_of_the_values,
            {"A": [[-4]], "W": [[0, 0]], "L": 2, "t": 1, "epsilon": "1/8"},
        ),
    },
    "leaky_resnets.regularised_problem": {
        "ridge twice": (
            ridge_twice,
            {
                "path.f.weights": [[[3, 0]]],
                "path.f.leak": 2,
                "path.f.steps": ["1/8"],
                "path.X": [[0]],
                "path.D": [[[-1, -1]]],
                "F": [[1]],
                "lam": 1,
            },
        ),
        "adjoint of the layer before": (
            adjoint_of_the_layer_before,
            {
                "path.f.weights": [[[0, -2]]],
                "path.f.leak": 3,
                "path.f.steps": [1],
                "path.X": [[0]],
                "path.D": [[[-1, -1]]],
                "F": [[0]],
                "lam": 2,
            },
        ),
    },
    "leaky_resnets.stable_solve": {
        "singular value for eigenvalue": (
            singular_value_for_eigenvalue,
            {"A.rows": [[-2, 0]], "A.mix": [[0, 3]], "A.family": 2, "A.origin": 2, "M": [[0, -2], [0, 2]], "gamma": 2},
        ),
        "9/10 of gamma": (
            nine_tenths_of_gamma,
            {"A.rows": [[0]], "A.mix": [[0, 4]], "A.family": 0, "A.origin": 2, "M": [[0], [4]], "gamma": 2},
        ),
        "99/100 of gamma": (
            gamma_less_a_hundredth,
            {"A.rows": [[0]], "A.mix": [[0, 4]], "A.family": 0, "A.origin": 2, "M": [[0], [4]], "gamma": 2},
        ),
    },
    "leaky_resnets.theorem_4.identity": {
        "gamma squared": (gamma_squared, {"A": [[0]], "B": [[-2]], "gamma": 4}),
        "H once": (hamiltonian_once, {"A": [[-4]], "B": [[-1]], "gamma": 4}),
    },
    "leaky_resnets.theorem_4.one_over_leak.speed": {
        "3/5 for 1/2": (three_fifths, {"second": 2, "gap": "1/4", "root_leak": 64}),
        "beta squared": (gap_squared, {"second": 2, "gap": "1/4", "root_leak": 64}),
    },
    "leaky_resnets.zero_representation": {
        "homogeneous": (
            homogeneous_path,
            {"f.weights": [[[1, 0, 0], [0, 0, -2]]], "f.leak": 2, "f.steps": [1], "X": [[0], [-1]]},
        ),
        "points come together": (
            points_come_together,
            {"f.weights": [[[0, 0, 0], [-4, 0, 0]]], "f.leak": 3, "f.steps": [1], "X": [[2], [0]]},
        ),
    },
    "leaky_resnets.zero_representation.velocity": {
        "divided by the points": (divided_by_the_points, {"v": [-3], "D": [[0, 0]], "kind": 1}),
        "rank one suffices": (finite_at_rank_one, {"v": [2], "D": [[1, 0]], "kind": 0}),
    },
    "notion_of_rank.depth_window": {
        "deeper is cheaper": (deeper_is_cheaper, {"u": [4, 8], "side": 2, "depth": 2}),
        "n L at every depth": (rank_of_the_points, {"u": [1, 2], "side": 2, "depth": 30}),
    },
    "notion_of_rank.no_tripoints": {
        "weakly ahead": (
            weakly_ahead,
            {
                "g.W1": [[2, 2], [0, 1]],
                "g.b1": [0, 0],
                "g.slope": -1,
                "h.W1": [[0, 0], [0, 0], [1, 0]],
                "h.b1": [0, 0, 3],
                "h.slope": -2,
                "x": [1, 0],
                "width": 1,
            },
        ),
        "exactly two": (
            exactly_two_classes,
            {
                "g.W1": [[0, 4], [0, 4]],
                "g.b1": [0, 0],
                "g.slope": -2,
                "h.W1": [[0, 0], [0, 0], [0, 0]],
                "h.b1": [0, 0, 1],
                "h.slope": 1,
                "x": [-2, 0],
                "width": 1,
            },
        ),
    },
    "notion_of_rank.prop_1.ring": {
        "one of both points": (
            one_side_of_the_ring,
            {"g.W1": [[0, 0]], "g.b1": [1], "g.slope": 1, "h.W1": [[2], [-1]], "h.b1": [-1, 1], "h.slope": -1, "width": 2},
        ),
        "11/10": (
            error_and_a_tenth,
            {"g.W1": [[-1, 3]], "g.b1": [0], "g.slope": 0, "h.W1": [[0], [0]], "h.b1": [0, 0], "h.slope": 2, "width": 2},
        ),
        "101/100": (
            error_on_the_ring_and_a_hundredth,
            {"g.W1": [[0, 0]], "g.b1": [0], "g.slope": 1, "h.W1": [[0], [-2]], "h.b1": [0, 0], "h.slope": -1, "width": 1},
        ),
    },
    "notion_of_rank.prop_4.decaying_network": {
        "3/s for 4/s": (three_over_s, {"s": 2, "depth": 160}),
        "11/10 of the ratio": (ratio_and_a_tenth, {"s": 2, "depth": 64}),
    },
    "notion_of_rank.prop_4.energy_identity": {
        "norm for its square": (
            norm_lost_by_the_root,
            {
                "f.network.W1": [[4]],
                "f.network.b1": [0],
                "f.network.slope": 0,
                "f.distance": ["1/16"],
                "f.nearness": "9/16",
                "X": [[1], [1], [-2]],
                "width": 2,
            },
        ),
        "another norm in the logarithm": (
            logarithm_of_the_frobenius_norm,
            {
                "f.network.W1": [[0, -1, 0], [0, 0, 1]],
                "f.network.b1": [1, 0],
                "f.network.W2": [[0, 1], [0, 0]],
                "f.network.b2": [1, 2],
                "f.network.slope": 1,
                "f.distance": [1, 1],
                "f.nearness": 1,
                "X": [[0, 2, 0], [0, 0, -2]],
            },
        ),
        "101/100 of the logarithm": (
            logarithm_and_a_hundredth,
            {
                "f.network.W1": [[2, 0]],
                "f.network.b1": [0],
                "f.network.slope": -1,
                "f.distance": ["1/4"],
                "f.nearness": "1/8",
                "X": [[0, 0], ["-3/2", "3/2"], [0, 0], [0, 0]],
                "width": 3,
            },
        ),
        "99/100 of the norm": (
            norm_lost_less_a_hundredth,
            {
                "f.network.W1": [[0], [2]],
                "f.network.b1": [-1, -2],
                "f.network.slope": 1,
                "f.distance": [1],
                "f.nearness": 1,
                "X": [[-4], [-8]],
                "width": 3,
            },
        ),
    },
    "notion_of_rank.prop_5": {
        "L - 1 for L": (
            a_layer_less_each,
            {
                "case.parts.inner.W1": [[0, 0]],
                "case.parts.inner.b1": [2],
                "case.parts.outer.W1": [[1]],
                "case.parts.outer.b1": [2],
                "case.parts.slope": 1,
                "case.X": [[0, 0]],
                "case.s": [0],
                "case.noise": [[0]],
                "case.noisy": 0,
                "case.step": 0,
                "case.network.W1": [[0, 0], [0, 0], [0, 0]],
                "case.network.b1": [-2, 2, 1],
                "case.network.W2": [[0, 2, 2]],
                "case.network.b2": [-4],
                "case.root": 1,
            },
        ),
        "ridge per point": (
            ridge_per_point,
            {
                "case.parts.inner.W1": [[0, 0], [0, 0]],
                "case.parts.inner.b1": [0, 0],
                "case.parts.outer.W1": [[0, 4]],
                "case.parts.outer.b1": [-3],
                "case.parts.slope": 0,
                "case.X": [[0, 0], [1, 0], [0, 4]],
                "case.s": [1, "3/2"],
                "case.noise": [[4], [8], [-4]],
                "case.noisy": 0,
                "case.step": 2,
                "case.network.W1": [[-2, -2], [1, 1], [-2, "-1/2"]],
                "case.network.b1": ["-1/2", "-1/2", 0],
                "case.network.W2": [[0, 0, 0]],
                "case.network.b2": [0],
                "case.root": "1/2",
            },
        ),
        "99/100 of the bound": (
            dimensions_and_a_hundredth,
            {
                "case.parts.inner.W1": [[0, 0], [0, 0]],
                "case.parts.inner.b1": [4, 0],
                "case.parts.inner.W2": [[4, -1]],
                "case.parts.inner.b2": [-2],
                "case.parts.outer.W1": [[0]],
                "case.parts.outer.b1": [0],
                "case.parts.slope": -1,
                "case.X": [[0, 0]],
                "case.s": [0],
                "case.noise": [[-3]],
                "case.noisy": 0,
                "case.step": 0,
                "case.network.W1": [[1, -4], [2, -8], [-3, -4]],
                "case.network.b1": [0, 0, 0],
                "case.network.W2": [[2, -1, 4], [0, -2, 0], [0, 0, 0]],
                "case.network.b2": [-2, 0, 0],
                "case.network.W3": [[0, 0, -1]],
                "case.network.b3": [3],
                "case.root": "3/2",
            },
        ),
        "99/100 of the data loss": (
            data_loss_less_a_hundredth,
            {
                "case.parts.inner.W1": [[1, 0]],
                "case.parts.inner.b1": [0],
                "case.parts.outer.W1": [[1]],
                "case.parts.outer.b1": [0],
                "case.parts.slope": 0,
                "case.network.W1": [[0, 0], [0, 0], [0, 0]],
                "case.network.b1": [0, 0, 0],
                "case.network.W2": [[0, 0, 0]],
                "case.network.b2": [0],
                "case.X": [[1, 0]],
                "case.s": [0],
                "case.noise": [[0]],
                "case.noisy": 0,
                "case.step": 4,
                "case.root": 1,
            },
        ),
    },
    "notion_of_rank.ridge.one_point": {
        "1/L for 2/L": (
            half_of_the_exponent,
            {
                "f.W1": [["-1/4", 0], [0, "-1/4"]],
                "f.W2": [["1/4", 0]],
                "f.slope": -1,
                "size": "1/2",
                "u.chart": ["-1/4"],
                "u.flip": 1,
                "t": 0,
                "v.chart": [],
                "v.flip": 1,
                "ridge": "1/4",
            },
        ),
        "11/10": (
            values_and_a_tenth,
            {
                "f.W1": [[16, 0], [0, 0]],
                "f.W2": [[16, 0], [0, 0]],
                "f.W3": [[16, 0], [0, 0], [0, 0]],
                "f.slope": 1,
                "size": 4,
                "u.chart": [1],
                "u.flip": 1,
                "t": 4,
                "v.chart": [1, 0],
                "v.flip": 0,
                "ridge": "1/16",
            },
        ),
        "101/100": (
            values_and_a_hundredth,
            {
                "f.W1": [[4], [0]],
                "f.W2": [[4, 0]],
                "f.slope": -1,
                "size": 3,
                "u.chart": [],
                "u.flip": 1,
                "t": 0,
                "v.chart": [],
                "v.flip": 1,
                "ridge": 3,
            },
        ),
        "101/100 of the minimum": (
            least_value_and_a_hundredth,
            {
                "f.W1": [[0], [0], [-3], [0]],
                "f.W2": [[1, 0, 0, -2]],
                "f.slope": 1,
                "size": "1/4",
                "u.chart": [],
                "u.flip": 1,
                "t": 1,
                "v.chart": [],
                "v.flip": 1,
                "ridge": 3,
            },
        ),
    },
    "notion_of_rank.shallow_networks.programme": {
        "shifted points": (
            shift_of_the_points,
            {"x.start": -1, "x.gaps": [2], "y.values": [-3, 0], "y.level": 5, "y.varied": 1},
        ),
        "degree one": (degree_one, {"x.start": -4, "x.gaps": [3], "y.values": [4, -2], "y.level": 2, "y.varied": 0}),
    },
    "notion_of_rank.theorem_1.affine_map": {
        "logarithm once": (logarithm_once, {"B": [[-1]], "C": [["3/4"]], "b": [0], "place": [0], "radius": 0, "depth": 14}),
        "lengths of the rows": (
            length_of_the_rows,
            {"B": [[1]], "C": [[-1, 1, 1]], "b": [1], "place": ["1/2", "-1/2", -1], "radius": 4, "depth": 2},
        ),
        "101/100 of the logarithm": (
            volume_and_a_hundredth,
            {"B": [["257/256"]], "C": [["257/256"]], "b": [0], "place": ["49/64"], "radius": 0, "depth": 14},
        ),
    },
    "notion_of_rank.theorem_2.dense_atoms": {
        "points of the sample": (points_of_the_sample, {"sample": [14, 54], "depth": 3}),
        "J^(3/2)": (
            power_three_halves,
            {
                "sample": [
                    19,
                    37,
                    24,
                    39,
                    58,
                    1,
                    48,
                    16,
                    29,
                    28,
                    49,
                    18,
                    40,
                    21,
                    21,
                    3,
                    53,
                    15,
                    1,
                    55,
                    54,
                    54,
                    14,
                    63,
                    26,
                    14,
                    56,
                    1,
                    19,
                    22,
                    32,
                    5,
                    44,
                    7,
                    50,
                    58,
                    62,
                    61,
                    18,
                    57,
                    24,
                    6,
                    27,
                    23,
                    10,
                    0,
                    17,
                    0,
                    59,
                    9,
                    2,
                    7,
                    3,
                    14,
                    34,
                    6,
                    48,
                    19,
                    25,
                    33,
                    4,
                    36,
                    26,
                    21,
                ],
                "depth": 3,
            },
        ),
    },
    "notion_of_rank.theorem_2.random_labels": {
        "half not rounded": (
            half_not_rounded,
            {"X.points": [[0], [0], ["1/4"]], "X.places": [1, 0, 0], "X.repeated": 0, "u": ["-3/2"], "epsilon": 1, "depth": 3},
        ),
        "diameter one": (
            cube_of_diameter_one,
            {"X.points": [[1, 1], [0, 0]], "X.places": [0, 1], "X.repeated": 3, "u": [1, 1], "epsilon": 1, "depth": 6},
        ),
        "101/100 of the length": (
            length_and_a_hundredth,
            {
                "X.points": [["3/4"], ["3/4"], ["1/2"]],
                "X.places": [0, 0, 0],
                "X.repeated": 0,
                "u": [1],
                "epsilon": 1,
                "depth": 2,
            },
        ),
        "101/100 for eight points": (
            length_and_a_hundredth_of_eight,
            {
                "X.points": [[0], ["1/14"], ["1/7"], ["3/14"], ["2/7"], [0], ["1/14"], ["1/7"]],
                "X.places": [0, 0, 0, 0, 0, 0, 0, 0],
                "X.repeated": 0,
                "u": [1],
                "epsilon": 1,
                "depth": 2,
            },
        ),
        "101/100 of the path": (
            path_and_a_hundredth,
            {"X.points": [[1], [0]], "X.places": [0, 0], "X.repeated": 0, "u": [1], "epsilon": 1, "depth": 2},
        ),
    },
    "symmetry_learning.dynamics_rank": {
        "radius for its square": (radius_for_its_square, {"v": [0, -1], "w.chart": [-2], "eta": [0]}),
        "d - 1": (a_dimension_for_the_direction, {"v": [-1, "1/2"], "w.chart": [4], "eta": [0, "1/8"]}),
    },
    "symmetry_learning.dynamics_rank.generic": {
        "gradient of the length": (
            gradient_of_the_whole_length,
            {"v.numerators": [3, 7], "w.chart": [-2], "eta.numerators": [3]},
        ),
        "steps that are not zero": (steps_that_are_not_zero, {"v.numerators": [-8, 3], "w.chart": [2], "eta.numerators": [0]}),
    },
    "symmetry_learning.frequency_one_pairs.one_pair": {
        "product of the frequencies": (product_of_the_frequencies, {"omega": [6, 7], "n": 7}),
        "the larger one": (larger_of_both_axes, {"omega": [2, 3], "n": 6}),
    },
    "symmetry_learning.newtonian_mechanics.equivariance": {
        "reflections": (reflected_law, {"z0.t": 0, "z1.t": 0, "gamma.t": 1, "v.t": -1}),
        "shift transposed": (shift_transposed, {"z0.t": 0, "z1.t": 2, "gamma.t": 0, "v.t": 1}),
    },
    "symmetry_learning.summary_statistics": {
        "one rate": (same_rate_for_both, {"v": ["1/2", "1/2"], "w.chart": [0]}),
        "square of the length": (square_of_the_length, {"v": [1, 0], "w.chart": [0]}),
    },
    "symmetry_learning.summary_statistics.gd_step": {
        "one factor": (same_factor_across, {"v": [1, 1], "w.chart": [3], "eta": "1/4"}),
        "not squared": (factor_not_squared, {"v": [1, 1], "w.chart": [3], "eta": "1/4"}),
    },
}
"""By the claim: statements, each with an instance of the domain at which it is false."""


if __name__ == "__main__":
    sys.exit(what_survives(VARIANTS, TRUE, __doc__))
