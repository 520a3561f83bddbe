"""What the tests share: references, engines, random rankings, and ways to run and ask."""
