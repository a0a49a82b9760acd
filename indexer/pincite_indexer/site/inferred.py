"""Infer a site's versions and language from its pages, if there is no manifest or no page declares a language."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pincite_core.search.language_detection import language_of_text
from pincite_core.types import UnitKind
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block
from pincite_indexer.systematic_sample import systematic_sample

__all__ = ("SiteVersions", "detect_language", "translatable_texts")

_TRANSLATABLE: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code and terms are not translated
_SAMPLE = 60  # pages whose language is detected, spread over the site
_SAMPLE_LENGTH = 4000  # characters of each of them, apart from line breaks
_AGREED = 0.8  # required share of the pages with a detected language


class SiteVersions:
    """Versions of each docs plugin in each locale; `version` None stands for unversioned pages.

    The default version has the shortest URLs: of each document with several versions, the version with the shortest
    URL is counted, and the most frequent version is the default. Labels are read from version badges, and also apply
    to pages without a badge.
    """

    def __init__(self, pages: Iterable[PageDraft], url_of: Mapping[str, str]) -> None:
        """Read the versions of pages; `url_of` maps a page's file to its URL."""
        self._labels: dict[tuple[str, str, str], str] = {}
        urls: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
        for page in pages:
            facts = page.facts
            if facts.version_label:
                self._labels[facts.plugin_id, facts.locale, facts.version or ""] = facts.version_label
            if facts.version and facts.doc_id:
                urls[facts.plugin_id, facts.locale, facts.doc_id][facts.version] = url_of[page.file]
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (plugin_id, locale, _), versions in urls.items():
            if len(versions) > 1:
                shortest = min(versions, key=lambda name: (len(versions[name]), name))
                votes[plugin_id, locale][shortest] += 1
        self._last = {key: counter.most_common(1)[0][0] for key, counter in votes.items()}

    def is_last(self, plugin_id: str, locale: str, version: str | None) -> bool:
        """Return whether a version is the default version."""
        return version is None or self._last.get((plugin_id, locale), version) == version

    def label(self, plugin_id: str, locale: str, version: str | None) -> str | None:
        """Return a version's label: the label on its pages, or else the generator's default."""
        if version is None:
            return None
        return self._labels.get((plugin_id, locale, version)) or MERGED.version_labels.get(version, version)


def translatable_texts(draft: PageDraft) -> Iterable[str]:
    """Return the texts of a page that a translation would change."""
    return (piece.text for piece in draft.pieces if isinstance(piece, Block) and piece.kind in _TRANSLATABLE)


def detect_language(pages: Sequence[PageDraft]) -> str | None:
    """Return the language of most pages, the primary part of a BCP 47 tag; None if the detection is unsure."""
    samples = (_sample(page) for page in systematic_sample(pages, _SAMPLE))
    found = Counter(filter(None, map(language_of_text, samples)))
    language, agreed = next(iter(found.most_common(1)), ("", 0))
    return language if language and agreed >= _AGREED * found.total() else None


def _sample(page: PageDraft) -> str:
    taken, left = [], _SAMPLE_LENGTH
    for text in translatable_texts(page):
        taken.append(text[:left])
        left -= len(text)
        if left <= 0:
            break
    return "\n".join(taken)
