"""What several theorems on leaky ResNets build with; nothing here is claimed."""
