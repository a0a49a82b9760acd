"""Damage a small good index: bytes of its files, values of its rows, fields of its `index.json`."""

import json
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from tests.factories import build_index
from tests.integration.serving import PAGES
from tokenizers import Tokenizer, models, pre_tokenizers

from pincite_core.deployed.build_facts import BuildFacts, facts_json
from pincite_core.embedders import ModelInfo
from pincite_core.embedders.onnx_encoder import INPUT_NAMES, OUTPUT_NAME
from pincite_core.embedders.shipped import Encoder, sha256
from pincite_core.index.schema import DATABASE_NAME, ENCODER_NAME, INFO_NAME, TOKENIZER_NAME

__all__ = ("Damage", "damages", "do", "write_good_index")

_FILES = (DATABASE_NAME, DATABASE_NAME, INFO_NAME, ENCODER_NAME, TOKENIZER_NAME)
_DIMENSION = 16
_LONG = "x" * 5000  # longer than names and paths may be
_VALUES: tuple[Any, ...] = (
    None, 0, 1, -1, 2**31, 2**63 - 1, -(2**63), 1e308, float("inf"), "", "x", "null", "[]", "[[", "{}", "[1]",
    "[null]", "\0", "//evil.example/x", "javascript:alert(1)", "http://[::1", "http://℀.com/", "../../etc/passwd",
    "/dev/zero", "\u202e", _LONG, "[" * 5000, b"", b"\0", b"\xff" * 7, b"\xff" * 4096,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Damage:
    """One change. `where` names the changed place: a file and an offset, a table's column and row, or a field.

    `kind` is `bytes` (`value` replaces as many bytes), `cut` (the file ends there), `row`, or `fact`.
    """

    kind: str
    where: tuple[Any, ...]
    value: Any = None


def write_good_index(folder: Path) -> None:
    """Write an index of two pages with an encoder of its own that knows their words."""
    encoder = _encoder()
    index = build_index(folder, PAGES, base_url="/kit/", embedder=encoder.load())
    (folder / ENCODER_NAME).write_bytes(encoder.onnx)
    (folder / TOKENIZER_NAME).write_bytes(encoder.tokenizer)
    database = (folder / DATABASE_NAME).read_bytes()
    facts = BuildFacts(
        index_id=index.info.index_id,
        build_id="b-1",
        built_at="2026-11-22T10:00:00Z",
        sha256=sha256(database),
        size=len(database),
        model=encoder.info.name,
        weights_sha256=encoder.info.weights_sha256,
        dimension=_DIMENSION,
        base_url="/kit/",
        encoder=encoder.entry(),
        locales=("en",),
    )
    (folder / INFO_NAME).write_bytes(facts_json(facts))


def damages(folder: Path) -> st.SearchStrategy[list[Damage]]:
    """Return one to three changes to the good index in `folder`."""
    sizes = {name: (folder / name).stat().st_size for name in _FILES}
    names = st.sampled_from(_FILES)
    place = names.flatmap(lambda name: st.tuples(st.just(name), st.integers(0, sizes[name] - 1)))
    changed = st.builds(
        Damage, st.just("bytes"), place, st.one_of(st.binary(min_size=1, max_size=8), st.just(b"\0" * 600))
    )
    cut = st.builds(Damage, st.just("cut"), place)
    row = st.builds(Damage, st.just("row"), st.sampled_from(_cells(folder)), st.sampled_from(_VALUES))
    facts = json.loads((folder / INFO_NAME).read_text(encoding="utf-8"))
    plain = st.sampled_from([value for value in _VALUES if not isinstance(value, bytes)])
    values = st.one_of(plain, st.lists(plain, max_size=3), st.dictionaries(st.text(max_size=5), plain, max_size=3))
    fact = st.builds(Damage, st.just("fact"), st.sampled_from(_paths(facts)), values)
    return st.lists(st.one_of(changed, row, row, fact, cut), min_size=1, max_size=3)


def do(changes: Sequence[Damage], folder: Path) -> None:
    """Change an index and correct its hashes, as an attacker would, so that hashes alone do not reveal the change."""
    for change in (one for one in changes if one.kind == "row"):
        table, column, number = change.where
        _set_cell(folder / DATABASE_NAME, table, column, number, change.value)
    for change in (one for one in changes if one.kind in {"bytes", "cut"}):
        name, start = change.where
        file = folder / name
        data = file.read_bytes()
        kept = data[start + len(change.value) :] if change.kind == "bytes" else b""
        file.write_bytes(data[:start] + (change.value or b"") + kept)
    _mend_hashes(folder)
    for change in (one for one in changes if one.kind == "fact"):
        _set_fact(folder / INFO_NAME, change.where, change.value)


def _encoder() -> Encoder:
    words = sorted(set(" ".join(PAGES.values()).split()))
    tokenizer = Tokenizer(models.WordLevel({"?": 0, **{word: n for n, word in enumerate(words, 1)}}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    rows = np.random.default_rng(0).standard_normal((len(words) + 1, _DIMENSION)).astype(np.float32)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"]) for name in INPUT_NAMES]
    output = helper.make_tensor_value_info(OUTPUT_NAME, TensorProto.FLOAT, [1, _DIMENSION])
    nodes = [
        helper.make_node("Gather", ["rows", INPUT_NAMES[0]], ["looked_up"]),
        helper.make_node("ReduceMean", ["looked_up"], ["mean"], axes=[1], keepdims=0),
        helper.make_node("LpNormalization", ["mean"], [OUTPUT_NAME], axis=1, p=2),
    ]
    graph = helper.make_graph(nodes, "words", inputs, [output], [numpy_helper.from_array(rows, "rows")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    return Encoder(
        ModelInfo("words", "1" * 64, _DIMENSION, 64, sha256(data)), data, tokenizer.to_str().encode(), "mean"
    )


def _cells(folder: Path) -> list[tuple[str, str, int]]:
    """Return table, column and number of every cell, for at most a few rows of each table."""
    with closing(apsw.Connection(str(folder / DATABASE_NAME), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        return [
            (table, column, number)
            for (table,) in list(tables)
            for (_, column, *_) in list(connection.execute(f'PRAGMA table_info("{table}")'))
            for number in range(min(4, next(connection.execute(f'SELECT count(*) FROM "{table}"'))[0]))
        ]


def _set_cell(database: Path, table: str, column: str, number: int, value: Any) -> None:
    key = "rowid"
    with suppress(apsw.Error), closing(apsw.Connection(str(database))) as connection:  # constraints may forbid it
        connection.execute("PRAGMA journal_mode=OFF")
        columns = list(connection.execute(f'PRAGMA table_info("{table}")'))
        if " WITHOUT ROWID" in next(connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)))[0]:
            key = f'"{columns[0][1]}"'
        chosen = f'{key} = (SELECT {key} FROM "{table}" ORDER BY {key} LIMIT 1 OFFSET {number})'
        connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {chosen}', (value,))


def _mend_hashes(folder: Path) -> None:
    """Update the hashes that the index states for its files."""
    with suppress(ValueError, KeyError, TypeError):
        facts = json.loads((folder / INFO_NAME).read_bytes())
        encoder = sha256((folder / ENCODER_NAME).read_bytes())
        if encoder != facts["encoder"]["sha256"]:
            with suppress(apsw.Error), closing(apsw.Connection(str(folder / DATABASE_NAME))) as connection:
                connection.execute(
                    "UPDATE meta SET value = json_set(value, '$.encoder', ?) WHERE key = 'info'", (encoder,)
                )
        database = (folder / DATABASE_NAME).read_bytes()
        facts |= {"sha256": sha256(database), "size": len(database)}
        facts["encoder"] |= {
            "sha256": encoder,
            "tokenizer_sha256": sha256((folder / TOKENIZER_NAME).read_bytes()),
        }
        (folder / INFO_NAME).write_text(json.dumps(facts), encoding="utf-8")


def _paths(facts: dict[str, Any]) -> list[tuple[str, ...]]:
    inner = [(name, part) for name, value in facts.items() if isinstance(value, dict) for part in value]
    return [*((name,) for name in facts), *inner]


def _set_fact(file: Path, path: tuple[str, ...], value: Any) -> None:
    with suppress(ValueError, KeyError, TypeError):
        facts = json.loads(file.read_bytes())
        *outer, last = path
        place = facts
        for name in outer:
            place = place[name]
        place[last] = value
        file.write_text(json.dumps(facts), encoding="utf-8", errors="surrogatepass")
