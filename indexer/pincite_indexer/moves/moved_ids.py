"""Compare the stable IDs of two builds: kept, moved to another ID, or lost.

A vanished ID becomes an alias if its text has another ID now. An ID may vanish from only one version or language. It is
then still current in the others, and the alias applies where the ID vanished.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from pincite_core.index.read import Index
from pincite_core.types import Alias, Redirect
from pincite_core.urls import lookup_key
from pincite_indexer.moves.build_places import BuildPlace, ScopeKey, places_of, rows_of
from pincite_indexer.moves.successors import find_successors
from pincite_indexer.rows.assemble import NONE_WITHHELD, Rows, Withheld

__all__ = ("IdChanges", "changed_ids", "compare_ids")


@dataclass(frozen=True, slots=True)
class IdChanges:
    """Result of a comparison: all aliases of the new index, and the IDs that this build moved and lost."""

    aliases: list[Alias]
    moved: list[str]
    lost: list[str]


def changed_ids(
    previous: Index, rows: Rows, redirects: Iterable[Redirect], withheld: Withheld = NONE_WITHHELD
) -> IdChanges:
    """Compare an earlier index with a build's rows and redirect stubs.

    The IDs of pages in `withheld` are dropped completely, because IDs may reveal headings.
    """
    old, new = places_of(rows_of(previous, with_text=False)), places_of(replace(rows, chunks=[], units=[]))
    if _vanished(old, new):  # rare; texts are compared only in this case
        old, new = places_of(rows_of(previous)), places_of(rows)
    return compare_ids(previous, old, new, redirects, withheld)


def compare_ids(
    previous: Index,
    old: Sequence[BuildPlace],
    new: Sequence[BuildPlace],
    redirects: Iterable[Redirect],
    withheld: Withheld = NONE_WITHHELD,
) -> IdChanges:
    """Compare an earlier index with the places `old` to a build with the places `new`."""
    current = {place.stable_id for place in new}
    hidden = {place.stable_id for place in old if lookup_key(place.page_url) in withheld.urls}
    old = [place for place in old if lookup_key(place.page_url) not in withheld.urls]
    hidden -= current | {place.stable_id for place in old}
    vanished = _vanished(old, new)
    found = find_successors(old, new, vanished, redirects) if vanished else {}
    default_locale = previous.info.default_locale
    moved: dict[str, str | None] = {}  # preferably the successor in the default language and the newest version
    for place in sorted(vanished, key=lambda p: (p.scope[0] != default_locale, not p.leading, p.order)):
        if place.key in found:
            moved.setdefault(place.stable_id, found[place.key].stable_id)
    gone = {place.stable_id for place in vanished} - current
    successors = {
        alias.stable_id: alias.successor
        for alias in previous.aliases()
        if alias.successor not in hidden and (alias.stable_id.partition("#")[0] not in withheld.ids - current)
    }
    aliases = _aliases(successors | dict.fromkeys(gone) | moved, new)
    lost = {alias.stable_id for alias in aliases if alias.successor is None}
    return IdChanges(aliases, sorted(moved.keys() - lost), sorted(lost & gone))


def _aliases(successors: dict[str, str | None], places: Iterable[BuildPlace]) -> list[Alias]:
    """Return the aliases to keep, with chains resolved.

    An ID needs no alias if it exists again wherever its successor does.
    """
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
    """Return the earlier places whose ID is gone, or is gone from a scope that still exists."""
    keys, ids, scopes = {place.key for place in new}, {place.stable_id for place in new}, {p.scope for p in new}
    return [place for place in old if place.key not in keys and (place.scope in scopes or place.stable_id not in ids)]


def _follow(stable_id: str, successors: dict[str, str | None], current: Set[str]) -> str | None:
    """Return the current ID at the end of a chain of aliases; None if the last ID is lost."""
    seen = {stable_id}
    successor = successors[stable_id]
    while successor is not None and successor not in current:
        if successor in seen:
            return None
        seen.add(successor)
        successor = successors.get(successor)
    return successor
