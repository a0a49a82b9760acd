"""What `index.json` says of an index: one record, for whoever reads or writes it."""

import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import FORMAT, INFO_NAME

__all__ = ("BuildFacts", "BuildVersion", "EncoderEntry", "Parity", "facts_beside", "facts_json", "parse_facts")

_MOST_SIBLINGS = 200  # more languages than any site has; each is looked at as often as the index itself

Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Bytes = Annotated[int, msgspec.Meta(ge=0)]


class Parity(msgspec.Struct, frozen=True):
    """How close the encoder comes to its model: cosines over a sample of the site's own chunks."""

    mean: float
    min: float
    sample: int


class EncoderEntry(msgspec.Struct, frozen=True):
    """The encoder that travels with the index; `file` and `tokenizer` are URLs relative to `index.json`."""

    file: str
    sha256: Sha256
    tokenizer: str
    tokenizer_sha256: Sha256
    max_tokens: int
    pooling: str
    parity: Parity | None = None


class BuildVersion(msgspec.Struct, frozen=True):
    """A version of the docs of one plugin."""

    plugin_id: str
    version: str
    label: str | None = None
    is_last: bool = False


class BuildFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `index.json`, in their order; an index that was copied alone has the defaults.

    `built_at` is an ISO 8601 timestamp, `size` the database's in bytes, `siblings` are the other locales' index folders
    as root-relative URLs.
    """

    index_id: str = ""
    build_id: str = ""
    built_at: str | None = None
    sha256: Sha256 | None = None
    size: Bytes | None = None
    format: int = FORMAT
    title: str = ""
    site_url: str = ""
    base_url: str = "/"
    model: str = ""
    weights_sha256: str = ""
    dimension: int = 0
    encoder: EncoderEntry | None = None
    counts: dict[str, int] = {}
    locales: tuple[str, ...] = ()
    versions: tuple[BuildVersion, ...] = ()
    siblings: Annotated[tuple[str, ...], msgspec.Meta(max_length=_MOST_SIBLINGS)] = ()

    @property
    def built(self) -> datetime.datetime | None:
        """When it was built, taken for UTC when no zone is named; None for what is no timestamp."""
        try:
            built = datetime.datetime.fromisoformat(self.built_at or "")
        except ValueError:
            return None
        return built if built.tzinfo else built.replace(tzinfo=datetime.UTC)


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


def facts_json(facts: BuildFacts) -> bytes:
    """Return the content of an `index.json`."""
    return msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n"
