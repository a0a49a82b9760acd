"""The served indexes of a site, one for all languages or one for each, and the choice between them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pincite_core.index.read import Index
from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary
from pincite_core.urls import lookup_key
from pincite_server.answerer import Answerer
from pincite_server.question.follow_ups import is_follow_up
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.scope import locale_in_language

__all__ = ("IndexSet", "ServedIndex", "restrict_earlier")


@dataclass(frozen=True, slots=True)
class ServedIndex:
    """An answerer, with the counts of its index's contents."""

    answerer: Answerer
    counts: dict[str, int]

    @property
    def build_id(self) -> str:
        """The name of the build in the pages that it made; "" without `index.json`."""
        return self.answerer.build.build_id

    @property
    def index_id(self) -> str:
        """The hash of the index's content."""
        return self.answerer.index.info.index_id

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages of this index."""
        return self.answerer.index.info.locales


class IndexSet:
    """All indexes of one site, at least one. The first is the configured one, and the default."""

    def __init__(self, served: Iterable[ServedIndex], earlier: "IndexSet | None" = None, source: object = None) -> None:
        self.served = tuple(served)
        self.earlier = earlier  # the previous build, for pages that were loaded before the deploy
        self._source = source  # the owner of the indexes' files, kept alive as long as the set

    @property
    def default(self) -> ServedIndex:
        """The configured index."""
        return self.served[0]

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages of all indexes."""
        return tuple(dict.fromkeys(locale for item in self.served for locale in item.locales))

    def choose(self, locale: str | None, page_url: str | None = None, build_id: str | None = None) -> ServedIndex:
        """Return the index for the language of a reader's page, else for its URL, else the default.

        `build_id` is the build that made the page. Pages of the previous build are answered from that build, all others
        from the newest build.
        """
        newest = self._by_locale(locale)
        if newest is None and page_url and len(self.served) > 1:
            newest = next((item for item in self.served if item.answerer.index.page_at(page_url)), None)
        newest = newest or self.default
        if not build_id or self.earlier is None or build_id == newest.build_id:
            return newest
        before = self.earlier.choose(locale, page_url)
        return before if before.build_id == build_id and before.index_id != newest.index_id else newest

    def for_language(
        self, question: Question, page: ServedIndex, build_id: str | None = None
    ) -> tuple[ServedIndex, Question]:
        """Return the index for the language of a question, and the question with the locale of its page.

        A question stays with the index of its page if its locale was chosen or it is about a passage. A follow-up is
        read with the question before it.
        """
        if len(self.served) == 1 or question.locale_chosen or question.mode == "selection":
            return page, question
        home = question.locale or page.locales[0]
        query = question.query[:MAX_QUERY]
        language = foreign_language(query, home)
        if language is None and question.turns and is_follow_up(query):
            language = foreign_language(f"{question.turns[-1].query[:MAX_QUERY]} {query}", home)
        if language is None or language in map(primary, page.locales):
            return page, question
        found = (locale_in_language(item.answerer.index, language, question.version) for item in self.served)
        locale = next(filter(None, found), None)
        if locale is None:
            return page, question
        return self.choose(locale, None, build_id), replace(question, locale=home)

    def _by_locale(self, locale: str | None) -> ServedIndex | None:
        """Return the index with a language; `de-AT` falls back to `de`."""
        for wanted in (locale, locale.partition("-")[0]) if locale else ():
            for item in self.served:
                if wanted in item.locales:
                    return item
        return None


def restrict_earlier(earlier: Iterable[ServedIndex], newest: Iterable[ServedIndex]) -> IndexSet:
    """Return an earlier build's indexes, restricted to the pages and anchors that the newest build still has.

    A page that was loaded before a deploy is answered from its own index, but a click on a citation opens the new site.
    """
    new_indexes = [item.answerer.index for item in newest]
    existing: set[tuple[str, str]] = set()  # lookup keys of pages, and anchors
    for index in new_indexes:
        keys = {page_id: lookup_key(url) for page_id, url in index.page_urls().items()}
        existing.update((keys[place.page_id], place.anchor) for place in index.places())

    def restricted(served: ServedIndex) -> ServedIndex:
        index = served.answerer.index
        pages = {page_id: _page_key(url, new_indexes) for page_id, url in index.page_urls().items()}
        hidden = {page_id for page_id, key in pages.items() if key is None}
        gone = {place.target_id for place in index.places() if (pages[place.page_id], place.anchor) not in existing}
        return replace(served, answerer=replace(served.answerer, index=index.without(hidden, gone)))

    return IndexSet(map(restricted, earlier))


def _page_key(url: str, indexes: Iterable[Index]) -> str | None:
    """Return the lookup key of the page that a URL leads to, through redirects; None if there is none."""
    found = next((page for index in indexes if (page := index.page_at(url))), None)
    return lookup_key(found.url) if found else None
