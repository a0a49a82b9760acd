"""What a deploy is: the indexes of one site (one for all its languages, or one each) and the files they consist of.

Files are named by their path below the site's host (`kit/pincite/index.db`), as their URLs are on the deployed site, so
that the relative names in `index.json` fit wherever the files are copied to.
"""

import posixpath
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Protocol

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.index.schema import DATABASE_NAME, INDEX_FOLDER, INFO_NAME
from pincite_core.urls import parse_url

__all__ = (
    "MOST_DATABASE_BYTES",
    "MOST_ENCODER_BYTES",
    "MOST_TOKENIZER_BYTES",
    "Deploy",
    "DeployedFile",
    "DeployedIndex",
    "Origin",
    "index_folder",
    "is_url",
    "shown",
    "sibling_folder",
)

MOST_DATABASE_BYTES = 2 << 30  # some thirty times the index of a site with five versions in several languages
MOST_ENCODER_BYTES = 1 << 30  # a large multilingual model has half a gigabyte in int8
MOST_TOKENIZER_BYTES = 64 << 20  # the largest vocabularies in use take some 20 MB


@dataclass(frozen=True, slots=True)
class DeployedFile:
    """A file that belongs to an index. `sha256` and `size` are None when nothing tells them; `most` is in bytes."""

    path: str
    sha256: str | None
    most: int
    size: int | None = None


@dataclass(frozen=True, slots=True)
class DeployedIndex:
    """One index: its folder, and its `index.json` (empty when there is none) as bytes and read."""

    folder: str
    info: bytes
    facts: BuildFacts

    @property
    def info_path(self) -> str:
        """The path of its `index.json`."""
        return f"{self.folder}/{INFO_NAME}"

    @property
    def database(self) -> DeployedFile:
        """The index file itself."""
        path, size = f"{self.folder}/{DATABASE_NAME}", self.facts.size
        return DeployedFile(path, self.facts.sha256, MOST_DATABASE_BYTES if size is None else size, size)

    def files(self) -> Iterator[DeployedFile]:
        """Yield the files that `index.json` names; locales of one site may share their encoder."""
        yield self.database
        if encoder := self.facts.encoder:
            yield DeployedFile(_joined(self.folder, encoder.file), encoder.sha256, MOST_ENCODER_BYTES)
            yield DeployedFile(_joined(self.folder, encoder.tokenizer), encoder.tokenizer_sha256, MOST_TOKENIZER_BYTES)


@dataclass(frozen=True, slots=True)
class Deploy:
    """The indexes that are deployed now, the one that was asked for first.

    `stamp` is equal for two looks at the same origin when nothing has changed in between.
    """

    indexes: tuple[DeployedIndex, ...]
    stamp: Hashable = None

    @property
    def identity(self) -> tuple[tuple[str, bytes], ...]:
        """What is equal for two copies of the same deploy, wherever they come from."""
        return tuple((index.folder, index.info) for index in self.indexes)

    @property
    def is_identified(self) -> bool:
        """Whether equal identities mean equal files."""
        return all(index.facts.sha256 for index in self.indexes)

    def files(self) -> Iterator[DeployedFile]:
        """Yield every file once."""
        yield from dict.fromkeys(file for index in self.indexes for file in index.files())


class Origin(Protocol):
    """Where a site's newest index is."""

    @property
    def is_remote(self) -> bool:
        """Whether looking takes time and may fail for a while."""
        ...

    def look(self) -> Deploy | None:
        """Return what is deployed now; None while a build has removed it.

        Raises:
            IndexFetchError: It cannot be told now; a later look may.
            IndexFileError: What is there is no index.
        """
        ...

    def blocks(self, file: DeployedFile) -> Iterator[bytes]:
        """Yield the content of a file of the deploy that was looked at last.

        Raises:
            IndexFetchError: It cannot be read, or is larger than it may be.
        """
        ...


def is_url(place: str) -> bool:
    """Tell whether a place is on the web."""
    return place.startswith(("http://", "https://"))


def shown(url: str) -> str:
    """Return a URL as it may be told: without a name and password; of what is no URL, nobody knows where they are."""
    parts = parse_url(url)
    if parts is None:
        return "the address given"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def index_folder(facts: BuildFacts) -> str:
    """Return the folder of an index below its site's host."""
    return _joined(facts.base_url, INDEX_FOLDER)


def sibling_folder(url: str) -> str:
    """Return the folder that a sibling's root-relative URL names."""
    return _joined(url) or INDEX_FOLDER


def _joined(*parts: str) -> str:
    """Join paths and resolve `..`, which never leads above the host."""
    return posixpath.normpath(posixpath.join("/", *(part.lstrip("/") for part in parts))).lstrip("/")
