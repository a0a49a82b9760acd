"""Where an answer is expected, and whether a place that it cites is there."""

from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_core.urls import split_fragment
from pincite_server.answering.question import ChosenScope
from pincite_server.answering.resolve import resolve_id

__all__ = ("Expected", "find_expected", "stands_in")

_SECTIONS = frozenset({"page", "heading", "details"})  # kinds of target that a section begins at


@dataclass(frozen=True, slots=True)
class Expected:
    """Row ids of the right pages and sections.

    Where only whole pages were named, `sections` is empty: any place on them is right. Where sections were named too, a
    page stands for its own beginning. `unknown` are the places that the scope does not have.
    """

    pages: frozenset[int]
    sections: frozenset[int]
    unknown: tuple[str, ...]


def find_expected(index: Index, scope: ChosenScope, places: tuple[str, ...]) -> Expected:
    """Find stable IDs (moved ones too) and URLs among the pages of a scope."""
    found = {place: _find(index, scope, place) for place in places}
    targets = [target for target in found.values() if target]
    pages = frozenset(target.page_id for target in targets)
    sections = frozenset(target.target_id for target in targets) if any(target.anchor for target in targets) else ()
    return Expected(pages, frozenset(sections), tuple(place for place, target in found.items() if target is None))


def stands_in(index: Index, target: Target, sections: frozenset[int]) -> bool:
    """Whether a target is one of some sections or targets, or a row, item or term inside one."""
    inner: Target | None = target
    while inner is not None and inner.target_id not in sections:
        if inner.kind in _SECTIONS or inner.parent_id is None:
            return False
        inner = index.target(inner.parent_id)
    return True


def _find(index: Index, scope: ChosenScope, place: str) -> Target | None:
    if place.startswith("/") or "://" in place:
        target = index.target_at(place)
        if target is not None and target.anchor != split_fragment(place)[1]:
            return None
    else:
        target = resolve_id(index, place, scope.named.version, scope.locale).target
    return target if target is not None and index.page(target.page_id).scope_id in scope.scope_ids else None
