"""What a site generator's plugin knows of the site and hands over on standard input, as JSON."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pincite_core.errors import ManifestError

__all__ = ("MANIFEST_VERSION", "Manifest", "ManifestPage", "parse_manifest")

MANIFEST_VERSION = 1


class ManifestPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page as the generator built it. `html` is relative to the site's folder; `route` has the base path."""

    route: str
    html: str
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
    no_index: bool = False
    unlisted: bool = False


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One locale of a site. `url` is the origin, `base_url` the path of this locale.

    `locale_urls` are the home pages of all locales, whole URLs; a site may give a locale any base path or origin.
    """

    manifest_version: int
    build_id: str = ""
    site_dir: str = ""
    out_dir: str = ""
    url: str = ""
    base_url: str = "/"
    trailing_slash: bool | None = None
    title: str = ""
    locale: str = ""
    default_locale: str = ""
    locales: tuple[str, ...] = ()
    locale_urls: Mapping[str, str] = msgspec.field(default_factory=dict)
    no_index: bool = False
    pages: tuple[ManifestPage, ...] = ()


def parse_manifest(data: bytes) -> Manifest:
    """Return the manifest in `data`.

    Raises:
        ManifestError: It is no JSON, lacks a field, or has a version that is not known here.
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
