"""The indexes that are served: one for a whole build, or one a locale, chosen by what the reader's page says."""

from collections.abc import Iterable
from dataclasses import dataclass

from pincite_server.answerer import Answerer

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
