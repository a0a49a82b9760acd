"""Loads each model once for all indexes, builds and languages that were made with it."""

import weakref
from collections.abc import Callable, Iterable, MutableMapping, Sequence
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
"""Models by key, as long as they are in use: a `weakref.WeakValueDictionary`."""

_WARM_UP = "How do I get started?"  # the first encoding is many times slower than later ones
_PROBE = Question("How do I get started?")  # a working index answers or refuses any question


class SharedModels:
    """The models of the served indexes; they are added to `loaded`, the models that all sites share."""

    def __init__(self, loaded: LoadedModels | None = None) -> None:
        self._models: dict[str, _SharedModel] = {}
        self._loaded: LoadedModels = weakref.WeakValueDictionary() if loaded is None else loaded

    def served(
        self, index: Index, facts: BuildFacts, load: Callable[[], Embedder], policy: Policy | None
    ) -> ServedIndex:
        """Return an index with its answerer; call `load` only if no index with the same model was opened before.

        Raises:
            IndexCorruptError: The `index.json` belongs to another index.
            ModelError: The model cannot be loaded, or is not the model of the index.
        """
        counts = index.counts()
        is_same = facts.index_id in {"", index.info.index_id}
        if not is_same or any(counts[name] != facts.counts.get(name, counts[name]) for name in counts):
            message = (
                f"The {INFO_NAME} beside {index.name} belongs to another index. Copy the whole index folder again."
            )
            raise IndexCorruptError(message)
        key = _model_key(index, facts)
        load = partial(self._found, key, load)
        model = self._models.get(key) or _SharedModel(load)
        answerer = Answerer.with_embedder(index, model, policy, facts)
        model.load = load  # the folder of the first `load` may be gone when the model is loaded again
        if key not in self._models:
            model.encode([_WARM_UP], "query")
            self._models[key] = model
        return ServedIndex(answerer, counts)

    def _found(self, key: str, load: Callable[[], Embedder]) -> Embedder:
        """Return a loaded model, or load it. Two simultaneous calls load it twice, which does no harm."""
        found = self._loaded.get(key)
        if found is None:
            found = self._loaded[key] = load()
        return found

    def forget_others(self, served: Iterable[ServedIndex]) -> None:
        """Close the models that none of these indexes needs."""
        needed = {_model_key(item.answerer.index, item.answerer.build) for item in served}
        for key in self._models.keys() - needed:
            self._models.pop(key).retire()


def try_out(served: Iterable[ServedIndex]) -> None:
    """Ask each of some indexes a test question; raise if an index is faulty."""
    for item in served:
        answer(item.answerer, _PROBE)


class _SharedModel:
    """A model that is released when no served index needs it any more.

    A question that began earlier may still need the model; each such call loads it again.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self.load = load
        self._loaded: Embedder | None = load()
        self.info = self._loaded.info

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector for each text."""
        return (self._loaded or self.load()).encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens."""
        return (self._loaded or self.load()).encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return the model's tokens of a text."""
        return (self._loaded or self.load()).pieces(text)

    def retire(self) -> None:
        """Release the model."""
        self._loaded = None


def _model_key(index: Index, facts: BuildFacts) -> str:
    """Return the key of the model or encoder of an index, with its tokenizer and prompts."""
    encoder, prompts = facts.encoder, f" {index.info.prompts}" if index.info.prompts else ""
    if not index.info.encoder or encoder is None:
        return f"{index.info.model}{prompts}"
    return f"{index.info.encoder} {encoder.sha256} {encoder.tokenizer_sha256} {encoder.max_tokens}{prompts}"
