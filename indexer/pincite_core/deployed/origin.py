"""Define a deploy: the indexes of one site and their files. A site has one index for all languages or one per language.

A file is named by its URL path on the site's host, without the leading slash (`kit/pincite/index.db`). The relative
names in `index.json` are therefore valid in every copy.
"""

import posixpath
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Protocol

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.index.schema import DATABASE_NAME, INDEX_FOLDER
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

MOST_DATABASE_BYTES = 2 << 30  # about thirty times the index of a site with five versions in several languages
MOST_ENCODER_BYTES = 1 << 30  # a large multilingual model takes half a gigabyte in int8
MOST_TOKENIZER_BYTES = 64 << 20  # the largest vocabularies in use take about 20 MB


@dataclass(frozen=True, slots=True)
class DeployedFile:
    """A file that belongs to an index.

    `path` is the URL path on the site's host, without the leading slash. `most` is the maximum size in bytes.
    """

    path: str
    sha256: str | None
    most: int
    size: int | None = None


@dataclass(frozen=True, slots=True)
class DeployedIndex:
    """One deployed index: its folder as a path on the site's host, and its `index.json`.

    `info` is empty if the file does not exist.
    """

    folder: str
    info: bytes
    facts: BuildFacts

    @property
    def database(self) -> DeployedFile:
        """The index file (`index.db`)."""
        path, size = f"{self.folder}/{DATABASE_NAME}", self.facts.size
        return DeployedFile(path, self.facts.sha256, MOST_DATABASE_BYTES if size is None else size, size)

    def files(self) -> Iterator[DeployedFile]:
        """Yield the index file and the encoder files that `index.json` names. Locales may share an encoder."""
        yield self.database
        if encoder := self.facts.encoder:
            yield DeployedFile(_joined(self.folder, encoder.file), encoder.sha256, MOST_ENCODER_BYTES)
            yield DeployedFile(_joined(self.folder, encoder.tokenizer), encoder.tokenizer_sha256, MOST_TOKENIZER_BYTES)


@dataclass(frozen=True, slots=True)
class Deploy:
    """The indexes that are deployed now. The requested index comes first.

    `stamp` changes when the deploy at this origin changes.
    """

    indexes: tuple[DeployedIndex, ...]
    stamp: Hashable = None

    @property
    def identity(self) -> tuple[tuple[str, bytes], ...]:
        """The folder and `index.json` of each index. Two copies of the same deploy have equal identities."""
        return tuple((index.folder, index.info) for index in self.indexes)

    @property
    def is_identified(self) -> bool:
        """Whether equal identities imply equal files, which is true if every index has a SHA-256."""
        return all(index.facts.sha256 for index in self.indexes)

    def files(self) -> Iterator[DeployedFile]:
        """Yield every file once."""
        yield from dict.fromkeys(file for index in self.indexes for file in index.files())


class Origin(Protocol):
    """Interface to the place where a site's newest index is deployed."""

    @property
    def is_remote(self) -> bool:
        """Whether the origin is on the network, so that reads are slow and can fail temporarily."""
        ...

    def look(self) -> Deploy | None:
        """Return the current deploy, or None if there is no index now, for example during a build.

        Raises:
            IndexFetchError: The deploy cannot be read now. A later call may succeed.
            IndexFileError: The files are not a valid index.
        """
        ...

    def blocks(self, file: DeployedFile) -> Iterator[bytes]:
        """Yield the content of a file of the deploy that the last `look` returned.

        Raises:
            IndexFetchError: The file cannot be read or is too large.
        """
        ...


def is_url(place: str) -> bool:
    """Return whether a place is an HTTP or HTTPS URL."""
    return place.startswith(("http://", "https://"))


def shown(url: str) -> str:
    """Return a URL for messages, without login, query and fragment.

    An invalid URL is replaced by a fixed text, since a login in it cannot be located.
    """
    parts = parse_url(url)
    if parts is None:
        return "the address given"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def index_folder(facts: BuildFacts) -> str:
    """Return the folder of an index as a path on its site's host."""
    return _joined(facts.base_url, INDEX_FOLDER)


def sibling_folder(url: str) -> str:
    """Return the folder of another locale's index, given its root-relative URL."""
    return _joined(url) or INDEX_FOLDER


def _joined(*parts: str) -> str:
    """Join paths and resolve `..`. The result never leaves the root of the host."""
    return posixpath.normpath(posixpath.join("/", *(part.lstrip("/") for part in parts))).lstrip("/")
