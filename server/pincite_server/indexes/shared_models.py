"""Indexes with the models that made them: each model is loaded once, however many builds and languages it made."""

import weakref
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import partial

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.embedders import Embedder, Encoded, Vectors
from pincite_core.errors import IndexCorruptError
from pincite_core.index.read import Index
from pincite_core.index.schema import INFO_NAME
from pincite_core.types import Role
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.indexes.registry import ServedIndex
from pincite_server.policy import Policy
from pincite_server.question.question import Question

__all__ = ("LoadedModels", "SharedModels", "try_out")

LoadedModels = MutableMapping[str, Embedder]
"""Models by what names them, as long as anybody uses them: a `weakref.WeakValueDictionary`."""

_WARM_UP = "How do I get started?"  # the first encoding is many times slower than those after it
_PROBE = Question("How do I get started?")  # any question must be answered or refused, never fail


class SharedModels:
    """The models of the indexes that are served.

    Args:
        loaded: What other sites have loaded and this one may use; its own go there too.
    """

    def __init__(self, loaded: LoadedModels | None = None) -> None:
        self._models: dict[str, _SharedModel] = {}
        self._loaded: LoadedModels = weakref.WeakValueDictionary() if loaded is None else loaded

    def served(
        self, index: Index, facts: BuildFacts, load: Callable[[], Embedder], policy: Policy | None
    ) -> ServedIndex:
        """Return what answers from an index.

        Args:
            index: The index.
            facts: What its `index.json` says.
            load: Loads what made it, when no index before it was made by the same.
            policy: What the operator decided about answers.

        Raises:
            IndexCorruptError: Its `index.json` tells of another index.
            ModelError: The model cannot be loaded or is not the one that made it.
        """
        counts = index.counts()
        _require_agreement(index, counts, facts)  # what is damaged is not served
        maker = _maker(index, facts)
        load = partial(self._found, maker, load)
        model = self._models.get(maker) or _SharedModel(load)
        answerer = Answerer.with_embedder(index, model, policy, facts)
        model.load = load  # the folder that it came from may be gone by then
        if maker not in self._models:
            model.encode([_WARM_UP], "query")
            self._models[maker] = model
        return ServedIndex(answerer, counts)

    def _found(self, maker: str, load: Callable[[], Embedder]) -> Embedder:
        """Return a model that somebody has loaded, or load it. Two who ask at once load it twice, which is no harm."""
        found = self._loaded.get(maker)
        if found is None:
            found = self._loaded[maker] = load()
        return found

    def forget_others(self, served: Iterable[ServedIndex]) -> None:
        """Close the models that none of these indexes needs."""
        needed = {_maker(item.answerer.index, item.answerer.build) for item in served}
        for maker in self._models.keys() - needed:
            self._models.pop(maker).retire()


def try_out(served: Iterable[ServedIndex]) -> None:
    """Put a question to each of some indexes.

    Raises:
        Exception: Whatever is wrong with one.
    """
    for item in served:
        answer(item.answerer, _PROBE)


class _SharedModel:
    """A model that gives its memory back when no index that is served needs it any more.

    A question that began before may still ask: for it the model is loaded once more.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self.load = load
        self._loaded: Embedder | None = load()
        self.info = self._loaded.info

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector a text."""
        return (self._loaded or self.load()).encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens."""
        return (self._loaded or self.load()).encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that the model reads of a text."""
        return (self._loaded or self.load()).pieces(text)

    def retire(self) -> None:
        """Let go of the model."""
        self._loaded = None


def _require_agreement(index: Index, counts: Mapping[str, int], facts: BuildFacts) -> None:
    """Refuse an index whose `index.json` tells of another index."""
    same_name = facts.index_id in {"", index.info.index_id}
    if not same_name or any(counts[name] != facts.counts.get(name, counts[name]) for name in counts):
        message = f"The {INFO_NAME} beside {index.name} tells of another index. Copy the whole index folder again."
        raise IndexCorruptError(message)


def _maker(index: Index, facts: BuildFacts) -> str:
    """Return what names the model or the encoder that made an index, its tokenizer and its prompts included."""
    encoder, prompts = facts.encoder, f" {index.info.prompts}" if index.info.prompts else ""
    if not index.info.encoder or encoder is None:
        return f"{index.info.model}{prompts}"
    return f"{index.info.encoder} {encoder.sha256} {encoder.tokenizer_sha256} {encoder.max_tokens}{prompts}"
