"""How languages put questions and sentences: one table a language, in JSON, of everything that is known by its words.

A text is read by the table of its own language and no other. What a language lacks is not looked for, so that nothing
is misread for it. `table` names the fields; `languages` says whose table a question is read by.
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
