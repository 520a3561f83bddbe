"""The computation of the metrics of each user, and the counts of rows and users."""
