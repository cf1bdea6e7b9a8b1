"""What several theorems of feature_learning build with: activations, layers, tuples of covariances, graphs."""
