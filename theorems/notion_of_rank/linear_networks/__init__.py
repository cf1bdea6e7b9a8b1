"""Linear networks of depth L: what a matrix costs, which factors cost the least, and what a narrow product misses."""
