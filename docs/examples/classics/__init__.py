"""Classical theorems of five fields, each with its constant, an example that attains it, and what is false beside it."""
