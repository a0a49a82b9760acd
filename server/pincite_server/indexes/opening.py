"""Opening the copies of builds that are served, and closing them when others have taken their place."""

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

_MOST_SECONDS = 600.0  # that a question takes, a language model's time-outs and repetitions included
_CHECKED = f"checked-by-{__version__}"  # in a build's folder, where no file of a deploy is; another release looks anew


class BuildOpener:
    """Turns stored builds into what answers questions, and closes them when others have taken their place.

    Args:
        policy: What the operator decided about answers.
        clock: Seconds that only grow.
        loaded: The models of other sites.
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
            try_out(opened)
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
