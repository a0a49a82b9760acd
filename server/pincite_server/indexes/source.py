"""Serves the deployed index of a site from copies of the last two builds in a cache folder."""

import logging
import math
import time
import weakref
from collections.abc import Callable, Collection, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pincite_core.deployed.build_cache import BuildCache, StoredBuild
from pincite_core.deployed.build_facts import facts_beside
from pincite_core.deployed.fetch import fetch_deploy
from pincite_core.deployed.local import LocalOrigin
from pincite_core.deployed.origin import Deploy, Origin, is_url, shown
from pincite_core.embedders import load_index_embedder
from pincite_core.errors import IndexCorruptError, IndexFetchError, PinciteError
from pincite_core.index.database import locate_database
from pincite_core.index.read import Index
from pincite_core.user_cache import cache_folder
from pincite_core.version import __version__
from pincite_server.indexes.registry import IndexSet, ServedIndex, restrict_earlier
from pincite_server.indexes.shared_models import LoadedModels, SharedModels, try_out
from pincite_server.policy import Policy

__all__ = ("BuildOpener", "IndexSource")

logger = logging.getLogger("pincite")

_STORED_BUILDS = 2  # the newest and the one before
_MOST_SECONDS = 600.0  # the longest time of a question, with a language model's timeouts and retries
_CHECKED = f"checked-by-{__version__}"  # marker file in a build's folder; another release checks again


