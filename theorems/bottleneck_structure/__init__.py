"""Bottleneck Structure in Learned Features: Low-Dimension vs Regularity Tradeoff (2023): one module for each statement."""
