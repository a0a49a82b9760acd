"""`POST /query-selected-text`: an answer from a passage alone, as one JSON call (ADR-003, selected-text validation)."""

from typing import Any

from litestar import Request, post

from pincite_server import wire
from pincite_server.body import JsonBody
from pincite_server.convert import citation_object, session_id_of
from pincite_server.model import Answer, Question, Refusal, Selection
from pincite_server.pipeline import answer_selection
from pincite_server.sidecar import Sidecar
from pincite_server.sse import unless_disconnected

__all__ = ("query_selected_text",)

_EXCERPT_CHARACTERS = 200  # ADR-003
_TRUNCATION_NOTICE = "selection_truncated"


@post(
    "/query-selected-text",
    dto=JsonBody[wire.SelectedTextRequest],
    return_dto=None,
    status_code=200,
    summary="Ask about a passage",
)
async def query_selected_text(
    data: wire.SelectedTextRequest, request: Request[Any, Any, Any], sidecar: Sidecar
) -> wire.SelectedTextReply:
    """Answer from the passage alone, or say that it does not hold the answer."""
    served = sidecar.indexes.choose(None, data.page_url)
    selection = Selection(data.selected_text, data.page_url)
    question = Question(query=data.query, mode="selection", selection=selection, page_url=data.page_url)
    reply = await unless_disconnected(request, sidecar.worker.run(answer_selection, served.engine, question))
    return _reply(data, reply)


def _reply(data: wire.SelectedTextRequest, reply: Answer | Refusal) -> wire.SelectedTextReply:
    truncated = next((notice.message for notice in reply.notices if notice.code == _TRUNCATION_NOTICE), None)
    passage = data.selected_text[:_EXCERPT_CHARACTERS]
    session_id = session_id_of(data.session_id)
    if isinstance(reply, Refusal):
        return wire.SelectedTextReply(
            response=reply.message,
            in_selected_text=False,
            sources=(wire.SelectedTextSource("selected_text", passage),),
            session_id=session_id,
            truncation_warning=truncated,
            reasons=reply.suggestions,
            related=tuple(map(citation_object, reply.nearest)),
            provenance="unproved",
        )
    url = next((item.url for item in reply.citations if item.source_type == "selected_text" and item.url), None)
    return wire.SelectedTextReply(
        response=reply.text,
        in_selected_text=True,
        sources=(wire.SelectedTextSource("selected_text", passage, url),),
        session_id=session_id,
        truncation_warning=truncated,
        reasons=reply.validation.reasons,
        related=(),
        provenance="proved" if url else "unproved",
    )
