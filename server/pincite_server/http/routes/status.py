"""`GET /health` and `GET /ready`."""

from datetime import datetime
from typing import Literal

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

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
    site_url: str
    base_url: str
    locales: tuple[str, ...]
    model: str
    counts: dict[str, int]


class Readiness(msgspec.Struct, frozen=True):
    """What is served, and what was counted since the start.

    `status` is `ready` or `waiting` (for the first index); `problem` is why the newest deploy is not what is served.
    """

    status: Literal["ready", "waiting"]
    indexes: tuple[IndexStatus, ...]
    earlier: tuple[IndexStatus, ...]
    newest_refused: bool
    problem: str | None
    looked_at: datetime | None
    counters: dict[str, int]


_RESPONSES = {503: ResponseSpec(Readiness, description="No index is loaded yet.", generate_examples=False)}


@get("/health", summary="Is the process alive?", sync_to_thread=False)
def health() -> Health:
    """Say that the process lives."""
    return Health("ok", __version__)


@get("/ready", responses=_RESPONSES, summary="Is an index loaded, and how fresh is it?", sync_to_thread=False)
def ready(sidecar: NamedDependency[Sidecar]) -> Response[Readiness]:
    """Say which indexes are served; 503 as long as there is none."""
    live = sidecar.live
    readiness = Readiness(
        status="ready" if live.served else "waiting",
        indexes=tuple(map(_status, live.served)),
        earlier=tuple(map(_status, live.earlier)),
        newest_refused=live.newest_refused,
        problem=live.problem,
        looked_at=live.looked_at,
        counters=sidecar.counters.snapshot(),
    )
    return Response(readiness, status_code=200 if live.served else 503)


def _status(served: ServedIndex) -> IndexStatus:
    index = served.engine.index
    return IndexStatus(
        index_id=index.info.index_id,
        build_id=served.build_id,
        built_at=served.engine.built_at,
        title=index.info.title,
        site_url=index.info.site_url,
        base_url=index.info.base_url,
        locales=index.info.locales,
        model=index.info.model,
        counts=served.counts,
    )
