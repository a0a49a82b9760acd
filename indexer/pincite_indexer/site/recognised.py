"""The language of a site whose pages do not say theirs, by their text; in doubt none."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pincite_core.search.language_detection import language_of_text
from pincite_core.types import UnitKind
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block
from pincite_indexer.spread_out import spread_out

__all__ = ("recognised_language",)

_PAGES = 60  # that are looked at, spread over the site
_MOST = 4000  # characters of each
_AGREED = 0.8  # share of the pages whose language is sure
_READ: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code is the same in all languages


def recognised_language(pages: Sequence[PageDraft]) -> str | None:
    """Return the language of most of some pages, the primary part of a BCP 47 tag; None where most are in none."""
    told = Counter(filter(None, map(language_of_text, map(_text, spread_out(pages, _PAGES)))))
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