class BuildOpener:
    """Opens stored builds as answerers, and closes them after they were replaced; `clock` is monotonic, in seconds."""

    def __init__(
        self,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
        loaded: LoadedModels | None = None,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self.models = SharedModels(loaded)
        self._alive: weakref.WeakSet[Index] = weakref.WeakSet()
        self._ends: dict[Path, float] = {}  # files of closed indexes: the time until which a question may read them

    def open(self, build: StoredBuild) -> tuple[ServedIndex, ...]:
        """Open every index of a build, or raise the first error; a build that was checked before opens faster."""
        mark = build.folder / _CHECKED
        checked = build.deploy.is_identified and mark.is_file()
        opened: list[ServedIndex] = []
        try:
            for database in build.databases():
                opened.append(self._serve(database, checked=checked))
        except Exception:
            self.retire(opened)
            raise
        with suppress(OSError):  # with a full disk, the build is checked again
            mark.touch()
        return tuple(opened)

    def try_out(self, build: StoredBuild) -> None:
        """Open a build, and ask each of its indexes a test question; raise if the build is faulty."""
        opened = self.open(build)
        try:
            try_out(opened)
        finally:
            self.retire(opened)

    def retire(self, served: Iterable[ServedIndex]) -> None:
        """Close replaced indexes; questions in progress finish with them."""
        for index in (item.answerer.index for item in served):
            index.retire()
            self._ends[index.file] = self._clock() + _MOST_SECONDS

    def track(self, served: Iterable[ServedIndex]) -> None:
        """Count the files of indexes derived from opened ones as in use."""
        self._alive.update(item.answerer.index for item in served)

    def files_in_use(self) -> list[Path]:
        """Return the files of served indexes, and of closed ones that a question in progress may still read."""
        alive, now = {index.file for index in self._alive}, self._clock()
        self._ends = {file: end for file, end in self._ends.items() if file in alive}
        return [file for file in alive if now < self._ends.get(file, math.inf)]

    def _serve(self, database: Path, *, checked: bool) -> ServedIndex:
        index = Index.open(database, checked=checked)
        self._alive.add(index)
        try:
            load = partial(load_index_embedder, database.parent, index.info)
            return self.models.served(index, facts_beside(database), load, self._policy)
        except Exception:
            index.retire()
            raise


@dataclass(frozen=True, slots=True)
class _OpenBuild:
    stored: StoredBuild
    served: tuple[ServedIndex, ...]

    @property
    def has_files(self) -> bool:
        return all(file.is_file() for file in self.stored.databases())


class _Refused(NamedTuple):
    """A deploy that cannot be served, with the reason; it is not tried again until it changes."""

    stamp: Hashable
    error_type: type[PinciteError]
    message: str


class IndexSource:
    """The index of one site, with the indexes of its other languages.

    Served indexes are copies in the cache folder, because a build or a deploy may replace the originals at any time.

    Args:
        place: A file, a folder that holds an index, or the URL of either or of the site.
        policy: The operator's policy for answers.
        cache: The folder for Pincite's caches; None for the user's cache folder.
        redirect_hosts: Further hosts to which the URL's host may redirect; None for the environment's setting.
        loaded: The models of other sites.

    Raises:
        InputError: `place` is an invalid URL.
    """

    def __init__(
        self,
        place: Path | str,
        policy: Policy | None = None,
        cache: Path | None = None,
        redirect_hosts: Collection[str] | None = None,
        loaded: LoadedModels | None = None,
    ) -> None:
        self.place = str(place)
        self.is_remote = is_url(self.place)
        self._origin = _origin(self.place, redirect_hosts)
        key = shown(self.place) if self.is_remote else str(Path(self.place).resolve())
        self._cache = BuildCache(cache or cache_folder(), key)
        self._opener = BuildOpener(policy, loaded=loaded)
        self._builds: list[_OpenBuild] = []  # newest first
        self._stamp: Hashable = None
        self._refused: _Refused | None = None

    def open(self) -> IndexSet:
        """Open the deployed index, or the newest copy in the cache if the deployed index cannot be served.

        Raises:
            IndexFileError: Neither the deployed index nor a copy can be read.
            ModelError: The model cannot be loaded, or is not the model of an index.
        """
        stored = self.open_stored()
        try:
            fresh = self.refresh()
        except PinciteError as error:
            if stored is None:
                raise
            logger.warning("%s Until that changes, the copy in the cache is served.", error)
            return stored
        indexes = fresh or stored
        if indexes is None:
            locate_database(Path(self.place))  # raises if there is no index
            message = f"The index at {self.place} has just been removed. Wait for its build to end."
            raise IndexFetchError(message)
        return indexes

    def open_stored(self) -> IndexSet | None:
        """Open the builds in the cache; return None if none of them can be served."""
        self._cache.tidy()
        for stored in self._cache.builds():
            try:
                stored.verify()
                self._builds.append(_OpenBuild(stored, self._opener.open(stored)))
            except (PinciteError, OSError) as error:
                logger.info("A copy in the cache is removed. %s", error)
                self._cache.discard(stored.folder)
        return self._current() if self._builds else None

    def refresh(self) -> IndexSet | None:
        """Return the indexes of a new deploy as `BuildSource.refresh` does; None while a build removes the index."""
        self._cache.restore()
        newest = self._builds[0] if self._builds else None
        if newest and not newest.has_files:
            newest = self._stamp = None  # the deploy must be copied again for the next start
        self._cache.tidy(self._opener.files_in_use())
        deploy = self._origin.look()
        if deploy is None or (self._builds and deploy.stamp == self._stamp):
            return None
        if self._refused and deploy.stamp == self._refused.stamp:
            # A new error each time: an error that is raised repeatedly would keep every traceback.
            raise self._refused.error_type(self._refused.message)
        is_new = not (newest and deploy.is_identified and deploy.identity == newest.stored.deploy.identity)
        if is_new:
            self._take(deploy)
        self._stamp, self._refused = deploy.stamp, None
        return self._current() if is_new else None

    def _take(self, deploy: Deploy) -> None:
        """Copy a deploy, test it, make it the newest build, and close builds beyond the last two or without files."""
        with self._cache.unfinished() as folder:
            try:
                fetch_deploy(self._origin, deploy, folder, self._cache.find)
                self._opener.try_out(StoredBuild(folder, deploy))
            except IndexFetchError:
                raise
            except Exception as error:  # whatever is wrong with the new files, the working index stays
                self._refused = _Refused(deploy.stamp, *_reason(error, folder))
                self._forget_models()
                raise self._refused.error_type(self._refused.message) from error
            stored = self._cache.keep(folder, deploy)
        newest = _OpenBuild(stored, self._opener.open(stored))
        before = [build for build in self._builds if build.has_files][: _STORED_BUILDS - 1]
        replaced = [build for build in self._builds if build not in before]
        self._builds = [newest, *before]
        for build in replaced:
            self._opener.retire(build.served)

    def _forget_models(self) -> None:
        self._opener.models.forget_others(served for build in self._builds for served in build.served)

    def _current(self) -> IndexSet:
        newest, *before = self._builds
        earlier = restrict_earlier(before[0].served, newest.served) if before else None
        self._opener.track(earlier.served if earlier else ())
        self._forget_models()
        return IndexSet(newest.served, earlier, self)


def _origin(place: str, redirect_hosts: Collection[str] | None) -> Origin:
    if not is_url(place):
        return LocalOrigin(Path(place))
    from pincite_core.deployed.web import WebOrigin  # imported here because only this case needs an HTTP client

    return WebOrigin(place, redirect_hosts)


def _reason(error: Exception, folder: Path) -> tuple[type[PinciteError], str]:
    """Return an error's type and message, with paths relative to the deploy instead of this machine's folder."""
    if isinstance(error, PinciteError):
        return type(error), str(error).replace(f"{folder}/", "")
    name = type(error).__name__
    return (
        IndexCorruptError,
        f"The index cannot be served: a test of it ended with {name}. Copy it again or rebuild it.",
    )
