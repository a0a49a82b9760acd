"""Graded questions are whole, and grades add to what the questions' author named."""

import pytest
from bench.quality import graded
from bench.quality.graded import CHOSEN_ON, GradedQuestion, read_chosen, read_graded, with_grades
from bench.quality.judgements import JudgedQuestion, SiteQuestions
from bench.quality.written import QUESTIONS

REPORTED = sorted(file.stem for file in QUESTIONS.glob("*.yml"))


@pytest.mark.parametrize("site", [*CHOSEN_ON, *REPORTED])
def test_every_graded_question_is_whole(site: str) -> None:
    rows = read_graded(site)
    assert len({row.id for row in rows}) == len(rows) >= 60
    assert all(0 <= grade <= 3 for row in rows for _, _, grade in row.judged)
    assert all(url.startswith("/") for row in rows for url, _, _ in row.judged)
    assert sum(row.kind == "answerable" and bool(row.as_judged().pages) for row in rows) >= 30


def test_nothing_is_reported_on_sites_that_weights_were_chosen_on() -> None:
    assert not set(CHOSEN_ON) & set(REPORTED)
    assert read_chosen(REPORTED, []) == {}


def test_a_chosen_site_must_refuse_near_misses_foreign_questions_and_those_about_the_others() -> None:
    found = read_chosen(["typer", "scrapy"], ["How tall is the tower?"])
    kinds = [kind for kind, _ in found["typer"].foreign]
    assert {kind: kinds.count(kind) for kind in kinds} == {"near miss": 22, "off-topic": 1, "sister product": 9}
    about_scrapy = {item.question for item in found["scrapy"].answerable}
    assert all(text in about_scrapy for kind, text in found["typer"].foreign if kind == "sister product")


def test_grades_add_places_to_the_named_ones_and_answered_near_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        GradedQuestion("k-1", "Which size?", "answerable", True, (("/a", "x", 3), ("/b", "y", 2), ("/c", "", 1))),
        GradedQuestion("k-n2", "Which colour?", "answerable", True, (("/c", "z", 3),)),
        GradedQuestion("k-n3", "Which taste?", "near_miss", True, (("/c", "z", 1),)),
    ]
    monkeypatch.setattr(graded, "read_graded", lambda site: rows if site == "kit" else [])
    named = JudgedQuestion("k-1", "Which size?", True, frozenset({"/n"}), frozenset({("/n", "m")}))
    foreign = (("near miss", "Which colour?"), ("near miss", "Which taste?"), ("off-topic", "Why?"))
    found = with_grades({"kit": SiteQuestions((named,), foreign)})["kit"]
    size, colour = found.answerable
    assert size.pages == {"/n", "/a", "/b"}
    assert size.sections == {("/n", "m"), ("/a", "x")}
    assert (colour.question, colour.sections) == ("Which colour?", {("/c", "z")})
    assert found.foreign == foreign[1:]
