"""Claims and what they are made of: domains, variables, the catalogue of a package."""
