"""The package as it is built: the shared library and the catalogue."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import NATIVE, WAYS, taken
from support import process, reference
from support.forms import FORMS, inputs
from support.forms import call as call_of
from support.paths import ROOT
from support.process import PACKAGE
from support.sql import value

import rankdcg_sql
from rankdcg_sql import Function, Option, _static, catalogue, conventions, functions, options

LIBRARY = Path(rankdcg_sql.extension_path())
MEGABYTE = 1 << 20

# The shared library


def footer(library: bytes) -> list[str]:
    """The fields of the metadata at the end of an extension, in DuckDB's order, which is last field first."""
    fields = library[-512:-256]
    return [fields[end - 32 : end].rstrip(b"\0").decode() for end in range(len(fields), 0, -32)]


def test_library_ends_with_the_metadata_of_an_extension():
    magic, platform, api_version, version, abi, *others = footer(LIBRARY.read_bytes())
    assert (magic, api_version, abi) == ("4", "v1.2.0", "C_STRUCT")
    assert version == rankdcg_sql.__version__
    assert others == ["", "", ""]
    with duckdb.connect() as con:
        ((expected,),) = con.execute("PRAGMA platform").fetchall()
    assert platform == expected


@pytest.mark.parametrize("way", NATIVE, indirect=True)
def test_duckdb_knows_the_extension(con: duckdb.DuckDBPyConnection, way: str):
    columns = "loaded, install_mode, extension_version"
    found = con.execute(
        f"SELECT {columns} FROM duckdb_extensions() WHERE extension_name = 'rankdcg'"
    ).fetchall()
    how = {"static": ("STATICALLY_LINKED", ""), "load": ("NOT_INSTALLED", rankdcg_sql.__version__)}
    assert found == [(True, *how[way])]


