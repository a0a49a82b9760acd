"""Infer versions and missing translations from a site's pages, if there is no manifest.

The module infers each version's label and the default version. It also finds pages of other locales that repeat the
default locale's text. Generators build every page in every locale, and use the default text if a translation is
missing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set

from pincite_core.types import UnitKind
from pincite_indexer.generators.known_generators import GENERATORS
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block

__all__ = ("SiteVersions", "compared_texts", "repeats", "twin_url")

_VERSION_LABELS = {name: label for generator in GENERATORS for name, label in generator.version_labels.items()}
_SAME = 0.9  # share of its texts; the theme's own labels are translated everywhere
_COMPARED: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code and terms are not translated


class SiteVersions:
    """Versions of each docs plugin in each locale; `version` None stands for unversioned pages."""

    def __init__(self, pages: Iterable[PageDraft], url_of: Mapping[str, str]) -> None:
        """Read the versions of pages; `url_of` maps a page's file to its URL."""
        pages = list(pages)
        self._last = _last_versions(pages, url_of)
        self._labels = _labels(pages)

    def is_last(self, plugin_id: str, locale: str, version: str | None) -> bool:
        """Return whether a version is the default version."""
        return version is None or self._last.get((plugin_id, locale), version) == version

    def label(self, plugin_id: str, locale: str, version: str | None) -> str | None:
        """Return a version's label: the label on its pages, or else the generator's default."""
        if version is None:
            return None
        return self._labels.get((plugin_id, locale, version)) or _VERSION_LABELS.get(version, version)


def _last_versions(pages: Iterable[PageDraft], url_of: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the default version for each (docs plugin, locale): the version with the shortest URLs.

    Only documents that exist in several versions count. Each of them casts one vote.
    """
    groups: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for page in pages:
        facts = page.facts
        if facts.version and facts.doc_id:
            groups[facts.plugin_id, facts.locale, facts.doc_id][facts.version] = url_of[page.file]
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (plugin_id, locale, _), versions in groups.items():
        if len(versions) > 1:
            shortest = min(versions, key=lambda name: (len(versions[name]), name))
            votes[plugin_id, locale][shortest] += 1
    return {key: counter.most_common(1)[0][0] for key, counter in votes.items()}


def _labels(pages: Iterable[PageDraft]) -> dict[tuple[str, str, str], str]:
    """Return the labels of version badges by (docs plugin, locale, version), for use on pages without a badge too."""
    labelled = (page.facts for page in pages if page.facts.version_label)
    return {(facts.plugin_id, facts.locale, facts.version or ""): facts.version_label for facts in labelled}


def twin_url(url: str, base_url: str) -> str:
    """Return the URL of the same page in the default locale, without the locale's folder."""
    return base_url + url.removeprefix(base_url).partition("/")[2]


def repeats(own: Set[str], twins: Set[str]) -> bool:
    """Return whether a page repeats its twin's texts; False for a page without texts."""
    return bool(own) and len(own & twins) >= _SAME * len(own)


def compared_texts(draft: PageDraft) -> frozenset[str]:
    """Return the texts of a page that a translation would change."""
    return frozenset(piece.text for piece in draft.pieces if isinstance(piece, Block) and piece.kind in _COMPARED)
