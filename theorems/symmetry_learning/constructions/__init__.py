"""What several statements of this document build with: convolutional networks, which know nothing of claims."""
