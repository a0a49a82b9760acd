"""`POST /api/chat` answers a question with events, an answer or a refusal. `POST /api/feedback` counts votes."""

import hashlib
import math
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import Request, Response, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import BodyKwarg

from pincite_core.embedders import ModelInfo
from pincite_core.search.late_interaction import TOKEN_DIMENSION
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.federation.federated_reply import PageContext, question_to_members
from pincite_server.http import wire
from pincite_server.http.admission.readers import reader_name
from pincite_server.http.replying.asking import federated_steps, reply_steps
from pincite_server.http.replying.live_reply import LiveReply, unless_disconnected
from pincite_server.http.replying.sse import answer_events, event_stream, wants_events
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import StrictJson
from pincite_server.http.transport.openapi import BODY_PROBLEMS, CHAT_EXAMPLE, FEEDBACK_EXAMPLE, problem_responses
from pincite_server.http.transport.problems import Problem
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import MAX_QUERY, Question, Selection, Turn
from pincite_server.question.scope import match_locale
from pincite_server.reply.records import Answer, Refusal

__all__ = ("chat", "checked_embedding", "checked_tokens", "feedback", "to_question")

LAST_TURNS = 5  # the part of the conversation that a reader still sees
_READ_OF_ANSWER = 20_000  # characters; several times the longest answer

_REPLY = "An answer (as events when `text/event-stream` is accepted) or a refusal (always JSON)."
_EITHER: Any = Answer | Refusal  # Litestar accepts a union, although its annotation does not
_RESPONSES = {
    200: ResponseSpec(_EITHER, description=_REPLY, generate_examples=False),
    **problem_responses(*BODY_PROBLEMS, "invalid_embedding", "message_id_conflict", "too_costly"),
}

