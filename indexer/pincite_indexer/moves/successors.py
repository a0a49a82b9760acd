"""Match the pages of an earlier build to this build, and find the successors of vanished IDs.

An ID's successor has the same text, or else the same anchor on the moved page, or else a similar text.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pincite_core.types import Redirect
from pincite_core.urls import lookup_key, split_fragment
from pincite_indexer.moves.build_places import BuildPlace, PlaceKey, ScopeKey, overlap, shingles

__all__ = ("find_successors",)

_COMMON = 20  # a shingle, text or title with more places does not identify one of them
_SAME_PAGE = 0.5  # similarity above which two pages are the same, as half of a page may be rewritten in a move
_COMPARED = 5  # candidates with the most rare shingles in common, which are compared completely
_LONGEST_CHAIN = 8  # redirects in a chain; the limit also ends cycles
_LONG_ENOUGH = 8  # minimum words that identify a text; "See the guide." stands under many headings
_ALIKE = 0.5  # required similarity of two sections that share their page or their title ...
_ALIKE_IN_PLACE = 0.3  # ... and of two sections that share both


def find_successors(
    old: Sequence[BuildPlace],
    new: Sequence[BuildPlace],
    vanished: Sequence[BuildPlace],
    redirects: Iterable[Redirect],
) -> dict[PlaceKey, BuildPlace]:
    """Return the successors of vanished places by their keys; certain matches precede likely ones."""
    sections = _SectionMatcher(old, new, _PageMatcher(old, new, redirects).matches(old))
    found: dict[PlaceKey, BuildPlace] = {}
    for find in (sections.moved_page, sections.same_text, sections.same_anchor, sections.similar_text):
        for place in vanished:
            if place.key not in found and (successor := find(place)):
                found[place.key] = successor
                sections.taken.add(successor.key)
    return found


class _PageMatcher:
    """Finder of the new place of a page.

    The order of the rules is: the same ID, a redirect (perhaps to a section), the same text under a new ID, the same
    URL. The first two express the author's decision. A page keeps its language, and its version if possible.
    """

    def __init__(self, old: Iterable[BuildPlace], new: Sequence[BuildPlace], redirects: Iterable[Redirect]) -> None:
        pages = [place for place in new if not place.anchor]
        self._by_id: dict[tuple[str, str], list[BuildPlace]] = defaultdict(list)
        for page in pages:
            self._by_id[page.scope[0], page.stable_id].append(page)
        self._by_url = {(lookup_key(place.page_url), place.anchor): place for place in new}
        self._targets = {lookup_key(redirect.url): redirect.to_url for redirect in redirects}
        known = {place.key for place in old}
        self._fresh = [page for page in pages if page.key not in known]
        self._shingles: dict[ScopeKey, dict[tuple[str, ...], list[BuildPlace]]] | None = None

    def matches(self, places: Iterable[BuildPlace]) -> dict[PlaceKey, BuildPlace]:
        """Return the new place of each page among `places`, by the page's key, without pages that are gone."""
        found = {}
        for page in (place for place in places if not place.anchor):
            match = (
                self._same_id(page)
                or self._redirected(page)
                or self._same_text(page)
                or self._by_url.get((lookup_key(page.page_url), ""))
            )
            if match:
                found[page.key] = match
        return found

    def _same_id(self, page: BuildPlace) -> BuildPlace | None:
        """Return the page with the same ID and the most similar version and plugin."""

        def likeness(other: BuildPlace) -> tuple[bool, bool, bool, int]:
            same = page.scope[2] == other.scope[2], page.scope[1] == other.scope[1]
            return (*same, other.leading, -other.order)

        return max(self._by_id.get((page.scope[0], page.stable_id), []), key=likeness, default=None)

    def _redirected(self, page: BuildPlace) -> BuildPlace | None:
        url = page.page_url
        for _ in range(_LONGEST_CHAIN):
            url = self._targets.get(lookup_key(url), url)
        if url == page.page_url:  # no redirect
            return None
        key = lookup_key(url)
        return self._by_url.get((key, split_fragment(url)[1])) or self._by_url.get((key, ""))

    def _same_text(self, page: BuildPlace) -> BuildPlace | None:
        """Return the new page with the most common text, from the page's scope or else from its language."""
        if self._shingles is None:  # new pages by shingle in each scope
            self._shingles = defaultdict(lambda: defaultdict(list))
            for other in self._fresh:
                for shingle in shingles(other.words):
                    self._shingles[other.scope][shingle].append(other)
        scopes = [scope for scope in self._shingles if scope[0] == page.scope[0]]
        for scope in sorted(scopes, key=lambda scope: (scope != page.scope, scope[2] != page.scope[2], str(scope))):
            pages_with = self._shingles[scope]
            rare = (found for shingle in shingles(page.words) if len(found := pages_with.get(shingle, [])) <= _COMMON)
            shared = Counter(other for found in rare for other in found)
            nearest = sorted(shared, key=lambda other: (-shared[other], other.order))[:_COMPARED]
            best = max(nearest, key=lambda other: (overlap(page, other), -other.order), default=None)
            if best and overlap(page, best) >= _SAME_PAGE:
                return best
        return None


