"""Finds the places where an answer is expected, matches cited places to them, and finds leaks from other scopes.

The rule for leaks is a second implementation, independent of the code that chooses a scope, because it checks that
code.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.types import SECTION_KINDS, Scope, Target
from pincite_core.urls import split_fragment
from pincite_server.answering.named_sections import resolve_id
from pincite_server.question.scope import ChosenScope

__all__ = ("Expected", "find_expected", "find_leaks", "stands_in")

_SECTIONS = SECTION_KINDS - {"member"}  # an expected section around an interface includes the interface's members


@dataclass(frozen=True, slots=True)
class Expected:
    """Row ids of the right pages and sections.

    Attributes:
        pages: The right pages.
        sections: The right sections. Empty if only whole pages are expected; then any place on them is right. Otherwise
            an expected page stands for its own beginning.
        unknown: The expected places that the scope does not have.
    """

    pages: frozenset[int]
    sections: frozenset[int]
    unknown: tuple[str, ...]


def find_expected(index: Index, scope: ChosenScope, places: tuple[str, ...]) -> Expected:
    """Find the targets of stable IDs (moved ones too) and URLs among the pages of a scope."""
    found = {place: _find(index, scope, place) for place in places}
    targets = [target for target in found.values() if target]
    pages = frozenset(target.page_id for target in targets)
    sections = frozenset(target.target_id for target in targets) if any(target.anchor for target in targets) else ()
    return Expected(pages, frozenset(sections), tuple(place for place, target in found.items() if target is None))


def stands_in(index: Index, target: Target, sections: frozenset[int]) -> bool:
    """Return whether a target is one of `sections`, or a row, item, term or member inside one."""
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


def find_leaks(index: Index, urls: Iterable[str], version: str | None, locale: str | None) -> tuple[str, ...]:
    """Return the URLs whose pages do not belong to the requested version and language.

    Args:
        index: The index that replied.
        urls: The URLs in the reply.
        version: A version's name or label; None for the latest version of each docs plugin.
        locale: A language; None for the site's default language.
    """
    scopes = {scope.scope_id: scope for scope in index.scopes}
    pages = {url: index.page_at(url) for url in dict.fromkeys(urls)}
    return tuple(
        url
        for url, page in pages.items()
        if page is None or not _belongs(scopes[page.scope_id], index.scopes, version, locale or _own_locale(index))
    )


def _own_locale(index: Index) -> str:
    locales = {scope.locale for scope in index.scopes}
    return index.info.default_locale if len(locales) > 1 else next(iter(locales), "")


def _belongs(scope: Scope, scopes: Sequence[Scope], version: str | None, locale: str) -> bool:
    if scope.locale.lower() not in {locale.lower(), locale.lower().partition("-")[0]}:
        return False
    if scope.version is None:
        return True
    plugin = [other for other in scopes if (other.plugin, other.plugin_id) == (scope.plugin, scope.plugin_id)]
    if any(version in {other.version, other.version_label} for other in plugin if version):
        return version in {scope.version, scope.version_label}
    return scope.is_last or not any(other.is_last for other in plugin)
