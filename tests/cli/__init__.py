"""Tests of the command line, in a package, so that their conftest is another module than that of all tests."""
