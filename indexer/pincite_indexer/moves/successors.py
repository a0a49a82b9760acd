"""Find the successors of vanished IDs: first by the same text, then by the same anchor, then by similar text."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from pincite_indexer.moves.build_places import BuildPlace, PlaceKey, overlap

__all__ = ("Successors",)

_TELLING = 8  # minimum words that identify a text; "See the guide." stands under many headings
_COMMON = 20  # a text or title with more places does not identify one of them
_ALIKE = 0.5  # required similarity of two sections that share their page or their title ...
_ALIKE_IN_PLACE = 0.3  # ... and of two sections that share both


class Successors:
    """Finder of successors in a build; `moves` maps each earlier page to its new place."""

    def __init__(
        self, old: Sequence[BuildPlace], new: Sequence[BuildPlace], moves: Mapping[PlaceKey, BuildPlace]
    ) -> None:
        self._moves = moves
        self._known = {place.key for place in old}
        self._taken: set[PlaceKey] = set()
        self._by_words: dict[object, list[BuildPlace]] = defaultdict(list)
        self._by_title: dict[object, list[BuildPlace]] = defaultdict(list)
        self._by_page: dict[PlaceKey, list[BuildPlace]] = defaultdict(list)
        for place in new:
            for near in (place.scope, place.scope[0]):
                self._by_words[near, place.words].append(place)
                self._by_title[near, place.title.casefold()].append(place)
            self._by_page[place.page_key].append(place)

    def of(self, vanished: Sequence[BuildPlace]) -> dict[PlaceKey, BuildPlace]:
        """Return the successors by the keys of the vanished places; certain matches precede likely ones."""
        found: dict[PlaceKey, BuildPlace] = {}
        for find in (self._moved_page, self._same_text, self._same_anchor, self._like_text):
            for place in vanished:
                if place.key not in found and (successor := find(place)):
                    found[place.key] = successor
                    self._taken.add(successor.key)
        return found

    def _moved_page(self, place: BuildPlace) -> BuildPlace | None:
        goal = self._moves.get(place.page_key)
        return goal if goal and not place.anchor and goal.stable_id != place.stable_id else None

    def _same_text(self, place: BuildPlace) -> BuildPlace | None:
        """Return the place with the same words, on the moved page, or else in the scope, or else in the language."""
        if not place.words:
            return None
        on_page = [other for other in self._page_of(place) if other.words == place.words]
        for places in (on_page, *self._elsewhere(self._by_words, place, place.words)):
            same = [other for other in places if other.stable_id != place.stable_id and self._tells(place, other)]
            if same:
                return max(same, key=lambda other: self._rank(place, other))
        return None

    def _same_anchor(self, place: BuildPlace) -> BuildPlace | None:
        on_page = self._page_of(place) if place.anchor else []
        return next((other for other in on_page if other.anchor == place.anchor), None)

    def _like_text(self, place: BuildPlace) -> BuildPlace | None:
        """Return the most similar new section on the moved page or with the same title.

        A section that is already another ID's successor does not count.
        """
        if not place.anchor:
            return None
        scored = [
            (overlap(place, other), self._rank(place, other), other)
            for places in (self._page_of(place), *self._elsewhere(self._by_title, place, place.title.casefold()))
            for other in places
            if other.anchor and other.key not in self._known and other.key not in self._taken
        ]
        alike = [item for item in scored if item[0] >= self._least(place, item[2])]
        return max(alike, key=lambda item: item[:2])[2] if alike else None

    def _page_of(self, place: BuildPlace) -> list[BuildPlace]:
        """Return the places on the new page of a place's page."""
        goal = self._moves.get(place.page_key)
        return self._by_page[goal.page_key] if goal else []

    def _elsewhere(
        self, groups: Mapping[object, list[BuildPlace]], place: BuildPlace, what: object
    ) -> list[list[BuildPlace]]:
        """Return a group's places in the scope and in the language, without groups that are too large."""
        found = (groups.get((near, what), []) for near in (place.scope, place.scope[0]))
        return [places for places in found if len(places) <= _COMMON]

    def _tells(self, place: BuildPlace, other: BuildPlace) -> bool:
        """Return whether equal words identify the place: they are long enough, or the title or page agrees."""
        if len(place.words) >= _TELLING or _same_title(place, other):
            return True
        return self._share_page(place, other) and other.key not in self._known

    def _least(self, place: BuildPlace, other: BuildPlace) -> float:
        both = self._share_page(place, other) and _same_title(place, other)
        return _ALIKE_IN_PLACE if both else _ALIKE

    def _share_page(self, place: BuildPlace, other: BuildPlace) -> bool:
        goal = self._moves.get(place.page_key)
        return goal is not None and goal.page_key == other.page_key

    def _rank(self, place: BuildPlace, other: BuildPlace) -> tuple[bool | int, ...]:
        """Return a sort key that is greatest for the best of several equal matches."""
        return (
            bool(place.anchor) == bool(other.anchor),
            self._share_page(place, other),
            place.anchor == other.anchor,
            _same_title(place, other),
            place.scope == other.scope,
            other.key not in self._known,
            other.key not in self._taken,
            other.leading,
            -other.order,
        )


def _same_title(place: BuildPlace, other: BuildPlace) -> bool:
    return place.title.casefold() == other.title.casefold()
