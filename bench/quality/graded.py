"""Relevance judgements of `bench/questions/graded`: what a reader said of the sections that several systems found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec
from bench.quality.judgements import RIGHT_PAGE, RIGHT_SECTION, JudgedQuestion, SiteQuestions
from bench.quality.places import page_key, section_key

__all__ = ("CHOSEN_ON", "GradedQuestion", "read_chosen", "read_graded", "with_grades")

CHOSEN_ON = ("buildbot", "celery", "drf", "fastify", "pytest", "scrapy", "turbo", "typer")
"""The sites that the weight of late interaction was chosen on: nothing is reported on them as a result."""

_FOLDER = Path(__file__).parents[1] / "questions" / "graded"
_OF_EACH_OTHER = 9  # questions about each other site, asked as those about a sister product


class GradedQuestion(msgspec.Struct, frozen=True):
    """A question and the grade (0 to 3) of each section that was judged: (url, anchor, grade).

    `question` is empty where it is kept elsewhere, with the judgements that these add to.
    """

    id: str
    question: str
    kind: Literal["answerable", "near_miss"]
    clear: bool
    judged: tuple[tuple[str, str, int], ...]

    def as_judged(self) -> JudgedQuestion:
        """Return its right places."""
        pages = {page_key(url) for url, _, grade in self.judged if grade >= RIGHT_PAGE}
        sections = {section_key(url, anchor) for url, anchor, grade in self.judged if grade >= RIGHT_SECTION}
        return JudgedQuestion(self.id, self.question, self.clear, frozenset(pages), frozenset(sections))


def read_graded(site: str) -> list[GradedQuestion]:
    """Return the graded questions about a site; none when nobody judged any."""
    file = _FOLDER / f"{site}.jsonl"
    lines = file.read_bytes().splitlines() if file.is_file() else []
    return [msgspec.json.decode(line, type=GradedQuestion) for line in lines]


def read_chosen(sites: Iterable[str], off_topic: Sequence[str]) -> dict[str, SiteQuestions]:
    """Return the questions about those of some sites that weights were chosen on, and what they must refuse."""
    graded = {site: read_graded(site) for site in CHOSEN_ON if site in set(sites)}
    others = {site: [row.question for row in rows if row.kind == "answerable"] for site, rows in graded.items()}
    return {
        site: SiteQuestions(
            tuple(row.as_judged() for row in rows if row.kind == "answerable"),
            (
                *(("near miss", row.question) for row in rows if row.kind == "near_miss"),
                *(("off-topic", text) for text in off_topic),
                *(("sister product", text) for other in others if other != site for text in _spread(others[other])),
            ),
        )
        for site, rows in graded.items()
    }


def _spread(questions: Sequence[str]) -> list[str]:
    """Return a few of the questions at even distances."""
    return [questions[place * len(questions) // _OF_EACH_OTHER] for place in range(_OF_EACH_OTHER)]


def with_grades(sites: Mapping[str, SiteQuestions]) -> dict[str, SiteQuestions]:
    """Return questions with what was judged right added to what their author named.

    A near miss that a section does answer, as its reader found, becomes answerable.
    """
    return {site: _with_grades(questions, read_graded(site)) for site, questions in sites.items()}


def _with_grades(questions: SiteQuestions, graded: list[GradedQuestion]) -> SiteQuestions:
    by_id = {row.id: row for row in graded}
    answerable = [_joined(item, by_id.get(item.id)) for item in questions.answerable]
    near_misses = {text for kind, text in questions.foreign if kind == "near miss"}
    answered = {row.question: row.as_judged() for row in graded if row.kind == "answerable"}
    answerable += [item for text, item in answered.items() if text in near_misses]
    foreign = tuple((kind, text) for kind, text in questions.foreign if kind != "near miss" or text not in answered)
    return SiteQuestions(tuple(answerable), foreign)


def _joined(item: JudgedQuestion, row: GradedQuestion | None) -> JudgedQuestion:
    if row is None:
        return item
    judged = row.as_judged()
    return replace(item, clear=judged.clear, pages=item.pages | judged.pages, sections=item.sections | judged.sections)
