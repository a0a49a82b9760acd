"""A site among several that are asked one question, and an encoder that reads the question once for all of them."""

from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace

from pincite_core.embedders import Embedder, Encoded, ModelInfo, Vectors
from pincite_core.types import Role
from pincite_server.answerer import Answerer
from pincite_server.question.question import Question

__all__ = ("STABLE_ID_MARK", "AskedSite", "reading_once")

STABLE_ID_MARK = ":"
"""Between a site's name and a stable ID in what is said across sites."""


@dataclass(frozen=True, slots=True)
class AskedSite:
    """A site, what answers from it, and the question as it is put to it: with its own page and filters, or none.

    Attributes:
        name: The operator's name for it.
        answerer: Its index and model.
        question: What is asked; `elsewhere` unless the reader is on one of its pages.
    """

    name: str
    answerer: Answerer
    question: Question

    @property
    def title(self) -> str:
        """What readers call it: its title, its name where it has none."""
        return self.answerer.corpus_name or self.name

    @property
    def is_home(self) -> bool:
        """Whether the reader is on one of its pages."""
        return not self.question.elsewhere

    def stable_id(self, own: str) -> str:
        """Return a stable ID of the site with the site's name, since two sites may well have one of the same."""
        return f"{self.name}{STABLE_ID_MARK}{own}"

    def address(self, url: str) -> str:
        """Return a root-relative URL of the site as the reader's page needs it."""
        return url if self.is_home else self.answerer.absolute(url)


def reading_once(sites: Iterable[AskedSite]) -> list[AskedSite]:
    """Return the same sites with encoders that read a text once for all sites that were made by the same."""
    read: dict[tuple[str, str, Role], Encoded] = {}
    return [
        replace(site, answerer=replace(site.answerer, embedder=_ReadOnce(site.answerer.embedder, read)))
        for site in sites
    ]


class _ReadOnce:
    """An embedder that keeps what it has read of single texts, for one question; not safe between threads."""

    def __init__(self, embedder: Embedder, read: MutableMapping[tuple[str, str, Role], Encoded]) -> None:
        self._embedder = embedder
        self._read = read

    @property
    def info(self) -> ModelInfo:
        """The model's identity."""
        return self._embedder.info

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector a text."""
        return self._embedder.encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens, those of a single text as they were read before."""
        if len(texts) != 1:
            return self._embedder.encode_with_tokens(texts, role)
        key = (self.info.vectors_key, texts[0], role)
        if key not in self._read:
            self._read[key] = self._embedder.encode_with_tokens(texts, role)[0]
        return [self._read[key]]

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that the model reads of a text."""
        return self._embedder.pieces(text)
