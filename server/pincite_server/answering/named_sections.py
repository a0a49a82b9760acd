"""Resolve a stable ID to its current target, through aliases if the target has moved.

`section_reading` reads the text of a target.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pincite_core.index.read import Index
from pincite_core.types import Scope, Target
from pincite_core.urls import join_fragment

__all__ = ("Resolution", "id_words", "parent_id", "resolve_id", "target_url")

_LONGEST_CHAIN = 16  # enough for an ID that every release renames for years; also ends a cycle in a damaged file
_SEPARATORS = re.compile(r"[\W_]+")

Status = Literal["current", "moved", "lost"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving a stable ID.

    Attributes:
        status: Whether the ID is current, has moved, or is lost.
        target: The current target of the ID; None if the ID is lost or was never known.
        known: Whether the ID ever existed.
    """

    status: Status
    target: Target | None
    known: bool


def resolve_id(index: Index, stable_id: str, version: str | None = None, locale: str | None = None) -> Resolution:
    """Return the current target of `stable_id`, following aliases.

    Args:
        index: The newest index.
        stable_id: The ID, as in a citation.
        version: The version to prefer; None for the last one.
        locale: The language to prefer; None for the default one.
    """
    steps = _chain(index, stable_id)
    named = [(name, found) for name in steps if (found := index.targets_by_stable_id(name))]
    if not named:
        return Resolution("lost", None, known=len(steps) > 1 or index.alias(stable_id) is not None)
    bests = [(name, _best(index, found, version, locale)) for name, found in named]
    name, target = next((best for best in bests if _is_as_asked(index, best[1], version, locale)), bests[0])
    return Resolution("current" if name == stable_id else "moved", target, known=True)


def _chain(index: Index, stable_id: str) -> list[str]:
    """Return the ID and its successors, in order.

    An ID that moved in one version may still be current in another. The caller takes the first ID with the requested
    version and locale.
    """
    chain = [stable_id]
    while len(chain) < _LONGEST_CHAIN:
        alias = index.alias(chain[-1])
        if alias is None or alias.successor is None or alias.successor in chain:
            break
        chain.append(alias.successor)
    return chain


def _is_as_asked(index: Index, target: Target, version: str | None, locale: str | None) -> bool:
    scope = next(scope for scope in index.scopes if scope.scope_id == index.page(target.page_id).scope_id)
    return version in {None, scope.version} and locale in {None, scope.locale}


def target_url(index: Index, target: Target) -> str:
    """Return a target's root-relative URL with its fragment."""
    return join_fragment(index.page(target.page_id).url, target.anchor)


def parent_id(stable_id: str) -> str | None:
    """Return the ID of the page that contains a section; None for a page's own ID."""
    page, mark, _ = stable_id.partition("#")
    return page if mark else None


def id_words(stable_id: str) -> str:
    """Return an ID's words, as a search query for its section."""
    return _SEPARATORS.sub(" ", stable_id).strip()


def _best(index: Index, candidates: list[Target], version: str | None, locale: str | None) -> Target:
    """Return the best candidate: by language, then by version, then by the last version."""
    scopes = {scope.scope_id: scope for scope in index.scopes}
    wanted_locale = locale or index.info.default_locale

    def fit(target: Target) -> tuple[bool, bool, bool]:
        scope: Scope = scopes[index.page(target.page_id).scope_id]
        return (scope.locale == wanted_locale, scope.version == version, scope.version is None or scope.is_last)

    return max(candidates, key=fit)
