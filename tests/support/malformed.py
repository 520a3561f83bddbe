"""Malformed Arrow arrays: a program that passes them to the shared library, one after the other.

Each case is a valid array, one of whose structs is then changed. For each case the program prints a line of
JSON: the case, the entry point, and the error. If the process dies, the line of its case is missing.
`python malformed.py PLACE` starts at a place, counted from 0, to go on after a case in which it died.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pyarrow as pa

from rankdcg_sql import _native

Pointer = ctypes.c_void_p
Count = ctypes.c_int64
INT, LONG = ctypes.c_int32, ctypes.c_int64


class Array(ctypes.Structure):
    """`ArrowArray` of the Arrow C data interface."""


class Schema(ctypes.Structure):
    """`ArrowSchema` of the Arrow C data interface."""


Array._fields_ = [
    *[(name, Count) for name in ("length", "null_count", "offset", "n_buffers", "n_children")],
    ("buffers", ctypes.POINTER(Pointer)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", Pointer),
    ("private_data", Pointer),
]
Schema._fields_ = [
    *[(name, ctypes.c_char_p) for name in ("format", "name", "metadata")],
    *[(name, Count) for name in ("flags", "n_children")],
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", Pointer),
    ("private_data", Pointer),
]


class Series(ctypes.Structure):
    """A column as Polars passes it to a plugin."""

    _fields_ = (
        ("field", ctypes.POINTER(Schema)),
        ("arrays", ctypes.POINTER(ctypes.POINTER(Array))),
        ("len", ctypes.c_size_t),
        ("release", Pointer),
        ("private_data", Pointer),
    )


#: All memory that the structs point to. It is never freed: the producer of an array could not free it after
#: the change.
_KEPT: list[Any] = []
_nothing = ctypes.CFUNCTYPE(None, Pointer)(lambda _: None)
_NOTHING = ctypes.cast(_nothing, Pointer)


def kept(value: Any) -> Any:
    _KEPT.append(value)
    return value


def exported(array: pa.Array) -> tuple[Array, Schema]:
    structs = kept(Array()), kept(Schema())
    array._export_to_c(*map(ctypes.addressof, structs))
    for struct in structs:
        struct.release = _NOTHING
    return structs


def listed(array: Array, schema: Schema) -> tuple[Array, Schema]:
    """An empty array of lists of an array."""
    outer, outer_schema = exported(pa.array([], pa.list_(pa.int64())))
    outer.children = kept((ctypes.POINTER(Array) * 1)(ctypes.pointer(array)))
    outer_schema.children = kept((ctypes.POINTER(Schema) * 1)(ctypes.pointer(schema)))
    return kept(outer), kept(outer_schema)


def nested(depth: int) -> tuple[Array, Schema]:
    """An empty array of lists that are nested `depth` times."""
    array, schema = exported(pa.array([], pa.int64()))
    for _ in range(depth):
        array, schema = listed(array, schema)
    return array, schema


@cache
def too_deep() -> tuple[Array, Schema]:
    """Lists nested so deep that no entry point takes over the inner ones, which cases may thus share."""
    return nested(99_999)


def shared(depth: int) -> tuple[Array, Schema]:
    """Nested structs whose two fields are the same array: 2^depth fields in a few bytes."""
    array, schema = exported(pa.array([], pa.int64()))
    for _ in range(depth):
        outer, outer_schema = exported(pa.array([], pa.struct({"a": pa.int64(), "b": pa.int64()})))
        outer.children = kept((ctypes.POINTER(Array) * 2)(*[ctypes.pointer(array)] * 2))
        outer_schema.children = kept((ctypes.POINTER(Schema) * 2)(*[ctypes.pointer(schema)] * 2))
        array, schema = kept(outer), kept(outer_schema)
    return array, schema


# Valid arrays, which cases change

LISTS = pa.array([[1, 2], [3]], pa.list_(pa.int64()))
LARGE = pa.array([[1, 2], [3]], pa.large_list(pa.int64()))
VIEWS = pa.array([[1, 2], [3]], pa.list_view(pa.int64()))
LARGE_VIEWS = pa.array([[1, 2], [3]], pa.large_list_view(pa.int64()))
FIXED = pa.array([[1, 2], [3, 4]], pa.list_(pa.int64(), 2))
STRUCTS = pa.array(
    [[{"item": 1, "rel": 2.0}], []], pa.list_(pa.struct({"item": pa.int64(), "rel": pa.float64()}))
)
MAPS = pa.array([[(1, 2.0)], []], pa.map_(pa.int64(), pa.float64()))
TEXTS = pa.array([["a", "b"], ["c"]], pa.list_(pa.string()))
LARGE_TEXTS = pa.array([["a", "b"], ["c"]], pa.list_(pa.large_string()))
TEXT_VIEWS = pa.array([["a text of more than twelve bytes", "b"], ["c"]], pa.list_(pa.string_view()))
TWELVE = pa.array([["twelve bytes"], ["a"]], pa.list_(pa.string_view()))
BLOBS = pa.array([[b"a", b"b"], [b"c"]], pa.list_(pa.binary()))
LARGE_BLOBS = pa.array([[b"a", b"b"], [b"c"]], pa.list_(pa.large_binary()))
BLOB_VIEWS = pa.array([[b"bytes, more than twelve of them", b"b"], [b"c"]], pa.list_(pa.binary_view()))
WORDS = pa.ListArray.from_arrays([0, 2, 3], pa.array(["a", "b", "a"]).dictionary_encode())
WIDE_WORDS = pa.ListArray.from_arrays(
    [0, 2, 3], pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.uint64()), pa.array(["a", "b"]))
)
NESTED = pa.array([[[1], [2, 3]], [[1]]], pa.list_(pa.list_(pa.int64())))
NESTED_WORDS = pa.ListArray.from_arrays(
    [0, 2, 3], pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array([[1], [2, 3]]))
)
NULLS = pa.array([[1, None], [3]], pa.list_(pa.int64()))
NOTHING = pa.array([None, None], pa.null())
UNIONS = pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])])

Change = Callable[[Array, Schema], Any]


def itself(array: Array, _: Schema) -> Array:
    return array


def child(array: Array, _: Schema) -> Array:
    return array.children[0].contents


def its_type(_: Array, schema: Schema) -> Schema:
    return schema


def type_of_child(_: Array, schema: Schema) -> Schema:
    return schema.children[0].contents


def put(place: Callable[[Array, Schema], Any] = itself, /, **fields: Any) -> Change:
    """Change fields of the array, of its first child, or of the type of either."""

    def change(array: Array, schema: Schema) -> None:
        for name, value in fields.items():
            setattr(place(array, schema), name, value)

    return change


def put_numbers(
    type_: Any, buffer: int, *numbers: int, of: Callable[[Array, Schema], Any] = itself
) -> Change:
    """Replace a buffer of the array, or of its first child, by these numbers."""

    def change(array: Array, schema: Schema) -> None:
        of(array, schema).buffers[buffer] = ctypes.addressof(kept((type_ * len(numbers))(*numbers)))

    return change


def put_view(length: int, buffer: int, offset: int) -> Change:
    """Replace the view of the first text, and those of the others by empty texts."""
    return put_numbers(INT, 1, length, 0, buffer, offset, *[0] * 8, of=child)


def no_child(array: Array, _: Schema) -> None:
    array.children[0] = ctypes.POINTER(Array)()


def no_child_schema(_: Array, schema: Schema) -> None:
    schema.children[0] = ctypes.POINTER(Schema)()


def no_buffer(index: int) -> Change:
    return lambda array, _: child(array, _).buffers.__setitem__(index, None)


def third_field(_: Array, schema: Schema) -> None:
    entries = schema.children[0].contents
    entries.children = kept((ctypes.POINTER(Schema) * 3)(*(entries.children[place] for place in (0, 1, 1))))
    entries.n_children = 3


UNCHANGED = put()
NO_ARRAYS, NO_SCHEMAS = ctypes.POINTER(ctypes.POINTER(Array))(), ctypes.POINTER(ctypes.POINTER(Schema))()

#: Arrays, and how the type of each is changed.
OF_TYPES: dict[str, tuple[pa.Array, Change]] = {
    "format NULL": (LISTS, put(its_type, format=None)),
    "format not in UTF-8": (LISTS, put(its_type, format=b"\xff")),
    "unknown format": (LISTS, put(its_type, format=b"?", n_children=0)),
    "name not in UTF-8": (LISTS, put(type_of_child, name=b"\xff")),
    "type without children": (LISTS, put(its_type, n_children=0)),
    "type with two children": (LISTS, put(its_type, n_children=2)),
    "type with a negative number of children": (STRUCTS, put(type_of_child, n_children=-1)),
    "type with a huge number of children": (STRUCTS, put(type_of_child, n_children=2**40)),
    "types of children NULL": (LISTS, put(its_type, children=NO_SCHEMAS)),
    "type of a child NULL": (LISTS, no_child_schema),
    "keys of a dictionary of text": (WORDS, put(type_of_child, format=b"u")),
    "entries of a map that are no structs": (MAPS, put(type_of_child, format=b"n", n_children=0)),
    "entries of a map of three fields": (MAPS, third_field),
    "negative width": (FIXED, put(its_type, format=b"+w:-2")),
    "negative width of bytes": (LISTS, put(type_of_child, format=b"w:-8")),
}

#: Arrays, and how each is changed.
CASES: dict[str, tuple[pa.Array, Change]] = {
    **OF_TYPES,
    "negative length": (LISTS, put(length=-1)),
    "huge length": (LISTS, put(length=2**62)),
    "huge length of nothing": (NOTHING, put(length=2**62, null_count=-1)),
    "length of nothing beyond memory": (NOTHING, put(length=2**40, null_count=-1)),
    "negative offset": (LISTS, put(offset=-1)),
    "huge offset": (LISTS, put(offset=2**62)),
    "huge offset of elements": (LISTS, put(child, offset=2**61)),
    "negative NULL count": (LISTS, put(null_count=-2)),
    "more NULLs than values": (LISTS, put(null_count=3)),
    "NULLs without a bitmap": (LISTS, put(null_count=1)),
    "no buffers": (LISTS, put(n_buffers=0)),
    "one buffer": (LISTS, put(n_buffers=1)),
    "negative number of buffers": (LISTS, put(n_buffers=-2)),
    "one buffer too many": (LISTS, put(n_buffers=3)),
    "buffers NULL": (LISTS, put(buffers=ctypes.POINTER(Pointer)())),
    "offsets NULL": (LISTS, lambda array, _: array.buffers.__setitem__(1, None)),
    "values NULL": (LISTS, no_buffer(1)),
    "no children": (LISTS, put(n_children=0)),
    "negative number of children": (LISTS, put(n_children=-1)),
    "two children": (LISTS, put(n_children=2)),
    "children NULL": (LISTS, put(children=NO_ARRAYS)),
    "child NULL": (LISTS, no_child),
    "children of structs NULL": (STRUCTS, put(child, children=NO_ARRAYS)),
    "dictionary of lists": (LISTS, lambda array, _: setattr(array, "dictionary", ctypes.pointer(array))),
    "no dictionary": (WORDS, put(child, dictionary=ctypes.POINTER(Array)())),
    "released": (LISTS, put(release=None)),
    "huge width": (FIXED, put(its_type, format=b"+w:2147483647")),
    "arrays that want more elements": (FIXED, put(its_type, format=b"+w:3")),
    "structs that are shorter than their fields": (
        STRUCTS,
        lambda array, _: setattr(array.children[0].contents.children[0].contents, "length", 0),
    ),
    "unions that are shorter than their fields": (UNIONS, put(child, length=0)),
    "lists that begin before their elements": (LISTS, put_numbers(INT, 1, -1, 2, 3)),
    "lists that end after their elements": (LISTS, put_numbers(INT, 1, 0, 2, 4)),
    "lists that go backwards": (LISTS, put_numbers(INT, 1, 0, 3, 2)),
    "large lists that go backwards": (LARGE, put_numbers(LONG, 1, 0, 3, 2)),
    "large lists that end after their elements": (LARGE, put_numbers(LONG, 1, 0, 2, 2**40)),
    "maps that go backwards": (MAPS, put_numbers(INT, 1, 0, 1, 0)),
    "views of lists beyond their elements": (VIEWS, put_numbers(INT, 1, 0, 3)),
    "views of lists with a negative size": (VIEWS, put_numbers(INT, 2, 2, -1)),
    "views of large lists beyond their elements": (LARGE_VIEWS, put_numbers(LONG, 1, 0, 3)),
    "views of large lists that begin before their elements": (LARGE_VIEWS, put_numbers(LONG, 1, -1, 2)),
    "views of large lists with a negative size": (LARGE_VIEWS, put_numbers(LONG, 2, 2, -1)),
    "bytes that end before they begin": (BLOBS, put_numbers(INT, 1, 0, 2, 1, 3, of=child)),
    "large bytes that end before they begin": (LARGE_BLOBS, put_numbers(LONG, 1, 0, 2, 1, 3, of=child)),
    "views of bytes in a buffer that is not there": (BLOB_VIEWS, put_view(32, 7, 0)),
    "large texts that end before they begin": (LARGE_TEXTS, put_numbers(LONG, 1, 0, 2, 1, 3, of=child)),
    "large lists that begin before their elements": (LARGE, put_numbers(LONG, 1, -1, 2, 3)),
    "offsets of texts that are not aligned": (
        TEXTS,
        lambda array, _: (
            put_numbers(INT, 1, 0, 1, 2, 3, 3, of=child)(array, Schema())
            or array.children[0].contents.buffers.__setitem__(1, array.children[0].contents.buffers[1] + 1)
        ),
    ),
    "texts that end before they begin": (TEXTS, put_numbers(INT, 1, 0, 2, 1, 3, of=child)),
    "texts of a negative length in all": (TEXTS, put_numbers(INT, 1, 0, 1, 2, -3, of=child)),
    "texts that end after their bytes": (TEXTS, put_numbers(INT, 1, 0, 9, 9, 3, of=child)),
    "large texts of a huge length in all": (LARGE_TEXTS, put_numbers(LONG, 1, 0, 1, 2, 2**62, of=child)),
    "offsets of texts NULL": (TEXTS, no_buffer(1)),
    "views of texts in a buffer that is not there": (TEXT_VIEWS, put_view(32, 7, 0)),
    "views of texts beyond their buffer": (TEXT_VIEWS, put_view(32, 0, 9)),
    "views of texts of a negative length": (TEXT_VIEWS, put_view(-5, 0, 0)),
    "views of texts without lengths of buffers": (TEXT_VIEWS, no_buffer(3)),
    "views of texts in a buffer of negative length": (TEXT_VIEWS, put_numbers(LONG, 3, -1, of=child)),
    "views of texts with two buffers": (TEXT_VIEWS, put(child, n_buffers=2)),
    "views of texts with more buffers than have numbers": (TEXT_VIEWS, put(child, n_buffers=2**62)),
    "keys beyond their dictionary": (WORDS, put_numbers(INT, 1, 0, 1, 2, of=child)),
    "negative keys": (WORDS, put_numbers(INT, 1, 0, 1, -1, of=child)),
    "dictionary of lists that end after their elements": (
        NESTED_WORDS,
        lambda array, _: put_numbers(INT, 1, 0, 1, 9)(
            array.children[0].contents.dictionary.contents, Schema()
        ),
    ),
    "dictionary of texts that go backwards": (
        WORDS,
        lambda array, _: put_numbers(INT, 1, 0, 2, 1)(
            array.children[0].contents.dictionary.contents, Schema()
        ),
    ),
}

#: Valid arrays of forms that few producers use.
UNUSUAL: dict[str, tuple[pa.Array, Change]] = {
    "NULLs that nobody counted": (NULLS, put(child, null_count=-1)),
    "no NULLs, which nobody counted": (LISTS, put(null_count=-1)),
    "views of lists": (VIEWS, put()),
    "views of large lists": (LARGE_VIEWS, put()),
    "a text that ends where its buffer does": (TEXT_VIEWS, put_numbers(LONG, 3, 32, of=child)),
    "a text that just fits into its view": (TWELVE, put()),
    "keys of a dictionary of 64 bits without a sign": (WIDE_WORDS, put()),
    "a dictionary of lists": (NESTED_WORDS, put()),
    "nothing but NULL, without a buffer": (NOTHING, put()),
}

#: Nested types, each with an empty array.
TYPES: dict[str, Callable[[], tuple[Array, Schema]]] = {
    "nested as deep as may be": lambda: nested(63),
    "nested one deeper": lambda: nested(64),
    "nested 100,000 deep": lambda: listed(*too_deep()),
    "2^60 fields": lambda: shared(60),
}

KWARGS = {"name": "recall_at", "k": None, "ks": None, "grouped_k": False, "options": None}

#: A column of one row, which stands for all rows.
NUMBER = pa.array([1.0])

#: Pickles of the keyword arguments of a plugin.
PICKLES = {
    "lists in lists": b"\x80\x05" + b"]" * 1_000_000 + b"a" * 999_999 + b".",
    "tuples in tuples": b"\x80\x05)" + b"\x85" * 1_000_000 + b".",
    "dictionaries in dictionaries": b"\x80\x05}" + b"(K\x00}" * 500_000 + b"u" * 500_000 + b".",
    "marks": b"\x80\x05" + b"(" * 1_000_000 + b".",
    "cut": pickle.dumps(KWARGS, protocol=5)[:-1],
    "a function": pickle.dumps({"name": print}, protocol=5),
    "a huge text": b"\x80\x05}X\xff\xff\xff\x7fname.",
    "copies without end": b"\x80\x05}(X\x00\x00\x10\x00" + b"a" * 2**20 + b"\x94" * 2**20 + b"u.",
    "empty": b"",
}

library = _native._library()
library._polars_plugin_get_last_error_message.restype = ctypes.c_char_p


def good(schema: Schema) -> tuple[Array, Schema]:
    """A valid column of recommendations, whose items have the type of the judged items."""
    items = schema.children[0].contents if schema.children and schema.children[0] else schema
    if items.format in (b"z", b"Z", b"vz"):
        return exported(BLOBS)
    if items.dictionary and items.dictionary.contents.format == b"+l":
        return exported(NESTED)
    return exported(TEXTS if items.format in (b"u", b"U", b"vu") or items.dictionary else LISTS)


def message(pointer: int | None) -> str | None:
    """The sentence of an error that the library returned."""
    error = _native._error(pointer)
    return None if error is None else str(error)


def call(array: Array, schema: Schema) -> str | None:
    rec, rec_schema = good(schema)
    arrays, schemas = kept((Array * 2)(rec, array)), kept((Schema * 2)(rec_schema, schema))
    result, result_schema = kept(Array()), kept(Schema())
    structs = [ctypes.addressof(each) for each in (arrays, schemas, result, result_schema)]
    return message(library.rankdcg_call(b"recall_at", 2, *structs))


def call_lists(array: Array, schema: Schema) -> str | None:
    structs = [ctypes.addressof(kept(each)) for each in (array, schema, Array(), Schema())]
    return message(library.rankdcg_call_lists(b"recall_at_agg", *structs))


def column(array: Array, schema: Schema, *more: Array) -> Series:
    chunks = [ctypes.pointer(chunk) for chunk in (array, *more)]
    arrays = kept((ctypes.POINTER(Array) * len(chunks))(*chunks))
    return Series(ctypes.pointer(schema), arrays, len(chunks), _NOTHING, None)


def polars(array: Array, schema: Schema) -> str | None:
    return plugin([column(*good(schema)), column(array, schema)], pickle.dumps(KWARGS, protocol=5))


def users(array: Array, schema: Schema) -> str | None:
    return by_user(column(array, schema), column(*exported(NUMBER)))


def items_of_users(array: Array, schema: Schema) -> str | None:
    return by_user(column(*exported(NUMBER)), column(array, schema))


def by_user(*columns: Series) -> str | None:
    numbers = [column(*exported(NUMBER)) for _ in ("score", "rel")]
    kwargs = pickle.dumps(KWARGS | {"name": "rank_metrics_by_user"}, protocol=5)
    return plugin([*columns, *numbers], kwargs, library._polars_plugin_by_user)


def plugin(columns: list[Series], kwargs: bytes, symbol: Any = library._polars_plugin_evaluate) -> str | None:
    inputs, result = kept((Series * len(columns))(*columns)), kept(Series())
    symbol(inputs, len(columns), kwargs, len(kwargs), ctypes.byref(result), None)
    return None if result.private_data else library._polars_plugin_get_last_error_message().decode()


def plugin_field(schema: Schema, kwargs: bytes) -> str | None:
    result = kept(Schema())
    fields = kept((Schema * 1)(schema))
    library._polars_plugin_field_evaluate(fields, 1, ctypes.byref(result), kwargs, len(kwargs))
    return None if result.private_data else library._polars_plugin_get_last_error_message().decode()


def field(_: Array, schema: Schema) -> str | None:
    return plugin_field(schema, pickle.dumps(KWARGS, protocol=5))


ENTRIES = {each.__name__: each for each in (call, call_lists, polars, field, users, items_of_users)}


def nulls() -> dict[str, Callable[[], str | None]]:
    """Calls in which a pointer itself is NULL, by the pointer."""
    structs = [ctypes.addressof(kept(each)) for each in (*exported(LISTS), Array(), Schema())]
    lists = library.rankdcg_call_lists
    no_columns = Series(ctypes.POINTER(Schema)(), ctypes.POINTER(ctypes.POINTER(Array))(), 1, _NOTHING, None)
    no_chunk = Series(
        ctypes.pointer(exported(LISTS)[1]), kept((ctypes.POINTER(Array) * 1)()), 1, _NOTHING, None
    )
    no_chunks = Series(ctypes.pointer(exported(LISTS)[1]), None, 1, _NOTHING, None)
    kwargs = pickle.dumps(KWARGS, protocol=5)
    return {
        "arguments": lambda: message(library.rankdcg_call(b"mrr", 1, None, None, *structs[2:])),
        "name": lambda: message(lists(None, *map(ctypes.addressof, exported(LISTS)), *structs[2:])),
        "result": lambda: message(lists(b"mrr_agg", *map(ctypes.addressof, exported(LISTS)), None, None)),
        "k": lambda: message(library.rankdcg_check(b"mrr", 1, None, b"")),
        "options": lambda: message(library.rankdcg_check(b"mrr", 0, None, None)),
        "options to resolve": lambda: message(library.rankdcg_resolve(b"mrr", None, structs[2])),
        "resolved options": lambda: message(library.rankdcg_resolve(b"mrr", b"", None)),
        "field of a column": lambda: plugin([no_columns], kwargs),
        "chunk of a column": lambda: plugin([no_chunk], kwargs),
        "chunks of a column": lambda: plugin([no_chunks], kwargs),
    }


def all_cases() -> dict[tuple[str, str], Callable[[], str | None]]:
    def run(function: Any, array: pa.Array, change: Change = UNCHANGED) -> str | None:
        structs = exported(array)
        change(*structs)
        return function(*structs)

    found: dict[tuple[str, str], Callable[[], str | None]] = {}
    for entry, function in ENTRIES.items():
        for name, (array, change) in (CASES | UNUSUAL).items():
            found[entry, name] = partial(run, function, array, change)
        for name, make in TYPES.items():
            found[entry, name] = lambda function=function, make=make: function(*make())
    for name, text in PICKLES.items():
        found["plugin", name] = lambda text=text: plugin([column(*exported(LISTS))] * 2, text)
        found["plugin_field", name] = lambda text=text: plugin_field(exported(LISTS)[1], text)
    found |= {("NULL", name): run for name, run in nulls().items()}
    return found | {
        (entry, "a good array after all"): partial(run, function, LISTS)
        for entry, function in ENTRIES.items()
    }


if __name__ == "__main__":
    start = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for (entry, name), run in list(all_cases().items())[start:]:
        print(json.dumps([entry, name]), file=sys.stderr, flush=True)
        print(json.dumps([entry, name, run()]), flush=True)
