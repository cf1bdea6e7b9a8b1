"""Certificates as theorems for Coq, whose kernel accepts what a small verified checker computes from them.

`export` writes the files, `leaves` and `programmes` the theorems of the two kinds of certificates. The checker and its proofs
are the files ``*.v`` in this folder.
"""
