r"""Feature Learning in L2-regularized DNNs: Attraction/Repulsion and Sparsity (2022), in the order of the paper.

=========================  =======================  =============================================================
Section                    Label                    Module
=========================  =======================  =============================================================
Abstract                                            `sparsity_of_minima`: N(N+1) neurons do what a network does
2.1                                                 `multiples`: the cost of multiples of the outputs
3.1                                                 `weight_decomposition.statement`: weights and their residuals
3.1                                                 `weight_decomposition.minimal`: the smallest weights
3.1, Appendix B            Proposition 1 (16)       `prop_1.value`: the loss of the representations
3.1, Appendix B            Proposition 1 (16)       `prop_1.local_minima`: local minima correspond
3.1, item 1                                         `locality`: only neighbouring layers are coupled
3.1, item 2                                         `interpolation`: covariances of linear networks
3.1, item 4                                         `forces.derivatives`: attraction and repulsion
3.1, item 4                                         `forces.attraction`: on neurons and pairs of inputs
3.1, item 4                                         `forces.scaling`: forces along a layer, of aligned neurons
3.1, end                                            `aligned_neurons`: a group of them is one neuron
3.2                                                 `prop_3.trace_identity`: what a layer costs
3.2                        Definition 2             `caratheodory.pruning`: few generators suffice
3.2                        Definition 2             `caratheodory.dimension`: the dimension of pairs
3.2, Appendix C            Proposition 3 (17)       `prop_3.pre_image`: every tuple is that of a network
3.2, Appendix C            Proposition 3 (17)       `prop_3.image`: every network has a tuple
3.2                        Proposition 3, N = 1     `prop_3.one_point`: pairs and cost of one point
3.2                        Remark 4                 `remark_4`: local minima of weights and of covariances
3.2                        Proposition 5            `prop_5.cone`: the set is a translated cone
3.2                        Proposition 5            `prop_5.convexity`: the cost is convex in each pair
3.2                        Proposition 5            `prop_5.outputs`: and in the outputs, if C is convex
3.2                        Proposition 5, L = 3     `prop_5.depth_three`: and in no more than that
3.3, Appendix B.1                                   `loss_explosion`: near violated constraints
3.3                                                 `projected_gradient.projection`: layer by layer
3.3, Appendix B.1                                   `projected_gradient.unprojected`: without a projection
3.3                                                 `projected_gradient.small_rank`: stuck in a direction
3.3                                                 `frank_wolfe.eliminated`: the loss without the outputs
3.3                                                 `frank_wolfe.linear_minimisation`: the step of Frank-Wolfe
3.3                                                 `frank_wolfe.certificate`: when to stop
3.3                                                 `frank_wolfe.solver`: the method finds the optimum
4                          Proposition 6            `prop_6.wider`: wider networks are never worse
4                          Proposition 6            `prop_6.strict`: and can be better
4.1                        Proposition 7            `prop_7.pairs`: N(N+1) neurons suffice
4.1                        Proposition 7            `prop_7.half`: N(N+1)/2 neurons suffice
4.1                        (4.1)                    `rank_of_pair.one_point`: the rank for one point
4.1                        (4.1)                    `rank_of_pair.five_neurons`: three points may need five
4.1, Appendix D            Proposition 8 (20)       `prop_8.sufficient`: as many neurons as the rank suffice
4.1, Appendix D            Proposition 8 (20)       `prop_8.necessary`: fewer do not
4.1                        Proposition 8, N = 1     `prop_8.one_point`: both, with a formula for the rank
4.1                        Corollary 9              `cor_9.equivalence`: where the plateau starts
4.1                        Corollary 9              `cor_9.minimisers`: minimisers of several ranks
4.1                        Lemma 10                 `lemma_10.bounds`: bounds of the rank
4.1                        Lemma 10, N <= 2         `lemma_10.few_points`: with the rank itself
4.1                        Remark 11                `remark_11.boundary`: optimal pairs are on the boundary
4.1                        Remark 11                `remark_11.rank_and_face`: the rank and the smallest face
4.1                        Remark 11                `remark_11.measure`: pairs of small rank
4.2                        after Definition 12      `rank_of_pair.lower_bounds`: the rank and the CP-rank
4.2                        after Definition 12      `rank_of_pair.with_bias`: the same with a bias
4.2, Appendix D            Proposition 13 (21)      `prop_13.cp_rank`: CP-ranks of graphs without triangles
4.2, Appendix D            Proposition 13 (21)      `prop_13.supports`: the step of its proof
4.2                        after Proposition 13     `prop_13.mantel`: the largest number of edges
4.2, Appendix D            Proposition 14 (22)      `prop_14.optimum`: the covariance that costs least
4.2, Appendix D            Proposition 14 (22)      `prop_14.attained`: a network that attains it
4.2, Appendix D            Proposition 14 (22)      `prop_14.ridge`: the loss with a ridge
4.2, Appendix D            Proposition 14 (22)      `prop_14.few_neurons`: too few neurons, and small ridges
4.2, Appendix D.1          after Proposition 14     `one_hot`: one-hot outputs
4.2, Appendix D            Remark 23                `remark_23`: N neurons are almost optimal
4.3, Appendix D            Proposition 15 (24)      `prop_15.merging`: two neurons merge
4.3, Appendix D            Proposition 15 (24)      `prop_15.count`: 4N neurons suffice
4.3                        Proposition 15           `prop_15.fewer`: N neurons suffice
4.3                        Proposition 15           `prop_15.alternating`: N - 2 neurons are needed
4.3                        Proposition 15           `prop_15.three_points`: what alternating outputs cost
4.3                        Proposition 15           `prop_15.two_neurons`: two neurons for three points
Appendix C.1               Proposition 18           `prop_18`: pre-images of near covariances
Appendix C                 Proposition 19           `prop_19.local_minimum`: a segment of local minima
Appendix C                 Proposition 19           `prop_19.covariance_descent`: its covariances are none
Appendix C                 Proposition 19           `prop_19.endpoint`: nor are its ends
Appendix C                 Proposition 19           `prop_19.second_output`: for which outputs it is spurious
=========================  =======================  =============================================================

What several of them build with is in `constructions`.
"""

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "feature_learning.ridge": "notion_of_rank.ridge",
    "feature_learning.linear_networks": "notion_of_rank.linear_networks",
}
"""Statements that stand in another paper, too."""

RETIRED: Mapping[str, str] = {
    "feature_learning.locality.printed": (
        "with the projection to what the constraints leave to a layer while the others stay the sentence is true: "
        "feature_learning.locality"
    ),
    "feature_learning.locality.printed_sequential": (
        "the sentence speaks of gradients, not of steps: that two steps differ is an exact entry of feature_learning.locality"
    ),
    "feature_learning.rank_of_pair.printed": (
        "Section 4.2 works without bias, where the inequality holds: it is feature_learning.rank_of_pair now, "
        "and what is left of it with a bias is feature_learning.rank_of_pair.with_bias."
    ),
}
"""Ids that went, and what replaced each of them."""
