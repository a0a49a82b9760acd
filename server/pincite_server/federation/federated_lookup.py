"""Search and stable ID lookup in a group of sites. Each site is looked up as a separate task on the worker."""

import logging
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pincite_core.errors import IndexUnavailableError, PinciteError, WorkLimitError
from pincite_server.answering.generation import Offload
from pincite_server.answering.named_sections import Resolution, resolve_id
from pincite_server.answering.pipeline import search_with_evidence
from pincite_server.answering.resolving import resolve_all
from pincite_server.federation.federated_site import FederatedSite, share_encodings, sites_of_id
from pincite_server.federation.result_merging import SiteHits, merge_hits
from pincite_server.reply.records import ResolvedId, SearchHit

__all__ = ("federated_search", "find_by_id", "resolve_federated")

logger = logging.getLogger("pincite")


async def federated_search(
    sites: Iterable[FederatedSite], k: int, version: str | None, locale: str | None, offload: Offload
) -> tuple[str, tuple[SearchHit, ...]]:
    """Return the ID of the index with the most evidence, and the `k` best places of several sites.

    The questions of the sites contain the query. `offload` runs the search of one site.

    Raises:
        IndexUnavailableError: No site can be searched.
        WorkLimitError: The searches exceed the processor time of one request.
    """
    found: list[SiteHits] = []
    for site in share_encodings(sites):
        asked = (site.question.query, k, version, locale)
        try:
            hits, evidence = await offload(search_with_evidence, site.answerer, *asked)
        except WorkLimitError:
            raise
        except PinciteError as error:
            logger.warning("The site %s is left out of a search across sites. %s", site.name, error)
        else:
            found.append((site, hits, evidence))
    if not found:
        message = "None of the sites can be searched now. Please try again in a minute."
        raise IndexUnavailableError(message)
    best, _, _ = max(found, key=lambda one: one[2])
    return best.answerer.index.info.index_id, merge_hits(found, k)


async def find_by_id(
    sites: Sequence[FederatedSite], wanted: str, version: str | None, locale: str | None, offload: Offload
) -> tuple[FederatedSite, str, Resolution]:
    """Return the site that owns a stable ID, the ID as that site writes it, and its target.

    The owner is the first site in which the ID has a target. If there is none, the owner is the first site that ever
    had the ID, else the first site.
    """
    found: list[tuple[FederatedSite, str, Resolution]] = []
    for site, own in sites_of_id(sites, wanted):
        resolution = await offload(resolve_id, site.answerer.index, own, version, locale)
        found.append((site, own, resolution))
        if resolution.target is not None:
            return found[-1]
    return next((one for one in found if one[2].known), found[0])


async def resolve_federated(
    sites: Sequence[FederatedSite], ids: Iterable[str], version: str | None, locale: str | None, offload: Offload
) -> dict[str, ResolvedId]:
    """Return the current target of each stable ID; IDs of members without an open index are missing."""
    own_ids: dict[str, dict[str, str]] = {site.name: {} for site in sites}  # requested IDs, by site and its own ID
    for stable_id in dict.fromkeys(ids):
        for site, own in sites_of_id(sites, stable_id):
            own_ids[site.name][own] = stable_id
    resolved: dict[str, ResolvedId] = {}
    for site in sites:
        requested = own_ids[site.name]
        for own, found in (await offload(resolve_all, site.answerer, requested, version, locale)).items():
            before = resolved.get(requested[own])
            if before is None or (before.status == "lost" and found.status != "lost"):
                url, nearest = found.url and site.address(found.url), found.nearest and site.labelled(found.nearest)
                resolved[requested[own]] = replace(found, url=url, nearest=nearest)
    return resolved
