"""What is looked up at a group of sites: which of them has a stable ID, and where that leads."""

from msgspec.structs import replace

from pincite_server.answering.across.asked_site import AskedSite
from pincite_server.answering.across.searching import hit_of_site
from pincite_server.answering.named_sections import Resolution, resolve_id
from pincite_server.http import wire
from pincite_server.http.replying.looking_across import known_members, members_for_id
from pincite_server.http.routes.resolving import resolve_all
from pincite_server.http.sidecar import Sidecar

__all__ = ("find_member", "resolve_across")


async def find_member(
    sidecar: Sidecar, wanted: str, version: str | None, locale: str | None
) -> tuple[AskedSite, str, Resolution]:
    """Return the member that has a stable ID, the ID as it has it, and what became of it there.

    That is the first of which the ID still leads somewhere, else the first that ever had it, else the first at all.

    Raises:
        IndexAwaitedError: No member is there.
    """
    found: list[tuple[AskedSite, str, Resolution]] = []
    for site, own in members_for_id(known_members(sidecar, None, None, None), wanted):
        became = await sidecar.worker.run(resolve_id, site.answerer.index, own, version, locale)
        found.append((site, own, became))
        if became.target is not None:
            return found[-1]
    return next((one for one in found if one[2].known), found[0])


async def resolve_across(sidecar: Sidecar, home: str | None, data: wire.ResolveRequest) -> dict[str, wire.ResolvedId]:
    """Say of each ID where it leads now; those of members that are not there are left out.

    Raises:
        IndexAwaitedError: No member is there.
    """
    members = known_members(sidecar, home, None, None)
    asked: dict[str, dict[str, str]] = {}  # of each member the IDs as it has them, and as they were asked
    for stable_id in dict.fromkeys(data.ids):
        for site, own in members_for_id(members, stable_id):
            asked.setdefault(site.name, {})[own] = stable_id
    resolved: dict[str, wire.ResolvedId] = {}
    for site in members:
        own_ids = asked.get(site.name, {})
        told = await sidecar.worker.run(resolve_all, site.answerer, replace(data, ids=list(own_ids)))
        for own, became in told.items():
            before = resolved.get(own_ids[own])
            if before is None or (before.status == "lost" and became.status != "lost"):
                resolved[own_ids[own]] = _of_site(became, site)
    return resolved


def _of_site(became: wire.ResolvedId, site: AskedSite) -> wire.ResolvedId:
    nearest = became.nearest and hit_of_site(became.nearest, site)
    return replace(became, url=became.url and site.address(became.url), nearest=nearest)
