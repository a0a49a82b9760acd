"""Read and write `index.json`, the metadata file of an index."""

import datetime
import re
from pathlib import Path
from typing import Annotated

import msgspec

from pincite_core.deployed.regular_file import read_file
from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import FORMAT, INDEX_FOLDER, INFO_NAME
from pincite_core.types import NO_PROMPTS, Prompts

__all__ = (
    "BuildFacts",
    "BuildVersion",
    "EncoderEntry",
    "Parity",
    "facts_beside",
    "facts_json",
    "info_beside",
    "parse_facts",
)

_MOST_BYTES = 1 << 20  # `index.json` takes a few kB
_MOST_SIBLINGS = 200  # more locales than any site has; each is polled as often as the index itself

# A file in the folder of this index or of another locale's index: `../../pincite/encoder.onnx`.
_FILE = re.compile(
    rf"(?:(?:\.\./){{1,4}}(?:[^/\\?#:%\x00-\x20.][^/\\?#:%\x00-\x1f]*/)*{INDEX_FOLDER}/)?[A-Za-z0-9][\w.-]*"
)

Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Bytes = Annotated[int, msgspec.Meta(ge=0)]


class Parity(msgspec.Struct, frozen=True):
    """Mean and lowest cosine between the vectors of an encoder and of its model, for a sample of chunks."""

    mean: float
    min: float
    sample: int


class EncoderEntry(msgspec.Struct, frozen=True):
    """The encoder that is deployed with the index. `file` and `tokenizer` are URLs relative to `index.json`."""

    file: str
    sha256: Sha256
    tokenizer: str
    tokenizer_sha256: Sha256
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
    pooling: str
    parity: Parity | None = None

    def __post_init__(self) -> None:
        """Raise a `ValueError` if a path does not lead to a file in an index folder."""
        if not _FILE.fullmatch(self.file) or not _FILE.fullmatch(self.tokenizer):
            message = "it names an encoder that is not a file of an index folder"
            raise ValueError(message)


class BuildVersion(msgspec.Struct, frozen=True):
    """One docs version of one plugin instance."""

    plugin_id: str
    version: str
    label: str | None = None
    is_last: bool = False


class BuildFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `index.json`, in file order. If the index has no `index.json`, the defaults apply.

    `built_at` is an ISO 8601 timestamp. `size` is the size of the database in bytes. `siblings` lists the index folders
    of the other locales as root-relative URLs.
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
    prompts: Prompts = NO_PROMPTS
    encoder: EncoderEntry | None = None
    counts: dict[str, int] = {}
    locales: tuple[str, ...] = ()
    versions: tuple[BuildVersion, ...] = ()
    siblings: Annotated[tuple[str, ...], msgspec.Meta(max_length=_MOST_SIBLINGS)] = ()

    @property
    def built(self) -> datetime.datetime | None:
        """The build time, or None if `built_at` is not a valid timestamp. A time without a zone is taken as UTC."""
        try:
            built = datetime.datetime.fromisoformat(self.built_at or "")
        except ValueError:
            return None
        return built if built.tzinfo else built.replace(tzinfo=datetime.UTC)


def parse_facts(data: bytes, name: str) -> BuildFacts:
    """Parse the content of an `index.json`. `name` is the name of the file in messages.

    Raises:
        IndexCorruptError: The content is not an `index.json`. Many hosts return a web page for missing files.
    """
    try:
        return msgspec.json.decode(data, type=BuildFacts)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = "is a web page" if data.lstrip()[:1] == b"<" else "is damaged"
        message = f"{name} {what}, not the {INFO_NAME} of an index ({error}). Copy it again or rebuild the index."
        raise IndexCorruptError(message) from error


def facts_beside(database: Path) -> BuildFacts:
    """Parse the `index.json` in the folder of an index file, or return the defaults if the file does not exist.

    Raises:
        IndexCorruptError: The file is not a valid `index.json`.
    """
    return parse_facts(info_beside(database) or b"{}", str(database.parent / INFO_NAME))


def info_beside(database: Path) -> bytes:
    """Return the bytes of the `index.json` in the folder of an index file, empty if the file does not exist.

    Raises:
        IndexCorruptError: The file cannot be read, is not a regular file, or is too large.
    """
    file = database.parent / INFO_NAME
    try:
        return read_file(file, _MOST_BYTES)
    except FileNotFoundError:
        return b""
    except OSError as error:
        message = f"{file} cannot be read ({error.strerror}). Copy the whole index folder again."
        raise IndexCorruptError(message) from error


def facts_json(facts: BuildFacts) -> bytes:
    """Return the content of an `index.json` file as bytes."""
    return msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n"
