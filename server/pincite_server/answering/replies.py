"""Build replies: answers from their parts, and refusals with a reason, suggestions and the nearest sections."""

from collections.abc import Mapping, Sequence
from typing import Any

from pincite_core.rules import QUESTION
from pincite_core.search.query import Query
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import stop_terms, terms
from pincite_server.answering.citations import nearest_citations
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.guards.boundaries import Boundary
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import (
    Answer,
    Citation,
    Composer,
    Mode,
    Opening,
    Refusal,
    RefusalCode,
    ShownClaim,
    Suggestion,
    SuggestionCode,
    ValidationInfo,
)

__all__ = (
    "NEAREST",
    "build_answer",
    "missing_topics",
    "open_answer",
    "refuse",
    "refuse_boundary",
    "refuse_empty_index",
    "refuse_no_evidence",
)

NEAREST = QUESTION.nearest

_SUGGESTIONS: tuple[SuggestionCode, ...] = ("contact", "rephrase")


def open_answer(resolved: ResolvedQuestion, mode: Mode, composer: Composer) -> Opening:
    """Return the beginning of an answer."""
    return Opening(composer=composer, **_head(resolved, mode))


def build_answer(
    resolved: ResolvedQuestion,
    *,
    mode: Mode,
    composer: Composer,
    pieces: tuple[str, ...],
    citations: tuple[Citation, ...],
    evidence: float,
    validation: ValidationInfo,
    learning: tuple[str, ...] = (),
    grounding: GroundingScores | None = None,
    claims: tuple[ShownClaim, ...] = (),
) -> Outcome:
    """Build an answer; its Markdown is the concatenation of `pieces`."""
    answer = Answer(
        **_head(resolved, mode),
        composer=composer,
        text="".join(pieces),
        citations=citations,
        claims=claims,
        confidence_score=validation.confidence_score,
        evidence=round(evidence, 4),
        validation=validation,
        learning_suggestions=learning,
        timings_ms=resolved.clock.timings(),
    )
    return Outcome(answer, pieces, validation, grounding)


def refuse(
    resolved: ResolvedQuestion,
    code: RefusalCode,
    message: str,
    *,
    mode: Mode = "corpus",
    nearest: Sequence[RankedSection] = (),
    evidence: float = 0.0,
    suggestions: tuple[SuggestionCode, ...] = _SUGGESTIONS,
    learning: tuple[str, ...] = (),
    searched: tuple[str, ...] = (),
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    grounding: GroundingScores | None = None,
) -> Outcome:
    """Return a refusal that shows the first three of the `nearest` sections.

    `validation` is the verdict on an answer that is not shown. `searched` are the queries of a query plan; empty if
    only the question itself was searched for.
    """
    docs = resolved.docs_languages
    foreign = (Suggestion("docs_language", resolved.say("suggest_language", name=docs)),) if docs else ()
    refusal = Refusal(
        **_head(resolved, mode),
        code=code,
        message=message,
        reasons=reasons,
        suggestions=(*foreign, *(Suggestion(code, resolved.say(QUESTION.suggestions[code])) for code in suggestions)),
        searched=searched,
        nearest=nearest_citations(resolved.answerer.index, nearest, NEAREST),
        evidence=round(evidence, 4),
        validation=validation or ValidationInfo(False, (code,), False, 0.0, 0),
        learning_suggestions=learning,
        timings_ms=resolved.clock.timings(),
    )
    return Outcome(refusal, checked=validation, grounding=grounding)


def refuse_no_evidence(
    resolved: ResolvedQuestion,
    result: SearchResult,
    evidence: float,
    nearest: Sequence[RankedSection],
    searched: tuple[str, ...] = (),
) -> Outcome:
    """Return the refusal for too little evidence; it names the topics that the docs lack."""
    learning = missing_topics(result.query, result.idf)
    message = resolved.say("no_evidence")
    return refuse(
        resolved, "no_evidence", message, nearest=nearest, evidence=evidence, learning=learning, searched=searched
    )


def refuse_empty_index(resolved: ResolvedQuestion) -> Outcome:
    """Return the refusal for an empty index."""
    return refuse(resolved, "empty_index", resolved.say("empty_index"), suggestions=("contact",))


def refuse_boundary(resolved: ResolvedQuestion, boundary: Boundary) -> Outcome:
    """Return the refusal for a request that docs cannot answer.

    Such a request asks for new code, an action or live data, or is about a blocked topic.
    """
    corpus, built_on = resolved.corpus, resolved.answerer.built_on
    if boundary == "blocked_topic":
        message = resolved.say("out_of_scope", corpus=corpus)
        return refuse(resolved, "out_of_scope", message, suggestions=("other_topic", "rephrase"))
    if boundary == "code":
        message = resolved.say("capability_code", corpus=corpus)
    elif boundary == "act":
        message = resolved.say("capability_act", corpus=corpus)
    elif built_on:
        message = resolved.say("capability_realtime", corpus=corpus, date=built_on)
    else:
        message = resolved.say("capability_realtime_undated", corpus=corpus)
    return refuse(resolved, "capability", message, suggestions=("rephrase", "other_topic"))


def missing_topics(query: Query, idf: Mapping[str, float], held: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return up to three of the question's words, highest IDF first, whose terms are not all in `held`."""
    words = dict.fromkeys(word.strip(QUESTION.around_words) for word in query.text.split())
    scored = [
        (max((idf.get(term, 0.0) for term in terms(word, query.language)), default=0.0), word) for word in words if word
    ]
    open_topics = [
        (score, word)
        for score, word in scored
        if score > 0 and not (cut := set(terms(word, query.language))) <= held and not cut <= stop_terms(query.language)
    ]
    open_topics.sort(key=lambda pair: -pair[0])
    return tuple(word for _, word in open_topics[: QUESTION.topics])


def _head(resolved: ResolvedQuestion, mode: Mode) -> dict[str, Any]:
    """Return the fields that every reply has."""
    answerer, question = resolved.answerer, resolved.question
    return {
        "message_id": question.message_id,
        "session_id": question.session_id,
        "index_id": answerer.index.info.index_id,
        "built_at": answerer.built_at,
        "mode": mode,
        "scope": resolved.scope.named,
        "notices": resolved.notices,
    }
