"""Which page of this build each page of an earlier one has become."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pincite_core.types import Redirect
from pincite_core.urls import lookup_key, split_fragment
from pincite_indexer.places import Place, PlaceKey, shingles

__all__ = ("page_moves",)

_SAME_PAGE = 0.5  # share of common text from which two pages are one: half of it may be rewritten in a move
_COMMON = 20  # a run of words that so many pages have says nothing about which page it came from
_LONGEST_CHAIN = 8  # redirects to redirects; also ends a circle


def page_moves(old: Sequence[Place], new: Sequence[Place], redirects: Iterable[Redirect]) -> dict[PlaceKey, Place]:
    """Return the place that each page of `old` has become, by the page's key; one that is gone is left out.

    The author's word comes first: the same ID, then a redirect (perhaps to a section); then the same text under a new
    ID, then the same URL. A page stays in its language, and in its version where it can.
    """
    finder = _Finder(old, new, redirects)
    found = {}
    for page in (place for place in old if not place.anchor):
        goal = finder.by_id(page) or finder.by_redirect(page) or finder.by_text(page) or finder.by_url(page)
        if goal:
            found[page.key] = goal
    return found


class _Finder:
    def __init__(self, old: Sequence[Place], new: Sequence[Place], redirects: Iterable[Redirect]) -> None:
        self.pages = [place for place in new if not place.anchor]
        self.ids: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for page in self.pages:
            self.ids[page.scope[0], page.stable_id].append(page)
        self.places = {(lookup_key(place.page_url), place.anchor): place for place in new}
        self.goals = {lookup_key(redirect.url): redirect.to_url for redirect in redirects}
        known = {place.key for place in old}
        self.fresh = [page for page in self.pages if page.key not in known]
        self.runs: dict[tuple[str, ...], list[int]] | None = None

    def by_id(self, page: Place) -> Place | None:
        candidates = self.ids.get((page.scope[0], page.stable_id), [])
        return max(candidates, key=lambda other: _nearness(page, other), default=None)

    def by_redirect(self, page: Place) -> Place | None:
        url = page.page_url
        for _ in range(_LONGEST_CHAIN):
            goal = self.goals.get(lookup_key(url))
            if goal is None:
                break
            url = goal
        if url == page.page_url:
            return None
        key = lookup_key(url)
        return self.places.get((key, split_fragment(url)[1])) or self.places.get((key, ""))

    def by_text(self, page: Place) -> Place | None:
        runs = shingles(page.words)
        shared = Counter(position for run in runs for position in self._pages_with(run))
        scored = []
        for position, common in shared.items():
            other = self.fresh[position]
            share = common / len(runs | shingles(other.words))
            if share >= _SAME_PAGE and other.scope[0] == page.scope[0]:
                scored.append((share, _nearness(page, other), other))
        return max(scored, key=lambda item: item[:2])[2] if scored else None

    def by_url(self, page: Place) -> Place | None:
        return self.places.get((lookup_key(page.page_url), ""))

    def _pages_with(self, run: tuple[str, ...]) -> list[int]:
        """Return the positions of the fresh pages with a run of words, unless it is a common one."""
        if self.runs is None:
            self.runs = defaultdict(list)
            for position, page in enumerate(self.fresh):
                for found in shingles(page.words):
                    self.runs[found].append(position)
        positions = self.runs.get(run, [])
        return positions if len(positions) <= _COMMON else []


def _nearness(page: Place, other: Place) -> tuple[bool, bool, bool, int]:
    """Return a key that is greatest for the page that is nearest in version and plugin."""
    same = page.scope[2] == other.scope[2], page.scope[1] == other.scope[1]
    return (*same, other.leading, -other.order)
