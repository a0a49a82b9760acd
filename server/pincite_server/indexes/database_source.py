"""Indexes that lie in PostgreSQL: what its pointer names now, and the build before, read where they are."""

import logging
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from pincite_core.errors import IndexFetchError
from pincite_core.postgres.opening import open_catalog
from pincite_server.indexes.earlier import narrowed
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.indexes.shared_models import LoadedModels, SharedModels, try_out
from pincite_server.policy import Policy

if TYPE_CHECKING:
    from pincite_core.postgres.catalog import Catalog

__all__ = ("DatabaseSource",)

logger = logging.getLogger("pincite")


class DatabaseSource:
    """The indexes of one site in a database.

    Args:
        place: `postgresql://...`, with the site's name.
        policy: What the operator decided about answers.
        loaded: The models of other sites, where several are served.
    """

    is_remote = True

    def __init__(self, place: str, policy: Policy | None = None, loaded: LoadedModels | None = None) -> None:
        self.place = place
        self._policy = policy
        self._catalog: Catalog | None = None
        self._models = SharedModels(loaded)
        self._builds: dict[int, tuple[ServedIndex, ...]] = {}  # by number, the newest first

    def open(self) -> IndexSet:
        """Open what was pushed last.

        Raises:
            IndexFileError: It cannot be had, or cannot be read.
            ModelError: The model cannot be loaded or is not the one that made an index.
        """
        return self.refresh() or self._current()

    def open_stored(self) -> IndexSet | None:
        """Open what was pushed last; None when the database cannot be asked now.

        Raises:
            PinciteError: It says that there is nothing, or nothing that can be served.
        """
        try:
            return self.open()
        except IndexFetchError as error:
            logger.warning("%s", error)
            return None

    def refresh(self) -> IndexSet | None:
        """Return the indexes of a build that was pushed since the last look, None when there was none.

        Raises:
            IndexFetchError: It cannot be told now; trying again may help.
            PinciteError: It cannot be served; the same error comes until it changes.
        """
        if self._catalog is None:
            self._catalog = open_catalog(self.place)
        numbers = self._catalog.builds()
        if numbers == tuple(self._builds):
            return None
        fresh = {number: self._builds.get(number) or self._opened(self._catalog, number) for number in numbers}
        before, self._builds = self._builds, fresh
        for number in before.keys() - fresh.keys():
            _retire(before[number])
        self._models.forget_others(item for served in fresh.values() for item in served)
        return self._current()

    def close(self) -> None:
        """Close all connections."""
        if self._catalog is not None:
            self._catalog.close()

    def _opened(self, catalog: "Catalog", number: int) -> tuple[ServedIndex, ...]:
        """Open a build and put a question to each of its indexes."""
        served: list[ServedIndex] = []
        for pushed in catalog.indexes(number):
            index = catalog.open(pushed)
            load = partial(catalog.load_embedder, index, pushed)
            served.append(self._models.served(index, pushed.facts, load, self._policy))
        try_out(served)
        return tuple(served)

    def _current(self) -> IndexSet:
        newest, *before = self._builds.values()
        return IndexSet(newest, narrowed(before[0], newest) if before else None, self)


def _retire(served: Iterable[ServedIndex]) -> None:
    for item in served:
        item.answerer.index.retire()
