"""Measure search and answers on judged questions: page@k, section@k, citations and refusals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.quality.judgements import JudgedQuestion, SiteQuestions
from bench.quality.places import Place, page_key, section_key
from bench.quality.systems import System

from pincite_server.evaluation.shares import Share

__all__ = ("MEASURES", "Run", "measure", "run_system")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, its ranked places, and the places that the answer cites; None for a refusal."""

    question: JudgedQuestion
    ranked: list[Place]
    cited: list[Place] | None

    def page_at(self, k: int) -> bool:
        """Return whether a right page is among the first `k` distinct pages."""
        pages = list(dict.fromkeys(page_key(url) for url, _ in self.ranked))
        return bool(self.question.pages & set(pages[:k]))

    def section_at(self, k: int) -> bool:
        """Return whether a right section is among the first `k` distinct sections."""
        sections = list(dict.fromkeys(section_key(*place) for place in self.ranked))
        return bool(self.question.sections & set(sections[:k]))

    @property
    def page_cited(self) -> bool:
        """Return whether a right page is among the citations."""
        return bool(self.question.pages & {page_key(url) for url, _ in self.cited or ()})

    @property
    def section_cited(self) -> bool:
        """Return whether a right section is among the citations."""
        return bool(self.question.sections & {section_key(*place) for place in self.cited or ()})


@dataclass(frozen=True, slots=True)
class Run:
    """One system on one or several sites: answers to judged questions, and (kind, question, refused) for others."""

    answerable: tuple[Judged, ...]
    foreign: tuple[tuple[str, str, bool], ...]

    def __add__(self, other: "Run") -> "Run":
        return Run(self.answerable + other.answerable, self.foreign + other.foreign)


def run_system(system: System, questions: SiteQuestions) -> Run:
    """Ask a system all questions of a site."""
    judged = (Judged(item, system.rank(item.question), system.cite(item.question)) for item in questions.answerable)
    foreign = ((kind, text, system.cite(text) is None) for kind, text in questions.foreign)
    return Run(tuple(judged), tuple(foreign))


def measure(run: Run) -> dict[str, Share]:
    """Return every measure of a run by its name.

    Ranks and citations count only clear questions. Section measures count only questions with a named right section.
    Citations count only answered questions. False refusals count every answerable question.
    """
    return {name: Share.of(outcomes(run)) for name, outcomes in MEASURES.items()}


def _clear(run: Run) -> list[Judged]:
    return [item for item in run.answerable if item.question.clear]


def _with_sections(run: Run) -> list[Judged]:
    return [item for item in _clear(run) if item.question.sections]


def _answered(items: Sequence[Judged]) -> list[Judged]:
    return [item for item in items if item.cited is not None]


def _refused(kind: str) -> Callable[[Run], Iterable[bool]]:
    return lambda run: (refused for of, _, refused in run.foreign if of == kind)


MEASURES: dict[str, Callable[[Run], Iterable[bool]]] = {
    "page@1": lambda run: (item.page_at(1) for item in _clear(run)),
    "page@5": lambda run: (item.page_at(5) for item in _clear(run)),
    "section@1": lambda run: (item.section_at(1) for item in _with_sections(run)),
    "section@5": lambda run: (item.section_at(5) for item in _with_sections(run)),
    "page cited": lambda run: (item.page_cited for item in _answered(_clear(run))),
    "section cited": lambda run: (item.section_cited for item in _answered(_with_sections(run))),
    "false refusals": lambda run: (item.cited is None for item in run.answerable),
    "false refusals, clear": lambda run: (item.cited is None for item in _clear(run)),
    "off-topic refused": _refused("off-topic"),
    "near miss refused": _refused("near miss"),
    "sister refused": _refused("sister product"),
}
