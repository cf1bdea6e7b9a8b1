"""False variants that are false in one place only, none of them known when the claims were written. Run by hand.

    python tests/benchmarks/narrow_variants.py [WORD ...] [--seeds 2]

A quantifier over the layers is narrowed to one of them, a constant is changed at one index or at one size, a hypothesis is
looser by a thousandth, an inequality is an equality, a slope is steeper than it seems. Each is searched for on the domain of
its claim, as declared false variants are, with every seed; the table says what refutes it.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure import linear_geodesic, path_length, theorem_10
from theorems.bottleneck_structure.balancedness import rescaling
from theorems.bottleneck_structure.prop_13 import telescoping
from theorems.bottleneck_structure.theorem_6 import bad_layers
from theorems.bottleneck_structure.theorem_7 import layers as large_layers
from theorems.bottleneck_structure.theorem_7 import statement as theorem_7
from theorems.feature_learning import interpolation, loss_explosion, one_hot, prop_18
from theorems.leaky_resnets import discretisation, speed_law, stable_rank, zero_representation
from theorems.notion_of_rank import autoencoders, finite_depth_axioms, jacobian_decay, prop_3
from theorems.notion_of_rank.depth_window import initial
from theorems.notion_of_rank.linear_networks import balance
from theorems.notion_of_rank.rank_axioms import statement as rank_axioms
from theorems.notion_of_rank.theorem_1 import shift
from theorems.notion_of_rank.theorem_2 import paths
from theorems.symmetry_learning import (
    cnn_prop_3,
    frequency_one_pairs,
    gd_stability,
    half_bottleneck,
    linear_cnn_cost,
    symmetries,
)
from theorems.symmetry_learning.summary_statistics import noise
from verify import Claim, Q, catalogue
from verify.checker.checking import Checker
from verify.claims.claim import Statement
from verify.words import (
    eq,
    exp,
    ge,
    greatest,
    le,
    least,
    minimum,
    norm,
    norm2,
    rank,
    singular_values,
    sqrt,
    stack,
    where,
)

MORE, LESS = Q("1001/1000"), Q("999/1000")
NO_ERROR = 1


def of_size(wanted: bool, value: Any) -> Any:
    """The changed constant where the sizes are those, else 1."""
    return value if wanted else NO_ERROR


# bottleneck_structure


def saves_less_at_depth_seven(f, c):
    return rescaling.saved_by_one_layer(f, c, times=of_size(f.depth == 7, MORE))


def layer_before_the_last_is_average(f):
    L, norms = f.depth, stack([norm2(W) for W in f.weights])
    return le(L * norms[L - 2], f.parameter_norm_squared)


def rescaled_with_a_thousandth(f, c):
    """Where every neuron is rescaled the norm grows by a thousandth at least."""
    grown = where(stack([(row == 1).any() for row in c]).any(), 1, MORE)
    return le(grown * f.parameter_norm_squared, rescaling.rescaled(f, list(c)).parameter_norm_squared)


def bad_layers_from_a_thousandth_less(f, x, p):
    L = f.depth
    counted = np.arange(1, L + 1) + Q("1/1000") >= p * L
    return le(where(counted, p * L * bad_layers.largest_first(f, x), 0), bad_layers.bound(f, x))


def a_thousandth_is_free(f, x):
    return theorem_7.representations_are_bounded(f, x, growth=lambda excess: theorem_7.if_positive(excess - Q("1/1000")))


def behind_the_middle_layer(f, x, y):
    """The layers behind the middle one without the first of them, which is free in no other place."""
    excesses, middle = theorem_10.excesses(f), f.depth // 2
    behind = exp(excesses[middle + 1 :].sum())
    return le(norm2(f(x) - f(y)), theorem_10.squared_steps(f, x, y)[middle] * behind)


def kernel_of_thirteen_layers(f, x):
    slopes, sizes = theorem_10.squared_slopes(f, x), stack([norm2(alpha) for alpha in f.activations(x)])
    terms = (sizes * slopes[-1] / where(slopes == 0, 1, slopes)).sum()
    return ge(theorem_10.kernel_trace(f, x, biases=False), of_size(f.depth == 13, MORE) * terms)


def closed_path_of_six(y):
    d1, d2 = path_length.two_nearest(y)
    closed = path_length.length(y) + norm(y[-1] - y[0])
    return ge(2 * closed, of_size(len(y) == 6, MORE) * (d1 + d2).sum())


def middle_of_six_segments(lengths):
    n = len(lengths)
    return le(of_size(n == 6, MORE) * np.sort(lengths)[n // 2] * (n - n // 2), lengths.sum())


def second_layer_before_the_change(f, x, y):
    """At the second hidden layer the slopes before it are those of the other point."""
    Dx, Dy = telescoping.slopes_of(f, x), telescoping.slopes_of(f, y)
    before = [Dx if layer != 2 else [*Dy[:1], *Dx[1:]] for layer in range(1, f.depth)]
    total = sum(telescoping.term(f, layer, before[layer - 1], Dy) for layer in range(1, f.depth))
    return eq(f.jacobian(x) - f.jacobian(y), total)


def shares_in_space(M, N, p):
    R2 = linear_geodesic.R2
    return le(of_size(len(M) == 3, MORE) * R2(N @ M), R2(M) / p + R2(N) / (1 - p))


# notion_of_rank


def exponent_at_depth_thirteen(f, x):
    return prop_3.schatten_bound(f, x, p=Q("1999/1000") if f.depth == 13 else 2)


def slopes_a_thousandth_steeper(f, D):
    return prop_3.any_slopes(f, MORE * D)


def middle_slopes_a_thousandth_steeper(f, D):
    middle = np.arange(len(D)) == len(D) // 2
    return prop_3.any_slopes(f, where(middle, MORE, 1)[:, None] * D)


def two_points_in_wide_networks(f, x, y):
    factor = of_size(f.depth == 6 and f.widths[1] == 4, LESS)
    return le(norm2(f(x) - f(y)), factor * norm2(x - y) * (f.weight_norm_squared / f.depth) ** f.depth)


def second_value_with_less_lost(f, x):
    return jacobian_decay.second_singular_value(f, x, factor=Q("1999/1000"))


def unbalanced_deep_factors(f):
    return balance.imbalance(f, cross=Q("199/100") if f.depth == 6 else 2)


def three_neurons_of_four(f, R):
    s, n = singular_values(balance.product(f) + R), balance.narrowest(f)
    return ge(norm2(R), of_size(n == 3, MORE) * norm2(s[n:]))


def outer_rank_one_survives(parts, x):
    both, outer, inner = rank_axioms.ranks_of_composition(parts, x)
    return le(where(outer == 1, minimum(outer, inner), 0), both)


def window_from_a_thousandth_less(k, C, L):
    return initial.steeper_with_the_depth(k - Q("1/1000"), C, L)


def oblique_by_a_thousandth(S, C, z, depth):
    A = autoencoders.jacobian_at(S, C, z)
    return ge(prop_3.schatten_power(A, Q(2, depth)), where((A == A.T).all(), 1, MORE) * len(z))


def from_three_of_five_points(Y):
    first = slice(3) if len(Y) == 5 else slice(None)
    return eq(paths.shortest(Y), least(paths.length(paths.orders(Y, first))))


def nearly_the_product_of_biases(c, d):
    return finite_depth_axioms.sum_of_constants(c, d, cross=Q("1999/1000"))


def most_of_the_box_at_depth_six(network, centre, radius, place):
    return shift.stays_above(network, centre, radius, place, share=of_size(network.depth == 6, LESS))


# feature_learning


def middle_of_six_layers(linear):
    X, L = linear[1], len(linear[0])

    def wanted(share, Z):
        used = Q(2, 3) if L == 6 and share == Q(1, 2) else share
        return X.T @ interpolation.gram_power(Z[L] @ interpolation.pinv(X), used) @ X

    return interpolation.hidden_covariances(linear, wanted)


def last_layer_of_six_adds(f, G, lam):
    W, dW = f.weights, interpolation.gradients(f.weights, G, lam)
    sign = 1 if f.depth == 6 else -1
    left = W[-1].T @ dW[-1] + sign * dW[-2] @ W[-2].T
    return eq(left, 2 * lam * (W[-1].T @ W[-1] + sign * W[-2] @ W[-2].T))


def nearly_all_is_subtracted(pairs):
    return loss_explosion.explodes_together(pairs, subtracted=LESS)


def after_the_activation_of_four(Z, D, sigma):
    change = norm(prop_18.gram(sigma(Z + D)) - prop_18.gram(sigma(Z)))
    return le(of_size(len(Z) == 4, MORE) * change, (norm(Z) + norm(Z + D)) * norm(D))


def three_classes_cost_more(classified, alpha):
    (Y, V), m = classified, one_hot.sizes_of_classes(classified[0])
    return ge(one_hot.cost(Y, V, alpha), 2 * where((m > 0).sum() == 3, MORE, 1) * sqrt(m).sum())


# leaky_resnets


def steps_of_fourteen_layers(c, shares):
    common = 1 / (1 / c).sum()
    return le(of_size(len(c) == 14, MORE) * common, greatest(shares / shares.sum() * c))


def depth_of_even_numbers(steps):
    a, rho = steps
    M = len(rho)
    return le(greatest(rho) * M / (1 + a / 4), 1 - Q("1/1000") * a if M > 2 and M % 2 == 0 else 1)


def constant_below_cost_of_rank_one(point):
    A, B = point
    used = where(rank(A) < min(A.shape), LESS, 1)
    return le(-2 * speed_law.hamiltonian(A, B), used * speed_law.cost(A))


def six_steps_a_thousandth_longer(x, L, rho):
    longer = MORE * rho if len(rho) == 6 else rho
    return discretisation.leak_alone(x, L, longer)


def dimension_of_rank_three(A):
    return le(stable_rank.effective_dimension(A), where(rank(A) == 3, LESS, 1) * rank(A))


def less_of_the_leak_in_four_dimensions(x, y, V, L):
    return zero_representation.difference_shrinks_slowly(x, y, V, L, leak=of_size(len(x) == 4, LESS))


# symmetry_learning


def exponent_of_two_channels(f, x, n):
    return cnn_prop_3.jacobian_costs_per_pixel(f, x, n, p=Q("1999/1000") if f.depth == 6 and len(x) == 2 else 2)


def expands_at_three_samples(f, X, eta):
    return gd_stability.step_expands(f, X, eta, steepest=lambda all_of: of_size(len(X) == 3, MORE) * greatest(all_of))


def steps_a_thousandth_longer(J, e, eta):
    return gd_stability.no_distance_grows(J, e, MORE * eta)


def exponent_on_three_by_three(f, n):
    return linear_cnn_cost.costs_at_least(f, n, p=Q("1999/1000") if n == 3 else 2)


def noise_in_the_largest_dimension(v, w, E):
    return noise.noise_moves_little(v, w, E, constant=8 * of_size(len(v) == 6, LESS))


def rank_of_three_outputs(f, x):
    J = symmetries.jacobian(f, x)
    return ge(rank(J), minimum(len(J), len(x) - rank(symmetries.tangents(f, x))))


def determinant_modulo_six(omega, n):
    determinant = omega[0, 0] * omega[1, 1] - omega[0, 1] * omega[1, 0]
    told = where(n == 6, frequency_one_pairs.modulo(determinant, n) != 0, frequency_one_pairs.gcd(determinant, n) == 1)
    return eq(frequency_one_pairs.told_apart(omega, n), told)


VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "bottleneck_structure.balancedness": {"a thousandth more": rescaled_with_a_thousandth},
    "bottleneck_structure.balancedness.one_layer": {"1001/1000 at depth 7": saves_less_at_depth_seven},
    "bottleneck_structure.balancedness.layers": {"the layer before the last": layer_before_the_last_is_average},
    "bottleneck_structure.theorem_7": {"an excess of up to a thousandth is free": a_thousandth_is_free},
    "bottleneck_structure.theorem_7.layers": {"from pL - 1/1000 on": large_layers.from_a_thousandth_less},
    "bottleneck_structure.theorem_6.bad_layers": {"from pL - 1/1000 on": bad_layers_from_a_thousandth_less},
    "bottleneck_structure.theorem_10.growth": {"the middle layer is free": behind_the_middle_layer},
    "bottleneck_structure.theorem_10.kernel": {"1001/1000 at depth 13": kernel_of_thirteen_layers},
    "bottleneck_structure.path_length": {"1001/1000 for six points": closed_path_of_six},
    "bottleneck_structure.path_length.counting": {"1001/1000 in the middle of six": middle_of_six_segments},
    "bottleneck_structure.prop_13.telescoping": {"the second hidden layer": second_layer_before_the_change},
    "bottleneck_structure.linear_geodesic.second_correction": {"1001/1000 in space": shares_in_space},
    "notion_of_rank.prop_3": {"exponent 1999/1000 at depth 13": exponent_at_depth_thirteen},
    "notion_of_rank.prop_3.slopes": {
        "slopes up to 1001/1000": slopes_a_thousandth_steeper,
        "slopes up to 1001/1000 in the middle": middle_slopes_a_thousandth_steeper,
    },
    "notion_of_rank.prop_3.two_points": {"999/1000 at depth 6 and width 4": two_points_in_wide_networks},
    "notion_of_rank.jacobian_decay": {"1001/1000 k for the third": jacobian_decay.third_place},
    "notion_of_rank.jacobian_decay.second": {"1999/1000 c": second_value_with_less_lost},
    "notion_of_rank.linear_networks.balanced": {"199/100 times at depth 6": unbalanced_deep_factors},
    "notion_of_rank.linear_networks.width": {"1001/1000 for three neurons": three_neurons_of_four},
    "notion_of_rank.rank_axioms": {"an outer rank of 1 survives": outer_rank_one_survives},
    "notion_of_rank.depth_window.initial": {"k >= 999/1000": window_from_a_thousandth_less},
    "notion_of_rank.autoencoders.oblique": {"1001/1000 k if oblique": oblique_by_a_thousandth},
    "notion_of_rank.theorem_2.path_bounds": {"13/10 of the tree": partial(paths.between_the_bounds, twice=Q(13, 10))},
    "notion_of_rank.theorem_2.shortest_path": {"from three of five points": from_three_of_five_points},
    "notion_of_rank.finite_depth_axioms.sum_of_constants": {"1999/1000 times": nearly_the_product_of_biases},
    "notion_of_rank.theorem_1.shift": {"999/1000 of the box at depth 6": most_of_the_box_at_depth_six},
    "feature_learning.interpolation": {"the middle of six layers": middle_of_six_layers},
    "feature_learning.interpolation.balanced": {"the last of six layers": last_layer_of_six_adds},
    "feature_learning.loss_explosion": {"the slope for positive values": loss_explosion.slope_of_positive_values},
    "feature_learning.loss_explosion.together": {"999/1000 is subtracted": nearly_all_is_subtracted},
    "feature_learning.prop_18": {"1001/1000 for four neurons": after_the_activation_of_four},
    "feature_learning.one_hot.cost": {"1001/1000 for three classes": three_classes_cost_more},
    "leaky_resnets.adaptive_steps": {"1001/1000 for 14 layers": steps_of_fourteen_layers},
    "leaky_resnets.irregular_steps.extremes": {"less for even numbers": depth_of_even_numbers},
    "leaky_resnets.speed_law.lower_bound": {"999/1000 below full rank": constant_below_cost_of_rank_one},
    "leaky_resnets.discretisation.leak": {"six steps longer by a thousandth": six_steps_a_thousandth_longer},
    "leaky_resnets.stable_rank": {"999/1000 of rank 3": dimension_of_rank_three},
    "leaky_resnets.zero_representation.injective": {"999/1000 of the leak, width 4": less_of_the_leak_in_four_dimensions},
    "symmetry_learning.cnn_prop_3": {"exponent 1999/1000 for two channels": exponent_of_two_channels},
    "symmetry_learning.gd_stability": {"1001/1000 at three samples": expands_at_three_samples},
    "symmetry_learning.gd_stability.converges": {"steps longer by a thousandth": steps_a_thousandth_longer},
    "symmetry_learning.linear_cnn_cost": {"exponent 1999/1000 on 3 x 3": exponent_on_three_by_three},
    "symmetry_learning.summary_statistics.noise": {"7992/1000 in the largest dimension": noise_in_the_largest_dimension},
    "symmetry_learning.symmetries": {"the rank is the dimension": rank_of_three_outputs},
    "symmetry_learning.frequency_one_pairs.two_pairs": {"determinant not zero modulo 6": determinant_modulo_six},
    "symmetry_learning.half_bottleneck.injective": {"two of three outputs": half_bottleneck.by_two_of_three_values},
}
"""By the claim."""


def options(description: str | None) -> argparse.Namespace:
    """The words and the number of seeds that are asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("words", nargs="*", help="parts of the ids of claims (default: all)")
    parser.add_argument("--seeds", type=int, default=2)
    warnings.simplefilter("ignore")
    return parser.parse_args()


