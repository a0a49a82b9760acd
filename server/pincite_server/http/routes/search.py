"""`GET /api/search`: ranked targets with snippets."""

import time
from typing import Annotated, Any

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from pincite_server.answering.pipeline import search_hits
from pincite_server.http import wire
from pincite_server.http.disconnection import unless_disconnected
from pincite_server.http.openapi import problem_responses
from pincite_server.http.problems import Problem
from pincite_server.http.sidecar import Sidecar

__all__ = ("search",)

_MAX_RESULTS = 50  # more than anybody reads; keeps a request's work small

Query = Annotated[str, QueryParameter(name="q", description="What to look for.")]
Count = Annotated[int, QueryParameter(name="k", ge=1, le=_MAX_RESULTS, description="How many results.")]
Version = Annotated[str | None, QueryParameter(description="Only this version of the docs.", max_length=256)]
Locale = Annotated[str | None, QueryParameter(description="Only this language.", max_length=256)]


@get(
    "/api/search",
    responses=problem_responses("invalid_request"),
    summary="Rank the docs' sections for a query",
)
async def search(
    q: Query,
    request: Request[Any, Any, Any],
    sidecar: NamedDependency[Sidecar],
    k: Count = 10,
    version: Version = None,
    locale: Locale = None,
) -> wire.SearchReply:
    """Return the places that fit a query best, best first."""
    if not q.strip():
        raise Problem("invalid_request", "The parameter `q` must hold a word to look for.")
    served = sidecar.indexes.choose(locale)
    started = time.perf_counter()
    work = sidecar.worker.run(search_hits, served.engine, q, k, version, locale)
    hits = await unless_disconnected(request, work)
    elapsed = round((time.perf_counter() - started) * 1000, 1)
    return wire.SearchReply(served.index_id, tuple(hits), elapsed)
