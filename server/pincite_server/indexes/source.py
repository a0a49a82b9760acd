"""Where indexes come from: the files of one site's index and of its siblings, opened with their models."""

import hashlib
import logging
import posixpath
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from pincite_core.database import locate_database
from pincite_core.embedders import Embedder, load_index_embedder
from pincite_core.errors import IndexCorruptError, IndexFileError, IndexNotFoundError
from pincite_core.read import Index
from pincite_core.schema import DATABASE_NAME, ENCODER_NAME, INDEX_FOLDER, INFO_NAME, TOKENIZER_NAME
from pincite_server.engine import Engine
from pincite_server.indexes.registry import FileState, IndexSet, ServedIndex
from pincite_server.policy import Policy

__all__ = ("IndexSource",)

logger = logging.getLogger("pincite")

_FILES = (DATABASE_NAME, INFO_NAME, ENCODER_NAME, TOKENIZER_NAME)  # a deploy may bring them in any order
_WARM_UP = "How do I get started?"  # the first encoding is many times slower than those after it


class _IndexFacts(msgspec.Struct):
    """What serving needs of `index.json`; siblings are folders, as root-relative URLs."""

    build_id: str = ""
    built_at: str | None = None
    base_url: str = "/"
    sha256: str | None = None
    siblings: list[str] = []


@dataclass(frozen=True, slots=True)
class IndexSource:
    """An index on disk: `place` is a file, or a folder that holds one. Models are loaded once and kept."""

    place: Path
    policy: Policy | None = None
    _models: dict[str, Embedder] = field(default_factory=dict, repr=False)

    def open(self) -> IndexSet:
        """Open the index and those that its `index.json` names as siblings: the other languages' indexes.

        A sibling that is not there is left out, since a site may be built in one language alone.

        Raises:
            IndexFileError: The index is missing, or one of them cannot be read.
            ModelError: The model cannot be loaded or is not the one that made an index.
        """
        state = self.state()
        folder = locate_database(self.place).parent
        return IndexSet((self._serve(index, where) for index, where in _indexes(self.place, folder)), state)

    def state(self) -> FileState:
        """Return what changes when any of the files does, or when a missing one appears; empty without an index."""
        try:
            folder = locate_database(self.place).parent
            folders = [folder, *_sibling_folders(folder)]
        except (IndexFileError, OSError):
            return frozenset()
        return frozenset(_stamp(where / name) for where in folders for name in _FILES)

    def _serve(self, index: Index, folder: Path) -> ServedIndex:
        """Pair an index with what made it, which lies in the `folder` that the index was copied from."""
        maker = index.info.encoder or index.info.model
        if maker not in self._models:
            self._models[maker] = load_index_embedder(folder, index.info)
            self._models[maker].encode([_WARM_UP])
        facts = _facts(index.file.parent)
        engine = Engine.with_embedder(index, self._models[maker], self.policy)
        return ServedIndex(engine, index.counts(), facts.build_id, facts.built_at)


def _indexes(place: Path, folder: Path) -> Iterator[tuple[Index, Path]]:
    yield _take(place), folder
    for sibling in _sibling_folders(folder):
        try:
            yield _take(sibling), sibling
        except IndexNotFoundError:
            logger.warning("The index of another language in %s is not there; its readers get this one.", sibling)


def _take(place: Path) -> Index:
    """Open a copy of an index: a build or a copy command may replace the file at any time, even in place.

    The copy is removed with the `Index`, at the latest when the process ends.
    """
    original = Index.open(place).file  # is checked where it lies, so that an error names that file
    copy = Path(tempfile.mkdtemp(prefix="pincite-"))
    try:
        shutil.copyfile(original, copy / DATABASE_NAME)
        if (original.parent / INFO_NAME).is_file():
            shutil.copyfile(original.parent / INFO_NAME, copy / INFO_NAME)
        _verify(copy, original)
        index = Index.open(copy)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
    weakref.finalize(index, shutil.rmtree, copy, ignore_errors=True)
    return index


def _verify(copy: Path, original: Path) -> None:
    expected = _facts(copy).sha256
    with (copy / DATABASE_NAME).open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if expected not in {None, found}:
        message = f"{original} is not the index that its {INFO_NAME} describes. Copy the whole folder again."
        raise IndexCorruptError(message)


def _sibling_folders(folder: Path) -> list[Path]:
    """Return where the siblings' indexes are: they lie to each other on disk as their URLs do."""
    facts = _facts(folder)
    own_url = f"{facts.base_url}{INDEX_FOLDER}/"
    return [folder / posixpath.relpath(url, own_url) for url in facts.siblings]


def _facts(folder: Path) -> _IndexFacts:
    """Return what the `index.json` beside an index says; an index that was copied alone has none.

    Raises:
        IndexCorruptError: It is no such file.
    """
    file = folder / INFO_NAME
    try:
        return msgspec.json.decode(file.read_bytes(), type=_IndexFacts) if file.is_file() else _IndexFacts()
    except msgspec.MsgspecError as error:
        message = f"{file} is damaged ({error}). Copy it again or rebuild the index."
        raise IndexCorruptError(message) from error


def _stamp(file: Path) -> tuple[str, int, int]:
    """Return a file's path, modification time in nanoseconds and size; zeros when there is none."""
    try:
        state = file.stat()
    except OSError:
        return (str(file), 0, 0)
    return (str(file), state.st_mtime_ns, state.st_size)
