"""Tests of the command line, in a package, so that their conftest is another module than the root's."""
