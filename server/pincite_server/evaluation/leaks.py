"""Whether anything from another version or language got into a reply.

The rule is written anew here rather than taken from the code that chooses a scope: that code is what is watched.
"""

from collections.abc import Iterable, Sequence

from pincite_core.index.read import Index
from pincite_core.types import Scope

__all__ = ("find_leaks",)


def find_leaks(index: Index, urls: Iterable[str], version: str | None, locale: str | None) -> tuple[str, ...]:
    """Return the URLs whose pages are not of the version and language that were asked for.

    Args:
        index: The index that replied.
        urls: The URLs that it gave.
        version: A version's name or label; None for each docs plugin's last one.
        locale: A language; None for the site's default one.
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
