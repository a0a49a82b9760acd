"""The three MCP tools: search, read a section, ask. Each is a function of the sidecar and the arguments."""

from collections.abc import Callable

import msgspec

from pincite_core.errors import InputError, WorkLimitError
from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_server.answerer import Answerer
from pincite_server.answering.named_sections import resolve_id, target_url
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.section_reading import SectionText, read_section
from pincite_server.federation.federated_lookup import federated_search
from pincite_server.federation.federated_reply import PageContext, question_to_members
from pincite_server.federation.federated_site import scoped_members, sites_of_id
from pincite_server.http.mcp.contract import (
    AskArguments,
    AskResult,
    CitedSection,
    FoundSection,
    NamedSection,
    ReadArguments,
    ReadResult,
    SearchArguments,
    SearchResults,
)
from pincite_server.http.replying.asking import ask, federated_steps
from pincite_server.http.replying.live_reply import LiveReply
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Answer, Citation, Refusal, SearchHit

__all__ = ("ask_question", "read_place", "search_sections")


async def search_sections(sidecar: Sidecar, arguments: SearchArguments) -> SearchResults:
    """Return the sections that match a query best.

    Raises:
        InputError: The docs have no such version or language.
    """
    if sidecar.members:
        scope = (arguments.version, arguments.locale)
        sites = scoped_members(sidecar.named_lives, None, *scope, arguments.query)
        _, found = await federated_search(sites, arguments.k, *scope, sidecar.worker.run)
        return SearchResults(tuple(_shown(hit, hit.url) for hit in found))
    answerer = _scoped(sidecar, arguments.version, arguments.locale).answerer
    hits = await sidecar.worker.run(
        search_hits, answerer, arguments.query, arguments.k, arguments.version, arguments.locale
    )
    return SearchResults(tuple(_shown(hit, answerer.absolute(hit.url)) for hit in hits))


async def read_place(sidecar: Sidecar, arguments: ReadArguments) -> ReadResult:
    """Return the text of a section.

    Raises:
        InputError: The section does not exist, or the docs have no such version or language.
    """
    if sidecar.members:
        return await _read_of_member(sidecar, arguments)
    answerer = _scoped(sidecar, arguments.version, arguments.locale, arguments.id).answerer
    return await sidecar.worker.run(_read, answerer, arguments)


async def ask_question(sidecar: Sidecar, arguments: AskArguments) -> AskResult:
    """Answer a question, or return why there is no answer.

    Raises:
        InputError: The docs have no such version or language.
    """
    chosen = arguments.locale is not None
    question = Question(arguments.question, version=arguments.version, locale=arguments.locale, locale_chosen=chosen)
    if sidecar.members:
        scoped = scoped_members(sidecar.named_lives, None, arguments.version, arguments.locale)
        lives = {site.name: sidecar.named_lives[site.name] for site in scoped}
        asked = question_to_members(lives, PageContext(locale=arguments.locale), lambda *_: question)
        return _ask_result((await LiveReply(federated_steps(sidecar, asked)).whole()).reply, str)
    page = _scoped(sidecar, arguments.version, arguments.locale)
    served, question = sidecar.indexes.for_language(question, page)
    return _ask_result((await ask(sidecar, served, question)).reply, served.answerer.absolute)


def _scoped(sidecar: Sidecar, version: str | None, locale: str | None, url: str | None = None) -> ServedIndex:
    """Return the index for a language or a page.

    Raises:
        InputError: The docs have no such version or language; the message lists those that exist.
    """
    indexes = sidecar.indexes
    served = indexes.choose(locale, url)
    require_known_scope(served.answerer.index, version, locale, indexes.locales)
    return served


async def _read_of_member(sidecar: Sidecar, arguments: ReadArguments) -> ReadResult:
    """Return a section from the first member that has it."""
    sites = scoped_members(sidecar.named_lives, None, arguments.version, arguments.locale)
    refused: InputError | None = None
    for site, own in sites_of_id(sites, arguments.id):
        try:
            found = await sidecar.worker.run(_read, site.answerer, msgspec.structs.replace(arguments, id=own))
        except WorkLimitError:
            raise
        except InputError as error:
            refused = error
        else:
            path = (site.title, *found.heading_path)
            return msgspec.structs.replace(found.renamed(site.stable_id), heading_path=path)
    assert refused is not None
    raise refused


def _read(answerer: Answerer, arguments: ReadArguments) -> ReadResult:
    index = answerer.index
    section = read_section(index, _find(index, arguments), absolute=answerer.absolute)
    return _read_result(answerer, section)


def _named(target: Target) -> NamedSection:
    return NamedSection(target.title, target.stable_id)


def _find(index: Index, arguments: ReadArguments) -> Target:
    """Return the target of a stable ID or a URL, following moved IDs."""
    resolved = resolve_id(index, arguments.id, arguments.version, arguments.locale)
    target = resolved.target or index.target_at(arguments.id)
    if target is not None:
        return target
    lost = "is no longer in the docs" if resolved.known else "is no stable ID or URL of these docs"
    message = f"{arguments.id!r} {lost}. Search for it, and use the `stable_id` of a result."
    raise InputError(message)


def _read_result(answerer: Answerer, section: SectionText) -> ReadResult:
    target = section.target
    return ReadResult(
        title=target.title,
        heading_path=target.heading_path,
        url=answerer.absolute(target_url(answerer.index, target)),
        stable_id=target.stable_id,
        text=section.text,
        truncated=section.truncated,
        missing=section.missing,
        left_out=tuple(map(_named, section.left_out)),
        parent=_named(section.parent) if section.parent else None,
        siblings=tuple(map(_named, section.siblings)),
        subsections=tuple(map(_named, section.subsections)),
    )


def _ask_result(reply: Answer | Refusal, absolute: Callable[[str], str]) -> AskResult:
    notices = tuple(notice.message for notice in reply.notices)
    if isinstance(reply, Refusal):
        nearest = tuple(_source(citation, absolute) for citation in reply.nearest)
        return AskResult(False, reply.message, nearest, None, reply.code, None, notices)
    sources = tuple(_source(citation, absolute) for citation in reply.citations)
    return AskResult(True, reply.text, sources, reply.composer, None, reply.validation.confidence_score, notices)


def _shown(hit: SearchHit, url: str) -> FoundSection:
    return FoundSection(hit.title, hit.heading_path, url, hit.stable_id, hit.snippet)


def _source(citation: Citation, absolute: Callable[[str], str]) -> CitedSection:
    url = absolute(citation.url or "")
    return CitedSection(citation.n, citation.heading_path, url, citation.stable_id, citation.excerpt)
