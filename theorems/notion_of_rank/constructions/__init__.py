"""What several theorems of this paper build with: networks, curves, paths and minimisers, which know nothing of claims."""
