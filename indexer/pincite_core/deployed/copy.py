"""Provide a local copy of an index that is given by its URL."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite_core.deployed.build_cache import BuildCache, StoredBuild
from pincite_core.deployed.fetch import fetch_deploy
from pincite_core.deployed.origin import is_url, shown
from pincite_core.errors import IndexFetchError
from pincite_core.user_cache import cache_folder

__all__ = ("local_copy",)

logger = logging.getLogger("pincite")


@contextmanager
def local_copy(place: str) -> Iterator[Path]:
    """Yield the local path of the index at `place`. If `place` is a URL, the path is a copy in the cache folder.

    Unchanged files are not downloaded again. If the site is down, the last copy is used.

    Raises:
        IndexFileError: The index cannot be downloaded, and the cache has no copy.
    """
    if not is_url(place):
        yield Path(place)
        return
    library = BuildCache(cache_folder(), shown(place))
    yield _newest(library, place).databases()[0]
    library.tidy()


def _newest(library: BuildCache, place: str) -> StoredBuild:
    stored = next(iter(library.builds()), None)
    try:
        return _fetched(library, place, stored)
    except IndexFetchError as error:
        if stored is None:
            raise
        logger.warning("%s The copy in the cache is used.", error)
        return stored


def _fetched(library: BuildCache, place: str, stored: StoredBuild | None) -> StoredBuild:
    """Return the newest build. It is downloaded only if the stored build is not the newest."""
    from pincite_core.deployed.web import WebOrigin  # imported here, since only this function needs an HTTP client

    origin = WebOrigin(place)
    deploy = origin.look()
    if stored is not None and stored.deploy.identity == deploy.identity:
        stored.verify()
        return stored
    with library.unfinished() as folder:
        fetch_deploy(origin, deploy, folder, library.find)
        return library.keep(folder, deploy)
