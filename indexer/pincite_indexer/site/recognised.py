"""Detect the language of a site from its text, if its pages declare none."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pincite_core.search.language_detection import language_of_text
from pincite_core.types import UnitKind
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block
from pincite_indexer.systematic_sample import systematic_sample

__all__ = ("recognised_language",)

_PAGES = 60  # pages in the sample, spread over the site
_MOST = 4000  # characters of each page
_AGREED = 0.8  # required share of the pages with a detected language
_READ: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code is not translated


def recognised_language(pages: Sequence[PageDraft]) -> str | None:
    """Return the language of most pages, the primary part of a BCP 47 tag; None if the detection is unsure."""
    told = Counter(filter(None, map(language_of_text, map(_text, systematic_sample(pages, _PAGES)))))
    language, agreed = next(iter(told.most_common(1)), ("", 0))
    return language if language and agreed >= _AGREED * told.total() else None


def _text(page: PageDraft) -> str:
    return "\n".join(_taken(piece.text for piece in page.pieces if isinstance(piece, Block) and piece.kind in _READ))


def _taken(texts: Iterable[str]) -> Iterable[str]:
    left = _MOST
    for text in texts:
        if left <= 0:
            return
        yield text[:left]
        left -= len(text)
