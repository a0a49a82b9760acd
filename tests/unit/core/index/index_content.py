"""One small index, row by row, with something in every column."""

from dataclasses import replace

import numpy as np

from pincite_core.index.quantise import to_int8
from pincite_core.index.schema import FORMAT
from pincite_core.index.write import ChunkTerms, IndexContent
from pincite_core.types import Alias, Chunk, IndexInfo, Landing, Link, Page, Redirect, Scope, Target, Unit

__all__ = ("DIMENSION", "INFO", "make_content", "unit_vectors")

DIMENSION = 64
INFO = IndexInfo(
    FORMAT,
    "abc",
    "Lantern",
    "https://docs.example",
    "/kit/",
    "en",
    ("en", "ar"),
    "fake",
    "0" * 64,
    DIMENSION,
    256,
    "hand",
)
LANDING = (Landing("tab", "npm"), Landing("details", "More “quotes”"))


def unit_vectors(count: int) -> np.ndarray:
    vectors = np.random.default_rng(3).standard_normal((count, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def make_content(**changes: object) -> IndexContent:
    """Return two pages in two scopes; `changes` replace whole fields."""
    content = IndexContent(
        info=INFO,
        scopes=[
            Scope(1, "docs", "default", "2.0", "v2", True, "en"),
            Scope(2, "pages", "default", None, None, False, "ar"),
        ],
        pages=[
            Page(
                1, 1, "/kit/a", "A", "about a", "guide", "a", ("Home", "Guides"), ("t1", "t2"), True, "docs/a.md", "h1"
            ),
            Page(2, 2, "/kit/%C3%A9", "É", "", "page", "", (), (), False, "", "h2"),
        ],
        targets=[
            Target(1, 1, None, 0, "", "page", 0, "A", ("A",), "m/a", "author", ()),
            Target(2, 1, 1, 1, 'x "y" 🎉', "row", 7, "row", ("A", "row"), "m/a#x", "auto", LANDING),
            Target(3, 2, None, 0, "", "page", 0, "É", ("É",), "m/e", "auto", ()),
        ],
        chunks=[
            Chunk(1, 1, 1, 1, 0, "First.\n\nrow: 1", 1),
            Chunk(2, 1, 1, 1, 1, "Second part.", 2),
            Chunk(3, 3, 2, 2, 0, "`--flag` نص", 3),
        ],
        tokens={1: bytes(range(32)), 3: bytes(16)},
        units=[
            Unit(1, 1, 1, 1, 0, 6, "prose", 4),
            Unit(2, 1, 2, 1, 8, 14, "row", 0, 2, "", ("app.js", "npm"), True, "npm", "yarn", cells=(2, 2)),
            Unit(3, 3, 3, 2, 0, 11, "item", 3, mark="  2. ", role="refers", facts=5),
        ],
        vectors=to_int8(unit_vectors(4)),
        text_hashes=[bytes([number] * 16) for number in range(4)],
        terms=[
            ChunkTerms(1, "first row", "a", "a", "", ""),
            ChunkTerms(2, "second part", "a", "a", "see", ""),
            ChunkTerms(3, "flag", "", "é", "", "--flag c++"),
        ],
        links=[Link(1, 3, "to é", True), Link(2, 1, "dead", False)],
        redirects=[Redirect("/kit/old", "/kit/a#x")],
        aliases=[Alias("m/gone", None), Alias("m/was", "m/a")],
        meta={"calibration": {"slope": 1.5, "sites": ["a"]}},
    )
    return replace(content, **changes)
