r"""Bottleneck Structure in Learned Features: Low-Dimension vs Regularity Tradeoff (2023), in the order of the paper.

Section 2, preliminaries
    ``homogeneous_activations.normal_form``: homogeneous activations are leaky ReLUs.
    ``homogeneous_activations.last_layer``: the network of the talk, with the activation twice.
    ``homogeneous_activations.represent``: networks are the piecewise linear functions.
    ``balancedness.gradients``: what every critical point satisfies.
    ``balancedness.rescaling``: a balanced network costs the least among its rescalings.
    ``balancedness.layers``: the norms of the layers grow.
    ``known_costs.constants``, Section 2.1: what a constant costs at every depth.
    ``known_costs.interval``, Section 2.1: what an interval around 0 costs a ReLU network.
Section 3, representation cost decomposition
    ``taylor_expansion``: the cost of a matrix up to the order 1/L.
    ``theorem_3.lower_bound``, Theorem 3: the Jacobian along the domain bounds the cost.
    ``theorem_3.composition``, Theorem 3 (1): volumes of products, and networks in a row.
    ``theorem_3.domains``, Theorem 11 (1), proof: on which domain the first function counts.
    ``theorem_3.addition``, Theorem 3 (2): volumes of sums.
    ``theorem_3.linear_maps``, Theorem 3 (3): linear maps on completely positive domains.
    ``theorem_3.shifts``, talk, first correction (3): shifts are free in the limit.
    ``prop_4``, Proposition 4: the second correction of linear maps.
    ``identity_dimension``, Section 3.3.1: ranks of the identity are dimensions of the domain.
    ``prop_5.free``, Proposition 5, "if": when the identity is free.
    ``prop_5.angles``, Proposition 5, "only if": what angles between tangent spaces cost.
    ``prop_5.last_representation``, Proposition 12, proof: what the last layer says of the one before.
    ``truncated_objective``: local minima of the loss up to the first correction.
    ``decoupled_objective``, (1): rank and regularity, decoupled, have no minimum.
    ``inner_minima``, after (1): minima of deficient rank are none of the approximation, and are of the loss.
    ``linear_geodesic``: the kernels of linear networks are powers of one Gram.
    ``geodesic_energy.layers``: what a path of kernels costs, layer by layer.
    ``geodesic_energy.expansion``: and up to the order 1/L.
    ``geodesic_energy.least``: the geodesic costs the least.
    ``completely_positive_domains.embedding``, Theorem 3 (3): completely positive kernels are linear isometries.
    ``completely_positive_domains.plane``: all kernels without negative values in the plane are.
    ``completely_positive_domains.cycle``: not all kernels without negative values on five points are.
    ``representation_symmetries``, Section 3.3: permutations keep the cost behind a layer, orthogonal maps do not.
    ``splitting.linear``, Section 3.3: parts of linear networks of least norm have the least norm.
    ``splitting.constants``, Section 3.3: so have parts of networks for constants.
    ``geodesic_limits``, Section 3.3: rank and regularity of all representations.
Section 4, bottleneck structure in the weights and representations
    ``theorem_6.shared``, Theorem 6: neighbouring layers share frames.
    ``theorem_6.statement``, Theorem 15: most weight matrices are nearly partial isometries.
    ``theorem_6.bad_layers``, Theorem 15: how many are not.
    ``theorem_6.singular_values``, Theorem 15, proof: the distance to partial isometries.
    ``theorem_6.chain``, Theorem 15, proof: the volume of the Jacobian as a product.
    ``theorem_7.statement``, Theorem 7 (16): the kernel bounds the representations.
    ``theorem_7.layers``, Theorem 7 (16): few layers are large.
    ``theorem_7.sharper``, Theorem 7 (16): with powers of the average norm.
    ``theorem_7.steps``, Theorem 16, proof: volumes before and norms behind a layer.
    ``narrowness.kernel``: the kernel is a sum over layers.
    ``narrowness.hessian``: the Hessian at a fit.
    ``narrowness.lower_bound``: the kernel is at least of order L.
    ``corollary_8.statement``, Corollary 8 (17): a sample is nearly of rank k.
    ``corollary_8.averages``, Corollary 8 (17): as printed, and the display after Theorem 16.
    ``prop_9.statement``, Proposition 9 (18), first part: a steep network has a kernel that bends.
    ``prop_9.ends``, Proposition 9 (18), second part: and a large one at one end of a segment.
    ``path_length``, Theorem 19, proof: how long a path through all labels is.
    ``theorem_10``, Theorem 10 (19): the chain of the proof.
Appendix D.1, Example 20
    ``example_20.function``: networks for a shear, with their norms.
    ``example_20.correction``: no network costs less than its rank per layer.
    ``example_20.excess``: when the excess vanishes.
    ``example_20.representations``: how their representations diverge.
    ``example_20.second_correction``: what costs little is not Lipschitz, and R2 is infinite.
    ``prop_13.statement``, Proposition 13: two Jacobians that differ cost extra.
    ``prop_13.telescoping``, Proposition 13, proof: their difference as a sum over the layers.
    ``prop_13.growth``, Example 20: what a stretched representation costs.
Appendix D.2, extension outside of piecewise linear functions
    ``extension``: the bound for the cost along refinements of interpolants.
Conjectures
    ``conjectures.affine_line``, open: the identity of a segment that misses the origin.
"""

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "bottleneck_structure.linear_cost": "notion_of_rank.linear_networks",
    "bottleneck_structure.remark_1": "feature_learning.prop_7",
}
"""Statements that stand in another paper, too."""

RETIRED: Mapping[str, str] = {
    "bottleneck_structure.theorem_3.linear_maps.printed": (
        '"k dimensional" is said of the domain, and "planar" is the word of the paper for its span: '
        "bottleneck_structure.theorem_3.linear_maps"
    ),
    "bottleneck_structure.decoupled_objective.printed": (
        "the paper speaks of inner minima that are attained; that none is, among linear maps of positive rank, is "
        "bottleneck_structure.decoupled_objective"
    ),
    "bottleneck_structure.inner_minima.printed": (
        "the local minima are those of the loss: bottleneck_structure.inner_minima; of the approximation they are none, which "
        "bottleneck_structure.inner_minima.small_values says"
    ),
}
"""Ids that went, and what replaced them."""
