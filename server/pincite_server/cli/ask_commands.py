"""The commands that query an index (`ask`, `search`, `ground`), with their text output."""

import sys
import time
from collections.abc import Sequence
from datetime import datetime
from typing import get_args

import click
import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from pincite_core.citation import Citation, CitationSource
from pincite_core.errors import InputError
from pincite_core.wording import say
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.sync_answerer import AskResult, SyncAnswerer
from pincite_server.cli.common import JSON, QUOTED, read_rows, write_row
from pincite_server.evaluation.writing import Writing
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.indexes.opened import opened_answerer
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.policy import GroundingMode, Policy
from pincite_server.question.question import Question, Selection
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Answer, Mode, Refusal

__all__ = ("ask", "ground", "print_reply", "search")

_INDEX = click.argument("place", metavar="INDEX")
_MODEL = click.option("--model", help="Folder or name of the embedding model; default: the model that INDEX names.")
_VERSION = click.option("--version", "version", help="Version of the docs; default: the latest.")
_LOCALE = click.option("--locale", help="Locale of the docs; default: the site's default locale.")

_HEADINGS: dict[CitationSource, str] = {
    "guide": "Guides",
    "api": "Reference",
    "example": "Examples",
    "blog": "Blog",
    "page": "Pages",
    "selected_text": "Selected text",
}


class _SearchRow(msgspec.Struct):
    query: str
    id: str | int | None = None
    version: str | None = None
    locale: str | None = None


class _SelectionRow(msgspec.Struct):
    text: str
    page_url: str | None = None
    captured_at: datetime | None = None


class _AskRow(_SearchRow):
    mode: Mode | None = None
    selection: _SelectionRow | None = None
    page_url: str | None = None


class _GroundRow(msgspec.Struct):
    passage: str
    question: str
    answer: str
    id: str | int | None = None


@click.command()
@_INDEX
@click.argument("question", required=False)
@_VERSION
@_LOCALE
@_MODEL
@QUOTED
@JSON
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

    The answer quotes the docs. If PINCITE_LLM_BASE_URL is set, a language model writes it.

    If QUESTION is `-`, rows {"id", "query", "mode"?, "selection"?, "version"?, "locale"?} are read from standard input.
    Each row is answered with one JSON line, in order.
    """
    llm = None if quoted else LlmSettings.from_environment()
    answerer = _open(place, model)
    asker = click.get_current_context().with_resource(SyncAnswerer(llm))
    if question == "-":
        for row in read_rows(sys.stdin.buffer, _AskRow):
            write_row(sys.stdout.buffer, {"id": row.id, **_record(asker.ask(answerer, _question(row)))})
        return
    require_known_scope(answerer.index, version, locale)
    text = _required(question, "a question")
    asked = asker.ask(answerer, Question(text, version=version, locale=locale, locale_chosen=locale is not None))
    if as_json:
        write_row(sys.stdout.buffer, _record(asked))
        return
    console = Console()
    print_reply(console, answerer, asked.reply)
    for line in Writing.of([asked]).lines():
        console.print(Text(line, style="dim"), soft_wrap=True)


def _question(row: _AskRow) -> Question:
    """Return the question of a row. A row with a selection but no mode uses the mode `selection`."""
    selection, given = None, row.selection
    if given is not None:
        selection = Selection(given.text, given.page_url, given.captured_at.timestamp() if given.captured_at else None)
    return Question(
        row.query,
        mode=row.mode or ("selection" if selection else "corpus"),
        selection=selection,
        version=row.version,
        locale=row.locale,
        locale_chosen=row.locale is not None,
        page_url=row.page_url,
        message_id=str(row.id or ""),
    )


def _record(asked: AskResult) -> dict[str, object]:
    """Return a reply in its HTTP form, with the language model's `counters` if there are any."""
    reply: dict[str, object] = msgspec.to_builtins(asked.reply)
    return {**reply, "counters": asked.counters} if asked.counters else reply


