"""Too little memory for the results of a call over Arrow arrays: the call ends with an error."""

from __future__ import annotations

import sys

import pytest
from support import process

#: Prints the errors of a call, and the number of values in its result. The memory is limited to some MiB more
#: than the process has, and rises until there is a result.
CALL = """
    import json, resource, sys, threading
    import pyarrow as pa
    from rankdcg_sql import _native

    def run():
        name, found = sys.argv[1], []
        ks = list(range(1, 30_001))
        if name == "rank_metrics_at":
            lists = pa.array([[7, 8, 9]] * 64)
            arguments = [lists, lists, pa.array([ks])]
            call = lambda: _native.call(name, arguments)
        elif name == "rank_metrics_at_agg":
            lists = pa.array([[{"score": 0.5, "rel": 1.0, "ks": ks}]] * 32)
            call = lambda: _native.call_lists(name, lists)
        else:
            lists = pa.array([[0.01 * place for place in range(100)] * 1_000] * 100)
            call = lambda: _native.call(name, [lists])
        for megabytes in range(16, 1024, 16):
            with open("/proc/self/statm") as file:
                pages = int(file.read().split()[0])
            limit = pages * resource.getpagesize() + megabytes * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            try:
                result = call()
            except ValueError as error:
                found.append(str(error))
            else:
                break
            finally:
                resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(json.dumps([*found, len(result.values)]))

    # The stack of the first thread grows as it is used, which the limit would end with a signal.
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, a process has no limit of addresses")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rank_metrics_at", 64 * 30_000),
        ("rank_metrics_at_agg", 32 * 30_000),
        ("corrected_p_values", 100 * 100_000),
    ],
)
def test_lists_of_results_that_do_not_fit_are_an_error(name: str, values: int) -> None:
    *found, last = process.python(CALL, name)
    assert found, "they always fit"
    assert last == values
    for sentence in found:
        assert sentence.startswith(f"{name}: out of memory: "), sentence
