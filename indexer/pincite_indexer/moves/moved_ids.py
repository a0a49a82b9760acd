"""What became of an earlier build's stable IDs: still there, moved to another ID, or lost.

An ID that vanished goes on as an alias when its text lives on under another one. It may vanish from one version or
language alone: then it stays current elsewhere, and its alias serves those who ask for where it vanished.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from pincite_core.index.read import Index
from pincite_core.types import Alias, Redirect
from pincite_core.urls import lookup_key
from pincite_indexer.moves.build_places import BuildPlace, PlaceKey, ScopeKey, places_of, rows_of
from pincite_indexer.moves.page_moves import page_moves
from pincite_indexer.moves.successors import Successors
from pincite_indexer.rows.assemble import NONE_WITHHELD, Rows, Withheld

__all__ = ("IdChanges", "changed_ids", "compare_ids")


@dataclass(frozen=True, slots=True)
class IdChanges:
    """`aliases` are all that the new index keeps, by ID; `moved` and `lost` the IDs that this build moved or lost."""

    aliases: list[Alias]
    moved: list[str]
    lost: list[str]


def changed_ids(
    previous: Index, rows: Rows, redirects: Iterable[Redirect], withheld: Withheld = NONE_WITHHELD
) -> IdChanges:
    """Compare an earlier index with a build.

    Args:
        previous: The index of the last deploy.
        rows: The build's rows.
        redirects: The build's pages that only forward.
        withheld: The pages that the build keeps out: their IDs are carried on in no form, as headings can be read in
            them.
    """
    old, new = places_of(rows_of(previous, with_text=False)), places_of(replace(rows, chunks=[], sentences=[]))
    if _vanished(old, new):  # seldom: only then are texts looked at
        old, new = places_of(rows_of(previous)), places_of(rows)
    return compare_ids(previous, old, new, redirects, withheld)


def compare_ids(
    previous: Index,
    old: Sequence[BuildPlace],
    new: Sequence[BuildPlace],
    redirects: Iterable[Redirect],
    withheld: Withheld = NONE_WITHHELD,
) -> IdChanges:
    """Compare an earlier index, whose places are `old`, with a build, whose places are `new`."""
    current = {place.stable_id for place in new}
    hidden = {place.stable_id for place in old if lookup_key(place.page_url) in withheld.urls}
    old = [place for place in old if lookup_key(place.page_url) not in withheld.urls]
    hidden -= current | {place.stable_id for place in old}
    vanished = _vanished(old, new)
    found = Successors(old, new, page_moves(old, new, redirects)).of(vanished) if vanished else {}
    moved = _first_of_each(vanished, found, previous.info.default_locale)
    gone = {place.stable_id for place in vanished} - current
    successors = {
        alias.stable_id: alias.successor
        for alias in previous.aliases()
        if alias.successor not in hidden and (alias.stable_id.partition("#")[0] not in withheld.ids - current)
    }
    successors.update(dict.fromkeys(gone))
    successors.update(moved)
    aliases = _aliases(successors, new)
    lost = {alias.stable_id for alias in aliases if alias.successor is None}
    return IdChanges(aliases, sorted(moved.keys() - lost), sorted(lost & gone))


def _aliases(successors: dict[str, str | None], places: Iterable[BuildPlace]) -> list[Alias]:
    """Return the aliases to keep, chains shortened: an ID that is back wherever its successor is needs none."""
    scopes: dict[str, set[ScopeKey]] = defaultdict(set)
    for place in places:
        scopes[place.stable_id].add(place.scope)
    aliases = []
    for stable_id in sorted(successors):
        successor = _follow(stable_id, successors, scopes.keys())
        if stable_id not in scopes or (successor and not scopes[successor] <= scopes[stable_id]):
            aliases.append(Alias(stable_id, successor))
    return aliases


def _vanished(old: Sequence[BuildPlace], new: Sequence[BuildPlace]) -> list[BuildPlace]:
    """Return the earlier places whose ID is nowhere now, or no longer in a scope that is still there."""
    keys, ids, scopes = {place.key for place in new}, {place.stable_id for place in new}, {p.scope for p in new}
    return [place for place in old if place.key not in keys and (place.scope in scopes or place.stable_id not in ids)]


def _first_of_each(
    vanished: Sequence[BuildPlace], found: dict[PlaceKey, BuildPlace], default_locale: str
) -> dict[str, str | None]:
    """Return one successor for each ID: that of the default language and the newest version where there are several."""
    moved: dict[str, str | None] = {}
    for place in sorted(vanished, key=lambda p: (p.scope[0] != default_locale, not p.leading, p.order)):
        if place.key in found:
            moved.setdefault(place.stable_id, found[place.key].stable_id)
    return moved


def _follow(stable_id: str, successors: dict[str, str | None], current: Set[str]) -> str | None:
    """Return the current ID at the end of a chain of aliases; None when it ends in a lost one."""
    seen = {stable_id}
    successor = successors[stable_id]
    while successor is not None and successor not in current:
        if successor in seen:
            return None
        seen.add(successor)
        successor = successors.get(successor)
    return successor
