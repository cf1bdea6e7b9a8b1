"""Networks that others have trained: read from files, measured in the quantities of the theory, and asked what claims say."""
