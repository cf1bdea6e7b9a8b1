"""What theorems of several papers build with: networks, paths, vectors and their arrays, which know nothing of claims."""
