"""Feature Learning in L2-regularized DNNs: Attraction/Repulsion and Sparsity (2022): one module for each statement."""
