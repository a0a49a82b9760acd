"""`POST /query-selected-text` answers from a passage alone, in one JSON reply (SELECT-7)."""

import re
from typing import Annotated, Any
from uuid import uuid4

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import BodyKwarg

from pincite_core.visible_text import visible
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare_selection
from pincite_server.http import wire
from pincite_server.http.admission.session_tokens import reader_name
from pincite_server.http.replying.asking import ask
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import post_json
from pincite_server.http.transport.disconnection import unless_disconnected
from pincite_server.http.transport.openapi import SELECTED_TEXT_EXAMPLE
from pincite_server.question.question import Question, Selection
from pincite_server.reply.records import Answer

__all__ = ("query_selected_text",)

Body = Annotated[wire.SelectedTextRequest, BodyKwarg(examples=[SELECTED_TEXT_EXAMPLE])]

_EXCERPT_CHARACTERS = 200  # SELECT-7
_MARKER = re.compile(r"\s*\[\d+\]$")


@post_json("/query-selected-text", wire.SelectedTextRequest, "Ask about a passage", "too_costly")
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
    quoted = "".join(_MARKER.sub("", piece) for piece in outcome.pieces).strip()  # the only source is in `sources`
    notices = {notice.code: notice.message for notice in reply.notices}
    url = reply.citations[0].url if isinstance(reply, Answer) and reply.citations else None
    return wire.SelectedTextReply(
        response=quoted if isinstance(reply, Answer) else reply.message,
        in_selected_text=isinstance(reply, Answer),
        sources=(wire.SelectedTextSource("selected_text", visible(data.selected_text)[:_EXCERPT_CHARACTERS], url),),
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
