"""What `index.json` says of an index, as far as those who fetch or serve it need it."""

from pathlib import Path
from typing import Annotated

import msgspec

from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import FORMAT, INFO_NAME

__all__ = ("BuildFacts", "EncoderFiles", "facts_beside", "parse_facts")

_MOST_SIBLINGS = 200  # more languages than any site has; each is looked at as often as the index itself

Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class EncoderFiles(msgspec.Struct, frozen=True):
    """The encoder's two files; their names are URLs relative to `index.json`."""

    file: str
    sha256: Sha256
    tokenizer: str
    tokenizer_sha256: Sha256


class BuildFacts(msgspec.Struct, frozen=True):
    """The fields of `index.json`; `siblings` are the other locales' index folders, as root-relative URLs."""

    build_id: str = ""
    built_at: str | None = None
    base_url: str = "/"
    sha256: Sha256 | None = None
    size: Annotated[int, msgspec.Meta(ge=0)] | None = None
    format: int = FORMAT
    siblings: Annotated[tuple[str, ...], msgspec.Meta(max_length=_MOST_SIBLINGS)] = ()
    encoder: EncoderFiles | None = None


def parse_facts(data: bytes, name: str) -> BuildFacts:
    """Return the facts in `data`, the content of the file `name`.

    Raises:
        IndexCorruptError: It is no `index.json`; many hosts send a page for whatever does not exist.
    """
    try:
        return msgspec.json.decode(data, type=BuildFacts)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        what = "is a web page" if data.lstrip()[:1] == b"<" else "is damaged"
        message = f"{name} {what}, not the {INFO_NAME} of an index ({error}). Copy it again or rebuild the index."
        raise IndexCorruptError(message) from error


def facts_beside(database: Path) -> BuildFacts:
    """Return what the `index.json` beside an index says; an index that was copied alone has none.

    Raises:
        IndexCorruptError: It is no such file.
    """
    file = database.parent / INFO_NAME
    return parse_facts(file.read_bytes(), str(file)) if file.is_file() else BuildFacts()
