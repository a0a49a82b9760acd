"""Parse the manifest, the JSON about a site that a generator's plugin passes on standard input.

The folders of the site's locales have the same relative paths on disk as in their URLs.
"""

import posixpath
from collections.abc import Mapping
from typing import Any

import msgspec

from pincite_core.errors import ManifestError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.urls import decoded_path, origin_of

__all__ = (
    "MANIFEST_VERSION",
    "Manifest",
    "ManifestPage",
    "default_folder",
    "other_folders",
    "parse_manifest",
    "siblings",
)

MANIFEST_VERSION = 1


class ManifestPage(msgspec.Struct, frozen=True, kw_only=True):
    """Page of the manifest."""

    route: str  # with the base path
    html: str  # relative to the site's folder
    plugin: str | None = None
    plugin_id: str | None = None
    kind: str = "other"
    doc_id: str | None = None
    version: str | None = None
    version_label: str | None = None
    is_last: bool | None = None
    title: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    front_matter: Mapping[str, Any] = msgspec.field(default_factory=dict)
    source: str | None = None
    translated: bool | None = None
    unlisted: bool = False


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One locale of a site; a locale may have any base path or origin."""

    manifest_version: int
    build_id: str = ""
    site_dir: str = ""
    url: str = ""  # the origin
    base_url: str = "/"  # the path of this locale
    title: str = ""
    locale: str = ""
    default_locale: str = ""
    locales: tuple[str, ...] = ()
    locale_urls: Mapping[str, str] = msgspec.field(default_factory=dict)  # full URL of each locale's home page
    pages: tuple[ManifestPage, ...] = ()


def parse_manifest(data: bytes) -> Manifest:
    """Return the manifest in `data`.

    Raises:
        ManifestError: The data is not JSON, lacks a field, or has an unknown version.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"The manifest on standard input cannot be used: {error}. Update docusaurus-plugin-pincite."
        raise ManifestError(message) from error
    if manifest.manifest_version != MANIFEST_VERSION:
        message = (
            f"The manifest has version {manifest.manifest_version}; this indexer reads {MANIFEST_VERSION}. "
            "Update docusaurus-plugin-pincite and pincite to the same release."
        )
        raise ManifestError(message)
    return manifest


def siblings(manifest: Manifest | None) -> list[str]:
    """Return the index folders of the site's other locales on the same origin, as paths from the origin's root."""
    return [f"{base}{INDEX_FOLDER}/" for base in _other_bases(manifest).values()] if manifest else []


def default_folder(manifest: Manifest | None) -> str | None:
    """Return the path from this locale's index folder to the default locale's; None if it is the same or elsewhere."""
    base = _other_bases(manifest).get(manifest.default_locale) if manifest else None
    if manifest is None or base is None:
        return None
    return posixpath.relpath(f"{base}{INDEX_FOLDER}/", f"{manifest.base_url}{INDEX_FOLDER}/")


def other_folders(manifest: Manifest) -> tuple[str, ...]:
    """Return the folders of other locales' pages, relative to this locale's, each with a trailing slash."""
    bases = (base for base in _other_bases(manifest).values() if not manifest.base_url.startswith(base))
    return tuple(base.removeprefix(manifest.base_url).lstrip("/") for base in bases)


def _other_bases(manifest: Manifest) -> dict[str, str]:
    """Return the base paths of the site's other locales on this origin."""
    bases = {name: _base(manifest, name) for name in manifest.locales if name != manifest.locale}
    return {name: base for name, base in bases.items() if base and base != manifest.base_url}


def _base(manifest: Manifest, locale: str) -> str:
    """Return a locale's base path from the manifest, or else from the generator's rule; empty on another origin."""
    url = manifest.locale_urls.get(locale)
    if url:
        return decoded_path(url) if origin_of(url) == manifest.url else ""
    base = manifest.base_url
    if manifest.locale != manifest.default_locale:
        base = base.removesuffix(f"{manifest.locale}/")
    return base if locale == manifest.default_locale else f"{base}{locale}/"
