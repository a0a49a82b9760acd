"""Asks questions of an index, and judges the replies and search results by the places where answers are expected."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.types import SECTION_KINDS, Scope, Target
from pincite_core.urls import split_fragment
from pincite_server.answerer import Answerer
from pincite_server.answering.named_sections import resolve_id, target_url
from pincite_server.answering.pipeline import prepare_selection, search_hits
from pincite_server.answering.sync_answerer import AskResult, SyncAnswerer
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.question.question import Question, Selection
from pincite_server.question.scope import ChosenScope, choose_scope, require_known_scope
from pincite_server.reply.records import Answer, Refusal

__all__ = ("Expected", "Grade", "JudgedQuestion", "Verdict", "expected_places", "find_expected", "find_leaks", "judge")

_JUDGED_RESULTS = 10
_SECTIONS = SECTION_KINDS - {"member"}  # an expected section around an interface includes the interface's members

Verdict = Literal[
    "right", "right page", "wrong place", "refused", "answered", "not there", "passage refused", "passage exceeded"
]
"""`right`: as expected. `refused` and `answered`: the opposite was expected. `not there`: no such version or language.

For a passage, `passage refused` and `passage exceeded`: the opposite was expected.
"""


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
        return self.value in {2, 3}


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its reply and the judgement of it."""

    question: EvalQuestion
    verdict: Verdict
    evidence: float = 0.0  # the probability, 0 to 1, that the docs hold the answer, as the reply states it
    text: str = ""  # the answer; "" for a refusal
    cited: tuple[str, ...] = ()  # URLs of the citations, the used ones first; for a refusal, of the nearest sections
    page_rank: int | None = None  # rank of the first right page among the pages of 10 search results, from 1
    section_rank: int | None = None  # rank of the first right section among 10 search results, from 1
    page_cited: bool = False  # whether an answer cites a right page
    section_cited: bool | None = None  # whether an answer cites a right section; None if only pages are expected
    section_first: bool | None = None  # whether the first citation is a right section; None if only pages are expected
    read: tuple[str, ...] = ()  # URLs of the sections that a language model read, best first
    context_recalled: bool | None = None  # whether the model read a right section (or page); None without a model
    leaks: tuple[str, ...] = ()  # URLs of another version or language among the citations and search results
    asked: AskResult | None = None  # the reply and the language model's work on it; None for `not there`
    grade: Grade | None = None  # the grade of the first screen; None if it was not graded

    @property
    def refused(self) -> bool:
        """Whether the reply is not an answer."""
        return not self.text


@dataclass(frozen=True, slots=True)
class Expected:
    """Row ids of the right pages and sections.

    If only whole pages are expected, `sections` is empty, and any place on the pages is right. Otherwise an expected
    page stands for its own beginning.
    """

    pages: frozenset[int]
    sections: frozenset[int]
    unknown: tuple[str, ...]  # expected places that the scope does not have


def expected_places(answerer: Answerer, question: EvalQuestion) -> Expected:
    """Return the places where a question's answer is expected.

    Raises:
        InputError: The index does not have the question's version or language.
    """
    require_known_scope(answerer.index, question.version, question.locale)
    scope, _ = choose_scope(answerer.index, question.version, question.locale)
    return find_expected(answerer.index, scope, question.expect)


def find_expected(index: Index, scope: ChosenScope, places: tuple[str, ...]) -> Expected:
    """Find the targets of stable IDs (moved ones too) and URLs among the pages of a scope."""
    found = {place: _find(index, scope, place) for place in places}
    targets = [target for target in found.values() if target]
    pages = frozenset(target.page_id for target in targets)
    sections = frozenset(target.target_id for target in targets) if any(target.anchor for target in targets) else ()
    return Expected(pages, frozenset(sections), tuple(place for place, target in found.items() if target is None))


