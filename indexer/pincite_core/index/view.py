"""What of an index may be seen: every read passes through one immutable view.

A page that was loaded before a deploy is answered from the build that made it, but the reader's next click goes to the
site as it is now. So of an earlier build

- a *hidden* page, which the site no longer has, shows nothing: no row of it or of what stands on it, no link from or
  to it, and its words are not counted;
- a *gone* target, whose page is still there, is never shown. Who asks for it by its row id gets its stand-in, the
  innermost target around it that is still there; its chunks, sentences, links and children belong to the stand-in.
  Its text may be quoted, as what the build said, and leads to the stand-in.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from msgspec.structs import replace

from pincite_core.index.rows import Place
from pincite_core.types import Chunk, Link, Sentence, Target

__all__ = ("View",)

_NONE: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class View:
    """Which rows are seen, and as what. The default sees everything.

    Attributes:
        hidden_pages: Row ids of pages that show nothing.
        hidden_targets: Row ids of the targets on them.
        stand_ins: The target that stands for a gone one, by the gone one's row id.
    """

    hidden_pages: frozenset[int] = frozenset()
    hidden_targets: frozenset[int] = frozenset()
    stand_ins: Mapping[int, int] = field(default_factory=lambda: _NONE)

    @classmethod
    def without(cls, places: Iterable[Place], hidden_pages: Collection[int], gone_targets: Collection[int]) -> Self:
        """Return the view of an index without some pages and some targets; a page that is seen is never gone itself.

        Args:
            places: All targets of the index.
            hidden_pages: Row ids of pages.
            gone_targets: Row ids of targets on other pages.
        """
        by_id = {place.target_id: place for place in places}
        hidden = frozenset(place.target_id for place in by_id.values() if place.page_id in hidden_pages)
        gone = {target_id for target_id in gone_targets if by_id[target_id].parent_id is not None} - hidden
        stand_ins = {target_id: _enclosing(by_id[target_id], by_id, gone) for target_id in gone}
        return cls(frozenset(hidden_pages), hidden, MappingProxyType(stand_ins))

    @property
    def is_whole(self) -> bool:
        """Whether everything is seen."""
        return not self.hidden_pages and not self.stand_ins

    def seen_as(self, target_id: int) -> int | None:
        """Return the row id of what a target is seen as: itself or its stand-in; None on a hidden page."""
        return None if target_id in self.hidden_targets else self.stand_ins.get(target_id, target_id)

    def behind(self, target_ids: Iterable[int]) -> list[int]:
        """Return the row ids of the targets whose rows belong to some targets: themselves and what they stand for."""
        wanted = {seen for target_id in target_ids if (seen := self.seen_as(target_id)) is not None}
        if not self.stand_ins:
            return sorted(wanted)
        return sorted(wanted | {gone for gone, stand_in in self.stand_ins.items() if stand_in in wanted})

    def targets(self, rows: Iterable[Target]) -> list[Target]:
        """Return those targets that are there, each in what encloses it and is there."""
        if self.is_whole:
            return list(rows)
        return [self._placed(row) for row in rows if self.seen_as(row.target_id) == row.target_id]

    def chunks(self, rows: Iterable[Chunk]) -> list[Chunk]:
        """Return the chunks of pages that are there, each as a part of a section that is."""
        if self.is_whole:
            return list(rows)
        seen = ((row, self.seen_as(row.target_id)) for row in rows if row.page_id not in self.hidden_pages)
        return [replace(row, target_id=target_id) for row, target_id in seen if target_id is not None]

    def sentences(self, rows: Iterable[Sentence]) -> list[Sentence]:
        """Return the sentences of pages that are there, each in a target that is."""
        if self.is_whole:
            return list(rows)
        seen = ((row, self.seen_as(row.target_id)) for row in rows)
        return [replace(row, target_id=target_id) for row, target_id in seen if target_id is not None]

    def links(self, rows: Iterable[Link]) -> list[Link]:
        """Return the links between targets that are there; one to a gone target leads to its stand-in."""
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
    """Return the innermost enclosing target that is still there; the page itself always is."""
    while place.target_id in gone and place.parent_id is not None and place.parent_id < place.target_id:
        place = places[place.parent_id]
    return place.target_id
