"""Read the relevance judgements of `bench/questions/graded`: a reader's grades of the sections that systems found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec
from bench.quality.judgements import RIGHT_PAGE, RIGHT_SECTION, JudgedQuestion, SiteQuestions
from bench.quality.places import page_key, section_key

__all__ = ("CHOSEN_ON", "GradedQuestion", "read_chosen", "read_graded", "with_grades")

CHOSEN_ON = ("buildbot", "celery", "drf", "fastify", "pytest", "scrapy", "turbo", "typer")
"""The sites on which the weight of late interaction was chosen; no result is reported on them."""

_FOLDER = Path(__file__).parents[1] / "questions" / "graded"
_OF_EACH_OTHER = 9  # questions about each other site, which count as questions about a similar product


class GradedQuestion(msgspec.Struct, frozen=True):
    """A question and the grade (0 to 3) of each section that was judged: (url, anchor, grade).

    `question` is empty if another file has it, with the judgements that these grades extend.
    """

    id: str
    question: str
    kind: Literal["answerable", "near_miss"]
    clear: bool
    judged: tuple[tuple[str, str, int], ...]

    def as_judged(self) -> JudgedQuestion:
        """Return the question with its right places."""
        pages = {page_key(url) for url, _, grade in self.judged if grade >= RIGHT_PAGE}
        sections = {section_key(url, anchor) for url, anchor, grade in self.judged if grade >= RIGHT_SECTION}
        return JudgedQuestion(self.id, self.question, self.clear, frozenset(pages), frozenset(sections))


def read_graded(site: str) -> list[GradedQuestion]:
    """Return the graded questions about a site; none if the site has no grades."""
    file = _FOLDER / f"{site}.jsonl"
    lines = file.read_bytes().splitlines() if file.is_file() else []
    return [msgspec.json.decode(line, type=GradedQuestion) for line in lines]


def read_chosen(sites: Iterable[str], off_topic: Sequence[str]) -> dict[str, SiteQuestions]:
    """Return the questions about the given sites on which weights were chosen, and the questions to refuse."""
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
    """Return some of the questions at even distances."""
    return [questions[place * len(questions) // _OF_EACH_OTHER] for place in range(_OF_EACH_OTHER)]


def with_grades(sites: Mapping[str, SiteQuestions]) -> dict[str, SiteQuestions]:
    """Return the questions with the places that were judged right and the places that their author named.

    If a reader found that a section answers a near miss, the near miss becomes answerable.
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
