"""Match the pages of an earlier build to the pages of this build."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pincite_core.types import Redirect
from pincite_core.urls import lookup_key, split_fragment
from pincite_indexer.moves.build_places import BuildPlace, PlaceKey, ScopeKey, overlap, shingles

__all__ = ("page_moves",)

_SAME_PAGE = 0.5  # similarity above which two pages are the same, as half of a page may be rewritten in a move
_COMMON = 20  # a shingle on more pages says little about the original page
_COMPARED = 5  # candidates with the most rare shingles in common, which are compared completely
_LONGEST_CHAIN = 8  # redirects in a chain; the limit also ends cycles


def page_moves(
    old: Sequence[BuildPlace], new: Sequence[BuildPlace], redirects: Iterable[Redirect]
) -> dict[PlaceKey, BuildPlace]:
    """Return the new place of each page in `old`, by the page's key, without pages that are gone.

    The order of the rules is: the same ID, a redirect (perhaps to a section), the same text under a new ID, the same
    URL. The first two express the author's decision. A page keeps its language, and its version if possible.
    """
    finder = _Finder(old, new, redirects)
    found = {}
    for page in (place for place in old if not place.anchor):
        goal = finder.by_id(page) or finder.by_redirect(page) or finder.by_text(page) or finder.by_url(page)
        if goal:
            found[page.key] = goal
    return found


class _Finder:
    def __init__(self, old: Sequence[BuildPlace], new: Sequence[BuildPlace], redirects: Iterable[Redirect]) -> None:
        self.pages = [place for place in new if not place.anchor]
        self.ids: dict[tuple[str, str], list[BuildPlace]] = defaultdict(list)
        for page in self.pages:
            self.ids[page.scope[0], page.stable_id].append(page)
        self.places = {(lookup_key(place.page_url), place.anchor): place for place in new}
        self.goals = {lookup_key(redirect.url): redirect.to_url for redirect in redirects}
        known = {place.key for place in old}
        self.fresh = [page for page in self.pages if page.key not in known]
        self.runs: dict[ScopeKey, dict[tuple[str, ...], list[BuildPlace]]] | None = None

    def by_id(self, page: BuildPlace) -> BuildPlace | None:
        candidates = self.ids.get((page.scope[0], page.stable_id), [])
        return max(candidates, key=lambda other: _nearness(page, other), default=None)

    def by_redirect(self, page: BuildPlace) -> BuildPlace | None:
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

    def by_text(self, page: BuildPlace) -> BuildPlace | None:
        """Return the new page with the most common text, from the page's scope or else from its language."""
        others = [scope for scope in self._runs() if scope[0] == page.scope[0]]
        for scope in sorted(others, key=lambda scope: (scope != page.scope, scope[2] != page.scope[2], str(scope))):
            if found := self._most_alike(page, self._runs()[scope]):
                return found
        return None

    def by_url(self, page: BuildPlace) -> BuildPlace | None:
        return self.places.get((lookup_key(page.page_url), ""))

    def _most_alike(self, page: BuildPlace, runs: dict[tuple[str, ...], list[BuildPlace]]) -> BuildPlace | None:
        shared = Counter(
            other for run in shingles(page.words) if len(runs.get(run, ())) <= _COMMON for other in runs.get(run, ())
        )
        nearest = sorted(shared, key=lambda other: (-shared[other], other.order))[:_COMPARED]
        alike = [(overlap(page, other), -other.order, other) for other in nearest]
        return max(alike)[2] if alike and max(alike)[0] >= _SAME_PAGE else None

    def _runs(self) -> dict[ScopeKey, dict[tuple[str, ...], list[BuildPlace]]]:
        """Return, for each scope, the new pages with each shingle."""
        if self.runs is None:
            self.runs = defaultdict(lambda: defaultdict(list))
            for page in self.fresh:
                for run in shingles(page.words):
                    self.runs[page.scope][run].append(page)
        return self.runs


def _nearness(page: BuildPlace, other: BuildPlace) -> tuple[bool, bool, bool, int]:
    """Return a sort key that is greatest for the page with the most similar version and plugin."""
    same = page.scope[2] == other.scope[2], page.scope[1] == other.scope[1]
    return (*same, other.leading, -other.order)
