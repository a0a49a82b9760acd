"""Answers and search results for people at a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from pincite_server.engine import Engine
from pincite_server.reply.records import Answer, Citation, CitationSource, Refusal, SearchHit
from pincite_server.wording import say

__all__ = ("print_hits", "print_reply")

_TYPES: dict[CitationSource, str] = {
    "guide": "Guides",
    "api": "Reference",
    "example": "Examples",
    "blog": "Blog",
    "page": "Pages",
    "selected_text": "Selected text",
}


def print_reply(console: Console, engine: Engine, reply: Answer | Refusal) -> None:
    """Print an answer with its numbered sources, or a refusal with the nearest sections."""
    for notice in reply.notices:
        console.print(Text(notice.message, style="yellow"))
    if isinstance(reply, Refusal):
        console.print(Text(reply.message))
        _print_citations(console, engine, "Nearest sections", reply.nearest)
        followed = ", links and neighbouring sections followed" if "follow" in reply.timings_ms else ""
        console.print(Text(f"Evidence {reply.evidence:.2f}{followed}", style="dim"))
        return
    if reply.mode == "selection":
        console.print(Text(say("framing_selection", reply.scope.locale), style="dim"))
    console.print(Markdown(reply.text))
    for heading, citations in _grouped(reply.citations):
        _print_citations(console, engine, heading, citations)
    percent = round(reply.validation.confidence_score * 100)
    console.print(Text(f"Confidence {percent} %, evidence {reply.evidence:.2f}", style="dim"))


def print_hits(console: Console, engine: Engine, hits: Sequence[SearchHit]) -> None:
    """Print ranked places, best first."""
    if not hits:
        console.print("Nothing was found in this scope.")
    for rank, hit in enumerate(hits, start=1):
        console.print(Text(f"{rank}. {' › '.join(hit.heading_path)}", style="bold"), Text(f"{hit.score:.2f}", "dim"))
        console.print(Text(f"   {engine.index.info.site_url}{hit.url}", style="cyan"), soft_wrap=True)
        console.print(Text(f"   {hit.snippet}", style="dim"))


def _grouped(citations: Sequence[Citation]) -> Iterator[tuple[str, list[Citation]]]:
    """Yield the sources that the answer uses, by type when there are several, then the related ones."""
    used = [citation for citation in citations if citation.used]
    types = list(dict.fromkeys(citation.source_type for citation in used))
    for kind in types:
        heading = f"Sources: {_TYPES[kind]}" if len(types) > 1 else "Sources"
        yield heading, [citation for citation in used if citation.source_type == kind]
    yield "Related sections", [citation for citation in citations if not citation.used]


def _print_citations(console: Console, engine: Engine, heading: str, citations: Sequence[Citation]) -> None:
    if not citations:
        return
    console.print(Text(f"\n{heading}", style="bold"))
    for citation in citations:
        number = f"[{citation.n}]" if citation.n else " · "
        console.print(Text(f"{number} {' › '.join(citation.heading_path) or citation.excerpt}"))
        if citation.url:
            console.print(Text(f"    {engine.index.info.site_url}{citation.url}", style="cyan"), soft_wrap=True)
