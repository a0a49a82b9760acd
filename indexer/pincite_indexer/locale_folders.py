"""How the index folders of a site's locales lie to each other: as their URLs do, and so on disk."""

import posixpath

from pincite_core.schema import INDEX_FOLDER
from pincite_indexer.manifest import Manifest

__all__ = ("default_folder", "siblings")


def siblings(manifest: Manifest | None) -> list[str]:
    """Return the index folders of the site's other locales, relative to the site's origin."""
    if manifest is None or len(manifest.locales) < 2:
        return []
    return [_url(manifest, name) for name in manifest.locales if name != manifest.locale]


def default_folder(manifest: Manifest | None) -> str | None:
    """Return the default locale's index folder, relative to this locale's; None when it is this one."""
    if manifest is None or len(manifest.locales) < 2 or manifest.locale == manifest.default_locale:
        return None
    return posixpath.relpath(_url(manifest, manifest.default_locale), f"{manifest.base_url}{INDEX_FOLDER}/")


def _url(manifest: Manifest, locale: str) -> str:
    base = manifest.base_url
    if manifest.locale != manifest.default_locale:
        base = base.removesuffix(f"{manifest.locale}/")
    return f"{base}{'' if locale == manifest.default_locale else locale + '/'}{INDEX_FOLDER}/"
