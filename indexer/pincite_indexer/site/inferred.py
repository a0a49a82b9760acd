"""What a site's pages tell of its versions and translations, where no manifest does.

Which version readers get by default, and what each is called; and which pages of another locale only repeat the default
locale's text, as generators build every page in every locale and let that text stand in for a missing translation.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set

from pincite_core.types import UnitKind
from pincite_indexer.generators.known_generators import GENERATORS
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block

__all__ = ("SiteVersions", "compared_texts", "repeats", "twin_url")

_VERSION_LABELS = {name: label for generator in GENERATORS for name, label in generator.version_labels.items()}
_SAME = 0.9  # of its texts; the theme's own words, such as those on boxes, are translated everywhere
_COMPARED: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code and terms are the same in all languages


class SiteVersions:
    """The versions of each docs plugin in each locale; `version` None is that of unversioned pages."""

    def __init__(self, pages: Iterable[PageDraft], url_of: Mapping[str, str]) -> None:
        """Learn the versions of pages, whose URLs are given by file."""
        pages = list(pages)
        self._last = _last_versions(pages, url_of)
        self._labels = _labels(pages)

    def is_last(self, plugin_id: str, locale: str, version: str | None) -> bool:
        """Tell whether readers get a version by default."""
        return version is None or self._last.get((plugin_id, locale), version) == version

    def label(self, plugin_id: str, locale: str, version: str | None) -> str | None:
        """Return what a version is called, by default as its generator does."""
        if version is None:
            return None
        return self._labels.get((plugin_id, locale, version)) or _VERSION_LABELS.get(version, version)


def _last_versions(pages: Iterable[PageDraft], url_of: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the version readers get by default, for each (docs plugin, locale): the one with the shortest URLs.

    Only docs that several versions share are compared, each casting a vote.
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
    """Return the labels on pages' badges by (docs plugin, locale, version); pages without a badge share them."""
    labelled = (page.facts for page in pages if page.facts.version_label)
    return {(facts.plugin_id, facts.locale, facts.version or ""): facts.version_label for facts in labelled}


def twin_url(url: str, base_url: str) -> str:
    """Return where the same page of the default locale would be: without the locale's folder."""
    return base_url + url.removeprefix(base_url).partition("/")[2]


def repeats(own: Set[str], twins: Set[str]) -> bool:
    """Tell from its texts whether a page says what its twin says; one without text of its own does not."""
    return bool(own) and len(own & twins) >= _SAME * len(own)


def compared_texts(draft: PageDraft) -> frozenset[str]:
    """Return the texts of a page that a translation would say in other words."""
    return frozenset(piece.text for piece in draft.pieces if isinstance(piece, Block) and piece.kind in _COMPARED)
