"""An index that is named by its URL, as a file of this machine."""

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
    """Yield where the index at `place` is on this machine: a copy in the cache folder when `place` is a URL.

    What has not changed since the last time is not fetched again. When the site is down, the last copy does.

    Raises:
        IndexFileError: The index cannot be had, and there is no copy.
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
    """Return the newest build: the one that is stored when it is that."""
    from pincite_core.deployed.web import WebOrigin  # an HTTP client is needed only here

    origin = WebOrigin(place)
    deploy = origin.look()
    if stored is not None and stored.deploy.identity == deploy.identity:
        stored.verify()
        return stored
    with library.unfinished() as folder:
        fetch_deploy(origin, deploy, folder, library.find)
        return library.keep(folder, deploy)
