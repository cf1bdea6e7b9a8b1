"""Shallow networks: the cost is an l1 norm of neurons beside the output bias, with its dual, its programme and closed forms."""
