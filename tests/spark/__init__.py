"""Tests of Spark, in a package, so that their conftest is another module than that of all tests."""
