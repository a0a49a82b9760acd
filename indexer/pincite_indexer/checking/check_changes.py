"""What changed since an earlier index, in the terms of stable IDs."""

from collections.abc import Sequence

from pincite_core.index.read import Index
from pincite_core.types import Redirect
from pincite_core.urls import join_fragment
from pincite_indexer.checking.findings import Changes, Moved
from pincite_indexer.moves.moved_ids import IdChanges, compare_ids
from pincite_indexer.moves.places import Place, PlaceKey, places_of, rows_of
from pincite_indexer.rows.assemble import Rows

__all__ = ("changes_since",)


def changes_since(previous: Index, rows: Rows, redirects: Sequence[Redirect]) -> Changes:
    """Compare an earlier index with a build's rows."""
    old, new = places_of(rows_of(previous)), places_of(rows)
    ids = compare_ids(previous, old, new, redirects)
    before = {place.key: place for place in old}
    moved = set(ids.moved)
    successors = {alias.successor for alias in ids.aliases if alias.stable_id in moved}
    known = {place.stable_id for place in old}
    return Changes(
        sorted({place.stable_id for place in new} - known - successors),
        _changed(new, before),
        _moved(new, before, ids),
        ids.lost,
    )


def _changed(new: Sequence[Place], before: dict[PlaceKey, Place]) -> list[str]:
    """Return the IDs whose words changed; a page's own only when no section of it says so already."""
    changed = [place for place in new if place.key in before and before[place.key].words != place.words]
    pages = {place.page_key for place in changed if place.anchor}
    return sorted({place.stable_id for place in changed if place.anchor or place.key not in pages})


def _moved(new: Sequence[Place], before: dict[PlaceKey, Place], ids: IdChanges) -> list[Moved]:
    """Return the IDs that lead to another URL, and those that go on under another ID."""
    urls: dict[str, str] = {}
    for place in sorted(new, key=lambda place: not place.leading):
        urls.setdefault(place.stable_id, _url(place))
    renamed = set(ids.moved)
    moved = [
        Moved(place.stable_id, place.stable_id, _url(place))
        for place in new
        if place.key in before and _url(before[place.key]) != _url(place)
    ]
    moved += [
        Moved(alias.stable_id, alias.successor, urls[alias.successor])
        for alias in ids.aliases
        if alias.successor and alias.stable_id in renamed
    ]
    return sorted(moved, key=lambda item: (item.stable_id, item.url))


def _url(place: Place) -> str:
    return join_fragment(place.page_url, place.anchor)
