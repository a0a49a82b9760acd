"""`GET /health`, `GET /ready`, `GET /metrics`, and `GET /api/stream-check` for `pincite doctor`."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Literal

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.response.sse import ServerSentEvent, ServerSentEventMessage
from prometheus_client.exposition import choose_encoder

from pincite_core.version import __version__
from pincite_server.http.replying.sse import STREAM_HEADERS
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.problems import problem_responses
from pincite_server.indexes.registry import ServedIndex

__all__ = (
    "BEATS",
    "BEAT_SECONDS",
    "Health",
    "IndexStatus",
    "Readiness",
    "SharedState",
    "health",
    "metrics",
    "ready",
    "stream_check",
)


class Health(msgspec.Struct, frozen=True):
    """The reply of `GET /health`."""

    status: str
    version: str


class IndexStatus(msgspec.Struct, frozen=True):
    """A served index in the reply of `GET /ready`."""

    index_id: str
    build_id: str
    built_at: str | None
    title: str
    site_url: str
    base_url: str
    locales: tuple[str, ...]
    model: str
    counts: dict[str, int]


class SharedState(msgspec.Struct, frozen=True):
    """Whether the shared state of several sidecars is reachable, and the problem if it is not."""

    up: bool
    problem: str | None


class Readiness(msgspec.Struct, frozen=True):
    """The reply of `GET /ready`: the served indexes, and the counters since the start.

    `status` is `ready`, or `waiting` for the first index. `problem` is why the newest deploy is not served.
    `shared_state` is None if each sidecar counts alone.
    """

    status: Literal["ready", "waiting"]
    indexes: tuple[IndexStatus, ...]
    earlier: tuple[IndexStatus, ...]
    newest_refused: bool
    problem: str | None
    looked_at: datetime | None
    counters: dict[str, int]
    shared_state: SharedState | None = None


_RESPONSES = {503: ResponseSpec(Readiness, description="No index is loaded yet.", generate_examples=False)}


_ANY_ORIGIN = ResponseHeader(
    "Access-Control-Allow-Origin",
    value="*",
    description="With it, a page can tell a sidecar that is down from one that does not allow its origin.",
)


@get("/health", summary="Check whether the process runs", response_headers=[_ANY_ORIGIN], sync_to_thread=False)
def health() -> Health:
    """Return a constant reply, which shows that the process runs."""
    return Health("ok", __version__)


@get("/ready", responses=_RESPONSES, summary="Check whether an index is loaded", sync_to_thread=False)
def ready(sidecar: NamedDependency[Sidecar]) -> Response[Readiness]:
    """Return the served indexes; 503 as long as there is none."""
    lives = sidecar.lives
    served = [item for live in lives for item in live.served]
    checks = [live.looked_at for live in lives]
    readiness = Readiness(
        status="ready" if served else "waiting",
        indexes=tuple(map(_status, served)),
        earlier=tuple(_status(item) for live in lives for item in live.earlier),
        newest_refused=any(live.problem is not None for live in lives),
        problem=_problem(sidecar),
        looked_at=min(filter(None, checks)) if all(checks) else None,
        counters=sidecar.counters.snapshot(),
        shared_state=SharedState(sidecar.state.problem is None, sidecar.state.problem) if sidecar.state else None,
    )
    return Response(readiness, status_code=200 if served else 503)


def _problem(sidecar: Sidecar) -> str | None:
    """Return why the newest deploy is not served; with several sites, a text with each site's name and problem."""
    if sidecar.is_one_site:
        return sidecar.live.problem
    lives = sidecar.named_lives.items()
    problems = {name: live.problem or ("" if live.served else "There is no index yet.") for name, live in lives}
    return " ".join(f"{name}: {problem}" for name, problem in problems.items() if problem) or None


def _status(served: ServedIndex) -> IndexStatus:
    index = served.answerer.index
    return IndexStatus(
        index_id=index.info.index_id,
        build_id=served.build_id,
        built_at=served.answerer.built_at,
        title=index.info.title,
        site_url=index.info.site_url,
        base_url=index.info.base_url,
        locales=index.info.locales,
        model=index.info.model,
        counts=served.counts,
    )


BEATS = 5
BEAT_SECONDS = 0.2  # far more than a network's jitter, and short enough to wait for


@get(
    "/api/stream-check",
    media_type="text/event-stream",
    responses=problem_responses(),
    summary="Check whether a proxy buffers streams",
)
async def stream_check() -> ServerSentEvent:
    """Send five events, 0.2 s apart; they arrive together if a proxy buffers the stream."""
    return ServerSentEvent(_beats(), headers=STREAM_HEADERS)


async def _beats() -> AsyncIterator[ServerSentEventMessage]:
    for number in range(BEATS):
        if number:
            await asyncio.sleep(BEAT_SECONDS)
        yield ServerSentEventMessage(str(number), event="beat")


@get("/metrics", media_type="text/plain", responses=problem_responses(), summary="Metrics for Prometheus")
async def metrics(request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]) -> Response[bytes]:
    """Return the metrics in Prometheus' text format, or in OpenMetrics if the client accepts it."""
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(sidecar.metrics.registry), headers={"Content-Type": content_type})
