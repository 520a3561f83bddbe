"""The terms that calls and results share: metrics, statistics, plans, counts and checks."""
