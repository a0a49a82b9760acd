"""What several sites have to a query, in one list."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pincite_server.answering.across.asked_site import AskedSite
from pincite_server.reply.records import SearchHit

__all__ = ("SiteHits", "hit_of_site", "hits_of_all")

SiteHits = tuple[AskedSite, Sequence[SearchHit], float]
"""A site, its places best first, and how likely its docs hold an answer, 0 to 1."""


def hits_of_all(found: Iterable[SiteHits], k: int) -> tuple[SearchHit, ...]:
    """Return the `k` best places of several sites: its rank within its site, by the site's evidence."""
    weighed = [
        replace(hit_of_site(hit, site), score=round(hit.score * evidence, 4))
        for site, hits, evidence in found
        for hit in hits
    ]
    return tuple(sorted(weighed, key=lambda hit: -hit.score)[:k])


def hit_of_site(hit: SearchHit, site: AskedSite) -> SearchHit:
    """Return a result that says which site it is of, whichever page it is shown on."""
    return replace(
        hit,
        site=site.title,
        heading_path=(site.title, *hit.heading_path),
        url=site.address(hit.url),
        stable_id=site.stable_id(hit.stable_id),
    )
