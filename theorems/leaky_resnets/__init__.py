"""Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets (2024): one module for each statement."""
