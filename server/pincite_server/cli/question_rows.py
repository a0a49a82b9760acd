"""The input rows of `pincite ask`, `search` and `ground`, and the output row for each."""

import time
from datetime import datetime

import msgspec

from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits
from pincite_server.answering.sync_answerer import AskResult, SyncAnswerer
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.policy import GroundingMode
from pincite_server.question.question import Question, Selection
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import Mode, SearchHit

__all__ = ("AskRow", "GroundRow", "RowId", "SearchRow", "answer_ask", "answer_ground", "answer_search", "asked_record")

RowId = str | int | None


class SearchRow(msgspec.Struct):
    """A row of `pincite search INDEX --json -`."""

    query: str
    id: RowId = None
    version: str | None = None
    locale: str | None = None


class SearchReplyRow(msgspec.Struct):
    """The output row for a `SearchRow`; `ms` is wall time in milliseconds."""

    id: RowId
    results: list[SearchHit]
    ms: float


class SelectionRow(msgspec.Struct):
    """A passage, as in `POST /api/chat`."""

    text: str
    page_url: str | None = None
    captured_at: datetime | None = None


class AskRow(msgspec.Struct):
    """A row of `pincite ask INDEX --json -`."""

    query: str
    id: RowId = None
    mode: Mode | None = None
    selection: SelectionRow | None = None
    version: str | None = None
    locale: str | None = None
    page_url: str | None = None


class GroundRow(msgspec.Struct):
    """A row of `pincite ground INDEX --json -`."""

    passage: str
    question: str
    answer: str
    id: RowId = None


class GroundReplyRow(msgspec.Struct):
    """The output row for a `GroundRow`: the verdict of the selection-mode validator, and wall time in milliseconds."""

    id: RowId
    grounded: bool
    score: float
    reasons: tuple[str, ...]
    unsupported: tuple[str, ...]
    similarity: float
    keyword_overlap: float
    ms: float


def answer_search(answerer: Answerer, row: SearchRow, k: int) -> SearchReplyRow:
    """Return the sections that match a row's query best.

    Raises:
        InputError: The index has no such version or locale.
    """
    require_known_scope(answerer.index, row.version, row.locale)
    started = time.perf_counter()
    hits = search_hits(answerer, row.query, k, row.version, row.locale)
    return SearchReplyRow(row.id, hits, _milliseconds(started))


def answer_ask(asker: SyncAnswerer, answerer: Answerer, row: AskRow) -> dict[str, object]:
    """Answer a row's question; a row with a selection but no mode uses the mode `selection`."""
    return {"id": row.id, **asked_record(asker.ask(answerer, _question(row)))}


def asked_record(asked: AskResult) -> dict[str, object]:
    """Return a reply in its HTTP form, with the language model's `counters` if there are any."""
    reply: dict[str, object] = msgspec.to_builtins(asked.reply)
    return {**reply, "counters": asked.counters} if asked.counters else reply


def answer_ground(answerer: Answerer, row: GroundRow, mode: GroundingMode) -> GroundReplyRow:
    """Return whether a row's answer is grounded in its passage, with scores and reasons."""
    started = time.perf_counter()
    verdict = validate_grounding(row.passage, row.question, row.answer, answerer.embedder.encode, mode=mode)
    return GroundReplyRow(
        row.id,
        verdict.grounded,
        verdict.score,
        verdict.reasons,
        verdict.unsupported,
        round(verdict.similarity, 4),
        round(verdict.keyword_overlap, 4),
        _milliseconds(started),
    )


def _question(row: AskRow) -> Question:
    selection = None
    if row.selection is not None:
        captured = row.selection.captured_at
        seconds = captured.timestamp() if captured else None
        selection = Selection(row.selection.text, row.selection.page_url, seconds)
    mode = row.mode or ("selection" if selection else "corpus")
    return Question(
        row.query,
        mode=mode,
        selection=selection,
        version=row.version,
        locale=row.locale,
        locale_chosen=row.locale is not None,
        page_url=row.page_url,
        message_id=str(row.id or ""),
    )


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
