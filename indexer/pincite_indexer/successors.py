"""Where the text of a vanished ID lives on: the same text first, then the same anchor on its page, then like text."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from pincite_indexer.places import Place, PlaceKey, overlap

__all__ = ("Successors",)

_TELLING = 8  # words from which a text is found again by itself; "See the guide." stands under many headings
_ALIKE = 0.5  # share of common text that makes two sections one when they share their page or their title ...
_ALIKE_IN_PLACE = 0.3  # ... and when they share both


class Successors:
    """Finds successors among the places of a build; `moves` says what each earlier page has become."""

    def __init__(self, old: Sequence[Place], new: Sequence[Place], moves: Mapping[PlaceKey, Place]) -> None:
        self._moves = moves
        self._known = {place.key for place in old}
        self._taken: set[PlaceKey] = set()
        self._by_words: dict[tuple[str, tuple[str, ...]], list[Place]] = defaultdict(list)
        self._by_title: dict[tuple[str, str], list[Place]] = defaultdict(list)
        self._by_page: dict[PlaceKey, list[Place]] = defaultdict(list)
        for place in new:
            self._by_words[place.scope[0], place.words].append(place)
            self._by_title[_title(place)].append(place)
            self._by_page[place.page_key].append(place)

    def of(self, vanished: Sequence[Place]) -> dict[PlaceKey, Place]:
        """Return the successors found, by the vanished places' keys; sure ones are found for all before likely ones."""
        found: dict[PlaceKey, Place] = {}
        for find in (self._sure, self._likely):
            for place in vanished:
                if place.key not in found and (successor := find(place)):
                    found[place.key] = successor
                    self._taken.add(successor.key)
        return found

    def _sure(self, place: Place) -> Place | None:
        goal = self._moves.get(place.page_key)
        if not place.anchor and goal and goal.stable_id != place.stable_id:
            return goal
        same_text = [other for other in self._by_words[place.scope[0], place.words] if self._tells(place, other)]
        if same_text:
            return max(same_text, key=lambda other: self._rank(place, other))
        on_page = self._by_page[goal.page_key] if goal else []
        return next((other for other in on_page if place.anchor and other.anchor == place.anchor), None)

    def _likely(self, place: Place) -> Place | None:
        """Return the new place most like it, not taken by another, of those on its page or with its title."""
        goal = self._moves.get(place.page_key)
        near = [*(self._by_page[goal.page_key] if goal else []), *self._by_title[_title(place)]]
        scored = [
            (overlap(place, other), self._rank(place, other), other)
            for other in near
            if other.key not in self._known and other.key not in self._taken and other.anchor
        ]
        alike = [item for item in scored if item[0] >= self._least(place, item[2])]
        return max(alike, key=lambda item: item[:2])[2] if alike and place.anchor else None

    def _tells(self, place: Place, other: Place) -> bool:
        """Tell whether the same words mean the same place: there are enough of them, or the two share more."""
        if not place.words or other.stable_id == place.stable_id:
            return False
        return len(place.words) >= _TELLING or self._share_page(place, other) or _title(place) == _title(other)

    def _least(self, place: Place, other: Place) -> float:
        both = self._share_page(place, other) and _title(place) == _title(other)
        return _ALIKE_IN_PLACE if both else _ALIKE

    def _share_page(self, place: Place, other: Place) -> bool:
        goal = self._moves.get(place.page_key)
        return goal is not None and goal.page_key == other.page_key

    def _rank(self, place: Place, other: Place) -> tuple[bool | int, ...]:
        """Return a key that is greatest for the best of several places that fit alike."""
        return (
            bool(place.anchor) == bool(other.anchor),
            self._share_page(place, other),
            place.anchor == other.anchor,
            _title(place) == _title(other),
            place.scope == other.scope,
            other.key not in self._known,
            other.key not in self._taken,
            other.leading,
            -other.order,
        )


def _title(place: Place) -> tuple[str, str]:
    return place.scope[0], place.title.casefold()
