"""Cache copies of a site's last builds on disk, so that a process can restart while the site is down.

    <cache>/sites/<site>/0/builds/00000007/    a build: its files, laid out as on the site's host, and build.json
    <cache>/sites/<site>/0/unfinished-.../     a build that is being fetched, or the rest of an interrupted fetch
    <cache>/sites/<site>/0.lock                lock of the process that uses folder 0; a second process uses folder 1

A complete and tested build is renamed to its final name in one step, so a process may be killed at any time.
"""

import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout  # the OS releases the lock when the process ends

from pincite_core.deployed.build_facts import parse_facts
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex
from pincite_core.deployed.regular_file import digest_of
from pincite_core.errors import IndexCorruptError, IndexFetchError
from pincite_core.index.schema import DATABASE_NAME, INFO_NAME

__all__ = ("BuildCache", "CacheDirLock", "StoredBuild", "lock_folder")

logger = logging.getLogger("pincite")

_KEPT = 2  # the newest build, and the previous build for pages that readers loaded before the deploy
_UNFINISHED = "unfinished-"
_NAME = re.compile(r"\d{8}")
_RECORD = "build.json"
_MOST_PROCESSES = 16  # processes that can use the cache of one site at the same time
_UNUSED_SECONDS = 30 * 24 * 3600
_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_NAME_CHARACTERS = 48  # characters of the place in a folder name, for people who inspect the cache


class _Record(msgspec.Struct, frozen=True):
    """The index folders of a stored build. The folder of the requested index comes first."""

    indexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredBuild:
    """A complete build in its own folder, laid out as on its site's host."""

    folder: Path
    deploy: Deploy

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

    `cache` is the folder for all caches of Pincite. `place` is the location of the site's index, as the user gave it.
    """

    def __init__(self, cache: Path, place: str) -> None:
        self._cache, self._place = cache, place
        self._use(lock_folder(cache, place))
        for leftover in self._folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def restore(self) -> None:
        """Create the cache folder again if it was deleted. All write errors of the cache raise `IndexFetchError`."""
        if self._builds.is_dir():
            return
        gone = self._builds
        self._release()
        with self._writing():
            lock = lock_folder if self._is_temporary else _lock_in_cache
            self._use(lock(self._cache, self._place))
        logger.warning("The folder %s was deleted. It is created again, and the index is copied again.", gone)

    def _use(self, locked: "CacheDirLock") -> None:
        self._release = weakref.finalize(self, locked.release)
        self._is_temporary = locked.lock is None
        self._folder = locked.folder
        self._builds = self._folder / "builds"
        self._builds.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Convert an `OSError` to an `IndexFetchError`, since a write error may be temporary."""
        try:
            yield
        except OSError as error:
            message = (
                f"The cache in {self._cache} cannot be written ({error.strerror}). Make it a folder that this process "
                "may write to; the next check tries again."
            )
            raise IndexFetchError(message) from error

    def builds(self) -> list[StoredBuild]:
        """Return the readable builds, newest first."""
        return [build for folder in self._folders() if (build := _read(folder))]

    def find(self, file: DeployedFile) -> Path | None:
        """Return a cached file with the SHA-256 of `file`, from any process's builds of this site, or None."""
        for folder in [*self._folders(), *self._folder.parent.glob("*/builds/*")]:
            build = _read(folder)
            for stored in build.deploy.files() if build else ():
                if stored.sha256 == file.sha256 and (folder / stored.path).is_file():
                    return folder / stored.path
        return None

    @contextmanager
    def unfinished(self) -> Iterator[Path]:
        """Yield an empty folder for a fetch. The folder is removed afterwards, unless `keep` renamed it."""
        with self._writing():
            folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, folder: Path, deploy: Deploy) -> StoredBuild:
        """Store the fetched content of `folder` as the newest build."""
        record = _Record(tuple(index.folder for index in deploy.indexes))
        with self._writing():
            (folder / _RECORD).write_bytes(msgspec.json.encode(record))
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
        return sorted((path for path in self._builds.iterdir() if _NAME.fullmatch(path.name)), reverse=True)


def _read(folder: Path) -> StoredBuild | None:
    indexes = []
    try:
        for name in msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record).indexes:
            file = folder / name / INFO_NAME
            info = file.read_bytes() if file.is_file() else b""
            indexes.append(DeployedIndex(name, info, parse_facts(info or b"{}", str(file))))
    except (OSError, msgspec.MsgspecError, IndexCorruptError):
        return None
    return StoredBuild(folder, Deploy(tuple(indexes)))


@dataclass(frozen=True, slots=True)
class CacheDirLock:
    """A folder that only this process writes to. Without a lock, the folder is temporary."""

    folder: Path
    lock: FileLock | None = None

    def release(self) -> None:
        """Release the folder for other processes. A temporary folder is removed."""
        if self.lock:
            self.lock.release()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def lock_folder(cache: Path, place: str) -> CacheDirLock:
    """Lock a cache folder for the site at `place`, or create a temporary folder if the cache is not writable."""
    try:
        return _lock_in_cache(cache, place)
    except OSError as error:
        logger.warning("The cache in %s cannot be used (%s); no build outlives a restart.", cache, error.strerror)
    return _temporary()


def _lock_in_cache(cache: Path, place: str) -> CacheDirLock:
    """Lock a cache folder for the site at `place`, or create a temporary folder if all folders are locked."""
    _remove_unused(cache / "sites")
    readable = _UNSAFE.sub("-", place)[-_NAME_CHARACTERS:].strip("-")
    site = cache / "sites" / f"{readable}-{hashlib.sha256(place.encode()).hexdigest()[:12]}"
    site.mkdir(parents=True, exist_ok=True)
    os.utime(site)
    for number in range(_MOST_PROCESSES):
        if lock := _lock(site / f"{number}.lock"):
            return CacheDirLock(site / str(number), lock)
    return _temporary()


def _temporary() -> CacheDirLock:
    return CacheDirLock(Path(tempfile.mkdtemp(prefix="pincite-")))


def _lock(file: Path) -> FileLock | None:
    """Acquire a lock and return it, or return None if another process holds the lock."""
    lock = FileLock(file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def _remove_unused(sites: Path) -> None:
    for site in sites.glob("*"):
        if time.time() - site.stat().st_mtime > _UNUSED_SECONDS:
            locks = [_lock(file) for file in site.glob("*.lock")]
            if all(locks):
                shutil.rmtree(site, ignore_errors=True)
            for lock in filter(None, locks):
                lock.release()
