"""Opens stored builds, and closes indexes that were replaced."""

import math
import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from pincite_core.deployed.build_cache import StoredBuild
from pincite_core.deployed.build_facts import facts_beside
from pincite_core.embedders import load_index_embedder
from pincite_core.index.read import Index
from pincite_core.version import __version__
from pincite_server.indexes.registry import ServedIndex
from pincite_server.indexes.shared_models import LoadedModels, SharedModels, try_out
from pincite_server.policy import Policy

__all__ = ("BuildOpener",)

_MOST_SECONDS = 600.0  # the longest time of a question, with a language model's timeouts and retries
_CHECKED = f"checked-by-{__version__}"  # marker file in a build's folder; another release checks again


class BuildOpener:
    """Opens stored builds as answerers, and closes them after they were replaced.

    Args:
        policy: The operator's policy for answers.
        clock: Monotonic clock in seconds.
        loaded: Models that other sites have loaded.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
        loaded: LoadedModels | None = None,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._models = SharedModels(loaded)
        self._alive: weakref.WeakSet[Index] = weakref.WeakSet()
        self._ends: dict[Path, float] = {}  # files of closed indexes: the time until which a question may read them

    def open(self, build: StoredBuild) -> tuple[ServedIndex, ...]:
        """Open every index of a build; a build that was checked before opens faster.

        Raises:
            IndexFileError: An index cannot be read.
            ModelError: A model cannot be loaded, or is not the model of an index.
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
        with suppress(OSError):  # with a full disk, the build is checked again
            mark.touch()
        return tuple(opened)

    def try_out(self, build: StoredBuild) -> None:
        """Open a build, and ask each of its indexes a test question.

        Raises:
            Exception: The build is faulty.
        """
        opened = self.open(build)
        try:
            try_out(opened)
        finally:
            self.retire(opened)

    def retire(self, served: Iterable[ServedIndex]) -> None:
        """Close replaced indexes; questions in progress finish with them."""
        for index in (item.answerer.index for item in served):
            index.retire()
            self._ends[index.file] = self._clock() + _MOST_SECONDS

    def track(self, served: Iterable[ServedIndex]) -> None:
        """Count the files of indexes derived from opened ones as in use."""
        self._alive.update(item.answerer.index for item in served)

    def files_in_use(self) -> list[Path]:
        """Return the files of served indexes, and of closed ones that a question in progress may still read."""
        alive, now = {index.file for index in self._alive}, self._clock()
        self._ends = {file: end for file, end in self._ends.items() if file in alive}
        return [file for file in alive if now < self._ends.get(file, math.inf)]

    def forget_models(self, served: Iterable[ServedIndex]) -> None:
        """Close the models that none of these indexes needs."""
        self._models.forget_others(served)

    def _serve(self, database: Path, *, checked: bool) -> ServedIndex:
        index = Index.open(database, checked=checked)
        self._alive.add(index)
        try:
            return self._with_model(index, database)
        except Exception:
            index.retire()
            raise

    def _with_model(self, index: Index, database: Path) -> ServedIndex:
        load = partial(load_index_embedder, database.parent, index.info)
        return self._models.served(index, facts_beside(database), load, self._policy)
