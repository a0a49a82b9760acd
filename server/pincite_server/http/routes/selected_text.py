"""`POST /query-selected-text` answers from a passage alone, in one JSON reply (ADR-003, selected-text validation)."""

import re
from collections.abc import Iterable
from typing import Annotated, Any
from uuid import uuid4

from litestar import Request, post
from litestar.di import NamedDependency
from litestar.params import BodyKwarg

from pincite_core.strip_invisible import strip_invisible
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare_selection
from pincite_server.http import wire
from pincite_server.http.admission.readers import reader_name
from pincite_server.http.replying.asking import ask
from pincite_server.http.replying.live_reply import unless_disconnected
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import StrictJson
from pincite_server.http.transport.openapi import BODY_PROBLEMS, SELECTED_TEXT_EXAMPLE, problem_responses
from pincite_server.question.question import Question, Selection
from pincite_server.reply.records import Answer

__all__ = ("query_selected_text",)

Body = Annotated[wire.SelectedTextRequest, BodyKwarg(examples=[SELECTED_TEXT_EXAMPLE])]

_EXCERPT_CHARACTERS = 200  # ADR-003
_MARKER = re.compile(r"\s*\[\d+\]$")


@post(
    "/query-selected-text",
    dto=StrictJson[wire.SelectedTextRequest],
    return_dto=None,
    status_code=200,
    responses=problem_responses(*BODY_PROBLEMS, "too_costly"),
    summary="Ask about a passage",
)
async def query_selected_text(
    data: Body, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]
) -> wire.SelectedTextReply:
    """Answer a question from the passage alone, or reply that the passage does not hold the answer."""
    sidecar = await sidecar.limited_of_page(request, data.page_url)
    served = sidecar.indexes.choose(None, data.page_url)
    selection = Selection(data.selected_text, data.page_url)
    question = Question(
        data.query, "selection", selection, page_url=data.page_url, session_id=data.session_id or str(uuid4())
    )
    work = ask(sidecar, served, question, reader_name(request), prepare_selection)
    return _reply(data, await unless_disconnected(request, work))


def _reply(data: wire.SelectedTextRequest, outcome: Outcome) -> wire.SelectedTextReply:
    reply = outcome.reply
    notices = {notice.code: notice.message for notice in reply.notices}
    url = reply.citations[0].url if isinstance(reply, Answer) and reply.citations else None
    return wire.SelectedTextReply(
        response=_without_markers(outcome.pieces) if isinstance(reply, Answer) else reply.message,
        in_selected_text=isinstance(reply, Answer),
        sources=(
            wire.SelectedTextSource("selected_text", strip_invisible(data.selected_text)[:_EXCERPT_CHARACTERS], url),
        ),
        session_id=reply.session_id,
        truncation_warning=notices.get("selection_truncated"),
        reasons=reply.validation.reasons if isinstance(reply, Answer) else reply.reasons,
        related=() if isinstance(reply, Answer) else reply.nearest,
        provenance="unproved" if "selection_unproved" in notices else "proved",
        validation=_scores(outcome),
    )


def _scores(outcome: Outcome) -> wire.SelectedTextScores | None:
    if outcome.grounding is None or outcome.checked is None:
        return None
    return wire.SelectedTextScores(
        response_similarity_score=round(outcome.grounding.similarity, 4),
        keyword_overlap_ratio=round(outcome.grounding.keyword_overlap, 4),
        validation_passed=outcome.checked.passed is not False,  # grounding is checked even with validators off
        latency_validation_ms=outcome.reply.timings_ms.get("guard", 0.0),
    )


def _without_markers(pieces: Iterable[str]) -> str:
    """Return an answer without `[1]` markers; the only source is in `sources`."""
    return "".join(_MARKER.sub("", piece) for piece in pieces).strip()
