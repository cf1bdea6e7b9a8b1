"""Claims whose verdict is known in advance: at each of them a checker is tempted into a wrong one.

`EXPECTED` of every module gives, for each id, the outcomes that are allowed and whether a problem must be reported (None:
either way).
`claims` was written by somebody else than the checker, as a trial of it; the others are ours.
"""
