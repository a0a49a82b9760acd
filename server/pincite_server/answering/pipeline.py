"""The answering pipeline of four stages. The first stage is in `question/resolve.py`.

Question ─> resolve ─> retrieve ─> compose ─> guard ─> Answer | Refusal
"""

from dataclasses import replace

from pincite_core.search.query import parse_query
from pincite_server.answerer import Answerer
from pincite_server.answering.citations import search_hit
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.answering.corpus.corpus_mode import prepare_from_corpus
from pincite_server.answering.generation import PreparedAnswer
from pincite_server.answering.passage.selection_mode import prepare_from_selection, selection_problem
from pincite_server.answering.replies import refuse_boundary, refuse_empty_index
from pincite_server.answering.retrieve import retrieve
from pincite_server.answering.snippets import Snippets
from pincite_server.question.question import Question
from pincite_server.question.resolve import ResolvedQuestion, resolve
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer, Refusal, SearchHit

__all__ = ("answer", "answer_selection", "prepare", "prepare_selection", "search_hits", "search_with_evidence")


def answer(answerer: Answerer, question: Question, now: float | None = None) -> Answer | Refusal:
    """Answer a question with quoted sentences of the docs; see `prepare`."""
    return prepare(resolve(answerer, question), now).outcome.reply


def answer_selection(answerer: Answerer, question: Question) -> Answer | Refusal:
    """Answer a question with quoted sentences of its selection; see `prepare_selection`."""
    return prepare_selection(resolve(answerer, replace(question, mode="selection"))).outcome.reply


def prepare(resolved: ResolvedQuestion, now: float | None = None) -> PreparedAnswer:
    """Answer a question from the site, or from the reader's selection in the mode `selection`.

    The answer is quoted, and comes with the context from which a language model may write a better answer. A selection
    is not used if it is missing, shorter than 50 characters or older than five minutes. The whole site is searched
    instead, and the reply has a notice.

    `now` is the time in seconds since the epoch, to compute the selection's age; None for the current time.

    Raises:
        ModelMismatchError: The client's own embedding does not fit the index.
    """
    if resolved.question.mode == "selection":
        problem = selection_problem(resolved.asked.selection, resolved.language, now)
        if problem is None:
            return prepare_from_selection(resolved)
        resolved = resolved.with_notices(problem)
    if resolved.answerer.index.chunk_count == 0:
        return PreparedAnswer(resolved, refuse_empty_index(resolved))
    if resolved.boundary is not None:
        return PreparedAnswer(resolved, refuse_boundary(resolved, resolved.boundary))
    return prepare_from_corpus(resolved)


def prepare_selection(resolved: ResolvedQuestion) -> PreparedAnswer:
    """Answer from the question's selection, regardless of its length and age.

    The question was resolved in the mode `selection`.

    Raises:
        ValueError: The question has no selection.
    """
    selection = resolved.asked.selection
    if selection is None or not selection.text.strip():
        message = "the question has no selected text to answer from"
        raise ValueError(message)
    return prepare_from_selection(resolved)


def search_hits(
    answerer: Answerer, query: str, k: int = 10, version: str | None = None, locale: str | None = None
) -> list[SearchHit]:
    """Return the `k` best places for a query, best first."""
    return search_with_evidence(answerer, query, k, version, locale)[0]


def search_with_evidence(
    answerer: Answerer, query: str, k: int, version: str | None = None, locale: str | None = None
) -> tuple[list[SearchHit], float]:
    """Return the `k` best places for a query, best first, and the probability (0 to 1) that the docs answer it."""
    from_scope, _ = choose_scope(answerer.index, version, locale)
    parsed = parse_query(query, answerer.index.language_of(from_scope.scope_ids))
    encoded = answerer.encode(parsed.text)
    result = retrieve(answerer, encoded, parsed, from_scope, k)
    evidence = judge_evidence(result.signals, answerer.calibration_of(from_scope.scope_ids), answerer.policy)
    snippets = Snippets(answerer.index, encoded.vector, result)
    hits = [search_hit(answerer.index, section, snippets.of(section)) for section in result.sections]
    return hits, evidence.value
