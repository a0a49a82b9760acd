"""The MCP tools (search, read a section, ask), and pages as MCP resources: `pincite://page` and the page's URL.

All functions raise InputError if the docs have no such section, page, version or language.
"""

from collections.abc import Callable
from functools import partial
from itertools import chain, islice

from mcp_types import ListResourcesResult, ReadResourceResult, Resource, ResourceTemplate, TextResourceContents
from msgspec.structs import replace

from pincite_core.errors import InputError, WorkLimitError
from pincite_core.types import Target
from pincite_server.answerer import Answerer
from pincite_server.answering.citations import excerpt_of
from pincite_server.answering.named_sections import resolve_id, target_url
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.answering.section_reading import read_section
from pincite_server.federation.federated_lookup import federated_search
from pincite_server.federation.federated_reply import PageContext, question_to_members
from pincite_server.federation.federated_site import FederatedSite, scoped_members, sites_of_id
from pincite_server.http.mcp.contract import (
    AskArguments,
    AskResult,
    FoundSection,
    NamedSection,
    ReadArguments,
    ReadResult,
    SearchArguments,
    SearchResults,
    missing_text,
)
from pincite_server.http.replying.asking import ask, make_federated_reply
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.question.question import Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Answer, Citation, Refusal, SearchHit

__all__ = ("PAGE_TEMPLATE", "ask_question", "list_pages", "read_page", "read_place", "read_result", "search_sections")

_PREFIX = "pincite://page"
_PAGE_SIZE = 200  # resources in a reply: some 50 kB of JSON
_LONGEST_PAGE = 200_000  # characters: an API reference with hundreds of methods, still below a reply's size limit
_LONGEST_URI = 4096  # characters, the same limit as for any URL
_MOST_DIGITS = 9  # of the number in a cursor
_MARKDOWN = "text/markdown"

PAGE_TEMPLATE = ResourceTemplate(
    name="page",
    title="A page of the docs",
    uri_template=_PREFIX + "{+path}",
    description="A page as Markdown, by the path of its URL, such as /docs/install.",
    mime_type=_MARKDOWN,
)


async def search_sections(sidecar: Sidecar, arguments: SearchArguments) -> SearchResults:
    """Return the sections that match a query best."""
    scope = (arguments.version, arguments.locale)
    if sidecar.members:
        sites = scoped_members(sidecar.named_lives, None, *scope, arguments.query)
        _, hits = await federated_search(sites, arguments.k, *scope, sidecar.worker.run)
        return SearchResults(tuple(_found(hit, hit.url) for hit in hits))
    answerer = _scoped(sidecar, *scope).answerer
    own_hits = await sidecar.worker.run(search_hits, answerer, arguments.query, arguments.k, *scope)
    return SearchResults(tuple(_found(hit, answerer.absolute(hit.url)) for hit in own_hits))


def _found(hit: SearchHit, url: str) -> FoundSection:
    return FoundSection(hit.title, hit.heading_path, url, hit.stable_id, hit.snippet)


async def read_place(sidecar: Sidecar, arguments: ReadArguments) -> ReadResult:
    """Return the text of a section; in a group of sites, from the first site that has it."""
    if not sidecar.members:
        answerer = _scoped(sidecar, arguments.version, arguments.locale, arguments.id).answerer
        return await sidecar.worker.run(read_result, answerer, arguments)
    sites = scoped_members(sidecar.named_lives, None, arguments.version, arguments.locale)
    refusal: InputError | None = None
    for site, own_id in sites_of_id(sites, arguments.id):
        try:
            return await sidecar.worker.run(read_result, site.answerer, replace(arguments, id=own_id), site)
        except WorkLimitError:
            raise
        except InputError as error:
            refusal = error
    assert refusal is not None
    raise refusal


def read_result(answerer: Answerer, arguments: ReadArguments, site: FederatedSite | None = None) -> ReadResult:
    """Return the section of a stable ID or a URL, following moved IDs.

    With a `site` of a group, the heading path begins with its title, and all IDs are those of the group.
    """
    index = answerer.index
    resolved = resolve_id(index, arguments.id, arguments.version, arguments.locale)
    target = resolved.target or index.target_at(arguments.id)
    if target is None:
        lost = "is no longer in the docs" if resolved.known else "is no stable ID or URL of these docs"
        message = f"{arguments.id!r} {lost}. Search for it, and use the `stable_id` of a result."
        raise InputError(message)
    section = read_section(index, target, absolute=answerer.absolute)

    def named(one: Target) -> NamedSection:
        return NamedSection(one.title, site.stable_id(one.stable_id) if site else one.stable_id)

    return ReadResult(
        title=target.title,
        heading_path=(site.title, *target.heading_path) if site else target.heading_path,
        url=answerer.absolute(target_url(index, target)),
        stable_id=named(target).stable_id,
        text=section.text,
        truncated=section.truncated,
        missing=section.missing,
        left_out=tuple(map(named, section.left_out)),
        parent=named(section.parent) if section.parent else None,
        siblings=tuple(map(named, section.siblings)),
        subsections=tuple(map(named, section.subsections)),
    )


