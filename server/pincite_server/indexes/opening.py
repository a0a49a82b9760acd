"""Opening builds with their models: each model is loaded once, however many builds and languages it made."""

import weakref
from collections.abc import Iterable
from pathlib import Path

from pincite_core.deployed.build_facts import facts_beside
from pincite_core.deployed.library import StoredBuild
from pincite_core.embedders import Embedder, load_index_embedder
from pincite_core.index.read import Index
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.answering.question import Question
from pincite_server.indexes.registry import ServedIndex
from pincite_server.policy import Policy

__all__ = ("BuildOpener",)

_WARM_UP = "How do I get started?"  # the first encoding is many times slower than those after it
_PROBE = Question("How do I get started?")  # any question must be answered or refused, never fail


class BuildOpener:
    """Turns stored builds into what answers questions, and knows which files are still read from."""

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy
        self._models: dict[str, Embedder] = {}
        self._opened: weakref.WeakSet[Index] = weakref.WeakSet()

    def open(self, build: StoredBuild) -> tuple[ServedIndex, ...]:
        """Open every index of a build.

        Raises:
            IndexFileError: One of them cannot be read.
            ModelError: A model cannot be loaded or is not the one that made an index.
        """
        return tuple(map(self._serve, build.databases()))

    def try_out(self, build: StoredBuild) -> None:
        """Open a build and put a question to each of its indexes.

        Raises:
            Exception: Whatever is wrong with it.
        """
        for served in self.open(build):
            answer(served.answerer, _PROBE)

    def track(self, served: Iterable[ServedIndex]) -> None:
        """Count the files of indexes that were opened elsewhere as in use."""
        self._opened.update(item.answerer.index for item in served)

    def files_in_use(self) -> list[Path]:
        """Return the index files that anybody still reads from."""
        return [index.file for index in self._opened]

    def forget_models(self, served: Iterable[ServedIndex]) -> None:
        """Drop the models that none of these indexes needs."""
        needed = {_maker(item.answerer.index) for item in served}
        self._models = {maker: model for maker, model in self._models.items() if maker in needed}

    def _serve(self, database: Path) -> ServedIndex:
        index = Index.open(database)
        self._opened.add(index)
        maker = _maker(index)
        if maker not in self._models:
            self._models[maker] = load_index_embedder(database.parent, index.info)
            self._models[maker].encode([_WARM_UP])
        facts_beside(database)  # what is damaged is not served
        answerer = Answerer.with_embedder(index, self._models[maker], self._policy)
        return ServedIndex(answerer, index.counts())


def _maker(index: Index) -> str:
    """Return what names the model or the encoder that made an index."""
    return index.info.encoder or index.info.model