def _find(index: Index, scope: ChosenScope, place: str) -> Target | None:
    if place.startswith("/") or "://" in place:
        target = index.target_at(place)
        if target is not None and target.anchor != split_fragment(place)[1]:
            return None
    else:
        target = resolve_id(index, place, scope.named.version, scope.locale).target
    return target if target is not None and index.page(target.page_id).scope_id in scope.scope_ids else None


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
    found = [
        hit.url for hit in search_hits(answerer, question.question, _JUDGED_RESULTS, question.version, question.locale)
    ]
    citations = reply.citations if isinstance(reply, Answer) else reply.nearest
    cited = tuple(citation.url for citation in citations if citation.url)
    ranked, targets = _targets(index, found), _targets(index, cited if isinstance(reply, Answer) else ())
    in_section = [_stands_in(index, target, expected.sections) for target in targets]
    page_cited = any(target.page_id in expected.pages for target in targets)
    section_cited = any(in_section) if expected.sections else None
    read = index.targets_by_id(asked.trace.read).values() if asked.trace else ()
    recalled = any(
        _stands_in(index, target, expected.sections) if expected.sections else target.page_id in expected.pages
        for target in read
    )
    return JudgedQuestion(
        question=question,
        verdict=_verdict(question, reply, page_cited, section_cited),
        evidence=reply.evidence,
        text=reply.text if isinstance(reply, Answer) else "",
        cited=cited,
        page_rank=_rank([page in expected.pages for page in dict.fromkeys(target.page_id for target in ranked)]),
        section_rank=_rank([_stands_in(index, target, expected.sections) for target in ranked]),
        page_cited=page_cited,
        section_cited=section_cited,
        section_first=in_section[:1] == [True] if expected.sections else None,
        read=tuple(target_url(index, target) for target in read),
        context_recalled=recalled if asked.trace else None,
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


def _verdict(question: EvalQuestion, reply: Answer | Refusal, page_cited: bool, section_cited: bool | None) -> Verdict:
    refused = isinstance(reply, Refusal)
    if question.must_refuse:
        return "right" if refused else "answered"
    if refused:
        return "refused"
    if section_cited or (section_cited is None and page_cited):
        return "right"
    return "right page" if page_cited else "wrong place"


def _targets(index: Index, urls: Sequence[str]) -> list[Target]:
    return [target for url in urls if (target := index.target_at(url))]


def _rank(right: Sequence[bool]) -> int | None:
    return right.index(True) + 1 if True in right else None


def _stands_in(index: Index, target: Target, sections: frozenset[int]) -> bool:
    """Return whether a target is one of `sections`, or a row, item, term or member inside one."""
    inner: Target | None = target
    while inner is not None and inner.target_id not in sections:
        if inner.kind in _SECTIONS or inner.parent_id is None:
            return False
        inner = index.target(inner.parent_id)
    return True


def find_leaks(index: Index, urls: Iterable[str], version: str | None, locale: str | None) -> tuple[str, ...]:
    """Return the URLs whose pages do not belong to the requested version and language.

    No version means the latest version of each docs plugin; no locale means the site's default language. This is a
    second implementation, independent of the code that chooses a scope, because it checks that code.
    """
    locales = {scope.locale for scope in index.scopes}
    own = index.info.default_locale if len(locales) > 1 else next(iter(locales), "")
    scopes = {scope.scope_id: scope for scope in index.scopes}
    pages = {url: index.page_at(url) for url in dict.fromkeys(urls)}
    return tuple(
        url
        for url, page in pages.items()
        if page is None or not _belongs(scopes[page.scope_id], index.scopes, version, locale or own)
    )


def _belongs(scope: Scope, scopes: Sequence[Scope], version: str | None, locale: str) -> bool:
    if scope.locale.lower() not in {locale.lower(), locale.lower().partition("-")[0]}:
        return False
    if scope.version is None:
        return True
    plugin = [other for other in scopes if (other.plugin, other.plugin_id) == (scope.plugin, scope.plugin_id)]
    if any(version in {other.version, other.version_label} for other in plugin if version):
        return version in {scope.version, scope.version_label}
    return scope.is_last or not any(other.is_last for other in plugin)
