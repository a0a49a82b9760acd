"""Lookup routes: search, questions of a page, and the current targets of stable IDs.

`GET /api/search`, `GET /api/questions`, `POST /api/resolve` and `GET /c/{stable id}`.
"""

import time
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import BodyKwarg, FromPath, QueryParameter
from litestar.response import Redirect

from pincite_core.errors import InputError, WorkLimitError
from pincite_core.index.read import Index
from pincite_core.index.schema import PAGE_QUESTIONS
from pincite_server.answering.named_sections import resolve_id, target_url
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.resolving import nearest_to, resolve_all
from pincite_server.federation.federated_lookup import federated_search, find_by_id, resolve_federated
from pincite_server.federation.federated_site import FederatedSite, scoped_members
from pincite_server.http import wire
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import post_json
from pincite_server.http.transport.disconnection import unless_disconnected
from pincite_server.http.transport.problems import Problem, problem_responses
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import ResolvedId

__all__ = ("follow", "questions", "resolve", "search")

_MAX_RESULTS = 50  # more than anybody reads, and little work for a request

Query = Annotated[str, QueryParameter(name="q", max_length=MAX_QUERY, description="The search query.")]
Count = Annotated[int, QueryParameter(name="k", ge=1, le=_MAX_RESULTS, description="The number of results.")]
Version = Annotated[str | None, QueryParameter(description="Only this version of the docs.", max_length=256)]
Locale = Annotated[str | None, QueryParameter(description="Only this language.", max_length=256)]


@get(
    "/api/search",
    responses=problem_responses("invalid_request", "too_costly"),
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
    """Return the sections that match a query best, best first."""
    if not q.strip():
        raise Problem("invalid_request", "The parameter `q` is empty. Send a search query.")
    started = time.perf_counter()
    try:
        if sidecar.members:
            sites = scoped_members(sidecar.named_lives, sidecar.home_of(request), version, locale, q)
            federated = federated_search(sites, k, version, locale, sidecar.worker.run)
            index_id, hits = await unless_disconnected(request, federated)
        else:
            sidecar = sidecar.of_page(request)
            indexes = sidecar.indexes
            served = indexes.choose(locale)
            require_known_scope(served.answerer.index, version, locale, indexes.locales)
            work = sidecar.worker.run(search_hits, served.answerer, q, k, version, locale)
            index_id, hits = served.index_id, tuple(await unless_disconnected(request, work))
    except WorkLimitError:
        raise
    except InputError as error:
        raise Problem("invalid_request", str(error)) from error
    return wire.SearchReply(index_id, hits, round((time.perf_counter() - started) * 1000, 1))


PageUrl = Annotated[str, QueryParameter(description="The page the reader is on.", max_length=2048)]


class _StoredQuestions(msgspec.Struct, frozen=True):
    """The stored questions of a page, with only the fields that readers see."""

    questions: tuple[str, ...]


@get(
    "/api/questions",
    responses=problem_responses("invalid_request", "too_costly"),
    summary="Questions that a page answers",
)
async def questions(
    page_url: PageUrl, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar], locale: Locale = None
) -> wire.PageQuestions:
    """Return questions that the page answers, as found when the index was built; none for most reference pages."""
    sidecar = sidecar.of_page(request, page_url)
    served = sidecar.indexes.choose(locale, page_url)
    work = sidecar.worker.run(_page_questions, served.answerer.index, page_url)
    return wire.PageQuestions(served.index_id, await unless_disconnected(request, work))


def _page_questions(index: Index, page_url: str) -> tuple[str, ...]:
    page = index.page_at(page_url)
    stored = index.meta(f"{PAGE_QUESTIONS}{page.url}") if page else None
    try:
        return msgspec.convert(stored, _StoredQuestions).questions
    except msgspec.ValidationError:
        return ()


_MAX_ID = 1024

Body = Annotated[wire.ResolveRequest, BodyKwarg(examples=[wire.RESOLVE_EXAMPLE])]
Section = Annotated[str | None, QueryParameter(name="s", max_length=_MAX_ID, description="The section of the ID.")]
PreferredVersion = Annotated[str | None, QueryParameter(name="v", max_length=256, description="The version to prefer.")]
PreferredLocale = Annotated[str | None, QueryParameter(name="l", max_length=256, description="The language to prefer.")]


@get(
    "/c/{stable_id:path}",
    status_code=302,
    responses=problem_responses("invalid_request", "not_found", "id_lost", "too_costly"),
    summary="Follow a stable ID",
)
async def follow(
    stable_id: FromPath[str],
    request: Request[Any, Any, Any],
    sidecar: NamedDependency[Sidecar],
    s: Section = None,
    v: PreferredVersion = None,
    l: PreferredLocale = None,  # noqa: E741
) -> Response[Any]:
    """Redirect to the current URL of a stable ID; 410 with the nearest section if it is lost, 404 if unknown."""
    wanted = own_id = stable_id.strip("/")[:_MAX_ID] + (f"#{s}" if s else "")
    if sidecar.members:
        sites = scoped_members(sidecar.named_lives, None, None, None)
        work = find_by_id(sites, wanted, v, l, sidecar.worker.run)
        site, own_id, found = await unless_disconnected(request, work)
    else:
        sidecar = sidecar.of_page(request)
        site = FederatedSite(sidecar.site, sidecar.indexes.choose(l).answerer, Question(""))
        own_work = sidecar.worker.run(resolve_id, site.answerer.index, wanted, v, l)
        found = await unless_disconnected(request, own_work)
    if found.target is not None:
        url = target_url(site.answerer.index, found.target)
        # An absolute URL, since the site has another origin; a relative URL if the sidecar serves the site.
        return Redirect(url if sidecar.settings.site else site.answerer.absolute(url), status_code=302)
    if not found.known:
        raise Problem("not_found", "No section of these docs has or had this ID.")
    nearest = await unless_disconnected(request, sidecar.worker.run(nearest_to, site.answerer, own_id, v, l))
    shown = site.labelled(nearest) if nearest and sidecar.members else nearest
    raise Problem("id_lost", nearest=msgspec.to_builtins(shown))


@post_json("/api/resolve", wire.ResolveRequest, "Resolve stable IDs", "too_costly")
async def resolve(
    data: Body, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]
) -> dict[str, ResolvedId]:
    """Return the current target of each stable ID, for conversations that are older than the last deploy."""
    if sidecar.members:
        sites = scoped_members(sidecar.named_lives, sidecar.home_of(request), None, None)
        work = resolve_federated(sites, data.ids, data.version, data.locale, sidecar.worker.run)
        return await unless_disconnected(request, work)
    sidecar = sidecar.of_page(request)
    answerer = sidecar.indexes.choose(data.locale).answerer
    work = sidecar.worker.run(resolve_all, answerer, data.ids, data.version, data.locale)
    return await unless_disconnected(request, work)
