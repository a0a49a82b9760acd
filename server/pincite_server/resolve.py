"""What became of a stable ID: where it is now, where it moved, or what is nearest to what was lost."""

import re
from dataclasses import dataclass
from typing import Literal

from pincite_core.read import Index
from pincite_core.types import Scope, Target
from pincite_core.urls import join_fragment

__all__ = ("Resolution", "id_words", "parent_id", "resolve_id", "target_url")

_LONGEST_CHAIN = 16  # an ID renamed at every release for years; also ends a circle in a damaged file
_SEPARATORS = re.compile(r"[\W_]+")

Status = Literal["current", "moved", "lost"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """`target` is where the ID leads now; None when it is lost or was never known (`known` tells which)."""

    status: Status
    target: Target | None
    known: bool


def resolve_id(index: Index, stable_id: str, version: str | None = None, locale: str | None = None) -> Resolution:
    """Return what became of `stable_id`, following aliases.

    Args:
        index: The newest index.
        stable_id: As in a citation.
        version: The version to prefer; else the last one.
        locale: The language to prefer; else the default one.
    """
    current, known = stable_id, False
    for _ in range(_LONGEST_CHAIN):
        candidates = index.targets_by_stable_id(current)
        if candidates:
            status: Status = "current" if current == stable_id else "moved"
            return Resolution(status, _best(index, candidates, version, locale), known=True)
        alias = index.alias(current)
        known = known or alias is not None
        if alias is None or alias.successor is None:
            break
        current = alias.successor
    return Resolution("lost", None, known)


def target_url(index: Index, target: Target) -> str:
    """Return a target's root-relative URL with its fragment."""
    return join_fragment(index.page(target.page_id).url, target.anchor)


def parent_id(stable_id: str) -> str | None:
    """Return the ID of the page that a section's ID belongs to; None for a page's own ID."""
    page, mark, _ = stable_id.partition("#")
    return page if mark else None


def id_words(stable_id: str) -> str:
    """Return an ID's words, to search for what it named."""
    return _SEPARATORS.sub(" ", stable_id).strip()


def _best(index: Index, candidates: list[Target], version: str | None, locale: str | None) -> Target:
    """Return the candidate that fits best: language first, then version, then the last version."""
    scopes = {scope.scope_id: scope for scope in index.scopes}
    wanted_locale = locale or index.info.default_locale

    def fit(target: Target) -> tuple[bool, bool, bool]:
        scope: Scope = scopes[index.page(target.page_id).scope_id]
        return (scope.locale == wanted_locale, scope.version == version, scope.version is None or scope.is_last)

    return max(candidates, key=fit)
