"""`POST /api/chat` answers a question with events, an answer or a refusal. `POST /api/feedback` counts votes.

`POST /query-selected-text` answers from a passage alone, in one JSON reply (SELECT-7).
"""

import hashlib
import math
import re
from datetime import UTC
from functools import partial
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import BodyKwarg

from pincite_core.embedders import ModelInfo
from pincite_core.search.late_interaction import TOKEN_DIMENSION
from pincite_core.strip_invisible import strip_invisible
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare_selection
from pincite_server.answering.reply_broadcast import EndEvent, MakeReply, ReplyBroadcast
from pincite_server.federation.federated_reply import PageContext, question_to_members
from pincite_server.http import wire
from pincite_server.http.admission.session_tokens import reader_name
from pincite_server.http.replying.asking import ask, make_federated_reply, make_reply
from pincite_server.http.replying.sse import answer_events, event_stream, wants_events
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import post_json
from pincite_server.http.transport.disconnection import unless_disconnected
from pincite_server.http.transport.problems import Problem
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import MAX_QUERY, Question, Selection, Turn
from pincite_server.question.scope import match_locale
from pincite_server.reply.records import Answer, Refusal

__all__ = ("chat", "checked_embedding", "checked_tokens", "feedback", "query_selected_text", "to_question")

LAST_TURNS = 5  # the part of the conversation that a reader still sees
_READ_OF_ANSWER = 20_000  # characters that are read to understand a follow-up; several times the longest answer

_REPLY = "An answer (as events when `text/event-stream` is accepted) or a refusal (always JSON)."
_EITHER: Any = Answer | Refusal  # Litestar accepts a union, although its annotation does not
_EXCERPT_CHARACTERS = 200  # SELECT-7
_MARKER = re.compile(r"\s*\[\d+\]$")
_RESPONSE = ResponseSpec(_EITHER, description=_REPLY, generate_examples=False)
_PROBLEMS = ("invalid_embedding", "message_id_conflict", "too_costly")

Body = Annotated[wire.ChatRequest, BodyKwarg(examples=[wire.CHAT_EXAMPLE])]
AboutPassage = Annotated[wire.SelectedTextRequest, BodyKwarg(examples=[wire.SELECTED_TEXT_EXAMPLE])]
Vote = Annotated[wire.FeedbackRequest, BodyKwarg(examples=[wire.FEEDBACK_EXAMPLE])]


@post_json("/api/chat", wire.ChatRequest, "Ask a question", *_PROBLEMS, reply=_RESPONSE)
async def chat(data: Body, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]) -> Response[Any]:
    """Answer a question about the docs.

    With `Accept: text/event-stream`, an answer is sent as events. A refusal is JSON, unless progress events of a
    language model were sent before; then it is an event.
    """
    if sidecar.members and data.mode == "corpus":
        make: MakeReply = _federated_reply(sidecar, data, request)
    else:
        # Only the page's own site can answer about a selection.
        sidecar = await sidecar.limited_of_page(request, data.page_url, data.build_id)
        indexes = sidecar.indexes
        served = indexes.choose(data.scope.locale if data.scope else None, data.page_url, data.build_id)
        question = to_question(data, served.answerer.embedder.info)
        served, question = indexes.for_language(question, served, data.build_id)
        make = partial(make_reply, sidecar, served, question, reader=reader_name(request))
    # One reply to a message, even if the message is sent again, here or to another sidecar.
    message_id = data.message_id
    fingerprint = hashlib.sha256(sidecar.site.encode() + msgspec.json.encode(data)).digest()
    shared = partial(sidecar.replies.once, message_id, fingerprint, make)
    broadcast = sidecar.ledger.once(message_id, fingerprint, lambda: ReplyBroadcast(shared))
    if not wants_events(request):
        outcome = await unless_disconnected(request, broadcast.outcome())
        return Response(outcome.reply)
    first, events = await unless_disconnected(request, broadcast.opened())
    if isinstance(first, EndEvent) and isinstance(first.outcome.reply, Refusal):
        await events.aclose()
        return Response(first.outcome.reply)
    return event_stream(answer_events(events), sidecar.settings.heartbeat_seconds)


