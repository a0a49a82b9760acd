"""Tables of docs pages that are written from the code. `python -m tests.docs_tables` renews them; tests compare them.

A table is written between the comments `<!-- table: NAME -->` and `<!-- end -->`.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pincite_core.citation import Citation
from pincite_core.quoting.likelihood import LIKELIHOOD_WEIGHTS, AnswerSignals
from pincite_core.search.evidence import DEFAULT_CALIBRATION, WORDS_CALIBRATION, EvidenceSignals

__all__ = ("PAGES", "described_fields", "renewed")

DOCS = Path(__file__).parents[1] / "docs"
_TYPES = {"int": "number", "float": "number", "bool": "boolean", "str": "string", "CitationSource": "string"}
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n\n).*?(\n<!-- end -->)", re.DOTALL)


class Field(NamedTuple):
    """A field of a record: its name, its type and default as they are written, and the docstring under it."""

    name: str
    type: str
    default: str | None
    text: str


def described_fields(record: type) -> Iterator[Field]:
    """Yield the fields of a record, in order."""
    tree = ast.parse(inspect.getsource(record)).body[0]
    assert isinstance(tree, ast.ClassDef)
    for field, below in zip(tree.body, [*tree.body[1:], ast.Pass()], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(below, ast.Expr), f"{record.__name__}.{field.target.id} has no docstring under it"
            assert isinstance(below.value, ast.Constant)
            default = ast.unparse(field.value) if field.value else None
            text = " ".join(str(below.value.value).split())
            yield Field(field.target.id, ast.unparse(field.annotation), default, text)


def _json_type(field: Field) -> str:
    """Return the JSON type of a field.

    A reply leaves out a field whose default is None, so such a field is never null.
    """
    kind, _, null = field.type.partition(" | ")
    name = "array of strings" if kind == "tuple[str, ...]" else _TYPES[kind]
    return f"{name} or null" if null and field.default is None else name


def _citation_table() -> list[str]:
    rows = [f"| `{field.name}` | {_json_type(field)} | {field.text} |" for field in described_fields(Citation)]
    return ["| field | type | meaning |", "|---|---|---|", *rows]


def _evidence_table() -> list[str]:
    return _signals_table(EvidenceSignals, {"weight": DEFAULT_CALIBRATION, "words only": WORDS_CALIBRATION})


def _likelihood_table() -> list[str]:
    return _signals_table(AnswerSignals, {"weight": LIKELIHOOD_WEIGHTS})


def _signals_table(signals: type, weights: dict[str, object]) -> list[str]:
    rows = [["signal", "meaning", *weights], ["---"] * (2 + len(weights))]
    for field in described_fields(signals):
        rows.append([f"`{field.name}`", field.text, *(str(getattr(one, field.name)) for one in weights.values())])
    return [f"| {' | '.join(row)} |" for row in rows]


PAGES: dict[str, dict[str, Callable[[], list[str]]]] = {
    "http-api.md": {"citation": _citation_table},
    "index-format.md": {"evidence_signals": _evidence_table, "answer_signals": _likelihood_table},
}
"""The tables of each page by name."""


def renewed(page: str, text: str) -> str:
    """Return the text of a page with its tables written anew."""
    tables = PAGES[page]
    assert {match[2] for match in _TABLE.finditer(text)} == tables.keys(), f"docs/{page} lacks a table"
    return _TABLE.sub(lambda match: f"{match[1]}{chr(10).join(tables[match[2]]())}\n{match[3]}", text)


if __name__ == "__main__":
    for name in PAGES:
        file = DOCS / name
        file.write_text(renewed(name, file.read_text(encoding="utf-8")), encoding="utf-8")
