"""Requirements on results: their grammar, and the tests that decide them."""
