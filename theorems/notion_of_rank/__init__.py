"""Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions (2023).

Slides by Hanseul Cho (OptiML group meeting, 8 September 2023) on the paper by A. Jacot (ICLR 2023, arXiv 2209.15055): what they
state, in their order, and the modules that check it. The paper itself was not read. The
slides give sketches; constants and companions that they do not have are marked as ours in the claims.

Representation cost
    ridge.chain
        A ridge on the parameters is a ridge on the function by its representation cost; linear networks.
    ridge.one_point
        The same for nonlinear networks and one data point.
    ridge.threshold, ridge.jump
        What it selects: the soft threshold at depth 2, a jump to zero beyond.
    linear_networks.cost
        Linear networks: R(A; L) / L is a power of a Schatten quasi-norm.
    linear_networks.balance
        Only balanced factors cost the least; what a narrow product misses.
    linear_networks.domains
        The cost on a domain that does not span the inputs.
    diagonal_networks.cost, diagonal_networks.tied
        Diagonal networks: an l_p quasi-norm; with tied weights.
    depth_expansion, infinite_depth_limit.statement, infinite_depth_limit.special_cases
        R(A; L) beyond L times the rank, and the limit of infinite depth.
    shallow_networks.statement, shallow_networks.duality, shallow_networks.programme, shallow_networks.constants
        Depth 2: the l1 form, its dual certificate, its programme (by ``shallow_networks.cheapest_interpolation``), and the cost
        of constants.
Notions of rank
    rank_axioms.statement, rank_axioms.bottleneck_sum
        Properties (1) to (4), the Jacobian rank and the bottleneck rank.
    prop_1.statement, prop_1.ring
        Proposition 1: the Jacobian rank is at most the bottleneck rank, and can be smaller.
Infinite depth
    theorem_1.statement
        Theorem 1: identity layers carry a bottleneck of dimension k at the cost k per layer.
    theorem_1.shift, theorem_1.polytope
        Best scales and shifts; the construction on a whole polytope.
    theorem_1.sandwich
        The cost of the construction between the Jacobian and the bottleneck, at finite depth.
    theorem_1.affine_map
        An affine map costs its rank per layer: here the limit exists.
    theorem_1.identity, theorem_1.interval
        What the identity costs on a cube, a half-line and an interval.
    finite_depth_axioms
        Properties (2) and (3) at finite depth.
    prop_3
        Proposition 3: the Jacobian's Schatten norm bounds the cost per layer.
Learning
    prop_2.statement, prop_2.minimisers
        Proposition 2: interpolation with bottleneck rank one, and the norm of global minimisers.
    jacobian_decay
        Remark after Proposition 2: the Jacobian is exponentially close to rank one.
    prop_4.statement, prop_4.layers, prop_4.uncentred, prop_4.witnesses, prop_4.exponent
        Proposition 4: some hidden representation is nearly of rank one; layer by layer; with means; why a norm of L + C is not
        enough; the best exponent.
    ridge_regression
        Rank recovery: a linear model overestimates the rank.
    theorem_2.statement, theorem_2.interpolants, theorem_2.paths, theorem_2.probability
        Theorem 2: interpolants of rank one are steep; those of Proposition 2; shortest paths, and their probability.
    theorem_2.grids, theorem_2.snake
        Theorem 2 on grids: other ranks; its exponent is attained.
    theorem_2.random_labels, theorem_2.dense_atoms, theorem_2.printed
        Theorem 2 with its probability, for up to 64 points; dense atoms, for which it is false as printed.
    prop_5
        Proposition 5: a true function of bottleneck rank k bounds the cost of minimisers.
    depth_window.statement, depth_window.table, depth_window.initial
        Rank recovery: the depths at which rank one costs more than the identity of the square.
    no_tripoints.statement, no_tripoints.tripod
        Classification: with bottleneck rank one no three classes meet.
    autoencoders, denoising
        Autoencoders: locally an affine projection on the data manifold; when it reduces noise.

Conjectures
    ``conjectures.kept_shapes``: a layer that keeps a shape costs its embedding dimension.
    ``conjectures.cycles``, open: cycles that keep a tripod or a closed curve.
"""

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {
    "notion_of_rank.theorem_2.printed": (
        "three atoms are no distribution with the support that the theorem means: "
        "notion_of_rank.theorem_2.printed_support has atoms that are dense in the square"
    ),
    "notion_of_rank.shallow_networks.printed": (
        "the slides name earlier work, in which the output bias may be free: notion_of_rank.shallow_networks.sums; what "
        "constants cost with a penalised one is notion_of_rank.shallow_networks.constants"
    ),
    "notion_of_rank.finite_depth_axioms.constants": (
        "notion_of_rank.shallow_networks.constants says the same at every depth, for any number of inputs."
    ),
    "notion_of_rank.prop_4.printed": (
        "The printed sentence on global minimisers is open; notion_of_rank.prop_4.decaying_network shows that the norm "
        "alone does not give it."
    ),
}
"""Ids that went, with what replaced them."""
