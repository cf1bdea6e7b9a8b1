"""What several theorems of this document build with: networks, curves, paths and minimisers, which know nothing of claims."""