async def ask_question(sidecar: Sidecar, arguments: AskArguments) -> AskResult:
    """Answer a question, or return why there is no answer."""
    version, locale = arguments.version, arguments.locale
    question = Question(arguments.question, version=version, locale=locale, locale_chosen=locale is not None)
    if sidecar.members:
        sites = scoped_members(sidecar.named_lives, None, version, locale)
        lives = {site.name: sidecar.named_lives[site.name] for site in sites}
        for_members = question_to_members(lives, PageContext(locale=locale), lambda *_: question)
        outcome = await ReplyBroadcast(partial(make_federated_reply, sidecar, for_members)).outcome()
        return _ask_result(outcome.reply, str)
    served, question = sidecar.indexes.for_language(question, _scoped(sidecar, version, locale))
    return _ask_result((await ask(sidecar, served, question)).reply, served.answerer.absolute)


def _ask_result(reply: Answer | Refusal, absolute: Callable[[str], str]) -> AskResult:
    def cited(one: Citation) -> Citation:
        return replace(one, url=absolute(one.url or ""))

    notices = tuple(notice.message for notice in reply.notices)
    if isinstance(reply, Refusal):
        return AskResult(False, reply.message, tuple(map(cited, reply.nearest)), None, reply.code, None, notices)
    confidence = reply.validation.confidence_score
    return AskResult(True, reply.text, tuple(map(cited, reply.citations)), reply.composer, None, confidence, notices)


def _scoped(sidecar: Sidecar, version: str | None, locale: str | None, url: str | None = None) -> ServedIndex:
    indexes = sidecar.indexes
    served = indexes.choose(locale, url)
    require_known_scope(served.answerer.index, version, locale, indexes.locales)
    return served


def list_pages(indexes: IndexSet, cursor: str | None) -> ListResourcesResult:
    """Return a list of pages of all indexes, with the cursor to the next pages.

    A cursor is valid for the same indexes; None stands for the first pages.

    Raises:
        InputError: The cursor is malformed, or belongs to an index that was replaced.
    """
    cursor = f"{indexes.default.index_id}.0" if cursor is None else cursor
    index_id, _, offset = cursor.rpartition(".")
    if index_id != indexes.default.index_id or not offset.isdecimal() or len(offset) > _MOST_DIGITS:
        message = "The docs have changed since the start of this list. List the resources again from the start."
        raise InputError(message)
    start = int(offset)
    all_pages = chain.from_iterable(served.answerer.index.pages() for served in indexes.served)
    pages = list(islice(all_pages, start, start + _PAGE_SIZE + 1))
    resources = [
        Resource(
            name=page.url,
            title=page.title,
            uri=f"{_PREFIX}{page.url}",
            description=excerpt_of(page.description) or None,
            mime_type=_MARKDOWN,
        )
        for page in pages[:_PAGE_SIZE]
    ]
    more = f"{index_id}.{start + _PAGE_SIZE}" if len(pages) > _PAGE_SIZE else None
    return ListResourcesResult(resources=resources, next_cursor=more)


def read_page(indexes: IndexSet, uri: str) -> ReadResourceResult:
    """Return a page as Markdown."""
    if len(uri) > _LONGEST_URI:
        message = f"The URI is longer than {_LONGEST_URI} characters. Send one of the listed resources."
        raise InputError(message)
    for answerer in (served.answerer for served in indexes.served if uri.startswith(_PREFIX)):
        page = answerer.index.page_at(uri.removeprefix(_PREFIX))
        if page is not None:
            break
    else:
        message = f"There is no page {uri}. List the resources, or search."
        raise InputError(message)
    target = answerer.index.targets_of_page(page.page_id)[0]
    section = read_section(answerer.index, target, _LONGEST_PAGE, answerer.absolute)
    left_out = [NamedSection(one.title, one.stable_id) for one in section.left_out]
    missing = f"\n\n---\n\n{missing_text(section.missing, left_out)}" if section.truncated else ""
    text = f"# {page.title}\n\n{section.text}{missing}"
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=_MARKDOWN, text=text)])
