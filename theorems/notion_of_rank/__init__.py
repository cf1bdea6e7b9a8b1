"""Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions (2023): one module for each statement."""
