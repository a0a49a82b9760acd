"""Filter the rows of an index through an immutable view, which hides pages and targets that the site no longer has.

A page that was loaded before a deploy still gets answers from its own build. But a click on a citation opens the
current site. A view therefore hides two kinds of rows of the earlier build:

- A *hidden* page no longer exists on the site. The view removes all its rows and all links from and to it, and its
  words are not counted.
- A *gone* target no longer exists, but its page does. A lookup by its row id returns its *stand-in*: the innermost
  enclosing target that still exists. The chunks, units, links and children of the gone target belong to the
  stand-in. Its text can still be quoted, with a citation that leads to the stand-in.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from msgspec.structs import replace

from pincite_core.index.rows import Place
from pincite_core.types import Chunk, Link, Target, TextLink, Unit

__all__ = ("View",)

_NONE: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class View:
    """Immutable set of hidden pages and gone targets. The default hides nothing.

    Attributes:
        hidden_pages: Row ids of hidden pages.
        hidden_targets: Row ids of the targets on hidden pages.
        stand_ins: The row id of the stand-in, by the row id of the gone target.
    """

    hidden_pages: frozenset[int] = frozenset()
    hidden_targets: frozenset[int] = frozenset()
    stand_ins: Mapping[int, int] = field(default_factory=lambda: _NONE)

    @classmethod
    def without(cls, places: Iterable[Place], hidden_pages: Collection[int], gone_targets: Collection[int]) -> Self:
        """Return a view that hides some pages and replaces some targets by their stand-ins.

        Args:
            places: The positions of all targets of the index.
            hidden_pages: Row ids of the pages to hide.
            gone_targets: Row ids of the targets to replace. A page's own target is ignored: the page still exists.
        """
        by_id = {place.target_id: place for place in places}
        hidden = frozenset(place.target_id for place in by_id.values() if place.page_id in hidden_pages)
        gone = {target_id for target_id in gone_targets if by_id[target_id].parent_id is not None} - hidden
        stand_ins = {target_id: _enclosing(by_id[target_id], by_id, gone) for target_id in gone}
        return cls(frozenset(hidden_pages), hidden, MappingProxyType(stand_ins))

    @property
    def is_whole(self) -> bool:
        """Whether the view hides nothing."""
        return not self.hidden_pages and not self.stand_ins

    def seen_as(self, target_id: int) -> int | None:
        """Return the row id of a target or of its stand-in, or None if the target is on a hidden page."""
        return None if target_id in self.hidden_targets else self.stand_ins.get(target_id, target_id)

    def behind(self, target_ids: Iterable[int]) -> list[int]:
        """Return the row ids of the given targets and of all gone targets that they stand in for, sorted."""
        wanted = {seen for target_id in target_ids if (seen := self.seen_as(target_id)) is not None}
        if not self.stand_ins:
            return sorted(wanted)
        return sorted(wanted | {gone for gone, stand_in in self.stand_ins.items() if stand_in in wanted})

    def targets(self, rows: Iterable[Target]) -> list[Target]:
        """Return the visible targets. A parent that is gone is replaced by its stand-in."""
        if self.is_whole:
            return list(rows)
        return [self._placed(row) for row in rows if self.seen_as(row.target_id) == row.target_id]

    def chunks(self, rows: Iterable[Chunk]) -> list[Chunk]:
        """Return the chunks of visible pages. A section that is gone is replaced by its stand-in."""
        if self.is_whole:
            return list(rows)
        seen = ((row, self.seen_as(row.target_id)) for row in rows if row.page_id not in self.hidden_pages)
        return [replace(row, target_id=target_id) for row, target_id in seen if target_id is not None]

    def units(self, rows: Iterable[Unit]) -> list[Unit]:
        """Return the units of visible pages. A target that is gone is replaced by its stand-in, also in links."""
        if self.is_whole:
            return list(rows)
        seen = ((row, self.seen_as(row.target_id)) for row in rows)
        return [
            replace(row, target_id=target_id, links=tuple(self._text_links(row.links)))
            for row, target_id in seen
            if target_id is not None
        ]

    def _text_links(self, links: Iterable[TextLink]) -> Iterator[TextLink]:
        for link in links:
            to = self.seen_as(link.to) if isinstance(link.to, int) else link.to
            if to is not None:
                yield link._replace(to=to)

    def links(self, rows: Iterable[Link]) -> list[Link]:
        """Return the links between visible pages. A target that is gone is replaced by its stand-in."""
        if self.is_whole:
            return list(rows)
        seen = ((row, self.seen_as(row.from_target_id), self.seen_as(row.to_target_id)) for row in rows)
        return [
            Link(source, to, row.text, row.to_anchor_found and to == row.to_target_id)
            for row, source, to in seen
            if source is not None and to is not None
        ]

    def _placed(self, row: Target) -> Target:
        parent = row.parent_id
        return row if parent is None else replace(row, parent_id=self.seen_as(parent))


def _enclosing(place: Place, places: Mapping[int, Place], gone: Collection[int]) -> int:
    """Return the row id of the innermost enclosing target that still exists. The page target always exists."""
    while place.target_id in gone and place.parent_id is not None and place.parent_id < place.target_id:
        place = places[place.parent_id]
    return place.target_id
