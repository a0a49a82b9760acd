"""What `pincite serve` serves: where the index of each site is, and what of it is there at the start."""

import logging
import weakref
from collections.abc import Mapping
from pathlib import Path

from pincite_core.embedders import Embedder
from pincite_core.errors import InputError, PinciteError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_server.federation.choose_site import parse_groups, parse_rate_limits, parse_sites
from pincite_server.indexes.asked import source_of
from pincite_server.indexes.database_source import DatabaseSource
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy
from pincite_server.settings import Settings

__all__ = ("Source", "index_places", "opened", "sources")

Source = IndexSource | DatabaseSource

logger = logging.getLogger("pincite")


def index_places(settings: Settings) -> Mapping[str, Path | str]:
    """Return where the index of each site is, by the site's name; of a single one that is "".

    Raises:
        InputError: Nothing is named that could be served, or sites are to be asked together that cannot be.
    """
    if not settings.portal:
        return {"": _index_place(settings)}
    places = parse_sites(settings.portal)
    groups = parse_groups(settings.across, places)  # so that an error comes before anything is loaded
    parse_rate_limits(settings.site_rate_limits, (*places, *groups))
    return places


def sources(settings: Settings, places: Mapping[str, Path | str]) -> dict[str, Source]:
    """Return where the indexes of each site come from; those of one encoder share it.

    Raises:
        InputError: A place is an address that cannot be read.
    """
    policy, loaded = Policy.from_environment(), weakref.WeakValueDictionary[str, Embedder]()
    return {
        name: source_of(place, policy, settings.cache_dir, settings.redirect_hosts, loaded)
        for name, place in places.items()
    }


def opened(source: Source, *, alone: bool) -> IndexSet | None:
    """Return what is served at the start; None where it is waited for, as among others each one is that is broken.

    Raises:
        PinciteError: It is alone, and cannot be served.
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
