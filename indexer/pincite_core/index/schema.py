"""Constants of the index format, the SQL that creates it, and the hash that identifies the vector of a text."""

import hashlib
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
    "PAGE_QUESTIONS",
    "SEARCH_FOLDER",
    "SEARCH_MANIFEST_NAME",
    "SHOWN_ON",
    "TOKENIZER_NAME",
    "VERSION_FOLDERS",
    "schema_sql",
    "text_hash",
)

APPLICATION_ID = 0x50494E43
"""`PINC` in ASCII: the SQLite `application_id`. It identifies the file as an index, for example to the tool `file`."""

FORMAT = 4
"""The format version, stored as the SQLite `user_version`. Raise it with every change that can break older readers."""

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
"""Prefix of a `meta` key. The page's URL follows. The value holds the questions that the page suggests to readers."""


SHOWN_ON = "shown on "
"""Prefix of a `meta` key. The page's URL follows. The value holds the page's visible text (`shown_text`)."""

VERSION_FOLDERS = "version_folders"
"""`meta` key. The value holds the URLs of the folders of each version, by the row ID of the version's scope."""

MOST_TEXT = 1 << 20
"""Maximum size of one text value, in bytes of UTF-8. It applies to headings, sections and `meta` values."""


def schema_sql(dimension: int) -> str:
    """Return the SQL statements that create an empty index for vectors of `dimension` components.

    Sign bits are stored in whole bytes. The last byte is padded with zeros.
    """
    text = resources.files("pincite_core.index").joinpath("schema.sql").read_text(encoding="utf-8")
    return text.replace("{bits}", str(-(-dimension // 8) * 8))


def text_hash(text: str) -> bytes:
    """Return the key of a text's stored vector: its BLAKE2b digest of 16 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