def survivors(
    of_claims: Mapping[str, Mapping[str, Statement]],
    arguments: argparse.Namespace,
    problem: Callable[[Claim, str], str] = lambda claim, name: "",  # noqa: ARG005
) -> int:
    """Prints a row for each variant, and returns how many survived with some seed, or have a `problem`."""
    claims, left, count = catalogue(), 0, 0
    print("| claim | variant | refuted by | evaluations | seconds |\n|---|---|---|---|---|")
    for identifier, variants in of_claims.items():
        if arguments.words and not any(word in identifier for word in arguments.words):
            continue
        claim = dataclasses.replace(claims[identifier], false_variants=variants)
        for name in variants:
            wrong, start = problem(claims[identifier], name), time.process_time()
            results = [Checker(claim, "quick", seed).refutes(name) for seed in range(arguments.seeds)]
            by = ", ".join(result.problem or result.by or "NOTHING" for result in results)
            seconds = time.process_time() - start
            spent = sum(result.evaluations for result in results)
            print(
                "|", " | ".join(map(str, (identifier, name, f"{wrong} {by}".strip(), spent, f"{seconds:.1f}"))), "|", flush=True
            )
            count, left = count + 1, left + (bool(wrong) or not all(result.refuted for result in results))
    print(f"\n{count - left} of {count} are as they should be, with {arguments.seeds} seeds")
    return left


if __name__ == "__main__":
    sys.exit(survivors(VARIANTS, options(__doc__)))
