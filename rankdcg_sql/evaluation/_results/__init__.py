"""The results of `evaluate` and `compare`, with their tables."""
