"""`GET /metrics` for Prometheus, behind the token; without a token it has a port of its own instead."""

from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from prometheus_client.exposition import choose_encoder

from pincite_server.http.openapi import problem_responses
from pincite_server.http.sidecar import Sidecar

__all__ = ("metrics",)


@get("/metrics", media_type="text/plain", responses=problem_responses(), summary="Metrics for Prometheus")
async def metrics(request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]) -> Response[bytes]:
    """Return the metrics in Prometheus' text format, or OpenMetrics where that is accepted."""
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(sidecar.metrics.registry), headers={"Content-Type": content_type})
