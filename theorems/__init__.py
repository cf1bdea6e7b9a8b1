"""The statements of five papers and talks on L2-regularised deep networks, one module each; `verify` checks them."""

PAPERS = {
    "feature_learning": "Feature Learning in L2-regularized DNNs: Attraction/Repulsion and Sparsity (2022)",
    "notion_of_rank": "Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions (2023)",
    "bottleneck_structure": "Bottleneck Structure in Learned Features: Low-Dimension vs Regularity Tradeoff (2023)",
    "leaky_resnets": "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets (2024)",
    "symmetry_learning": "Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023)",
}
"""Titles of the papers and talks, by the folder that holds their statements, in the order of the site."""
