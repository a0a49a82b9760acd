"""`POST /query-selected-text`: an answer from a passage alone, as one JSON call (ADR-003, selected-text validation)."""

import re
from typing import Annotated, Any

from litestar import Request, post
from litestar.di import NamedDependency
from litestar.params import BodyKwarg

from pincite_server.answering.pipeline import prepare_selection
from pincite_server.http import wire
from pincite_server.http.asking import ask
from pincite_server.http.body import StrictJson
from pincite_server.http.convert import citation_object, session_id_of
from pincite_server.http.disconnection import unless_disconnected
from pincite_server.http.openapi import BODY_PROBLEMS, SELECTED_TEXT_EXAMPLE, problem_responses
from pincite_server.http.readers import reader_token
from pincite_server.http.sidecar import Sidecar
from pincite_server.model import Answer, Question, Refusal, Selection

__all__ = ("query_selected_text",)

Body = Annotated[wire.SelectedTextRequest, BodyKwarg(examples=[SELECTED_TEXT_EXAMPLE])]

_EXCERPT_CHARACTERS = 200  # ADR-003
_MARKER = re.compile(r"\s*\[\d+\]$")


@post(
    "/query-selected-text",
    dto=StrictJson[wire.SelectedTextRequest],
    return_dto=None,
    status_code=200,
    responses=problem_responses(*BODY_PROBLEMS),
    summary="Ask about a passage",
)
async def query_selected_text(
    data: Body, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]
) -> wire.SelectedTextReply:
    """Answer from the passage alone, or say that it does not hold the answer."""
    served = sidecar.indexes.choose(None, data.page_url)
    selection = Selection(data.selected_text, data.page_url)
    question = Question(query=data.query, mode="selection", selection=selection, page_url=data.page_url)
    work = ask(sidecar, served, question, reader_token(request), prepare_selection)
    return _reply(data, await unless_disconnected(request, work))


def _reply(data: wire.SelectedTextRequest, reply: Answer | Refusal) -> wire.SelectedTextReply:
    notices = {notice.code: notice.message for notice in reply.notices}
    url = reply.citations[0].url if isinstance(reply, Answer) and reply.citations else None
    return wire.SelectedTextReply(
        response=_without_markers(reply) if isinstance(reply, Answer) else reply.message,
        in_selected_text=isinstance(reply, Answer),
        sources=(wire.SelectedTextSource("selected_text", data.selected_text[:_EXCERPT_CHARACTERS], url),),
        session_id=session_id_of(data.session_id),
        truncation_warning=notices.get("selection_truncated"),
        reasons=reply.validation.reasons if isinstance(reply, Answer) else reply.reasons,
        related=() if isinstance(reply, Answer) else tuple(map(citation_object, reply.nearest)),
        provenance="unproved" if "selection_unproved" in notices else "proved",
        validation=_scores(reply),
    )


def _scores(reply: Answer | Refusal) -> wire.SelectedTextScores | None:
    if reply.grounding is None or reply.validation is None:
        return None
    return wire.SelectedTextScores(
        response_similarity_score=round(reply.grounding.similarity, 4),
        keyword_overlap_ratio=round(reply.grounding.keyword_overlap, 4),
        validation_passed=reply.validation.passed,
        latency_validation_ms=reply.timings_ms.get("guard", 0.0),
    )


def _without_markers(answer: Answer) -> str:
    """Return the answer without `[1]`: there is one source, and `sources` names it."""
    return "".join(_MARKER.sub("", delta) for delta in answer.deltas).strip()
