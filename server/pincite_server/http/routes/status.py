"""`GET /health` and `GET /ready`."""

import msgspec
from litestar import get
from litestar.di import NamedDependency

from pincite_core.version import __version__
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex

__all__ = ("Health", "IndexStatus", "Readiness", "health", "ready")


class Health(msgspec.Struct, frozen=True):
    """The process lives."""

    status: str
    version: str


class IndexStatus(msgspec.Struct, frozen=True):
    """One served index."""

    index_id: str
    build_id: str
    built_at: str | None
    title: str
    locales: tuple[str, ...]
    model: str
    counts: dict[str, int]


class Readiness(msgspec.Struct, frozen=True):
    """What is served, and what was counted since the start."""

    status: str
    indexes: tuple[IndexStatus, ...]
    newest_refused: bool
    counters: dict[str, int]


@get("/health", summary="Is the process alive?", sync_to_thread=False)
def health() -> Health:
    """Say that the process lives."""
    return Health("ok", __version__)


@get("/ready", summary="Is an index loaded, and how fresh is it?", sync_to_thread=False)
def ready(sidecar: NamedDependency[Sidecar]) -> Readiness:
    """Say which indexes are served."""
    indexes = tuple(map(_status, sidecar.indexes.served))
    return Readiness("ready", indexes, sidecar.live.newest_refused, sidecar.counters.snapshot())


def _status(served: ServedIndex) -> IndexStatus:
    index = served.engine.index
    return IndexStatus(
        index_id=index.info.index_id,
        build_id=served.build_id,
        built_at=served.built_at,
        title=index.info.title,
        locales=index.info.locales,
        model=index.info.model,
        counts=served.counts,
    )
