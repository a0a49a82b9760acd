"""Cache copies of a site's last builds on disk, so that a process can restart while the site is down.

    <cache>/sites/<site>/0/builds/00000007/    a build: its files, laid out as on the site's host, and build.json
    <cache>/sites/<site>/0/unfinished-.../     a build that is being fetched, or the rest of an interrupted fetch
    <cache>/sites/<site>/0.lock                lock of the process that uses folder 0; a second process uses folder 1

A complete and tested build is renamed to its final name in one step, so a process may be killed at any time.
"""

import logging
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import msgspec

from pincite_core.deployed.build_facts import parse_facts
from pincite_core.deployed.cache_dir_lock import CacheDirLock, claim_again, claim_folder
from pincite_core.deployed.fetch import digest_of
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex
from pincite_core.errors import IndexCorruptError, IndexFetchError
from pincite_core.index.schema import DATABASE_NAME, INFO_NAME

__all__ = ("BuildCache", "StoredBuild")

logger = logging.getLogger("pincite")

_KEPT = 2  # the newest build, and the previous build for pages that readers loaded before the deploy
_UNFINISHED = "unfinished-"
_NAME = re.compile(r"\d{8}")
_RECORD = "build.json"


class _Record(msgspec.Struct, frozen=True):
    """The index folders of a stored build. The folder of the requested index comes first."""

    indexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredBuild:
    """A complete build in its own folder, laid out as on its site's host."""

    folder: Path
    deploy: Deploy

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a stored build from a folder.

        Raises:
            IndexCorruptError: The build is damaged.
        """
        try:
            record = msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record)
            return cls(folder, Deploy(tuple(_index(folder, name) for name in record.indexes)))
        except (OSError, msgspec.MsgspecError) as error:
            message = f"The copy in {folder} is damaged ({error}). It is fetched again."
            raise IndexCorruptError(message) from error

    def write_record(self) -> None:
        """Write the `build.json` that `read` needs."""
        record = _Record(tuple(index.folder for index in self.deploy.indexes))
        (self.folder / _RECORD).write_bytes(msgspec.json.encode(record))

    def databases(self) -> list[Path]:
        """Return the index files. The requested index comes first."""
        return [self.folder / index.folder / DATABASE_NAME for index in self.deploy.indexes]

    def verify(self) -> None:
        """Check the SHA-256 of each index file. Encoders are checked when they are loaded.

        Raises:
            IndexCorruptError: An index file is missing or has changed.
        """
        for index, database in zip(self.deploy.indexes, self.databases(), strict=True):
            if not database.is_file() or index.facts.sha256 not in {None, digest_of(database)}:
                message = f"The copy {database} is damaged. It is fetched again."
                raise IndexCorruptError(message)


class BuildCache:
    """Cache of the last builds of one site, used by one process.

    Args:
        cache: The folder for all caches of Pincite.
        place: The location of the site's index, as the user gave it.
    """

    def __init__(self, cache: Path, place: str) -> None:
        self._cache, self._place = cache, place
        self._take(claim_folder(cache, place))
        for leftover in self._folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def restore(self) -> None:
        """Create the cache folder again if it was deleted.

        Raises:
            IndexFetchError: The folder cannot be created.
        """
        if self._builds.is_dir():
            return
        gone = self._builds
        self._release()
        claim_anew = claim_folder if self._is_temporary else claim_again
        with self._writing():
            self._take(claim_anew(self._cache, self._place))
        logger.warning("The folder %s was gone. It is made anew, and the index is copied again.", gone)

    def _take(self, claim: CacheDirLock) -> None:
        self._release = weakref.finalize(self, claim.release)
        self._is_temporary = claim.lock is None
        self._folder = claim.folder
        self._builds = self._folder / "builds"
        self._builds.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Convert an `OSError` to an `IndexFetchError`, since a write error may be temporary."""
        try:
            yield
        except OSError as error:
            why = f"The cache in {self._cache} cannot be written ({error.strerror})."
            message = f"{why} Make it a folder that this process may write to; the next look tries again."
            raise IndexFetchError(message) from error

    def builds(self) -> list[StoredBuild]:
        """Return the readable builds, newest first."""
        return [build for folder in self._folders() if (build := _read_or_none(folder))]

    def find(self, file: DeployedFile) -> Path | None:
        """Return a cached file with the SHA-256 of `file`, from any process's builds of this site, or None."""
        for folder in [*self._folders(), *self._folder.parent.glob("*/builds/*")]:
            build = _read_or_none(folder)
            for stored in build.deploy.files() if build else ():
                if stored.sha256 == file.sha256 and (folder / stored.path).is_file():
                    return folder / stored.path
        return None

    @contextmanager
    def unfinished(self) -> Iterator[Path]:
        """Yield an empty folder for a fetch. The folder is removed afterwards, unless `keep` renamed it.

        Raises:
            IndexFetchError: The folder cannot be created.
        """
        with self._writing():
            folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, folder: Path, deploy: Deploy) -> StoredBuild:
        """Store the fetched content of `folder` as the newest build.

        Raises:
            IndexFetchError: The cache is not writable.
        """
        with self._writing():
            StoredBuild(folder, deploy).write_record()
            newest = next(iter(self._folders()), None)
            goal = self._builds / f"{int(newest.name) + 1 if newest else 1:08d}"
            return StoredBuild(folder.rename(goal), deploy)

    def discard(self, folder: Path) -> None:
        """Remove a build. It is renamed first, so that it disappears from the cache in one step."""
        with self.unfinished() as gone, self._writing():
            folder.rename(gone / folder.name)

    def tidy(self, in_use: Iterable[Path] = ()) -> None:
        """Remove all builds except the two newest builds and builds with files in use."""
        used = tuple(in_use)
        for folder in self._folders()[_KEPT:]:
            if not any(file.is_relative_to(folder) for file in used):
                self.discard(folder)

    def _folders(self) -> list[Path]:
        """Return the folders of all builds, newest first."""
        return sorted((path for path in self._builds.iterdir() if _NAME.fullmatch(path.name)), reverse=True)


def _read_or_none(folder: Path) -> StoredBuild | None:
    try:
        return StoredBuild.read(folder)
    except IndexCorruptError:
        return None


def _index(folder: Path, name: str) -> DeployedIndex:
    file = folder / name / INFO_NAME
    info = file.read_bytes() if file.is_file() else b""
    return DeployedIndex(name, info, parse_facts(info or b"{}", str(file)))