def symbols(which: str) -> list[str]:
    """The dynamic symbols of the library, without their versions."""
    if sys.platform != "linux" or shutil.which("nm") is None:
        pytest.skip("needs Linux and nm")
    lines = subprocess.run(
        ["nm", "-D", which, str(LIBRARY)], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [line.split()[-1].partition("@")[0] for line in lines]


def test_library_exports_its_own_functions_only():
    assert sorted(symbols("--defined-only")) == [
        "_polars_plugin_by_user",
        "_polars_plugin_evaluate",
        "_polars_plugin_evaluate_session",
        "_polars_plugin_field_by_user",
        "_polars_plugin_field_evaluate",
        "_polars_plugin_field_evaluate_session",
        "_polars_plugin_field_read_rows",
        "_polars_plugin_get_last_error_message",
        "_polars_plugin_get_version",
        "_polars_plugin_read_rows",
        "rankdcg_attach_macros",
        "rankdcg_call",
        "rankdcg_call_lists",
        "rankdcg_catalogue",
        "rankdcg_check",
        "rankdcg_error_in",
        "rankdcg_find_measure",
        "rankdcg_fingerprint",
        "rankdcg_free",
        "rankdcg_init_c_api",
        "rankdcg_macro_script",
        "rankdcg_macro_statements",
        "rankdcg_polars_calls",
        "rankdcg_polars_close",
        "rankdcg_polars_open",
        "rankdcg_register_static",
        "rankdcg_resolve",
        "rankdcg_widening",
    ]


def test_library_needs_neither_python_nor_duckdb():
    needed = symbols("--undefined-only")
    assert "memcpy" in needed
    assert [name for name in needed if name.lower().lstrip("_").startswith(("py", "duckdb"))] == []


def test_library_is_small():
    assert LIBRARY.stat().st_size < 5.75 * MEGABYTE


def test_library_is_missing(tmp_path: Path):
    ignored = shutil.ignore_patterns("__pycache__", LIBRARY.name)
    shutil.copytree(PACKAGE, tmp_path / "rankdcg_sql", ignore=ignored)
    done = process.run("import rankdcg_sql", folder=tmp_path)
    path = tmp_path / "rankdcg_sql" / LIBRARY.name
    expected = f"ImportError: the shared library is missing: {path}; install the package with pip"
    assert done.stderr.splitlines()[-1] == expected


# The catalogue

BUNDLES = ("rank_metrics", "rank_metrics_at")
#: Metrics by their function over lists. Those of pairs have no function over rows.
BASES = [name for name in reference.OPTIONS if not name.endswith(("_rels", "_scored"))]
ALIASES = {
    "precision_at": ("precision",),
    "recall_at": ("recall",),
    "f1_at": ("f1",),
    "hit_rate": ("hitrate",),
    "mrr": ("reciprocal_rank",),
}
#: Every function of metrics.
NAMES = [*reference.OPTIONS, *BUNDLES, *(f"{name}_scored" for name in BUNDLES)]
NAMES += [f"{name}_agg" for name in (*BASES, *BUNDLES)]
NAMES += [f"{name}_rows" for name in (*BASES, *BUNDLES) if name not in reference.PAIRS]
NAMES += ["rank_metrics_by_user", "rank_metrics_at_by_user", "rank_evaluation_by_user"]
NAMES += ["rank_explain", "rank_explain_rows", "rank_explain_by_user"]
NAMES += ["rank_measures_rows", "rank_measures_by_user"]
#: Every other function but the statistics, which test_statistics.py has.
NAMES += [
    "ranked_list",
    "corrected_p_values",
    "geometric_mean_values",
    "tukey_hsd",
    *reference.SIMILARITIES,
    "rank_similarity",
]
NAMES += [*reference.ITEM_MEASURES, "rank_items"]
NAMES += reference.ASPECT_MEASURES
COUNTS = ("retrieved", "judged", "retrieved_repeats", "judged_repeats")
METRICS = ("k", "precision", "recall", "f1", "hit_rate", "mrr", "average_precision", "ndcg", "auc")
#: The metrics whose values are sums over items.
EXPLAINED = (
    "ndcg", "precision", "recall", "f1", "mrr", "average_precision", "cg", "dcg", "r_precision", "rbp", "err",
    "sdcg", "relative_precision", "rankdcg",
)  # fmt: skip
UNSET = ("unset",)
#: The options that no metric takes: the default, the values that have names, and whether numbers are values.
OTHER_OPTIONS: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "metric": ("ndcg", EXPLAINED, False),
    "confidence": ("0.95", (), True),
    "lower_bound": ("unset", UNSET, True),
    "upper_bound": ("unset", UNSET, True),
    "skewness": ("ignored", ("ignored", "hall", "gaffke"), False),
    "resamples": ("10000", (), True),
    "narrowest_at": ("100", (), True),
    "seed": ("0", (), True),
    "threads": ("1", (), True),
    "alternative": ("two_sided", ("two_sided", "less", "greater", "equivalence"), False),
    "margin": ("0", (), True),
    "alpha": ("0.05", (), True),
    "power": ("0.8", (), True),
    "difference": ("unset", UNSET, True),
    "tolerance": ("0", (), True),
    "correction": ("holm", ("holm", "bonferroni", "benjamini_hochberg"), False),
    "null_scores": ("last", ("last", "skip"), False),
    "redundancy_intolerance": ("0.5", (), True),
    "rbo_ties": ("a", ("w", "a", "b"), False),
    "rbo_unseen": ("extrapolate", ("extrapolate", "min", "max"), False),
    "overlap_denominator": ("longer", ("longer", "shorter", "k"), False),
}


def test_functions_are_all_there():
    found = [function.name for function in functions() if function.form != "sample"]
    assert sorted(found) == sorted(NAMES)
    for function in functions():
        suffix = re.search("(_scored|_agg|_rows)?$", function.name)
        assert suffix is not None
        aliases = ALIASES.get(function.name.removesuffix(suffix[0]), ())
        assert function.aliases == tuple(f"{alias}{suffix[0]}" for alias in aliases)


def test_forms_are_all_there():
    found = {name: (form.inputs, form.has_expression) for name, form in catalogue.forms().items()}
    assert found == {name: (form.inputs, form.has_expression) for name, form in FORMS.items()}


