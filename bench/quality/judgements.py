"""Read external questions and the places of their answers: `questions.jsonl` and `qrels.jsonl`.

A question is asked of the site of its own product. There it must be answered, or refused if the docs do not hold the
answer. It is also asked of every other site as a question about a similar product, and must be refused there.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from bench.quality.places import Place, page_key, section_key

__all__ = ("RIGHT_PAGE", "RIGHT_SECTION", "JudgedQuestion", "SiteQuestions", "read_judgements")

RIGHT_PAGE, RIGHT_SECTION = 2, 3  # grades: 3 answers it directly, 2 right page or main part, 1 related, 0 not


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and its right places. `sections` is empty if nobody could name a section."""

    id: str
    question: str
    clear: bool
    pages: frozenset[str]
    sections: frozenset[Place]


@dataclass(frozen=True, slots=True)
class SiteQuestions:
    """The questions for one site: the judged questions, and by (kind, question) the questions to refuse."""

    answerable: tuple[JudgedQuestion, ...]
    foreign: tuple[tuple[str, str], ...]


class _Grade(msgspec.Struct):
    url: str
    anchor: str | None
    grade: int


class _Judgement(msgspec.Struct):
    id: str
    site: str
    question: str
    clear: bool
    gold: list[str]
    judged: list[_Grade]


class _Question(msgspec.Struct):
    id: str
    kind: str
    product: str
    question: str


def read_judgements(folder: Path) -> dict[str, SiteQuestions]:
    """Return the questions of every site with judged questions, by the site's name."""
    judgements = [msgspec.json.decode(line, type=_Judgement) for line in _lines(folder / "qrels.jsonl")]
    questions = [msgspec.json.decode(line, type=_Question) for line in _lines(folder / "questions.jsonl")]
    product_of = {question.id: question.product for question in questions}
    found: dict[str, SiteQuestions] = {}
    for site in dict.fromkeys(judgement.site for judgement in judgements):
        own = [judgement for judgement in judgements if judgement.site == site]
        products = {product_of[judgement.id] for judgement in own}
        foreign = ((_foreign_kind(question, products), question.question) for question in questions)
        found[site] = SiteQuestions(
            tuple(_judged(judgement) for judgement in own), tuple((kind, text) for kind, text in foreign if kind)
        )
    return found


def _foreign_kind(question: _Question, products: set[str]) -> str:
    """Return why a site of the given products must refuse a question; "" if it need not."""
    if question.kind == "off_topic":
        return "off-topic"
    if question.product not in products:
        return "sister product"
    return "near miss" if question.kind == "near_miss" else ""


def _judged(row: _Judgement) -> JudgedQuestion:
    pages = {page_key(grade.url) for grade in row.judged if grade.grade >= RIGHT_PAGE}
    sections = {section_key(grade.url, grade.anchor) for grade in row.judged if grade.grade == RIGHT_SECTION}
    for url in row.gold:
        pages.add(page_key(url))
        if fragment := urlsplit(url).fragment:
            sections.add(section_key(url, fragment))
    return JudgedQuestion(row.id, row.question, row.clear, frozenset(pages), frozenset(sections))


def _lines(file: Path) -> list[bytes]:
    return [line for line in file.read_bytes().splitlines() if line.strip()]
