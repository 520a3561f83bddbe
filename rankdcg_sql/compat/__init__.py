"""Modules with the names of other packages, for code in which only the import changes."""