def _federated_reply(sidecar: Sidecar, data: wire.ChatRequest, request: Request[Any, Any, Any]) -> MakeReply:
    data = msgspec.structs.replace(data, session_id=data.session_id or str(uuid4()))
    home = sidecar.home_of(request, data.page_url, data.build_id)
    page = PageContext(home, data.scope.locale if data.scope else None, data.page_url, data.build_id)
    asked = question_to_members(sidecar.named_lives, page, partial(_question_to_member, data))
    if not asked.sites:
        raise Problem("invalid_embedding", "No site of this group has an index made with the model of this embedding.")
    return partial(make_federated_reply, sidecar, asked, reader=reader_name(request))


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
    scope, selection = request.scope or wire.ScopeRequest(), None
    if passage := request.selection:
        moment = passage.captured_at  # in UTC if it names no time zone
        moment = moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
        selection = Selection(passage.text, passage.page_url, moment.timestamp() if moment else None)
    return Question(
        query=request.query.strip() and request.query,
        mode=request.mode,
        selection=selection,
        version=scope.version,
        locale=scope.locale,
        locale_chosen=scope.locale_chosen,
        page_url=request.page_url,
        turns=tuple(Turn(one.query[:MAX_QUERY], one.answer[:_READ_OF_ANSWER]) for one in request.turns[-LAST_TURNS:]),
        embedding=checked_embedding(request.embedding, request.embedding_model, model),
        embedding_tokens=checked_tokens(request.embedding_tokens, model),
        message_id=str(request.message_id),
        session_id=request.session_id or str(uuid4()),
    )


def checked_embedding(embedding: list[float] | None, name: str | None, model: ModelInfo) -> tuple[float, ...] | None:
    """Return a client's embedding scaled to length 1; None without one.

    `name` is the model that the client names. If the client names none, only the dimension is checked.

    Raises:
        Problem: The model or the dimension differs, a value is not finite, or the vector is zero.
    """
    if embedding is None:
        return None
    if name is not None and _base_name(name) != _base_name(model.name):
        detail = f"The embedding is from another model than {model.name}, the model of this site's index. Leave it out."
        raise Problem("invalid_embedding", detail)
    if len(embedding) != model.dimension:
        detail = f"The embedding has {len(embedding)} numbers; the model {model.name} gives {model.dimension}."
        raise Problem("invalid_embedding", detail)
    return _unit_vector(embedding, "The embedding")


def checked_tokens(rows: list[list[float]], model: ModelInfo) -> tuple[tuple[float, ...], ...]:
    """Return a client's token vectors of a question, each scaled to length 1.

    Raises:
        Problem: There are more rows than the model reads, or a row has another dimension, a value that is not finite,
            or is zero.
    """
    if len(rows) > model.max_tokens or any(len(row) != TOKEN_DIMENSION for row in rows):
        detail = f"`embedding_tokens` takes up to {model.max_tokens} rows of {TOKEN_DIMENSION} numbers each."
        raise Problem("invalid_embedding", detail)
    return tuple(_unit_vector(row, "A row of `embedding_tokens`") for row in rows)


def _unit_vector(vector: list[float], name: str) -> tuple[float, ...]:
    length = math.hypot(*vector)
    if not math.isfinite(length) or length == 0.0:
        raise Problem("invalid_embedding", f"{name} is zero or has a value that is not finite.")
    return tuple(value / length for value in vector)


def _base_name(model: str) -> str:
    """Return a model's name without its publisher, since Transformers.js has the same weights under another one."""
    return model.rstrip("/").rsplit("/", 1)[-1].lower()


@post_json("/query-selected-text", wire.SelectedTextRequest, "Ask about a passage", "too_costly")
async def query_selected_text(
    data: AboutPassage, request: Request[Any, Any, Any], sidecar: NamedDependency[Sidecar]
) -> wire.SelectedTextReply:
    """Answer a question from the passage alone, or reply that the passage does not hold the answer."""
    sidecar = await sidecar.limited_of_page(request, data.page_url)
    served = sidecar.indexes.choose(None, data.page_url)
    selection = Selection(data.selected_text, data.page_url)
    question = Question(
        data.query, "selection", selection, page_url=data.page_url, session_id=data.session_id or str(uuid4())
    )
    work = ask(sidecar, served, question, reader_name(request), prepare_selection)
    return _selected_text_reply(data, await unless_disconnected(request, work))


def _selected_text_reply(data: wire.SelectedTextRequest, outcome: Outcome) -> wire.SelectedTextReply:
    reply = outcome.reply
    quoted = "".join(_MARKER.sub("", piece) for piece in outcome.pieces).strip()  # the only source is in `sources`
    notices = {notice.code: notice.message for notice in reply.notices}
    url = reply.citations[0].url if isinstance(reply, Answer) and reply.citations else None
    return wire.SelectedTextReply(
        response=quoted if isinstance(reply, Answer) else reply.message,
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


@post_json("/api/feedback", wire.FeedbackRequest, "Vote on an answer or a refusal")
async def feedback(data: Vote, sidecar: NamedDependency[Sidecar]) -> wire.FeedbackReply:
    """Count a vote, or its reason, once per message. Comments are stored only if questions are logged."""
    comment = (data.comment or "").strip()
    counted = data.reason or (None if comment else data.vote)
    if counted is not None and await sidecar.votes.is_first(f"{data.message_id}:{counted}"):
        sidecar.counters.add(f"feedback_{counted}")
    if sidecar.questions is not None:
        sidecar.questions.write_vote(str(data.message_id), data.vote, data.reason, comment)
    return wire.FeedbackReply(comments_kept=sidecar.questions is not None)
