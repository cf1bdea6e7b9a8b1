"""Numbers: exact, in balls and in floats, with their errors, and how two of them compare."""
