"""Finds the index of each site that `pincite serve` serves, and opens it at the start."""

import logging
import weakref
from collections.abc import Mapping
from pathlib import Path

from pincite_core.embedders import Embedder
from pincite_core.errors import InputError, PinciteError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_server.federation.choose_site import parse_groups, parse_rate_limits, parse_sites
from pincite_server.indexes.database_source import DatabaseSource
from pincite_server.indexes.opened import source_of
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy
from pincite_server.settings import Settings

__all__ = ("Source", "index_places", "opened", "sources")

Source = IndexSource | DatabaseSource

logger = logging.getLogger("pincite")


def index_places(settings: Settings) -> Mapping[str, Path | str]:
    """Return the place of each site's index by the site's name; without `--portal` the name is "".

    Raises:
        InputError: Nothing to serve is named, or a site, group or rate limit is invalid.
    """
    if not settings.portal:
        return {"": _index_place(settings)}
    places = parse_sites(settings.portal)
    groups = parse_groups(settings.across, places)  # checked here so that errors come before an index is loaded
    parse_rate_limits(settings.site_rate_limits, (*places, *groups))
    return places


def sources(settings: Settings, places: Mapping[str, Path | str]) -> dict[str, Source]:
    """Return the index source of each site; sites with the same encoder share it.

    Raises:
        InputError: A place is a URL that cannot be used.
    """
    policy, loaded = Policy.from_environment(), weakref.WeakValueDictionary[str, Embedder]()
    return {
        name: source_of(place, policy, settings.cache_dir, settings.redirect_hosts, loaded)
        for name, place in places.items()
    }


def opened(source: Source, *, alone: bool) -> IndexSet | None:
    """Return the indexes at the start; None if they must be waited for.

    With several sites, a broken index is logged and waited for.

    Raises:
        PinciteError: The only site's index cannot be served.
    """
    try:
        return source.open_stored() if source.is_remote else source.open()
    except PinciteError as error:
        if alone:
            raise
        logger.warning("%s", error)
        return None


def _index_place(settings: Settings) -> Path | str:
    if settings.site is not None and not settings.site.is_dir():
        message = f"{settings.site} is no folder. Name the folder that the site's build wrote with --site."
        raise InputError(message)
    if settings.index is not None:
        return settings.index
    if settings.site is None:
        message = "Nothing to serve. Name an index, or a built site that holds one with --site DIR."
        raise InputError(message)
    return settings.site / INDEX_FOLDER
