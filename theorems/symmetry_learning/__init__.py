"""Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023): one module for each statement."""
