"""How a site's locales lie to each other: as their URLs do, and so on disk."""

import posixpath
from urllib.parse import unquote, urlsplit

from pincite_core.index.schema import INDEX_FOLDER
from pincite_indexer.site.manifest import Manifest

__all__ = ("default_folder", "other_folders", "siblings")


def siblings(manifest: Manifest | None) -> list[str]:
    """Return the index folders of the site's other locales, relative to the origin; those of other origins are none."""
    if manifest is None:
        return []
    return [f"{base}{INDEX_FOLDER}/" for base in _other_bases(manifest).values()]


def default_folder(manifest: Manifest | None) -> str | None:
    """Return the default locale's index folder, relative to this locale's; None when it is this one or elsewhere."""
    base = _other_bases(manifest).get(manifest.default_locale) if manifest else None
    if manifest is None or base is None:
        return None
    return posixpath.relpath(f"{base}{INDEX_FOLDER}/", f"{manifest.base_url}{INDEX_FOLDER}/")


def other_folders(manifest: Manifest) -> tuple[str, ...]:
    """Return the folders of other locales' pages, relative to this locale's, each with a slash at its end."""
    bases = _other_bases(manifest).values()
    return tuple(
        base.removeprefix(manifest.base_url).lstrip("/") for base in bases if not manifest.base_url.startswith(base)
    )


def _other_bases(manifest: Manifest) -> dict[str, str]:
    """Return the base paths of the site's other locales on this origin."""
    others = (name for name in manifest.locales if name != manifest.locale)
    bases = {name: _base(manifest, name) for name in others}
    return {name: base for name, base in bases.items() if base and base != manifest.base_url}


def _base(manifest: Manifest, locale: str) -> str:
    """Return a locale's base path: as the manifest says, else as Docusaurus makes it; empty on another origin."""
    said = manifest.locale_urls.get(locale)
    if said:
        parts = urlsplit(said)
        return unquote(parts.path) if f"{parts.scheme}://{parts.netloc}" == manifest.url else ""
    base = manifest.base_url
    if manifest.locale != manifest.default_locale:
        base = base.removesuffix(f"{manifest.locale}/")
    return base if locale == manifest.default_locale else f"{base}{locale}/"
