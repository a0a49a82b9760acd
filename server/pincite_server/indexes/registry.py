"""The indexes that are served: one for a whole build, or one a locale, chosen by what the reader's page says."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary
from pincite_server.answerer import Answerer
from pincite_server.question.follow_ups import is_follow_up
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.scope import locale_spoken

__all__ = ("IndexSet", "ServedIndex")


@dataclass(frozen=True, slots=True)
class ServedIndex:
    """An answerer, and how much its index holds."""

    answerer: Answerer
    counts: dict[str, int]

    @property
    def build_id(self) -> str:
        """What names the build in the pages that it made; "" when `index.json` is not at hand."""
        return self.answerer.build.build_id

    @property
    def index_id(self) -> str:
        """The hash of the index's content."""
        return self.answerer.index.info.index_id

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages that this index holds."""
        return self.answerer.index.info.locales


class IndexSet:
    """Every index of one site. The first is the one that was named, and answers when nothing says otherwise.

    Args:
        served: At least one.
        earlier: The build before, for pages that were loaded before the deploy.
        keeper: What keeps the indexes' files, and lives as long as the set.
    """

    def __init__(self, served: Iterable[ServedIndex], earlier: "IndexSet | None" = None, keeper: object = None) -> None:
        self.served = tuple(served)
        self.earlier = earlier
        self._keeper = keeper

    @property
    def default(self) -> ServedIndex:
        """The index that was named."""
        return self.served[0]

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages of all indexes."""
        return tuple(dict.fromkeys(locale for item in self.served for locale in item.locales))

    def choose(self, locale: str | None, page_url: str | None = None, build_id: str | None = None) -> ServedIndex:
        """Return the index for a reader.

        Args:
            locale: What the page says of its language.
            page_url: The page's URL; used when no index has that language.
            build_id: The build that made the page. The one before the newest answers its own pages, any other is
                answered by the newest.
        """
        newest = self._by_locale(locale) or self._by_page(page_url) or self.default
        if not build_id or self.earlier is None or build_id == newest.build_id:
            return newest
        before = self.earlier.choose(locale, page_url)
        return before if before.build_id == build_id and before.index_id != newest.index_id else newest

    def speaking(
        self, question: Question, page: ServedIndex, build_id: str | None = None
    ) -> tuple[ServedIndex, Question]:
        """Return the index of the language that a question is in, and the question with the locale of its page.

        Args:
            question: Stays with its page where its locale was chosen, or it is about a passage.
            page: The index of its page.
            build_id: The build that made the page.
        """
        if len(self.served) == 1 or question.locale_chosen or question.mode == "selection":
            return page, question
        spoken = _spoken(question, question.locale or page.locales[0])
        if spoken is None or spoken in map(primary, page.locales):
            return page, question
        found = (locale_spoken(item.answerer.index, spoken, question.version) for item in self.served)
        locale = next(filter(None, found), None)
        if locale is None:
            return page, question
        return self.choose(locale, None, build_id), replace(question, locale=question.locale or page.locales[0])

    def _by_locale(self, locale: str | None) -> ServedIndex | None:
        """Return the index that has a language; `de-AT` finds `de` when nothing is closer."""
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
    """Return the language of a question that is surely not its page's; a follow-up is in that of what it follows."""
    query = question.query[:MAX_QUERY]
    found = foreign_language(query, home)
    if found or not question.turns or not is_follow_up(query):
        return found
    return foreign_language(f"{question.turns[-1].query[:MAX_QUERY]} {query}", home)
