"""A question's way through the four stages.

Question ─> choose scope ─> retrieve ─> compose ─> guard ─> Answer | Refusal
"""

import dataclasses

from pincite_core.search.query import parse_query
from pincite_core.wording import language_of, name_of, say
from pincite_server.answerer import Answerer
from pincite_server.answering.citations import search_hit
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.answering.corpus.corpus_mode import prepare_from_corpus
from pincite_server.answering.follow_ups import read_together
from pincite_server.answering.material import Prepared
from pincite_server.answering.passage.selection_mode import prepare_from_selection, selection_problem
from pincite_server.answering.question import MAX_QUERY, ChosenScope, Question, as_seen, limit_question
from pincite_server.answering.replies import refuse_boundary, refuse_empty_index
from pincite_server.answering.retrieve import retrieve
from pincite_server.answering.scope import choose_scope, languages_to_ask_in, scope_of_question
from pincite_server.answering.situation import Situation, StageClock
from pincite_server.answering.snippets import Snippets
from pincite_server.guards.boundaries import crossed_boundary
from pincite_server.reply.records import Answer, Notice, Refusal, SearchHit

__all__ = ("answer", "answer_selection", "prepare", "prepare_selection", "search_hits", "search_with_evidence")


def answer(answerer: Answerer, question: Question, now: float | None = None) -> Answer | Refusal:
    """Answer a question in the docs' own sentences; see `prepare`."""
    return prepare(answerer, question, now).outcome.reply


def answer_selection(answerer: Answerer, question: Question) -> Answer | Refusal:
    """Answer from the question's selection in its own sentences; see `prepare_selection`."""
    return prepare_selection(answerer, question).outcome.reply


def prepare(answerer: Answerer, question: Question, now: float | None = None) -> Prepared:
    """Answer a question from the site, or from the reader's selection in the mode `selection`.

    The answer is extractive; beside it is what a language model may write a better one from. A selection that is
    missing, shorter than 50 characters or older than five minutes is not used: the whole site is searched instead, and
    a notice says so. A follow-up is read together with the question before it, and a notice says how.

    Args:
        answerer: The index and its model.
        question: What the reader asks, and where from.
        now: Seconds since the epoch, for the selection's age; the clock's when None.

    Raises:
        ModelMismatchError: The client's own embedding does not fit the index.
    """
    question = _made_whole(answerer, as_seen(question))
    situation = _situate(answerer, question)
    if question.mode == "selection":
        problem = selection_problem(question.selection, situation.language, now)
        if problem is None:
            return prepare_from_selection(situation)
        situation = situation.with_notices(problem)
    return _prepare_corpus(situation)


def prepare_selection(answerer: Answerer, question: Question) -> Prepared:
    """Answer from the question's selection, however short or old; it must have one.

    Raises:
        ValueError: The question has no selection.
    """
    question = as_seen(question)
    if question.selection is None or not question.selection.text.strip():
        message = "the question has no selected text to answer from"
        raise ValueError(message)
    return prepare_from_selection(_situate(answerer, dataclasses.replace(question, mode="selection")))


def search_hits(
    answerer: Answerer, query: str, k: int = 10, version: str | None = None, locale: str | None = None
) -> list[SearchHit]:
    """Return the `k` best places for a query, best first."""
    return search_with_evidence(answerer, query, k, version, locale)[0]


def search_with_evidence(
    answerer: Answerer, query: str, k: int, version: str | None = None, locale: str | None = None
) -> tuple[list[SearchHit], float]:
    """Return the `k` best places for a query, best first, and how likely the docs hold an answer to it, 0 to 1."""
    from_scope, _ = choose_scope(answerer.index, version, locale)
    parsed = parse_query(query, answerer.index.language_of(from_scope.scope_ids))
    encoded = answerer.encode(parsed.text)
    result = retrieve(answerer, encoded, parsed, from_scope, k)
    evidence = judge_evidence(result.signals, answerer.calibration_of(from_scope.scope_ids), answerer.policy)
    snippets = Snippets(answerer.index, encoded.vector, result)
    hits = [search_hit(answerer.index, section, snippets.of(section)) for section in result.sections]
    return hits, evidence.value


def _made_whole(answerer: Answerer, question: Question) -> Question:
    """Return a follow-up with the question before it, unless that is done. One out of bounds is not made another."""
    query = question.query[:MAX_QUERY]
    if (
        question.mode != "corpus"
        or question.asked is not None
        or not (question.turns and query)
        or crossed_boundary(query, answerer.policy.blocked_topics)
    ):
        return question
    scope, _ = choose_scope(answerer.index, question.version, question.locale, question.page_url)
    whole = read_together(query, question.turns, answerer.index, scope.locale)
    return question if whole is None else dataclasses.replace(question, query=whole, asked=query, embedding=None)


def _situate(answerer: Answerer, question: Question) -> Situation:
    clock = StageClock()
    with clock.stage("scope"):
        scope, notices = scope_of_question(answerer.index, question)
        spoken = question.spoken or scope.foreign or scope.locale
        language = language_of((question.asked or question.query)[:MAX_QUERY], spoken)
        limited, cut = limit_question(question, answerer.index.info.max_tokens, language)
    meant = _understood(answerer, limited, scope, language)
    parsed = parse_query(limited.query, answerer.index.language_of(scope.scope_ids), scope.foreign)
    return Situation(answerer, limited, parsed, scope, language, (*notices, *meant, *cut), clock)


def _understood(answerer: Answerer, question: Question, scope: ChosenScope, language: str) -> tuple[Notice, ...]:
    """Return how the question was understood, and which languages the docs are in where it is in another."""
    if question.spoken is not None:
        told = say("question_translated", language, name=name_of(scope.locale, language), query=question.query)
        return (Notice("question_translated", told),)
    rewritten = say("question_rewritten", language, query=question.query) if question.asked is not None else ""
    meant = (Notice("question_rewritten", rewritten),) if rewritten else ()
    if scope.foreign is None:
        return meant
    docs = languages_to_ask_in(answerer.index, scope, language)
    return (*meant, Notice("docs_language", say("docs_language", language, name=docs)))


def _prepare_corpus(situation: Situation) -> Prepared:
    if situation.answerer.index.chunk_count == 0:
        return Prepared(refuse_empty_index(situation))
    boundary = crossed_boundary(situation.question.query, situation.answerer.policy.blocked_topics)
    if boundary is not None:
        return Prepared(refuse_boundary(situation, boundary))
    return prepare_from_corpus(situation)