Steps = Callable[[], AsyncGenerator[Step]]

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

    With `Accept: text/event-stream`, an answer is sent as events. A refusal is JSON, unless progress events of a
    language model were sent before; then it is an event.
    """
    if sidecar.members and data.mode == "corpus":
        live = _once(sidecar, data, _federated_steps(sidecar, data, request))
    else:
        # Only the page's own site can answer about a selection.
        sidecar = await sidecar.limited_of_page(request, data.page_url, data.build_id)
        live = _once(sidecar, data, _steps(sidecar, data, request))
    if not wants_events(request):
        outcome = await unless_disconnected(request, live.whole())
        return Response(outcome.reply)
    first, steps = await unless_disconnected(request, live.opened())
    if isinstance(first, Outcome) and isinstance(first.reply, Refusal):
        await steps.aclose()
        return Response(first.reply)
    return event_stream(answer_events(steps), sidecar.settings.heartbeat_seconds)


def _steps(sidecar: Sidecar, data: wire.ChatRequest, request: Request[Any, Any, Any]) -> Steps:
    indexes = sidecar.indexes
    served = indexes.choose(data.scope.locale if data.scope else None, data.page_url, data.build_id)
    question = to_question(data, served.answerer.embedder.info)
    served, question = indexes.speaking(question, served, data.build_id)
    return partial(reply_steps, sidecar, served, question, reader_name(request))


def _federated_steps(sidecar: Sidecar, data: wire.ChatRequest, request: Request[Any, Any, Any]) -> Steps:
    data = msgspec.structs.replace(data, session_id=data.session_id or str(uuid4()))
    home = sidecar.home_of(request, data.page_url, data.build_id)
    page = PageContext(home, data.scope.locale if data.scope else None, data.page_url, data.build_id)
    asked = question_to_members(sidecar.named_lives, page, partial(_question_to_member, data))
    if not asked.sites:
        raise Problem("invalid_embedding", "No site that is asked has an index by the model of this embedding.")
    return partial(federated_steps, sidecar, asked, reader_name(request))


def _question_to_member(data: wire.ChatRequest, served: ServedIndex, is_home: bool) -> Question | None:
    """Return the question for a member site; None if it is an embedding alone, from another model than the index.

    Other sites than the page's get the question without the page and its version. The page's language is kept if the
    site has it.
    """
    model = served.answerer.embedder.info
    if not is_home:
        scope = data.scope or wire.ScopeRequest()
        locale = scope.locale if scope.locale and match_locale(served.answerer.index, scope.locale) else None
        scope = msgspec.structs.replace(scope, version=None, locale=locale)
        data = msgspec.structs.replace(data, scope=scope, page_url=None)
    try:
        return to_question(data, model)
    except Problem as problem:
        if problem.code != "invalid_embedding" or is_home:
            raise
        data = msgspec.structs.replace(data, embedding=None, embedding_tokens=[])
        return to_question(data, model) if data.query.strip() else None


def _once(sidecar: Sidecar, data: wire.ChatRequest, steps: Steps) -> LiveReply:
    """Return the single reply to a message, even if the message is sent again, here or to another sidecar."""
    asked = sidecar.site.encode() + msgspec.json.encode(data)
    message_id, fingerprint = data.message_id, hashlib.sha256(asked).digest()
    shared = partial(sidecar.replies.once, message_id, fingerprint, steps)
    return sidecar.ledger.once(message_id, fingerprint, lambda: LiveReply(shared()))


def to_question(request: wire.ChatRequest, model: ModelInfo) -> Question:
    """Return the question in a request.

    Raises:
        Problem: The request has neither words nor an embedding; or it has the mode `selection` without words or a
            selection; or its embedding does not fit `model`.
    """
    if not request.query.strip() and (request.embedding is None or request.mode == "selection"):
        raise Problem(
            "invalid_request",
            "The field `query` is missing or empty; only the mode `corpus` takes an `embedding` alone.",
        )
    if request.mode == "selection" and request.selection is None:
        raise Problem("invalid_request", "The mode `selection` needs the field `selection`.")
    scope = request.scope or wire.ScopeRequest()
    return Question(
        query=request.query.strip() and request.query,
        mode=request.mode,
        selection=_selection(request.selection),
        version=scope.version,
        locale=scope.locale,
        locale_chosen=scope.locale_chosen,
        page_url=request.page_url,
        turns=tuple(_turn(turn) for turn in request.turns[-LAST_TURNS:]),
        embedding=checked_embedding(request.embedding, request.embedding_model, model),
        embedding_tokens=checked_tokens(request.embedding_tokens, model),
        message_id=str(request.message_id),
        session_id=request.session_id or str(uuid4()),
    )


def checked_embedding(embedding: list[float] | None, name: str | None, model: ModelInfo) -> tuple[float, ...] | None:
    """Return a client's embedding scaled to length 1; None without one.

    Args:
        embedding: The client's embedding.
        name: The model that the client names; None if it names none, so that only the dimension is checked.
        model: The model of the index.

    Raises:
        Problem: The model or the dimension differs, a value is not finite, or the vector is zero.
    """
    if embedding is None:
        return None
    if name is not None and _base_name(name) != _base_name(model.name):
        detail = f"The embedding is by another model than this site's index, which has {model.name}. Leave it out."
        raise Problem("invalid_embedding", detail)
    if len(embedding) != model.dimension:
        detail = f"The embedding has {len(embedding)} numbers; the model {model.name} gives {model.dimension}."
        raise Problem("invalid_embedding", detail)
    length = math.hypot(*embedding)
    if not math.isfinite(length) or length == 0.0:
        raise Problem("invalid_embedding", "The embedding is zero or holds a value that is no finite number.")
    return tuple(value / length for value in embedding)


def checked_tokens(rows: list[list[float]], model: ModelInfo) -> tuple[tuple[float, ...], ...]:
    """Return a client's token vectors of a question, each scaled to length 1.

    Raises:
        Problem: There are more rows than the model reads, or a row has another dimension, a value that is not finite,
            or is zero.
    """
    lengths = [math.hypot(*row) for row in rows]
    if len(rows) > model.max_tokens or any(len(row) != TOKEN_DIMENSION for row in rows):
        detail = f"Of `embedding_tokens` {model.max_tokens} rows are taken, of {TOKEN_DIMENSION} numbers each."
        raise Problem("invalid_embedding", detail)
    if not all(math.isfinite(length) and length for length in lengths):
        raise Problem("invalid_embedding", "A row of `embedding_tokens` is zero or holds what is no finite number.")
    return tuple(tuple(value / length for value in row) for row, length in zip(rows, lengths, strict=True))


def _turn(turn: wire.TurnRequest) -> Turn:
    """Return a turn, truncated to the length that is read to understand a follow-up."""
    return Turn(turn.query[:MAX_QUERY], turn.answer[:_READ_OF_ANSWER])


def _selection(selection: wire.SelectionRequest | None) -> Selection | None:
    if selection is None:
        return None
    return Selection(selection.text, selection.page_url, _epoch_seconds(selection.captured_at))


def _epoch_seconds(moment: datetime | None) -> float | None:
    """Return seconds since the epoch; a time without a zone is read as UTC."""
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _base_name(model: str) -> str:
    """Return a model's name without its publisher, since Transformers.js has the same weights under another one."""
    return model.rstrip("/").rsplit("/", 1)[-1].lower()


Vote = Annotated[wire.FeedbackRequest, BodyKwarg(examples=[FEEDBACK_EXAMPLE])]


@post(
    "/api/feedback",
    dto=StrictJson[wire.FeedbackRequest],
    return_dto=None,
    status_code=200,
    responses=problem_responses(*BODY_PROBLEMS),
    summary="Vote on an answer or a refusal",
)
async def feedback(data: Vote, sidecar: NamedDependency[Sidecar]) -> wire.FeedbackReply:
    """Count a vote, or its reason, once per message. Comments are stored only if questions are logged."""
    comment = (data.comment or "").strip()
    counted = data.reason or (None if comment else data.vote)
    if counted is not None and await sidecar.votes.is_first(f"{data.message_id}:{counted}"):
        sidecar.counters.add(f"feedback_{counted}")
    if sidecar.questions is not None:
        sidecar.questions.write_vote(str(data.message_id), data.vote, data.reason, comment)
    return wire.FeedbackReply(comments_kept=sidecar.questions is not None)
