"""Phrase tables: one JSON file per language with the words that identify kinds of questions and sentences.

A text is matched only with the table of its own language. A missing field matches nothing. `table` defines the fields;
`languages` selects the table of a question.
"""

from pincite_core.phrasing.languages import LANGUAGES, asked_in, chinese_of, phrasing, tables, writes_traditional
from pincite_core.phrasing.phrases import Phrases, bounded
from pincite_core.phrasing.table import Table

__all__ = (
    "LANGUAGES",
    "Phrases",
    "Table",
    "asked_in",
    "bounded",
    "chinese_of",
    "phrasing",
    "tables",
    "writes_traditional",
)
