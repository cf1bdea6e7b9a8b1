"""Proofs for every width and number of points: a statement is run on letters, which are matrices of unknown size.

`letters` has the letters, `rules` what holds for them, `reduction` brings a word to its normal form, `values` is what a
statement computes with, `tracing` runs it, `squares` shows inequalities, and `proof` writes and checks certificates.
"""
