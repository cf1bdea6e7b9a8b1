"""What several theorems of feature_learning build with: drawn networks and activations, layers, tuples of covariances, graphs."""
