"""Where indexes come from: what is deployed now, and the copies of the last builds that are served from."""

import logging
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pincite_core.deployed.build_cache import BuildCache, StoredBuild
from pincite_core.deployed.fetch import fetch_deploy
from pincite_core.deployed.local import LocalOrigin
from pincite_core.deployed.origin import Deploy, Origin, is_url, shown
from pincite_core.errors import IndexCorruptError, IndexFetchError, PinciteError
from pincite_core.index.database import locate_database
from pincite_core.user_cache import cache_folder
from pincite_server.indexes.earlier import narrowed
from pincite_server.indexes.opening import BuildOpener
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.indexes.shared_models import LoadedModels
from pincite_server.policy import Policy

__all__ = ("IndexSource",)

logger = logging.getLogger("pincite")

_KEPT = 2  # the newest build and the one before


@dataclass(frozen=True, slots=True)
class _OpenBuild:
    stored: StoredBuild
    served: tuple[ServedIndex, ...]


@dataclass(frozen=True, slots=True)
class _Refused:
    """A deploy that cannot be served, and why; it is not tried again as long as it stays as it is."""

    stamp: Hashable
    kind: type[PinciteError]
    why: str

    @property
    def error(self) -> PinciteError:
        """A new error: one that is raised again and again would keep what each time was under way."""
        return self.kind(self.why)


class IndexSource:
    """The index of one site with its siblings, the other languages' indexes.

    What is served are copies in the cache folder: a build or a deploy may replace the original at any time.

    Args:
        place: A file, a folder that holds an index, or the URL of either or of the site.
        policy: What the operator decided about answers.
        cache: The folder for Pincite's caches; the user's when None.
        redirect_hosts: Where else the host of a URL may redirect to; what the environment says when None.
        loaded: The models of other sites, where several are served.

    Raises:
        InputError: `place` is a URL that cannot be read.
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
        self._library = BuildCache(cache or cache_folder(), key)
        self._opener = BuildOpener(policy, loaded=loaded)
        self._builds: list[_OpenBuild] = []  # newest first
        self._stamp: Hashable = None
        self._refused: _Refused | None = None

    def open(self) -> IndexSet:
        """Open what is deployed now; when that cannot be served, the newest copy in the cache.

        Raises:
            IndexFileError: There is no index that can be read, neither there nor in the cache.
            ModelError: The model cannot be loaded or is not the one that made an index.
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
            locate_database(Path(self.place))  # tells that there is none
            message = f"The index at {self.place} has just been removed. Wait for its build to end."
            raise IndexFetchError(message)
        return indexes

    def open_stored(self) -> IndexSet | None:
        """Open the builds in the cache; None when there is none that can be served."""
        self._library.tidy()
        for stored in self._library.builds():
            try:
                stored.verify()
                self._builds.append(_OpenBuild(stored, self._opener.open(stored)))
            except (PinciteError, OSError) as error:
                logger.info("A copy in the cache is removed. %s", error)
                self._library.discard(stored.folder)
        return self._current() if self._builds else None

    def refresh(self) -> IndexSet | None:
        """Return the indexes of a new deploy, None when there is nothing new (or nothing at all: a build is under way).

        Raises:
            IndexFetchError: It cannot be had now; trying again may help.
            PinciteError: It cannot be served; the same error comes until it changes.
        """
        self._library.restore()
        if not _are_there(self._builds[:1]):
            self._stamp = None  # what is served is no longer there for the next start
        self._library.tidy(self._opener.files_in_use())
        deploy = self._origin.look()
        if deploy is None or (self._builds and deploy.stamp == self._stamp):
            return None
        if self._refused and deploy.stamp == self._refused.stamp:
            raise self._refused.error
        is_new = not self._is_newest(deploy)
        if is_new:
            self._take(deploy)
        self._stamp, self._refused = deploy.stamp, None
        return self._current() if is_new else None

    def _is_newest(self, deploy: Deploy) -> bool:
        newest = self._builds[0].stored.deploy if self._builds else None
        is_same = newest is not None and deploy.is_identified and deploy.identity == newest.identity
        return is_same and _are_there(self._builds[:1])

    def _take(self, deploy: Deploy) -> None:
        """Copy a deploy, try it out, and make it the newest build."""
        with self._library.unfinished() as folder:
            try:
                fetch_deploy(self._origin, deploy, folder, self._library.find)
                self._opener.try_out(StoredBuild(folder, deploy))
            except IndexFetchError:
                raise
            except Exception as error:  # whatever is wrong with new files, the index that works goes on serving
                self._refused = _Refused(deploy.stamp, *_told(error, folder))
                self._forget_models()
                raise self._refused.error from error
            stored = self._library.keep(folder, deploy)
        self._replace(_OpenBuild(stored, self._opener.open(stored)))

    def _replace(self, newest: _OpenBuild) -> None:
        """Serve a build before those that are there, and close what is one too many, or lost its files."""
        before = [build for build in self._builds if _are_there([build])][: _KEPT - 1]
        replaced = [build for build in self._builds if build not in before]
        self._builds = [newest, *before]
        for build in replaced:
            self._opener.retire(build.served)

    def _forget_models(self) -> None:
        self._opener.forget_models(served for build in self._builds for served in build.served)

    def _current(self) -> IndexSet:
        newest, *before = self._builds
        earlier = narrowed(before[0].served, newest.served) if before else None
        self._opener.track(earlier.served if earlier else ())
        self._forget_models()
        return IndexSet(newest.served, earlier, self)


def _files(builds: Iterable[_OpenBuild]) -> list[Path]:
    return [file for build in builds for file in build.stored.databases()]


def _are_there(builds: Iterable[_OpenBuild]) -> bool:
    return all(file.is_file() for file in _files(builds))


def _origin(place: str, redirect_hosts: Collection[str] | None) -> Origin:
    if not is_url(place):
        return LocalOrigin(Path(place))
    from pincite_core.deployed.web import WebOrigin  # an HTTP client is needed only here

    return WebOrigin(place, redirect_hosts)


def _told(error: Exception, folder: Path) -> tuple[type[PinciteError], str]:
    """Return an error's kind and text with files named as they are below the site's host, not on this machine."""
    if isinstance(error, PinciteError):
        return type(error), str(error).replace(f"{folder}/", "")
    message = (
        f"The index cannot be served: trying it out ended with {type(error).__name__}. Copy it again or rebuild it."
    )
    return IndexCorruptError, message
