"""The served indexes of a site, one for all languages or one for each, and the choice between them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary
from pincite_server.answerer import Answerer
from pincite_server.question.follow_ups import is_follow_up
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.scope import locale_in_language

__all__ = ("IndexSet", "ServedIndex")


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
    """All indexes of one site. The first is the configured one, and the default.

    Args:
        served: The indexes; at least one.
        earlier: The previous build, for pages that were loaded before the deploy.
        keeper: An object that keeps the indexes' files, kept alive as long as the set.
    """

    def __init__(self, served: Iterable[ServedIndex], earlier: "IndexSet | None" = None, keeper: object = None) -> None:
        self.served = tuple(served)
        self.earlier = earlier
        self._keeper = keeper

    @property
    def default(self) -> ServedIndex:
        """The configured index."""
        return self.served[0]

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages of all indexes."""
        return tuple(dict.fromkeys(locale for item in self.served for locale in item.locales))

    def choose(self, locale: str | None, page_url: str | None = None, build_id: str | None = None) -> ServedIndex:
        """Return the index for a reader.

        Args:
            locale: The language of the reader's page.
            page_url: The page's URL; used if no index has that language.
            build_id: The build that made the page. Pages of the previous build are answered from that build, all others
                from the newest build.
        """
        newest = self._by_locale(locale) or self._by_page(page_url) or self.default
        if not build_id or self.earlier is None or build_id == newest.build_id:
            return newest
        before = self.earlier.choose(locale, page_url)
        return before if before.build_id == build_id and before.index_id != newest.index_id else newest

    def speaking(
        self, question: Question, page: ServedIndex, build_id: str | None = None
    ) -> tuple[ServedIndex, Question]:
        """Return the index for the language of a question, and the question with the locale of its page.

        Args:
            question: The question. It stays with its page if its locale was chosen or it is about a passage.
            page: The index of the question's page.
            build_id: The build that made the page.
        """
        if len(self.served) == 1 or question.locale_chosen or question.mode == "selection":
            return page, question
        spoken = _spoken(question, question.locale or page.locales[0])
        if spoken is None or spoken in map(primary, page.locales):
            return page, question
        found = (locale_in_language(item.answerer.index, spoken, question.version) for item in self.served)
        locale = next(filter(None, found), None)
        if locale is None:
            return page, question
        return self.choose(locale, None, build_id), replace(question, locale=question.locale or page.locales[0])

    def _by_locale(self, locale: str | None) -> ServedIndex | None:
        """Return the index with a language; `de-AT` falls back to `de`."""
        if not locale:
            return None
        for wanted in (locale, locale.partition("-")[0]):
            for item in self.served:
                if wanted in item.locales:
                    return item
        return None

    def _by_page(self, page_url: str | None) -> ServedIndex | None:
        if not page_url or len(self.served) == 1:
            return None
        return next((item for item in self.served if item.answerer.index.page_at(page_url)), None)


def _spoken(question: Question, home: str) -> str | None:
    """Return a question's language if it surely differs from `home`; a follow-up is read with the question before."""
    query = question.query[:MAX_QUERY]
    found = foreign_language(query, home)
    if found or not question.turns or not is_follow_up(query):
        return found
    return foreign_language(f"{question.turns[-1].query[:MAX_QUERY]} {query}", home)
