"""What a claim's own code says wrongly, found by reading it."""