def test_options_are_all_there():
    expected = OTHER_OPTIONS | {
        name: (values[0], values, name == "gain") for name, values in reference.CHOICES.items()
    }
    for name, number in reference.NUMBERS.items():
        has_default = number.default is not None
        expected[name] = (str(number.default), (), True) if has_default else ("unset", UNSET, True)
    for name, numbers in reference.LISTS.items():
        expected[name] = (":".join(f"{number:g}" for number in numbers), (), True)
    assert {option.name for option in options()} == {*expected}
    for option in options():
        default, values, of_numbers = expected[option.name]
        assert (option.default, sorted(option.values)) == (default, sorted(values)), option.name
        assert bool(option.other) == (option.other_type is not None) == of_numbers, option.name


def test_conventions_are_all_there():
    assert [convention.name for convention in conventions()] == list(reference.CONVENTIONS)
    for convention in conventions():
        assert convention.of
        assert convention in {convention}, "a frozen dataclass has a hash"
        for_all = {each.option: each.value for each in convention.options if not each.metrics}
        expected = reference.CONVENTIONS[convention.name]
        assert for_all == {name: str(value) for name, value in expected.items()}
        for each in convention.options:
            for metric in each.metrics:
                name = metric if metric in reference.OPTIONS else f"{metric}_at"
                own = reference.CONVENTIONS_OF_METRICS[convention.name, name]
                assert own[each.option] == each.value


@pytest.mark.parametrize("function", functions(), ids=lambda function: function.name)
def test_function_is_described(function: Function):
    alone, several = function.output == "value", function.output == "metrics_at"
    of_rankings, of_values = function.form == "rankings", function.form == "values"
    of_aspects = function.form == "aspects"
    # test_rank_metrics.py has the functions of several metrics.
    if alone and not (of_rankings or of_values or of_aspects):
        name = re.sub("_(agg|rows)$", "", function.name)
        scored = function.is_aggregate and f"{name}_scored" in reference.OPTIONS
        like = f"{name}_scored" if scored else name
        assert set(function.options) == set(reference.OPTIONS[like])
    form = FORMS[function.form]
    named = function.output == "measures"
    required = inputs(function) + (("ks",) if several else ("measures",) if named else ())
    explained = function.output == "explanation"
    if function.form == "items":
        assert (function.fields, function.options) == ((), ("threads",))
    elif named:
        assert function.fields == ((*COUNTS, "results") if function.form == "by_user" else ())
        taken = [each.options for each in functions() if each.form == "rows" and each.output == "value"]
        assert {*function.options} == {"ap_steps", *chain(*taken)}
    elif explained:
        places = ("rec_place", "truth_place") if function.form == "lists" else ("item",)
        numbers = ("rel", "gain", "discount", "contribution", "if_found", "value")
        score = () if function.form == "lists" else ("score",)
        assert function.fields == (*places, "rank", "last_rank", *score, *numbers)
    elif function.form == "rec":
        assert (function.fields, function.output) == ((), "items")
        assert set(function.options) == {"ties", "score_type", "null_scores"}
    elif of_rankings:
        taken = [function.name] if alone else reference.SIMILARITIES
        assert {*function.options} == {each for name in taken for each in reference.SIMILARITIES[name][1]}
        assert function.fields == (() if alone else ("k", *reference.SIMILARITIES))
    elif of_aspects:
        own = reference.ASPECT_MEASURES[function.name][1]
        assert {*function.options} == {*own, *reference.OF_ALL_ASPECTS}
        assert (function.fields, function.truth_needs) == ((), None)
    elif function.form != "sample":  # test_statistics.py has the statistics
        counts = COUNTS if function.name == "rank_evaluation_by_user" else ()
        assert function.fields == (() if alone or function.output == "values" else (*counts, *METRICS))
    if of_values or function.form == "users":
        assert function.options == ()
    if function.form == "p_values":
        assert function.options == ("correction",)
    if function.form == "blocks":
        assert set(function.options) == {"resamples", "seed", "tolerance"}
    without_k = several or named or function.form in ("sample", "p_values", "blocks", "users")
    without_k |= re.sub("_(agg|rows)$", "", function.name) in reference.WITHOUT_K
    optional = ("options",) if without_k else ("k", "options")
    assert function.arguments == required + optional
    assert function.signature == f"{', '.join(required)}[, {'[, '.join(optional)}" + "]" * len(optional)
    assert function.is_aggregate == form.is_aggregate
    assert function.is_native_only == (form.is_native_only or function.name == "rank_explain_rows")
    own = [option for option in function.options if option.endswith("_denominator")]
    assert function.denominator == (own[0] if alone and len(own) == 1 else None)
    of_metrics = ("0 to 1", "0 or 1", "0 or more", "-1 to 1", "any number")
    in_words = explained or named or function.form in ("sample", "rec", "values")
    assert function.range if in_words else function.range in of_metrics
    assert all([function.summary, function.formula, function.source])
    assert function.names == (function.name, *function.aliases)
    own_defaults = reference.DEFAULTS | {"ranked_list": {"ties": "item_asc"}}
    own_defaults |= {name: {"p": "0.9"} for name in ("rbo", "rank_similarity")}
    own_defaults |= {name: {"p": "0.5"} for name in ("nrbp", "nnrbp")}
    assert function.defaults == own_defaults.get(re.sub("_(agg|rows)$", "", function.name), {})
    assert hash(function) == hash(Function(**vars(function)))