class _SectionMatcher:
    """Finder of successors in a build; `moves` maps each earlier page to its new place."""

    def __init__(
        self, old: Sequence[BuildPlace], new: Sequence[BuildPlace], moves: Mapping[PlaceKey, BuildPlace]
    ) -> None:
        self.taken: set[PlaceKey] = set()
        self._moves = moves
        self._known = {place.key for place in old}
        self._by_words: dict[object, list[BuildPlace]] = defaultdict(list)
        self._by_title: dict[object, list[BuildPlace]] = defaultdict(list)
        self._by_page: dict[PlaceKey, list[BuildPlace]] = defaultdict(list)
        for place in new:
            for near in (place.scope, place.scope[0]):
                self._by_words[near, place.words].append(place)
                self._by_title[near, place.title.casefold()].append(place)
            self._by_page[place.page_key].append(place)

    def moved_page(self, place: BuildPlace) -> BuildPlace | None:
        match = self._moves.get(place.page_key)
        return match if match and not place.anchor and match.stable_id != place.stable_id else None

    def same_text(self, place: BuildPlace) -> BuildPlace | None:
        """Return the place with the same words, on the moved page, or else in the scope, or else in the language."""
        if not place.words:
            return None
        on_page = [other for other in self._on_moved_page(place) if other.words == place.words]
        for places in (on_page, *self._elsewhere(self._by_words, place, place.words)):
            same = [other for other in places if other.stable_id != place.stable_id and self._identifies(place, other)]
            if same:
                return max(same, key=lambda other: self._rank(place, other))
        return None

    def same_anchor(self, place: BuildPlace) -> BuildPlace | None:
        on_page = self._on_moved_page(place) if place.anchor else []
        return next((other for other in on_page if other.anchor == place.anchor), None)

    def similar_text(self, place: BuildPlace) -> BuildPlace | None:
        """Return the most similar new section on the moved page or with the same title.

        A section that is already another ID's successor does not count.
        """
        if not place.anchor:
            return None
        alike = []
        titled = self._elsewhere(self._by_title, place, place.title.casefold())
        for other in (other for places in (self._on_moved_page(place), *titled) for other in places):
            if other.anchor and other.key not in self._known and other.key not in self.taken:
                both = self._share_page(place, other) and _same_title(place, other)
                likeness = overlap(place, other)
                if likeness >= (_ALIKE_IN_PLACE if both else _ALIKE):
                    alike.append((likeness, self._rank(place, other), other))
        return max(alike, key=lambda item: item[:2])[2] if alike else None

    def _on_moved_page(self, place: BuildPlace) -> list[BuildPlace]:
        match = self._moves.get(place.page_key)
        return self._by_page[match.page_key] if match else []

    def _elsewhere(
        self, groups: Mapping[object, list[BuildPlace]], place: BuildPlace, group: object
    ) -> list[list[BuildPlace]]:
        """Return a group's places in the scope and in the language, without groups that are too large."""
        found = (groups.get((near, group), []) for near in (place.scope, place.scope[0]))
        return [places for places in found if len(places) <= _COMMON]

    def _identifies(self, place: BuildPlace, other: BuildPlace) -> bool:
        """Return whether equal words identify the place: they are long enough, or the title or page agrees."""
        if len(place.words) >= _LONG_ENOUGH or _same_title(place, other):
            return True
        return self._share_page(place, other) and other.key not in self._known

    def _share_page(self, place: BuildPlace, other: BuildPlace) -> bool:
        match = self._moves.get(place.page_key)
        return match is not None and match.page_key == other.page_key

    def _rank(self, place: BuildPlace, other: BuildPlace) -> tuple[bool | int, ...]:
        """Return a sort key that is greatest for the best of several equal matches."""
        return (
            bool(place.anchor) == bool(other.anchor),
            self._share_page(place, other),
            place.anchor == other.anchor,
            _same_title(place, other),
            place.scope == other.scope,
            other.key not in self._known,
            other.key not in self.taken,
            other.leading,
            -other.order,
        )


def _same_title(place: BuildPlace, other: BuildPlace) -> bool:
    return place.title.casefold() == other.title.casefold()
