"""Read the questions of `bench/questions`, which were written before their sites were first searched."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.quality.judgements import JudgedQuestion, SiteQuestions
from bench.quality.places import page_key, section_key

from pincite_core.urls import join_fragment
from pincite_server.answerer import Answerer
from pincite_server.evaluation.judge import find_expected
from pincite_server.evaluation.questions import EvalQuestion, read_questions
from pincite_server.question.scope import choose_scope

__all__ = ("QUESTIONS", "questions_about", "read_written")

QUESTIONS = Path(__file__).parents[1] / "questions"


def read_written(answerers: Mapping[str, Answerer], off_topic: Sequence[str]) -> dict[str, SiteQuestions]:
    """Return the questions about the sites that have a file; other files supply questions about similar products.

    Args:
        answerers: The sites' indexes, by name.
        off_topic: Questions that every site must refuse.
    """
    files = {site: QUESTIONS / f"{site}.yml" for site in answerers}
    written = {site: read_questions(file) for site, file in files.items() if file.is_file()}
    return {
        site: questions_about(
            answerers[site], site, own, [rows for other, rows in written.items() if other != site], off_topic
        )
        for site, own in written.items()
    }


def questions_about(
    answerer: Answerer,
    site: str,
    own: Sequence[EvalQuestion],
    others: Sequence[Sequence[EvalQuestion]],
    off_topic: Sequence[str],
) -> SiteQuestions:
    """Return a site's questions in its default version and language, and the questions that it must refuse.

    Args:
        answerer: The site's index.
        site: The site's name.
        own: The site's questions, with the questions that it must refuse (near misses).
        others: The questions of each similar product.
        off_topic: Questions about other subjects.
    """
    asked = [question for question in own if question.version is None and question.locale is None]
    answerable = tuple(_judged(answerer, site, question) for question in asked if not question.must_refuse)
    foreign = [
        *(("near miss", question.question) for question in asked if question.must_refuse),
        *(("off-topic", text) for text in off_topic),
        *(("sister product", question.question) for rows in others for question in rows if not question.must_refuse),
    ]
    return SiteQuestions(answerable, tuple(foreign))


def _judged(answerer: Answerer, site: str, question: EvalQuestion) -> JudgedQuestion:
    expected = find_expected(answerer.index, choose_scope(answerer.index)[0], question.expect)
    pages = {page_key(answerer.index.page(page_id).url) for page_id in expected.pages}
    sections = {section_key(url, anchor) for url, anchor in _places(answerer, sorted(expected.sections))}
    return JudgedQuestion(f"{site}-{question.line}", question.question, True, frozenset(pages), frozenset(sections))


def _places(answerer: Answerer, target_ids: Sequence[int]) -> Iterator[tuple[str, str]]:
    for target_id in target_ids:
        target = answerer.index.target(target_id)
        yield join_fragment(answerer.index.page(target.page_id).url, target.anchor), target.anchor
