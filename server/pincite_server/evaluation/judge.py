"""Asks a question of an index, and judges the reply and the search results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_server.answerer import Answerer
from pincite_server.answering.named_sections import target_url
from pincite_server.answering.pipeline import prepare_selection, search_hits
from pincite_server.answering.sync_answerer import AskResult, SyncAnswerer
from pincite_server.evaluation.expectations import Expected, find_expected, find_leaks, stands_in
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.question.question import Question, Selection
from pincite_server.question.scope import choose_scope, require_known_scope
from pincite_server.reply.records import Answer, Refusal

__all__ = ("RANKED", "Grade", "JudgedQuestion", "Verdict", "expected_places", "judge")

RANKED = 10  # search results that are judged

Verdict = Literal[
    "right", "right page", "wrong place", "refused", "answered", "not there", "passage refused", "passage exceeded"
]
"""`right`: as expected. `refused` and `answered`: the opposite was expected. `not there`: no such version or language.

For a passage, `passage refused` and `passage exceeded`: the opposite was expected.
"""


_USEFUL, _GOOD = 2, 3


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a first screen, 0 to 3 (`evaluation/grading.py`); None for a refusal.

    `cause` is the main reason for a grade below 3, "" if none was named.
    """

    value: int | None
    cause: str = ""

    @property
    def is_useful(self) -> bool:
        """Whether the grade is 2 or 3."""
        return self.value is not None and self.value >= _USEFUL

    @property
    def is_good(self) -> bool:
        """Whether the grade is 3."""
        return self.value == _GOOD


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its reply and the judgement of it.

    Attributes:
        question: The question.
        verdict: The verdict on the reply.
        evidence: The probability, 0 to 1, that the docs hold the answer, as the reply states it.
        text: The answer; "" for a refusal.
        cited: URLs of the citations, those that the answer uses first; for a refusal, of the nearest sections.
        page_rank: Rank of the first right page among the pages of ten search results, from 1; None without any.
        section_rank: Rank of the first right section among ten search results, from 1; None without any.
        page_cited: Whether an answer cites a right page.
        section_cited: Whether an answer cites a right section; None if only pages are expected.
        section_first: Whether the first citation is a right section; None if only pages are expected.
        read: URLs of the sections that a language model read, best first.
        context_recalled: Whether the model read a right section, or a right page if only pages are expected; None if
            no model was asked.
        leaks: URLs of another version or language among the citations and search results.
        asked: The reply, with the language model's work on it; None if there is no such version or language.
        grade: The grade of the first screen; None if it was not graded.
    """

    question: EvalQuestion
    verdict: Verdict
    evidence: float = 0.0
    text: str = ""
    cited: tuple[str, ...] = ()
    page_rank: int | None = None
    section_rank: int | None = None
    page_cited: bool = False
    section_cited: bool | None = None
    section_first: bool | None = None
    read: tuple[str, ...] = ()
    context_recalled: bool | None = None
    leaks: tuple[str, ...] = ()
    asked: AskResult | None = None
    grade: Grade | None = None

    @property
    def refused(self) -> bool:
        """Whether the reply is not an answer."""
        return not self.text


def expected_places(answerer: Answerer, question: EvalQuestion) -> Expected:
    """Return the places where a question's answer is expected.

    Raises:
        InputError: The index does not have the question's version or language.
    """
    require_known_scope(answerer.index, question.version, question.locale)
    scope, _ = choose_scope(answerer.index, question.version, question.locale)
    return find_expected(answerer.index, scope, question.expect)


def judge(asker: SyncAnswerer, answerer: Answerer, question: EvalQuestion) -> JudgedQuestion:
    """Ask a question, and judge the reply and the search results."""
    index = answerer.index
    try:
        expected = expected_places(answerer, question)
    except InputError:
        return JudgedQuestion(question, "not there")
    if question.passage is not None:
        return _judge_passage(asker, answerer, question, Selection(question.passage))
    chosen = question.locale is not None
    asked = asker.ask(
        answerer,
        Question(question.question, version=question.version, locale=question.locale, locale_chosen=chosen),
    )
    reply = asked.reply
    hits = search_hits(answerer, question.question, RANKED, question.version, question.locale)
    found, cited = [hit.url for hit in hits], _cited(reply)
    answered = cited if isinstance(reply, Answer) else ()
    ranked, targets = _targets(index, found), _targets(index, answered)
    in_section = [stands_in(index, target, expected.sections) for target in targets]
    page_cited = any(target.page_id in expected.pages for target in targets)
    section_cited = any(in_section) if expected.sections else None
    read = _read(index, asked)
    return JudgedQuestion(
        question=question,
        verdict=_verdict(question, reply, page_cited, section_cited),
        evidence=reply.evidence,
        text=reply.text if isinstance(reply, Answer) else "",
        cited=cited,
        page_rank=_rank([page in expected.pages for page in dict.fromkeys(target.page_id for target in ranked)]),
        section_rank=_rank([stands_in(index, target, expected.sections) for target in ranked]),
        page_cited=page_cited,
        section_cited=section_cited,
        section_first=in_section[:1] == [True] if expected.sections else None,
        read=tuple(target_url(index, target) for target in read),
        context_recalled=_is_recalled(index, expected, read) if asked.trace else None,
        leaks=find_leaks(index, (*cited, *found), question.version, question.locale),
        asked=asked,
    )


def _judge_passage(
    asker: SyncAnswerer, answerer: Answerer, question: EvalQuestion, selection: Selection
) -> JudgedQuestion:
    """Ask a question of a passage alone, however short the passage is."""
    asked_of = Question(question.question, "selection", selection, version=question.version, locale=question.locale)
    asked = asker.ask(answerer, asked_of, prepare_selection)
    text = asked.reply.text if isinstance(asked.reply, Answer) else ""
    verdict: Verdict = "right"
    if question.answerable and not text:
        verdict = "passage refused"
    elif text and not question.answerable:
        verdict = "passage exceeded"
    return JudgedQuestion(question, verdict, asked.reply.evidence, text, asked=asked)


def _read(index: Index, asked: AskResult) -> list[Target]:
    """Return the sections that a language model read, best first."""
    found = index.targets_by_id(asked.trace.read) if asked.trace else {}
    return list(found.values())


def _is_recalled(index: Index, expected: Expected, read: Sequence[Target]) -> bool:
    if expected.sections:
        return any(stands_in(index, target, expected.sections) for target in read)
    return any(target.page_id in expected.pages for target in read)


def _cited(reply: Answer | Refusal) -> tuple[str, ...]:
    citations = reply.citations if isinstance(reply, Answer) else reply.nearest
    return tuple(citation.url for citation in citations if citation.url)


def _targets(index: Index, urls: Sequence[str]) -> list[Target]:
    return [target for url in urls if (target := index.target_at(url))]


def _rank(right: Sequence[bool]) -> int | None:
    return right.index(True) + 1 if True in right else None


def _verdict(question: EvalQuestion, reply: Answer | Refusal, page_cited: bool, section_cited: bool | None) -> Verdict:
    refused = isinstance(reply, Refusal)
    if question.must_refuse:
        return "right" if refused else "answered"
    if refused:
        return "refused"
    if section_cited or (section_cited is None and page_cited):
        return "right"
    return "right page" if page_cited else "wrong place"
