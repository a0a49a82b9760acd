"""The indexes that are served: one for a whole build, or one a locale, chosen by what the reader's page says."""

import logging
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import msgspec

from pincite_core.embedders import Embedder, load_embedder
from pincite_core.errors import IndexNotFoundError
from pincite_core.read import Index
from pincite_core.schema import INDEX_FOLDER, INFO_NAME
from pincite_server.engine import Engine
from pincite_server.policy import Policy

__all__ = ("IndexSet", "ServedIndex")

logger = logging.getLogger("pincite")

_WARM_UP = "How do I get started?"  # the first encoding is many times slower than those after it


class _IndexFacts(msgspec.Struct):
    """What serving needs of `index.json`; siblings are folders, as root-relative URLs."""

    build_id: str = ""
    built_at: str | None = None
    siblings: list[str] = []


@dataclass(frozen=True, slots=True)
class ServedIndex:
    """An engine, how much its index holds, and what `index.json` says of the build, when it is there."""

    engine: Engine
    counts: dict[str, int]
    build_id: str = ""
    built_at: str | None = None

    @property
    def index_id(self) -> str:
        """The hash of the index's content."""
        return self.engine.index.info.index_id

    @property
    def locales(self) -> tuple[str, ...]:
        """The languages that this index holds."""
        return self.engine.index.info.locales


class IndexSet:
    """Every index of one site. The first is the one that was named, and answers when nothing says otherwise."""

    def __init__(self, served: Iterable[ServedIndex]) -> None:
        self.served = tuple(served)

    @classmethod
    def open(cls, place: Path | str, policy: Policy | None = None) -> Self:
        """Open the index at `place` and those that its `index.json` names as siblings: the other languages' indexes.

        A sibling that is not there is left out, since a site may be built in one language alone. A model is loaded
        once for all of them, and warmed up.

        Raises:
            IndexFileError: The index is missing, or one of them cannot be read.
            ModelError: The model cannot be loaded or is not the one that made an index.
        """
        models: dict[str, Embedder] = {}
        first = Index.open(place)
        return cls(_serve(index, models, policy) for index in (first, *_siblings(first)))

    @property
    def default(self) -> ServedIndex:
        """The index that was named."""
        return self.served[0]

    def choose(self, locale: str | None, page_url: str | None = None) -> ServedIndex:
        """Return the index for a reader.

        Args:
            locale: What the page says of its language.
            page_url: The page's URL; used when no index has that language.
        """
        return self._by_locale(locale) or self._by_page(page_url) or self.default

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
        return next((item for item in self.served if item.engine.index.page_at(page_url)), None)


def _serve(index: Index, models: dict[str, Embedder], policy: Policy | None) -> ServedIndex:
    name = index.info.model
    if name not in models:
        models[name] = load_embedder(name)
        models[name].encode([_WARM_UP])
    facts = _facts(index)
    engine = Engine.with_embedder(index, models[name], policy)
    return ServedIndex(engine, index.counts(), facts.build_id, facts.built_at)


def _siblings(index: Index) -> Iterator[Index]:
    """Yield the siblings that are there; they lie to each other on disk as their URLs do."""
    own_url = f"{index.info.base_url}{INDEX_FOLDER}/"
    for url in _facts(index).siblings:
        try:
            yield Index.open(index.file.parent / posixpath.relpath(url, own_url))
        except IndexNotFoundError:
            logger.warning("The index of another language, %s, is not there; its readers get this one.", url)


def _facts(index: Index) -> _IndexFacts:
    """Return what the `index.json` beside an index says; an index that was copied alone has none."""
    file = index.file.parent / INFO_NAME
    return msgspec.json.decode(file.read_bytes(), type=_IndexFacts) if file.is_file() else _IndexFacts()
