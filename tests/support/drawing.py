"""Settings of Hypothesis that the property tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

quick = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
