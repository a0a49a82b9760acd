"""The commands that query an index (`ask`, `search`, `ground`), with their text output."""

import sys
from collections.abc import Iterator, Sequence
from typing import get_args

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from pincite_core.citation import CitationSource
from pincite_core.errors import InputError
from pincite_core.wording import say
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.cli.json_lines import read_rows, write_row
from pincite_server.cli.question_rows import (
    AskRow,
    GroundRow,
    SearchRow,
    answer_ask,
    answer_ground,
    answer_search,
    asked_record,
)
from pincite_server.cli.writing_lines import QUOTED, writing_lines
from pincite_server.evaluation.writing import Writing
from pincite_server.indexes.opened import opened_answerer
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.policy import GroundingMode, Policy
from pincite_server.question.question import Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Answer, Citation, Refusal, SearchHit

__all__ = ("ask", "ground", "print_hits", "print_reply", "search")

_INDEX = click.argument("place", metavar="INDEX")
_MODEL = click.option("--model", help="The model's folder, when it is not found under the name the index gives.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
_VERSION = click.option("--version", "version", help="Ask of this version of the docs.")
_LOCALE = click.option("--locale", help="Ask of this locale of the docs.")


@click.command()
@_INDEX
@click.argument("question", required=False)
@_VERSION
@_LOCALE
@_MODEL
@QUOTED
@_JSON
def ask(
    place: str,
    question: str | None,
    version: str | None,
    locale: str | None,
    model: str | None,
    quoted: bool,
    as_json: bool,
) -> None:
    """Answer QUESTION from INDEX (a file, a folder, a URL or a database), with citations.

    The answer is a quotation, or written by a language model where PINCITE_LLM_BASE_URL names one.

    With `-` for QUESTION, rows {"id", "query", "mode"?, "selection"?, "version"?, "locale"?} are read from standard
    input and answered one JSON line each, in order.
    """
    llm = None if quoted else LlmSettings.from_environment()
    answerer = _open(place, model)
    asker = click.get_current_context().with_resource(SyncAnswerer(llm))
    if question == "-":
        for row in read_rows(sys.stdin.buffer, AskRow):
            write_row(sys.stdout.buffer, answer_ask(asker, answerer, row))
        return
    require_known_scope(answerer.index, version, locale)
    wanted = _required(question, "a question")
    asked = asker.ask(answerer, Question(wanted, version=version, locale=locale, locale_chosen=locale is not None))
    if as_json:
        write_row(sys.stdout.buffer, asked_record(asked))
        return
    console = Console()
    print_reply(console, answerer, asked.reply)
    for line in writing_lines(Writing.of([asked])):
        console.print(Text(line, style="dim"), soft_wrap=True)


@click.command()
@_INDEX
@click.argument("query", required=False)
@click.option("-k", "k", default=10, show_default=True, type=click.IntRange(1, 100), help="How many results.")
@_VERSION
@_LOCALE
@_MODEL
@_JSON
def search(
    place: str,
    query: str | None,
    k: int,
    version: str | None,
    locale: str | None,
    model: str | None,
    as_json: bool,
) -> None:
    """Rank the sections of INDEX (a file, a folder, a URL or a database) for QUERY.

    With `-` for QUERY, rows {"id", "query", "version"?, "locale"?} are read from standard input and answered one JSON
    line each, in order.
    """
    answerer = _open(place, model)
    if query == "-":
        for row in read_rows(sys.stdin.buffer, SearchRow):
            write_row(sys.stdout.buffer, answer_search(answerer, row, k))
        return
    require_known_scope(answerer.index, version, locale)
    wanted = _required(query, "a query")
    if as_json:
        write_row(sys.stdout.buffer, answer_search(answerer, SearchRow(wanted, None, version, locale), k))
    else:
        print_hits(Console(), answerer, search_hits(answerer, wanted, k, version, locale))


@click.command()
@_INDEX
@click.argument("rows", metavar="-", type=click.Choice(["-"]))
@click.option(
    "--mode",
    type=click.Choice(get_args(GroundingMode)),
    default="default",
    show_default=True,
    help="adr-003: cosine at least 0.7, or keyword overlap at least 0.5.",
)
@_MODEL
@_JSON
def ground(place: str, rows: str, mode: GroundingMode, model: str | None, as_json: bool) -> None:
    """Judge whether answers are grounded in passages, with the model of INDEX.

    Rows {"id", "passage", "question", "answer"} are read from standard input and answered one JSON line each.
    """
    answerer = _open(place, model)
    for row in read_rows(sys.stdin.buffer, GroundRow):
        write_row(sys.stdout.buffer, answer_ground(answerer, row, mode))


def _open(place: str, model: str | None) -> Answerer:
    """Open an index until the command ends."""
    return click.get_current_context().with_resource(opened_answerer(place, model, Policy.from_environment()))


def _required(text: str | None, what: str) -> str:
    if text is None or not text.strip():
        message = f"Give {what}, or - to read JSON lines from standard input."
        raise InputError(message)
    return text


_TYPES: dict[CitationSource, str] = {
    "guide": "Guides",
    "api": "Reference",
    "example": "Examples",
    "blog": "Blog",
    "page": "Pages",
    "selected_text": "Selected text",
}


def print_reply(console: Console, answerer: Answerer, reply: Answer | Refusal) -> None:
    """Print an answer with its numbered sources, or a refusal with the nearest sections."""
    for notice in reply.notices:
        console.print(Text(notice.message, style="yellow"))
    if isinstance(reply, Refusal):
        console.print(Text(reply.message))
        _print_citations(console, answerer, "Nearest sections", reply.nearest)
        followed = ", links and neighbouring sections followed" if "follow" in reply.timings_ms else ""
        console.print(Text(f"Evidence {reply.evidence:.2f}{followed}", style="dim"))
        return
    if reply.mode == "selection":
        console.print(Text(say("framing_selection", reply.scope.locale), style="dim"))
    console.print(Markdown(reply.text))
    for heading, citations in _grouped(reply.citations):
        _print_citations(console, answerer, heading, citations)
    percent = round(reply.validation.confidence_score * 100)
    console.print(Text(f"Confidence {percent} %, evidence {reply.evidence:.2f}", style="dim"))


def print_hits(console: Console, answerer: Answerer, hits: Sequence[SearchHit]) -> None:
    """Print search results, best first."""
    if not hits:
        console.print("Nothing was found in this scope.")
    for rank, hit in enumerate(hits, start=1):
        console.print(Text(f"{rank}. {' › '.join(hit.heading_path)}", style="bold"), Text(f"{hit.score:.2f}", "dim"))
        console.print(Text(f"   {answerer.index.info.site_url}{hit.url}", style="cyan"), soft_wrap=True)
        console.print(Text(f"   {hit.snippet}", style="dim"))


def _grouped(citations: Sequence[Citation]) -> Iterator[tuple[str, list[Citation]]]:
    """Yield the sources that the answer uses, grouped by type if there are several, then the related sections."""
    used = [citation for citation in citations if citation.used]
    types = list(dict.fromkeys(citation.source_type for citation in used))
    for kind in types:
        heading = f"Sources: {_TYPES[kind]}" if len(types) > 1 else "Sources"
        yield heading, [citation for citation in used if citation.source_type == kind]
    yield "Related sections", [citation for citation in citations if not citation.used]


def _print_citations(console: Console, answerer: Answerer, heading: str, citations: Sequence[Citation]) -> None:
    if not citations:
        return
    console.print(Text(f"\n{heading}", style="bold"))
    for citation in citations:
        number = f"[{citation.n}]" if citation.n else " · "
        console.print(Text(f"{number} {' › '.join(citation.heading_path) or citation.excerpt}"))
        if citation.url:
            console.print(Text(f"    {answerer.index.info.site_url}{citation.url}", style="cyan"), soft_wrap=True)
