"""Constants of the index format and the SQL that creates it."""

from importlib import resources

__all__ = (
    "APPLICATION_ID",
    "BROWSER_ENCODER_FOLDER",
    "DATABASE_NAME",
    "ENCODER_NAME",
    "FORMAT",
    "IDS_NAME",
    "INDEX_FOLDER",
    "INFO_NAME",
    "MOST_TEXT",
    "OUTSIDE_LINKS",
    "PAGE_QUESTIONS",
    "SEARCH_FOLDER",
    "SEARCH_MANIFEST_NAME",
    "SHOWN_ON",
    "TOKENIZER_NAME",
    "schema_sql",
)

APPLICATION_ID = 0x50494E43
"""`PINC`: SQLite's application id, so that `file` and readers know whose database this is."""

FORMAT = 4
"""SQLite's `user_version`. Raised whenever a reader of the earlier format could go wrong."""

INDEX_FOLDER = "pincite"
DATABASE_NAME = "index.db"
INFO_NAME = "index.json"
IDS_NAME = "ids.json"
ENCODER_NAME = "encoder.onnx"
TOKENIZER_NAME = "tokenizer.json"
SEARCH_FOLDER = "search"
BROWSER_ENCODER_FOLDER = "encoder"
SEARCH_MANIFEST_NAME = "manifest.json"

PAGE_QUESTIONS = "questions of "
"""What a page's URL follows in the key of `meta` that holds the questions the page offers its readers."""


SHOWN_ON = "shown on "
"""What a page's URL follows in the key of `meta` that tells what the page shows (`shown_text`)."""

OUTSIDE_LINKS = "links out of "
"""What a page's URL follows in the key of `meta` that has the page's links to other sites (`outside_links`)."""

MOST_TEXT = 1 << 20
"""Bytes of one value: no heading, section or fact has more."""


def schema_sql(dimension: int) -> str:
    """Return the statements that create an empty index for vectors of `dimension` components.

    Bits are stored in whole bytes, the last one filled up with zeros.
    """
    text = resources.files("pincite_core.index").joinpath("schema.sql").read_text(encoding="utf-8")
    return text.replace("{bits}", str(-(-dimension // 8) * 8))
