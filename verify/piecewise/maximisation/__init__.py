"""The maximum of a network of many cells on a polytope, between proved bounds.

`relaxation` bounds a network from above where the signs of some neurons are known; `branch_and_bound` chooses these signs.
"""
