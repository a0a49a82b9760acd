"""Opening builds with their models: each model is loaded once, however many builds and languages it made."""

import math
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from pincite_core.deployed.build_facts import BuildFacts, facts_beside
from pincite_core.deployed.library import StoredBuild
from pincite_core.embedders import Embedder, Encoded, Vectors, load_index_embedder
from pincite_core.errors import IndexCorruptError
from pincite_core.index.read import Index
from pincite_core.index.schema import INFO_NAME
from pincite_core.types import Role
from pincite_core.version import __version__
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.answering.question import Question
from pincite_server.indexes.registry import ServedIndex
from pincite_server.policy import Policy

__all__ = ("BuildOpener",)

_WARM_UP = "How do I get started?"  # the first encoding is many times slower than those after it
_PROBE = Question("How do I get started?")  # any question must be answered or refused, never fail
_MOST_SECONDS = 600.0  # that a question takes, a language model's time-outs and repetitions included
_CHECKED = f"checked-by-{__version__}"  # in a build's folder, where no file of a deploy is; another release looks anew


class BuildOpener:
    """Turns stored builds into what answers questions, and closes them when others have taken their place.

    Args:
        policy: What the operator decided about answers.
        clock: Seconds that only grow.
    """

    def __init__(self, policy: Policy | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._clock = clock
        self._models: dict[str, _SharedModel] = {}
        self._alive: weakref.WeakSet[Index] = weakref.WeakSet()
        self._ends: dict[Path, float] = {}  # of closed indexes' files: until when a question may read from them

    def open(self, build: StoredBuild) -> tuple[ServedIndex, ...]:
        """Open every index of a build; one that was checked before is opened faster.

        Raises:
            IndexFileError: One of them cannot be read.
            ModelError: A model cannot be loaded or is not the one that made an index.
        """
        mark = build.folder / _CHECKED
        checked = build.deploy.is_identified and mark.is_file()
        opened: list[ServedIndex] = []
        try:
            for database in build.databases():
                opened.append(self._serve(database, checked=checked))
        except Exception:
            self.retire(opened)
            raise
        with suppress(OSError):  # a full disk: it is checked again
            mark.touch()
        return tuple(opened)

    def try_out(self, build: StoredBuild) -> None:
        """Open a build and put a question to each of its indexes.

        Raises:
            Exception: Whatever is wrong with it.
        """
        opened = self.open(build)
        try:
            for served in opened:
                answer(served.answerer, _PROBE)
        finally:
            self.retire(opened)

    def retire(self, served: Iterable[ServedIndex]) -> None:
        """Close indexes that others have taken the place of; questions under way end with them."""
        for index in (item.answerer.index for item in served):
            index.retire()
            self._ends[index.file] = self._clock() + _MOST_SECONDS

    def track(self, served: Iterable[ServedIndex]) -> None:
        """Count the files of indexes that were made of those opened here as in use."""
        self._alive.update(item.answerer.index for item in served)

    def files_in_use(self) -> list[Path]:
        """Return the files that are served, or that a question under way may still read from."""
        alive, now = {index.file for index in self._alive}, self._clock()
        self._ends = {file: end for file, end in self._ends.items() if file in alive}
        return [file for file in alive if now < self._ends.get(file, math.inf)]

    def forget_models(self, served: Iterable[ServedIndex]) -> None:
        """Close the models that none of these indexes needs."""
        needed = {_maker(item.answerer.index, item.answerer.build) for item in served}
        for maker in self._models.keys() - needed:
            self._models.pop(maker).retire()

    def _serve(self, database: Path, *, checked: bool) -> ServedIndex:
        index = Index.open(database, checked=checked)
        self._alive.add(index)
        try:
            return self._with_model(index, database)
        except Exception:
            index.retire()
            raise

    def _with_model(self, index: Index, database: Path) -> ServedIndex:
        facts, counts = facts_beside(database), index.counts()
        _require_agreement(index, counts, facts)  # what is damaged is not served
        maker, load = _maker(index, facts), partial(load_index_embedder, database.parent, index.info)
        model = self._models.get(maker) or _SharedModel(load)
        answerer = Answerer.with_embedder(index, model, self._policy)
        model.load = load  # the folder that it came from may be gone by then
        if maker not in self._models:
            model.encode([_WARM_UP], "query")
            self._models[maker] = model
        return ServedIndex(answerer, counts)


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
        message = f"The {INFO_NAME} beside {index.file} tells of another index. Copy the whole index folder again."
        raise IndexCorruptError(message)


def _maker(index: Index, facts: BuildFacts) -> str:
    """Return what names the model or the encoder that made an index, its tokenizer and its prompts included."""
    encoder, prompts = facts.encoder, f" {index.info.prompts}" if index.info.prompts else ""
    if not index.info.encoder or encoder is None:
        return f"{index.info.model}{prompts}"
    return f"{index.info.encoder} {encoder.sha256} {encoder.tokenizer_sha256} {encoder.max_tokens}{prompts}"