@pytest.fixture
def native(kept: dict[str, duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by the fastest way there is. No test here creates a macro."""
    yield from taken(WAYS[0], kept)


@pytest.mark.parametrize("option", options(), ids=lambda option: option.name)
def test_every_value_of_an_option_is_taken(native: duckdb.DuckDBPyConnection, option: Option):
    others = {
        "gain": ["0:1:3"],
        "worth": ["1:-1:0", "2.5:-1e6:0"],
        "confidence": ["0.95", "0.5", "1e-9"],
        "lower_bound": ["0", "-1.5", "1e300"],
        "upper_bound": ["0", "-1.5", "1e300"],
        "resamples": ["10000", "1", "1000000"],
        "narrowest_at": ["100", "1", "1000000000"],
        "seed": ["0", "18446744073709551615"],
        "alternative": ["two-sided"],
        "redundancy_intolerance": ["0.5", "0", "1"],
        "tolerance": ["0", "0.5", "1e300"],
        "margin": ["0", "0.5", "1e300"],
        "alpha": ["0.05", "1e-9", "0.5"],
        "power": ["0.8", "0.51", "0.999999999"],
        "difference": ["0.5", "1e-300", "1e300"],
    }.get(option.name, [])
    if number := reference.NUMBERS.get(option.name):
        edges = [number.default, number.least, math.nextafter(number.above, 0)]
        legal = [each for each in (*number.drawn, *edges) if each is not None]
        # The largest relevance in the calls is 2.
        others = [str(each) for each in legal if option.name != "max_rel" or each >= 2]
    # Explanations and measures take the options of each metric: other files have them.
    takers = [
        function
        for function in functions()
        if option.name in function.options and function.output not in ("explanation", "measures")
    ]
    assert takers or option.name in ("metric", "threads")
    for function in takers:
        if function.is_native_only and not _static.installed():
            continue
        has_items = "item" in function.arguments or function.form == "aspects"
        without_items = () if has_items else ("item_asc", "item_desc")
        worst_and_best = ("pessimistic", "optimistic") if function.form in ("rec", "aspects") else ()
        by_relevance = (*worst_and_best, "average") if function.form == "rec" else worst_and_best
        without_order = ("input_order",) if function.is_aggregate else ()
        refused = {
            "ties": [*without_items, *without_order, *by_relevance],
            "max_rel": ["unset"],
            "alternative": ["equivalence"],
        }.get(option.name, [])
        # min_rel needs gain=binary in functions of gains.
        also = ["gain=binary"] if option.name == "min_rel" and "gain" in function.options else []
        # A margin is for one-sided alternatives, and equivalence needs one.
        also += ["alternative=greater"] if option.name == "margin" else []
        also += ["max_rel=2"] if "max_rel" in function.options and option.name != "max_rel" else []

        def call(*texts: str) -> Any:
            return value(native, call_of(function, f"'{','.join(texts)}'"))  # noqa: B023

        found = {}
        for text in [*option.values, *others]:
            presets = {"trec_eval": bool(without_items), "ranx": bool(without_order)}
            by_other = "ties" in function.options and not function.name.startswith("rankdcg")
            if text in refused or (by_other and presets.get(text)):
                with pytest.raises(
                    duckdb.InvalidInputException,
                    match=r"needs |max_rel|by item|leaves ties|margin must be|is not defined",
                ):
                    call(*also, f"{option.name}={text}")
            else:
                found[text] = call(*also, f"{option.name}={text}")
        default = function.defaults.get(option.name, option.default)
        assert default in refused or found[default] == call(*also), function.name


def test_version_of_the_package():
    try:
        installed = metadata.version("rankdcg_sql")
    except metadata.PackageNotFoundError:
        pytest.skip("the package is not installed, only found on the path")
    assert rankdcg_sql.__version__ == installed


def test_names_of_the_package():
    for name in rankdcg_sql.__all__:
        assert getattr(rankdcg_sql, name) is not None
        assert name in dir(rankdcg_sql)
    with pytest.raises(AttributeError, match="module 'rankdcg_sql' has no attribute 'no_such_name'"):
        getattr(rankdcg_sql, "no_such_name")  # noqa: B009
    assert (PACKAGE / "py.typed").is_file()
    assert LIBRARY.is_absolute()


def test_ranges_are_numbers_too():
    numbers = {"0 to 1": (0, 1), "0 or more": (0, None), "-1 to 1": (-1, 1), "any number": (None, None)}
    for function in rankdcg_sql.functions():
        in_words = function.output in ("explanation", "measures") or function.form in ("sample", "rec")
        in_words |= function.name in ("average_popularity", "intra_list_diversity")
        expected = (None, None) if in_words else numbers[function.range]
        assert (function.least, function.most) == expected, function.name


def test_a_value_needs_the_items_that_the_catalogue_states():
    """If all items are equally relevant, a metric that needs more than a relevant item has no value."""
    con = rankdcg_sql.connect()
    for function in rankdcg_sql.functions():
        if function.form == "agg" and function.output == "value":
            options = ", 'max_rel=2'" if "max_rel" in function.options else ""
            values = {
                needs: con.execute(
                    f'SELECT "{function.name}"(score, rel{options}) '
                    f"FROM (VALUES (3, {first}), (2, {second})) AS t(score, rel)"
                ).fetchall()[0][0]
                for needs, first, second in (
                    ("nothing", 0, 0),
                    ("a judged item", 0, "NULL"),
                    ("a judged item", 0, 0),
                    ("a relevant item", 1, 1),
                    ("a relevant and an irrelevant item", 1, 0),
                    ("two distinct relevances", 2, 1),
                    ("two distinct scores and two distinct relevances", 2, 1),
                )
            }
            assert (values["nothing"] is None) == (function.truth_needs != "a judged item"), function.name
            assert values[str(function.truth_needs)] is not None, function.name
            if function.truth_needs not in ("a relevant item", "a judged item"):
                assert values["a relevant item"] is None, function.name
            of_tied_scores = f'SELECT "{function.name}"(1, rel{options}) FROM (VALUES (1), (0)) AS t(rel)'
            ((tied,),) = con.execute(of_tied_scores).fetchall()
            assert (tied is None) == ("two distinct scores" in str(function.truth_needs)), function.name


def test_mutants_quote_the_present_source():
    """`make mutants` stops at a mutant whose text is not in its file."""
    tomllib = pytest.importorskip("tomllib")  # from Python 3.11 on
    of_files = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())
    texts = [(file, each["old"]) for file, of_file in of_files.items() for each in of_file.values()]
    assert len(texts) > 100
    assert [(file, old) for file, old in texts if (ROOT / file).read_text().count(old) != 1] == []
