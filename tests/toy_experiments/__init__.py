"""A package of experiments that take no time: one as it says, one that fails."""
