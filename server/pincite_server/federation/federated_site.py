"""The members of a group of sites: select those with an open index, and label their citations with the site."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from pincite_core.embedders import Embedder, Encoded, ModelInfo, Vectors
from pincite_core.errors import IndexAwaitedError, InputError
from pincite_core.types import Role
from pincite_core.urls import origin_of
from pincite_server.answerer import Answerer
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.question.question import Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Citation, SearchHit

__all__ = ("FederatedSite", "open_members", "scoped_members", "share_encodings", "sites_of_id")

_ID_SEPARATOR = ":"  # between a site's name and its stable ID

Place = TypeVar("Place", Citation, SearchHit)


@dataclass(frozen=True, slots=True)
class FederatedSite:
    """One site of a group, with the question in the form for that site.

    Attributes:
        name: The operator's name for the site.
        answerer: The site's index and model.
        question: The question; `elsewhere` is set unless the reader is on one of the site's pages.
    """

    name: str
    answerer: Answerer
    question: Question

    @property
    def title(self) -> str:
        """The site's title for readers, or its name if it has none."""
        return self.answerer.corpus_name or self.name

    @property
    def is_home(self) -> bool:
        """Whether the reader is on one of the site's pages."""
        return not self.question.elsewhere

    def stable_id(self, own: str) -> str:
        """Return a stable ID with the site's name as prefix, because two sites may have the same ID."""
        return f"{self.name}{_ID_SEPARATOR}{own}"

    def address(self, url: str) -> str:
        """Return a root-relative URL of the site, made absolute unless the reader is on the site."""
        return url if self.is_home else self.answerer.absolute(url)

    def labelled(self, place: Place) -> Place:
        """Return a citation or a search result with the site's title, and with links that work on the reader's page."""
        return msgspec.structs.replace(
            place,
            site=self.title,
            heading_path=(self.title, *place.heading_path),
            url=place.url and self.address(place.url),
            stable_id=self.stable_id(place.stable_id),
        )


def open_members(lives: Mapping[str, LiveIndexes]) -> tuple[dict[str, IndexSet], tuple[str, ...]]:
    """Return the current indexes of each member by name, and the names of members that have none yet.

    Raises:
        IndexAwaitedError: No member has an index.
    """
    opened = {name: live.current for name, live in lives.items() if live.served}
    if not opened:
        message = "The indexes of these sites are not there yet. Please try again in a minute."
        raise IndexAwaitedError(message)
    return opened, tuple(name for name in lives if name not in opened)


def scoped_members(
    lives: Mapping[str, LiveIndexes], home: str | None, version: str | None, locale: str | None, query: str = ""
) -> list[FederatedSite]:
    """Return the members that have a version and a language.

    None stands for any version or language. `home` is the member that the reader's page belongs to, if there is one.

    Raises:
        IndexAwaitedError: No member has an index.
        InputError: No member has the version and the language; the message is that of the first member.
    """
    scoped: list[FederatedSite] = []
    refused: InputError | None = None
    for name, indexes in open_members(lives)[0].items():
        answerer = indexes.choose(locale).answerer
        try:
            require_known_scope(answerer.index, version, locale, indexes.locales)
        except InputError as error:
            refused = refused or error
        else:
            scoped.append(FederatedSite(name, answerer, Question(query, elsewhere=name != home)))
    if refused is not None and not scoped:
        raise refused
    return scoped


def sites_of_id(sites: Sequence[FederatedSite], named: str) -> Iterator[tuple[FederatedSite, str]]:
    """Yield the sites that may own a stable ID or a URL, each with the ID as the site itself writes it.

    `named` is a stable ID with or without a site's name, or a URL.
    """
    name, mark, own = named.partition(_ID_SEPARATOR)
    for site in sites:
        if mark and site.name == name:
            yield site, own
            return
    origin = origin_of(named)
    same_origin = [site for site in sites if origin and origin_of(site.answerer.index.info.site_url) == origin]
    yield from ((site, named) for site in same_origin or sites)


def share_encodings(sites: Iterable[FederatedSite]) -> list[FederatedSite]:
    """Return the same sites with a shared cache, so that a text is encoded once for all sites with the same model."""
    encoded: dict[tuple[str, str, Role], Encoded] = {}
    return [
        replace(site, answerer=replace(site.answerer, embedder=_CachingEmbedder(site.answerer.embedder, encoded)))
        for site in sites
    ]


class _CachingEmbedder:
    """An embedder that caches the encodings of single texts during one question. Not thread-safe."""

    def __init__(self, embedder: Embedder, encoded: MutableMapping[tuple[str, str, Role], Encoded]) -> None:
        self._embedder = embedder
        self._encoded = encoded

    @property
    def info(self) -> ModelInfo:
        """The model's identity."""
        return self._embedder.info

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector for each text, without the cache."""
        return self._embedder.encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens; a single text comes from the cache."""
        if len(texts) != 1:
            return self._embedder.encode_with_tokens(texts, role)
        key = (self.info.vectors_key, texts[0], role)
        if key not in self._encoded:
            self._encoded[key] = self._embedder.encode_with_tokens(texts, role)[0]
        return [self._encoded[key]]

    def pieces(self, text: str) -> list[str]:
        """Return the word pieces of a text."""
        return self._embedder.pieces(text)