@click.command()
@_INDEX
@click.argument("query", required=False)
@click.option("-k", "k", default=10, show_default=True, type=click.IntRange(1, 100), help="Number of results.")
@_VERSION
@_LOCALE
@_MODEL
@JSON
def search(
    place: str, query: str | None, k: int, version: str | None, locale: str | None, model: str | None, as_json: bool
) -> None:
    """Rank the sections of INDEX (a file, a folder, a URL or a database) for QUERY.

    If QUERY is `-`, rows {"id", "query", "version"?, "locale"?} are read from standard input. Each row is answered with
    one JSON line, in order.
    """
    answerer = _open(place, model)
    if query == "-":
        for row in read_rows(sys.stdin.buffer, _SearchRow):
            _write_results(answerer, row, k)
        return
    require_known_scope(answerer.index, version, locale)
    text = _required(query, "a query")
    if as_json:
        _write_results(answerer, _SearchRow(text, None, version, locale), k)
        return
    console, hits = Console(), search_hits(answerer, text, k, version, locale)
    if not hits:
        console.print("Nothing was found in this scope.")
    for rank, hit in enumerate(hits, start=1):
        console.print(Text(f"{rank}. {' › '.join(hit.heading_path)}", style="bold"), Text(f"{hit.score:.2f}", "dim"))
        console.print(Text(f"   {answerer.index.info.site_url}{hit.url}", style="cyan"), soft_wrap=True)
        console.print(Text(f"   {hit.snippet}", style="dim"))


def _write_results(answerer: Answerer, row: _SearchRow, k: int) -> None:
    """Write the search results of a row as a JSON line; `ms` is wall time.

    Raises:
        InputError: The index has no such version or locale.
    """
    require_known_scope(answerer.index, row.version, row.locale)
    started = time.perf_counter()
    hits = search_hits(answerer, row.query, k, row.version, row.locale)
    write_row(sys.stdout.buffer, {"id": row.id, "results": hits, "ms": _milliseconds(started)})


@click.command()
@_INDEX
@click.argument("rows", metavar="-", type=click.Choice(["-"]))
@click.option(
    "--mode",
    type=click.Choice(get_args(GroundingMode)),
    default="default",
    show_default=True,
    help="Validator; adr-003 requires a cosine of at least 0.7 or a keyword overlap of at least 0.5.",
)
@_MODEL
@JSON
def ground(place: str, rows: str, mode: GroundingMode, model: str | None, as_json: bool) -> None:
    """Check whether passages support answers, with the embedding model of INDEX.

    Rows {"id", "passage", "question", "answer"} are read from standard input. Each row is answered with one JSON line.
    """
    answerer = _open(place, model)
    for row in read_rows(sys.stdin.buffer, _GroundRow):
        started = time.perf_counter()
        verdict = validate_grounding(row.passage, row.question, row.answer, answerer.embedder.encode, mode=mode)
        record = {
            "id": row.id,
            "grounded": verdict.grounded,
            "score": verdict.score,
            "reasons": verdict.reasons,
            "unsupported": verdict.unsupported,
            "similarity": round(verdict.similarity, 4),
            "keyword_overlap": round(verdict.keyword_overlap, 4),
            "ms": _milliseconds(started),
        }
        write_row(sys.stdout.buffer, record)


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _open(place: str, model: str | None) -> Answerer:
    """Open an index until the command ends."""
    return click.get_current_context().with_resource(opened_answerer(place, model, Policy.from_environment()))


def _required(text: str | None, what: str) -> str:
    if text is None or not text.strip():
        message = f"Give {what}, or - to read JSON lines from standard input."
        raise InputError(message)
    return text


def print_reply(console: Console, answerer: Answerer, reply: Answer | Refusal) -> None:
    """Print an answer with its sources by type, or a refusal with the nearest sections."""
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
    used = [citation for citation in reply.citations if citation.used]
    types = list(dict.fromkeys(citation.source_type for citation in used))
    for kind in types:
        heading = f"Sources: {_HEADINGS[kind]}" if len(types) > 1 else "Sources"
        _print_citations(console, answerer, heading, [one for one in used if one.source_type == kind])
    _print_citations(console, answerer, "Related sections", [one for one in reply.citations if not one.used])
    percent = round(reply.validation.confidence_score * 100)
    console.print(Text(f"Confidence {percent} %, evidence {reply.evidence:.2f}", style="dim"))


def _print_citations(console: Console, answerer: Answerer, heading: str, citations: Sequence[Citation]) -> None:
    if not citations:
        return
    console.print(Text(f"\n{heading}", style="bold"))
    for citation in citations:
        number = f"[{citation.n}]" if citation.n else " · "
        console.print(Text(f"{number} {' › '.join(citation.heading_path) or citation.excerpt}"))
        if citation.url:
            console.print(Text(f"    {answerer.index.info.site_url}{citation.url}", style="cyan"), soft_wrap=True)
