"""Serves pages as MCP resources: `pincite://page` and the page's root-relative URL."""

from itertools import chain, islice

from mcp_types import ListResourcesResult, ReadResourceResult, Resource, ResourceTemplate, TextResourceContents

from pincite_core.errors import InputError
from pincite_server.answering.citations import excerpt_of
from pincite_server.answering.section_reading import read_section
from pincite_server.http.mcp.contract import NamedSection, missing_text
from pincite_server.indexes.registry import IndexSet

__all__ = ("PAGE_TEMPLATE", "list_pages", "read_page")

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
    """Return a page as Markdown.

    Raises:
        InputError: The page does not exist.
    """
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
