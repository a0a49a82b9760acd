"""Serves the newest build and the one before it directly from PostgreSQL."""

import logging
from functools import partial
from typing import TYPE_CHECKING

from pincite_core.errors import IndexFetchError
from pincite_core.postgres.opening import open_catalog
from pincite_server.indexes.registry import IndexSet, ServedIndex, restrict_earlier
from pincite_server.indexes.shared_models import LoadedModels, SharedModels, try_out
from pincite_server.policy import Policy

if TYPE_CHECKING:
    from pincite_core.postgres.catalog import Catalog

__all__ = ("DatabaseSource",)

logger = logging.getLogger("pincite")


class DatabaseSource:
    """The indexes of one site in a database; the place is `postgresql://...` with the site's name."""

    is_remote = True

    def __init__(self, place: str, policy: Policy | None = None, loaded: LoadedModels | None = None) -> None:
        self.place = place
        self._policy = policy
        self._catalog: Catalog | None = None
        self._models = SharedModels(loaded)
        self._builds: dict[int, tuple[ServedIndex, ...]] = {}  # by build number, the newest first

    def open(self) -> IndexSet:
        """Open the newest build; it raises the errors of `IndexSource.open`."""
        return self.refresh() or self._current()

    def open_stored(self) -> IndexSet | None:
        """Open the newest build; return None if the database is not reachable."""
        try:
            return self.open()
        except IndexFetchError as error:
            logger.warning("%s", error)
            return None

    def refresh(self) -> IndexSet | None:
        """Return the indexes if the site's builds have changed since the last call, as `BuildSource.refresh` does."""
        if self._catalog is None:
            self._catalog = open_catalog(self.place)
        numbers = self._catalog.builds()
        if numbers == tuple(self._builds):
            return None
        fresh = {number: self._builds.get(number) or self._opened(self._catalog, number) for number in numbers}
        before, self._builds = self._builds, fresh
        for number in before.keys() - fresh.keys():
            for item in before[number]:
                item.answerer.index.retire()
        self._models.forget_others(item for served in fresh.values() for item in served)
        return self._current()

    def close(self) -> None:
        """Close all connections."""
        if self._catalog is not None:
            self._catalog.close()

    def _opened(self, catalog: "Catalog", number: int) -> tuple[ServedIndex, ...]:
        """Open a build, and ask each of its indexes a test question."""
        served: list[ServedIndex] = []
        for pushed in catalog.indexes(number):
            index = catalog.open(pushed)
            load = partial(catalog.load_embedder, index, pushed)
            served.append(self._models.served(index, pushed.facts, load, self._policy))
        try_out(served)
        return tuple(served)

    def _current(self) -> IndexSet:
        newest, *before = self._builds.values()
        return IndexSet(newest, restrict_earlier(before[0], newest) if before else None, self)
