"""Code that tests share: references, engines, random rankings, processes and queries."""
