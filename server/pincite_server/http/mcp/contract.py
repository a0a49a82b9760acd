"""Arguments and results of the MCP tools, their JSON schemas and their text form. All URLs are absolute."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

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
Version = Annotated[Name | None, Meta(description="Only this version of the docs; the last one when left out.")]
Locale = Annotated[Name | None, Meta(description="Only this language, such as `en`; the site's own when left out.")]
Address = Annotated[str, Meta(min_length=1, max_length=4096)]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_QUERY, pattern=r"\S")]


class SearchArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Of the tool `search`."""

    query: Annotated[Text, Meta(description="What to look for, in a few words or a whole question.")]
    k: Annotated[int, Meta(ge=1, le=50, description="How many results.")] = 10
    version: Version = None
    locale: Locale = None


class ReadArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Of the tool `read_section`."""

    id: Annotated[Address, Meta(description="The `stable_id` or the `url` of a search result or a source.")]
    version: Version = None
    locale: Locale = None


class AskArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Of the tool `ask`."""

    question: Annotated[Text, Meta(description="One whole question; nothing is remembered of earlier ones.")]
    version: Version = None
    locale: Locale = None


class FoundSection(Struct, frozen=True):
    """A section that was found."""

    title: str
    heading_path: tuple[str, ...]
    url: str
    stable_id: str
    snippet: str


class SearchResults(Struct, frozen=True):
    """What `search` returns, best first."""

    results: tuple[FoundSection, ...]


class NamedSection(Struct, frozen=True):
    """A section that can be read by its id."""

    title: str
    stable_id: str


_Missing = Annotated[
    str, Meta(description=f"What of over {LONGEST_SECTION} characters is left out; empty for nothing.")
]
_LeftOut = Annotated[tuple[NamedSection, ...], Meta(description="Read these by id for what is missing.")]
_Siblings = Annotated[tuple[NamedSection, ...], Meta(description="The nearest ten before it and ten after it.")]


class ReadResult(Struct, frozen=True):
    """What `read_section` returns; `text` is Markdown with absolute links."""

    title: str
    heading_path: tuple[str, ...]
    url: str
    stable_id: str
    text: str
    truncated: bool
    missing: _Missing
    left_out: _LeftOut
    parent: Annotated[NamedSection | None, Meta(description="The section around it; null for a page.")]
    siblings: _Siblings
    subsections: tuple[NamedSection, ...]

    def renamed(self, rename: Callable[[str], str]) -> "ReadResult":
        """Return the result with every stable ID mapped by `rename`, for example to the IDs of a group of sites."""

        def named(one: NamedSection) -> NamedSection:
            return NamedSection(one.title, rename(one.stable_id))

        return replace(
            self,
            stable_id=rename(self.stable_id),
            parent=named(self.parent) if self.parent else None,
            left_out=tuple(map(named, self.left_out)),
            siblings=tuple(map(named, self.siblings)),
            subsections=tuple(map(named, self.subsections)),
        )


class AskResult(Struct, frozen=True):
    """What `ask` returns: an answer with citations, as a reader gets it, or why there is none."""

    answered: bool
    answer: Annotated[str, Meta(description="Markdown; `[n]` stands for the source of that number.")]
    sources: tuple[Citation, ...]
    composer: Annotated[
        Composer | None, Meta(description="`extractive`: quoted; `llm`: written by a language model and checked.")
    ]
    refusal: Annotated[RefusalCode | None, Meta(description="Why there is no answer.")]
    confidence: Annotated[float | None, Meta(description="0 to 1.")]
    notices: tuple[str, ...]


def json_schema(struct: type[Struct]) -> dict[str, Any]:
    """Return a struct's JSON schema with an object at its root, as the protocol requires."""
    _, components = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
    own = components.pop(struct.__name__)
    return {**own, "$defs": components} if components else own


def search_text(found: SearchResults) -> str:
    """Return search results as a numbered list."""
    rows = (
        f"{rank}. {_path(place.heading_path)}\n   {place.url}\n   id: {place.stable_id}\n   {place.snippet}"
        for rank, place in enumerate(found.results, start=1)
    )
    return "\n".join(rows) or "Nothing was found. Try other words, or another version or language."


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
    sources = "\n".join(map(_source_line, result.sources))
    return f"{notices}{result.answer}" + (f"\n\n{heading}:\n{sources}" if sources else "")


def _source_line(source: Citation) -> str:
    mark = f"[{source.n}]" if source.n else "-"
    return f"{mark} {_path(source.heading_path)}: {source.url} (id: {source.stable_id})"


def _path(heading_path: tuple[str, ...]) -> str:
    return " › ".join(heading_path)
