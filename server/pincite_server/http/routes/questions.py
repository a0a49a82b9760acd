"""`GET /api/questions`: what a page offers its readers to ask."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from pincite_core.index.read import Index
from pincite_core.index.schema import PAGE_QUESTIONS
from pincite_server.http import wire
from pincite_server.http.openapi import problem_responses
from pincite_server.http.sidecar import Sidecar

__all__ = ("questions",)

PageUrl = Annotated[str, QueryParameter(description="The page the reader is on.", max_length=2048)]
Locale = Annotated[str | None, QueryParameter(description="The page's language.", max_length=256)]


class _Offered(msgspec.Struct, frozen=True):
    """What the build kept of a page's questions, as far as readers see it."""

    questions: tuple[str, ...]


@get("/api/questions", responses=problem_responses("invalid_request"), summary="Questions that a page answers")
async def questions(page_url: PageUrl, sidecar: NamedDependency[Sidecar], locale: Locale = None) -> wire.PageQuestions:
    """Return questions that the page was found to answer when the index was built; none for most references."""
    served = sidecar.indexes.choose(locale, page_url)
    return wire.PageQuestions(served.index_id, await sidecar.worker.run(_offered, served.engine.index, page_url))


def _offered(index: Index, page_url: str) -> tuple[str, ...]:
    page = index.page_at(page_url)
    stored = index.meta(f"{PAGE_QUESTIONS}{page.url}") if page else None
    try:
        return msgspec.convert(stored, _Offered).questions
    except msgspec.ValidationError:
        return ()
