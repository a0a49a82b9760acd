"""`POST /api/chat`: a question in; events, an answer object or a refusal out."""

import hashlib
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import BodyKwarg

from pincite_server.http import wire
from pincite_server.http.asking import begin
from pincite_server.http.body import StrictJson
from pincite_server.http.convert import Head, answer_object, refusal_object, session_id_of, to_question
from pincite_server.http.disconnection import unless_disconnected
from pincite_server.http.openapi import BODY_PROBLEMS, CHAT_EXAMPLE, problem_responses
from pincite_server.http.readers import reader_token
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.sse import answer_events, event_stream, wants_events
from pincite_server.model import Answer, Refusal

__all__ = ("chat",)

_REPLY = "An answer (as events when `text/event-stream` is accepted) or a refusal (always JSON)."
_EITHER: Any = wire.AnswerObject | wire.RefusalObject  # Litestar takes a union, though its annotation does not say so
_RESPONSES = {
    200: ResponseSpec(_EITHER, description=_REPLY, generate_examples=False),
    **problem_responses(*BODY_PROBLEMS, "invalid_embedding", "message_id_conflict"),
}

Body = Annotated[wire.ChatRequest, BodyKwarg(examples=[CHAT_EXAMPLE])]


@post(
    "/api/chat",
    dto=StrictJson[wire.ChatRequest],
    return_dto=None,
    status_code=200,
    responses=_RESPONSES,
    summary="Ask a question",
)
async def chat(data: Body, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]) -> Response[Any]:
    """Answer a question about the docs.

    With `Accept: text/event-stream` an answer comes as events; a refusal is always JSON.
    """
    scope = data.scope or wire.ScopeRequest()
    served = sidecar.indexes.choose(scope.locale, data.page_url, data.build_id)
    question = to_question(data, served.engine.embedder.info)
    work = partial(begin, sidecar, served, question, reader_token(request))
    fingerprint = hashlib.sha256(msgspec.json.encode(data)).digest()
    live = sidecar.ledger.once(data.message_id, fingerprint, work)
    head = Head(str(data.message_id), session_id_of(data.session_id), live.index_id, live.built_at)
    if not wants_events(request):
        return _whole(head, await unless_disconnected(request, live.whole()))
    first, steps = await unless_disconnected(request, live.opened())
    if isinstance(first, Refusal):
        await steps.aclose()
        return _whole(head, first)
    return event_stream(answer_events(head, steps), sidecar.settings.heartbeat_seconds)


def _whole(head: Head, reply: Answer | Refusal) -> Response[Any]:
    return Response(refusal_object(head, reply) if isinstance(reply, Refusal) else answer_object(head, reply))
