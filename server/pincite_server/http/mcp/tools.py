"""The three tools: search, read a section, ask. Each is a plain function of the sidecar and its arguments."""

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_core.urls import join_url
from pincite_server.answerer import Answerer
from pincite_server.answering.named_sections import SectionText, read_section, resolve_id, target_url
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.question import Question
from pincite_server.answering.scope import require_known_scope
from pincite_server.http.mcp.contract import (
    AskArguments,
    AskResult,
    Below,
    CitedSection,
    FoundSection,
    ReadArguments,
    ReadResult,
    SearchArguments,
    SearchResults,
)
from pincite_server.http.replying.asking import ask
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.reply.records import Answer, Citation, Refusal, SearchHit

__all__ = ("ask_question", "read_place", "search_sections")


async def search_sections(sidecar: Sidecar, arguments: SearchArguments) -> SearchResults:
    """Rank sections.

    Raises:
        InputError: The docs have no such version or language.
    """
    answerer = _scoped(sidecar, arguments.version, arguments.locale).answerer
    hits = await sidecar.worker.run(
        search_hits, answerer, arguments.query, arguments.k, arguments.version, arguments.locale
    )
    return SearchResults(tuple(_place(answerer.index, hit) for hit in hits))


async def read_place(sidecar: Sidecar, arguments: ReadArguments) -> ReadResult:
    """Return a section's text.

    Raises:
        InputError: Nothing is there, or the docs have no such version or language.
    """
    answerer = _scoped(sidecar, arguments.version, arguments.locale, arguments.id).answerer
    return await sidecar.worker.run(_read, answerer, arguments)


async def ask_question(sidecar: Sidecar, arguments: AskArguments) -> AskResult:
    """Answer a question, or say why not.

    Raises:
        InputError: The docs have no such version or language.
    """
    page = _scoped(sidecar, arguments.version, arguments.locale)
    chosen = arguments.locale is not None
    question = Question(arguments.question, version=arguments.version, locale=arguments.locale, locale_chosen=chosen)
    served, question = sidecar.indexes.speaking(question, page)
    return _ask_result(served.answerer.index, (await ask(sidecar, served, question)).reply)


def _scoped(sidecar: Sidecar, version: str | None, locale: str | None, url: str | None = None) -> ServedIndex:
    """Return the index of a language, or of a page; an agent is told that a scope is wrong, and which there are."""
    indexes = sidecar.indexes
    served = indexes.choose(locale, url)
    require_known_scope(served.answerer.index, version, locale, indexes.locales)
    return served


def _read(answerer: Answerer, arguments: ReadArguments) -> ReadResult:
    index = answerer.index
    section = read_section(index, _find(index, arguments))
    return _read_result(index, section)


def _find(index: Index, arguments: ReadArguments) -> Target:
    """Return what a stable ID or a URL names; moved IDs are followed."""
    resolved = resolve_id(index, arguments.id, arguments.version, arguments.locale)
    target = resolved.target or index.target_at(arguments.id)
    if target is not None:
        return target
    lost = "is no longer in the docs" if resolved.known else "is no stable ID or URL of these docs"
    message = f"{arguments.id!r} {lost}. Search for it, and use the `stable_id` of a result."
    raise InputError(message)


def _read_result(index: Index, section: SectionText) -> ReadResult:
    target = section.target
    return ReadResult(
        title=target.title,
        heading_path=target.heading_path,
        url=_absolute(index, target_url(index, target)),
        stable_id=target.stable_id,
        text=section.text,
        truncated=section.truncated,
        subsections=tuple(Below(one.title, one.stable_id) for one in section.subsections),
    )


def _ask_result(index: Index, reply: Answer | Refusal) -> AskResult:
    notices = tuple(notice.message for notice in reply.notices)
    if isinstance(reply, Refusal):
        nearest = tuple(_source(index, citation) for citation in reply.nearest)
        return AskResult(False, reply.message, nearest, None, reply.code, None, notices)
    sources = tuple(_source(index, citation) for citation in reply.citations)
    return AskResult(True, reply.text, sources, reply.composer, None, reply.validation.confidence_score, notices)


def _place(index: Index, hit: SearchHit) -> FoundSection:
    return FoundSection(hit.title, hit.heading_path, _absolute(index, hit.url), hit.stable_id, hit.snippet)


def _source(index: Index, citation: Citation) -> CitedSection:
    url = _absolute(index, citation.url or "")
    return CitedSection(citation.n, citation.heading_path, url, citation.stable_id, citation.excerpt)


def _absolute(index: Index, url: str) -> str:
    return join_url(index.info.site_url, url) or url
