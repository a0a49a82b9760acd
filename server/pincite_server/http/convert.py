"""From the wire to the records that flow, and back."""

import math
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from pincite_core.embedders import ModelInfo
from pincite_server.http import wire
from pincite_server.http.problems import Problem
from pincite_server.model import (
    Answer,
    ChosenScope,
    Citation,
    Notice,
    Question,
    Refusal,
    SearchHit,
    Selection,
    ShownClaim,
    Turn,
)

__all__ = (
    "Head",
    "answer_object",
    "checked_embedding",
    "citation_object",
    "claim_object",
    "notices_objects",
    "refusal_object",
    "scope_object",
    "search_result",
    "session_id_of",
    "to_question",
    "validation_object",
)

LAST_TURNS = 5  # what a reader still sees of the conversation


class Head(msgspec.Struct, frozen=True):
    """What every reply to one request says of the request and of the index."""

    message_id: str
    session_id: str
    index_id: str
    built_at: str | None


def session_id_of(session_id: str | None) -> str:
    """Return the client's session, or a new one for a client that has none yet."""
    return session_id or str(uuid4())


def to_question(request: wire.ChatRequest, model: ModelInfo) -> Question:
    """Return the question in a request.

    Raises:
        Problem: Selection mode without a selection, or an embedding that does not fit `model`.
    """
    if request.mode == "selection" and request.selection is None:
        raise Problem("invalid_request", "The mode `selection` needs the field `selection`.")
    scope = request.scope or wire.ScopeRequest()
    return Question(
        query=request.query,
        mode=request.mode,
        selection=_selection(request.selection),
        version=scope.version,
        locale=scope.locale,
        page_url=request.page_url,
        turns=tuple(Turn(turn.query, turn.answer) for turn in request.turns[-LAST_TURNS:]),
        embedding=checked_embedding(request.embedding, request.embedding_model, model),
    )


def checked_embedding(embedding: list[float] | None, name: str | None, model: ModelInfo) -> tuple[float, ...] | None:
    """Return a client's embedding scaled to length 1.

    Args:
        embedding: What the client sent.
        name: The model it says it used; None: it does not say, and its length must do.
        model: What the index was made with.

    Raises:
        Problem: Another model, another length, a value that is no number, or the zero vector.
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


def answer_object(head: Head, answer: Answer) -> wire.AnswerObject:
    """Return a whole answer as one object."""
    return wire.AnswerObject(
        **msgspec.structs.asdict(head),
        mode=answer.mode,
        composer=answer.composer,
        scope=scope_object(answer.scope),
        notices=notices_objects(answer.notices),
        answer=answer.text,
        citations=tuple(map(citation_object, answer.citations)),
        claims=tuple(map(claim_object, answer.claims)),
        confidence_score=answer.validation.confidence_score,
        evidence=answer.evidence,
        validation_info=validation_object(answer),
        learning_suggestions=answer.learning_suggestions,
        timings_ms=answer.timings_ms,
    )


def refusal_object(head: Head, refusal: Refusal) -> wire.RefusalObject:
    """Return a refusal as one object."""
    return wire.RefusalObject(
        **msgspec.structs.asdict(head),
        mode=refusal.mode,
        scope=scope_object(refusal.scope),
        notices=notices_objects(refusal.notices),
        code=refusal.code,
        message=refusal.message,
        suggestions=refusal.suggestions,
        nearest=tuple(map(citation_object, refusal.nearest)),
        evidence=refusal.evidence,
        learning_suggestions=refusal.learning_suggestions,
        timings_ms=refusal.timings_ms,
    )


def citation_object(citation: Citation) -> wire.CitationObject:
    """Return a citation; one without a number in the answer has `n` null."""
    return wire.CitationObject(
        n=citation.n or None,
        used=citation.used,
        stable_id=citation.stable_id,
        title=citation.title,
        heading_path=citation.heading_path,
        section=citation.section,
        page=citation.page,
        url=citation.url,
        anchor=citation.anchor,
        chunk_id=citation.chunk_id,
        source_type=citation.source_type,
        excerpt=citation.excerpt,
        verified=citation.verified,
        landing=tuple(wire.LandingObject(item.kind, item.label) for item in citation.landing),
    )


def claim_object(claim: ShownClaim) -> wire.ClaimObject:
    """Return a claim."""
    return msgspec.convert(claim, wire.ClaimObject, from_attributes=True)


def scope_object(scope: ChosenScope) -> wire.ScopeObject:
    """Return a scope without the index's row ids."""
    return wire.ScopeObject(scope.locale, scope.version, scope.version_label, scope.plugin_id)


def notices_objects(notices: tuple[Notice, ...]) -> tuple[wire.NoticeObject, ...]:
    """Return notices in order."""
    return tuple(wire.NoticeObject(notice.code, notice.message) for notice in notices)


def validation_object(answer: Answer) -> wire.ValidationObject:
    """Return the guards' verdict on an answer."""
    return msgspec.convert(answer.validation, wire.ValidationObject, from_attributes=True)


def search_result(hit: SearchHit) -> wire.SearchResult:
    """Return a search hit."""
    return msgspec.convert(hit, wire.SearchResult, from_attributes=True)


def _selection(selection: wire.SelectionRequest | None) -> Selection | None:
    if selection is None:
        return None
    return Selection(selection.text, selection.page_url, _epoch_seconds(selection.captured_at))


def _epoch_seconds(moment: datetime | None) -> float | None:
    """Return seconds since the epoch; a time without a zone is taken for UTC."""
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _base_name(model: str) -> str:
    """Return a model's name without its publisher: Transformers.js has the same weights under another's name."""
    return model.rstrip("/").rsplit("/", 1)[-1].lower()
