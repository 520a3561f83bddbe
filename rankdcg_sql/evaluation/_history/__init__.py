"""The means of runs over time: their file, their table and their plot."""
