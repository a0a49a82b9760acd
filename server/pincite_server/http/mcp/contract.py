"""Arguments and results of the MCP tools, their JSON schemas and their text form. All URLs are absolute."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from pincite_server.answering.section_reading import LONGEST_SECTION
from pincite_server.question.question import MAX_QUERY
from pincite_server.reply.records import Citation, Composer, RefusalCode

__all__ = (
    "AskArguments",
    "AskResult",
    "FoundSection",
    "NamedSection",
    "ReadArguments",
    "ReadResult",
    "SearchArguments",
    "SearchResults",
    "answer_text",
    "json_schema",
    "missing_text",
    "search_text",
    "section_text",
)

Name = Annotated[str, Meta(max_length=256)]
Version = Annotated[Name | None, Meta(description="The version of the docs. Default: the latest.")]
Locale = Annotated[Name | None, Meta(description="The language of the docs, such as `en`. Default: the site's own.")]
Address = Annotated[str, Meta(min_length=1, max_length=4096)]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_QUERY, pattern=r"\S")]


class SearchArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of `search`."""

    query: Annotated[Text, Meta(description="The search query: a few words or a question.")]
    k: Annotated[int, Meta(ge=1, le=50, description="The number of results.")] = 10
    version: Version = None
    locale: Locale = None


class ReadArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of `read_section`."""

    id: Annotated[Address, Meta(description="The `stable_id` or the `url` of a search result or a source.")]
    version: Version = None
    locale: Locale = None


class AskArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of `ask`."""

    question: Annotated[Text, Meta(description="A complete question. Earlier questions are not remembered.")]
    version: Version = None
    locale: Locale = None


class FoundSection(Struct, frozen=True):
    """A section of the docs that matches the query."""

    title: str
    heading_path: tuple[str, ...]
    url: str
    stable_id: str
    snippet: str


class SearchResults(Struct, frozen=True):
    """The result of `search`: the best sections, best first."""

    results: tuple[FoundSection, ...]


class NamedSection(Struct, frozen=True):
    """A section that `read_section` can read by its `stable_id`."""

    title: str
    stable_id: str


_Missing = Annotated[
    str, Meta(description=f"Which part of a text over {LONGEST_SECTION} characters is left out; empty if none is.")
]
_LeftOut = Annotated[tuple[NamedSection, ...], Meta(description="The sections that hold the part that is left out.")]
_Siblings = Annotated[tuple[NamedSection, ...], Meta(description="The nearest ten before it and ten after it.")]


class ReadResult(Struct, frozen=True):
    """The result of `read_section`; `text` is Markdown with absolute links."""

    title: str
    heading_path: tuple[str, ...]
    url: str
    stable_id: str
    text: str
    truncated: bool
    missing: _Missing
    left_out: _LeftOut
    parent: Annotated[NamedSection | None, Meta(description="The section that contains it; null for a page.")]
    siblings: _Siblings
    subsections: tuple[NamedSection, ...]


class AskResult(Struct, frozen=True):
    """The result of `ask`: an answer with its sources, or a refusal with its reason."""

    answered: bool
    answer: Annotated[str, Meta(description="Markdown; `[n]` cites the source with that number.")]
    sources: tuple[Citation, ...]
    composer: Annotated[
        Composer | None, Meta(description="`extractive`: quoted; `llm`: written by a language model and checked.")
    ]
    refusal: Annotated[RefusalCode | None, Meta(description="The reason of a refusal; null for an answer.")]
    confidence: Annotated[float | None, Meta(description="0 to 1; null for a refusal.")]
    notices: tuple[str, ...]


def json_schema(struct: type[Struct]) -> dict[str, Any]:
    """Return a struct's JSON schema with an object at its root, as the protocol requires."""
    _, components = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
    own = components.pop(struct.__name__)
    return {**own, "$defs": components} if components else own


def search_text(found: SearchResults) -> str:
    """Return search results as a numbered list."""
    rows = (
        f"{rank}. {_path(one.heading_path)}\n   {one.url}\n   id: {one.stable_id}\n   {one.snippet}"
        for rank, one in enumerate(found.results, start=1)
    )
    return "\n".join(rows) or "No section matches. Try other words, another version or another language."


def section_text(section: ReadResult) -> str:
    """Return a section as text: heading path, URL, content, missing parts and the surrounding sections."""
    head = f"# {_path(section.heading_path)}\n{section.url}\nid: {section.stable_id}\n\n{section.text}"
    around = (
        ("Parent:", (section.parent,) if section.parent else ()),
        ("Siblings:", section.siblings),
        ("Subsections:", section.subsections),
    )
    notes = [missing_text(section.missing, section.left_out)] if section.truncated else []
    notes += [_named(label, sections) for label, sections in around if sections]
    return "\n\n".join((head, "---", *notes)) if notes else head


def missing_text(missing: str, left_out: Sequence[NamedSection]) -> str:
    """Return the description of missing text, with the sections that contain it."""
    return _named(f"{missing} Read them by id:", left_out) if left_out else missing


def _named(label: str, sections: Sequence[NamedSection]) -> str:
    return "\n".join((label, *(f"- {one.title} (id: {one.stable_id})" for one in sections)))


def answer_text(result: AskResult) -> str:
    """Return an answer or a refusal with its sources as text."""
    notices = "".join(f"({notice})\n\n" for notice in result.notices)
    heading = "Sources" if result.answered else "The nearest sections"
    sources = "\n".join(
        f"{f'[{one.n}]' if one.n else '-'} {_path(one.heading_path)}: {one.url} (id: {one.stable_id})"
        for one in result.sources
    )
    return f"{notices}{result.answer}" + (f"\n\n{heading}:\n{sources}" if sources else "")


def _path(heading_path: tuple[str, ...]) -> str:
    return " › ".join(heading_path)
