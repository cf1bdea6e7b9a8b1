"""What several statements of leaky_resnets build with: representations, networks, trajectories."""
