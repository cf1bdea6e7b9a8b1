r"""The identity: its ranks are dimensions, its correction is at least 0.

Statement
    :math:`\mathrm{Rank}_J(id; \Omega)` is the largest dimension of a tangent space, :math:`\mathrm{Rank}_{BN}(id; \Omega)` the
    least dimension that :math:`\Omega` can be embedded into by a piecewise linear map; 1 and 2 for a circle. Where both are k,
    :math:`R^{(1)}(id; \Omega) \ge \log|P_{T_x\Omega}|_+ = 0`.
Checked
    On a k-dimensional subspace every network that is the identity there and linear costs at least kL (for other networks it is
    ``theorem_3.lower_bound`` with :math:`Jf\,P = P`). On the boundary of the square :math:`[-1, 1]^2`, a circle, every function
    that passes a bottleneck of one neuron is somewhere wrong by 1 in the maximum norm: it takes the same value at two opposite
    points. All its kinks on the boundary are found, so that the largest error is exact.
Proof idea
    The product of the volumes of the layers is 1; :math:`\mathrm{tr} \ge k + \log\det`. On the circle g(x) - g(-x) changes its
    sign; the errors at x and -x add up to at least 2.
Tight
    Orthogonal layers; the function 0.
Source
    bottleneck_structure, Section 3.3.1.
"""

from functools import reduce

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.shared.bottleneck import with_common_slope
from theorems.shared.segments import nodes_on_segment
from verify import Claim, Domain, Networks, Source, derived, integers, reals, slopes
from verify.networks import FullyConnected, compose, identity, relu
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eye, ge, greatest, inverse, lifted, norm2, rank, stack

network, composed = lifted(FullyConnected), lifted(compose)
frame, nodes = lifted(reflected_frame), lifted(nodes_on_segment)


def near_the_identity(changes, free):
    """The matrices (`free` is 1), or identities (0)."""
    return free * changes + (1 - free) * eye(changes.shape[-1])


def identity_on_subspace(frames, changes):
    r"""The network :math:`W_\ell = U_\ell M_\ell U_{\ell-1}^T`, where the last M inverts the product of the others."""
    U, M = list(frame(frames)), list(changes)
    M.append(inverse(reduce(lambda product, matrix: matrix @ product, M)))
    weights = [after @ matrix @ before.T for before, matrix, after in zip(U, M, [*U[1:], U[0]], strict=True)]
    return network(weights, activation=identity())


def identity_costs_the_dimension(f, k, more=0):
    return ge(f.weight_norm_squared, f.depth * (k + more))


def every_layer_costs_the_dimension(f, k):
    return ge(norm2(f.weights[0]), k)


def largest_errors(f):
    """Largest distance of each coordinate of the value from that of the point, on the boundary of the square."""
    zero, errors = 0 * f.weights[0][0], []
    corners = [zero + corner for corner in ([1, 1], [-1, 1], [-1, -1], [1, -1])]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        points = start + nodes(f, start, end)[:, None] * (end - start)
        errors.append(greatest(absolute(f(points) - points), axis=0))
    return greatest(stack(errors), axis=0)


def circle_does_not_pass(parts, error=1):
    inner, outer = parts
    return ge(greatest(largest_errors(composed(outer, inner, merge=False))), error)


def wrong_in_the_first_coordinate(parts):
    inner, outer = parts
    return ge(largest_errors(composed(outer, inner, merge=False))[0], 1)


def orthogonal_layers():
    """Identities between different frames, of rank 2."""
    frames = rationals([[[1, 2, 2], [0, 1, 1]], [[1, 0, 0], [0, 0, 1]], [[0, 0, 0], [3, 1, 1]], [[1, 1, 1], [2, 1, 0]]])
    return {"f": identity_on_subspace(frames, rationals([eye(2)] * 3)), "k": 2}


def zero_function():
    inner = FullyConnected([rationals([[0, 0]])], activation=relu())
    return {"parts": (inner, FullyConnected([rationals([[0], [0]])], activation=relu()))}


def near_identity(role, **lengths):
    """Networks, half of them with the identity added to every weight matrix."""
    return derived(lifted(around_identity), network=Networks(slope=0, **lengths), kind=integers(0, 1), role=role)


SOURCE = Source("bottleneck_structure", "Section 3.3.1")
ONE = "the bottleneck has one neuron"

CLAIM = Claim(
    id="bottleneck_structure.identity_dimension",
    title="The identity of a k-dimensional space costs kL at least",
    source=SOURCE,
    statement=identity_costs_the_dimension,
    domain=Domain(
        {
            "f": derived(
                identity_on_subspace,
                frames=reals("depth", "k", "width"),
                changes=derived(
                    near_the_identity, changes=reals(lambda sizes: sizes["depth"] - 1, "k", "k"), free=integers(0, 1)
                ),
            )
        },
        {"depth": (2, 3, 6), "k": (1, 2, 3), "width": (1, 2, 3)},
        # so that the last layer is defined
        {"the layers keep the subspace": lambda f, k: rank(f.weights[-1]) == k},
        lambda sizes: sizes["k"] <= sizes["width"],
    ),
    tight={"orthogonal layers": orthogonal_layers},
    false_variants={"(k + 1)L": {"more": 1}, "every layer": every_layer_costs_the_dimension},
)

CIRCLE = Claim(
    id="bottleneck_structure.identity_dimension.circle",
    title="A circle does not pass a bottleneck of one neuron",
    source=SOURCE,
    statement=circle_does_not_pass,
    domain=Domain(
        {
            "parts": derived(
                lifted(with_common_slope),
                inner=near_identity("first part", depth="inner_depth", inputs=2, outputs="middle"),
                outer=near_identity("second part", depth="outer_depth", inputs="middle", outputs=2),
                slope=slopes(-2, 2, role="slope"),
            )
        },
        {"inner_depth": (1, 2), "outer_depth": (1, 2, 3), "middle": (1, 2), "width": (2,)},
        {ONE: lambda parts: parts[0].widths[-1] == 1},
    ),
    needs=(ONE,),
    tight={"the function 0": zero_function},
    false_variants={"in the first coordinate": wrong_in_the_first_coordinate, "an error of 2": {"error": 2}},
    cost=3,
)
