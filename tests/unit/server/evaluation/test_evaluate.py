from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.factories import PageSource, build_index
from tests.unit.server.evaluation.sites import PAGES, build_site, open_site

from pincite_core.errors import InputError
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.evaluation.evaluate import (
    ANY_LEAK,
    Evaluation,
    evaluate,
    find_changes,
    find_failures,
    require_places,
)
from pincite_server.evaluation.judge import JudgedQuestion, find_leaks
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.evaluation.shares import Share
from pincite_server.indexes.registry import IndexSet

LIFETIME = "When do cached pages expire?"
FOLDER = "Which cache-folder option holds the directory of cached pages?"
FOREIGN = "Who won the zeppelin race?"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> IndexSet:
    return open_site(build_site(tmp_path_factory.mktemp("site")))


def evaluated(site: IndexSet, questions: Sequence[EvalQuestion]) -> Evaluation:
    with SyncAnswerer() as asker:
        return evaluate(site, questions, asker)


def ask(site: IndexSet, query: str, *expect: str, version: str = "", locale: str = "") -> JudgedQuestion:
    return evaluated(site, [EvalQuestion(1, query, expect, version or None, locale or None)]).rows[0]


def test_an_answer_that_cites_the_expected_section_is_right(site: IndexSet) -> None:
    row = ask(site, LIFETIME, "default/docs/cache#lifetime")
    assert (row.verdict, row.section_rank, row.page_rank) == ("right", 1, 1)
    assert row.page_cited
    assert row.section_cited
    assert row.section_first
    assert row.cited[0] == "/docs/cache#lifetime"


def test_a_url_is_a_place_too(site: IndexSet) -> None:
    for place in ("/docs/cache#lifetime", "/docs/cache/#lifetime", "https://docs.example/docs/cache#lifetime"):
        assert ask(site, LIFETIME, place).verdict == "right"


def test_any_section_is_right_where_only_the_page_is_expected(site: IndexSet) -> None:
    row = ask(site, LIFETIME, "default/docs/cache")
    assert (row.verdict, row.page_cited, row.section_cited, row.section_rank) == ("right", True, None, None)


def test_a_page_beside_sections_stands_for_its_beginning_alone(site: IndexSet) -> None:
    row = ask(site, LIFETIME, "default/docs/cache", "default/docs/backup#restoring")
    assert row.page_cited
    assert row.section_first is False


def test_a_row_of_the_expected_section_is_right(site: IndexSet) -> None:
    row = ask(site, FOLDER, "default/docs/cache#options")
    assert row.cited[0] == "/docs/cache#opt-folder"
    assert row.section_first


def test_the_section_around_an_expected_row_is_not_that_row(site: IndexSet) -> None:
    assert ask(site, LIFETIME, "default/docs/cache#opt-folder").section_first is False


def test_answers_that_cite_the_wrong_section_or_page_are_told_apart(tmp_path: Path) -> None:
    parts = "".join(f"\n## Cached pages {n} {{#part-{n}}}\nCached pages expire after {n} minutes.\n" for n in range(9))
    cache, tea = PageSource(f"# Cache{parts}\n## Tea {{#tea}}\nTea."), PageSource("# Tea\nTea.")
    site = open_site(build_site(tmp_path, {"/docs/cache": cache, "/docs/tea": tea}))
    assert ask(site, LIFETIME, "default/docs/cache#tea").verdict == "right page"
    assert ask(site, LIFETIME, "default/docs/tea").verdict == "wrong place"


def test_a_refusal_is_right_where_it_is_wanted_and_only_there(site: IndexSet) -> None:
    assert ask(site, FOREIGN).verdict == "right"
    assert ask(site, FOREIGN, "default/docs/cache").verdict == "refused"
    assert ask(site, LIFETIME).verdict == "answered"


def test_a_question_is_judged_in_its_own_version_and_language(site: IndexSet) -> None:
    old = ask(site, LIFETIME, "default/docs/1.0/cache#lifetime", version="1.0")
    french = ask(site, "Quand les pages du cache expirent ?", "default/fr/docs/cache#lifetime", locale="fr")
    assert (old.verdict, old.cited[0]) == ("right", "/docs/1.0/cache#lifetime")
    assert (french.verdict, french.cited[0]) == ("right", "/fr/docs/cache#lifetime")
    assert not old.leaks
    assert not french.leaks


def test_shares_count_only_the_questions_that_they_are_about(site: IndexSet) -> None:
    rows = [
        ask(site, LIFETIME, "default/docs/cache#lifetime"),
        ask(site, LIFETIME, "default/docs/cache"),
        ask(site, FOREIGN, "default/docs/cache#lifetime"),
        ask(site, FOREIGN),
        ask(site, LIFETIME),
    ]
    shares = Evaluation(tuple(rows)).measures
    assert shares["page_cited"] == Share(2, 2)
    assert shares["section_cited"] == Share(1, 1)
    assert shares["section_recall_1"] == Share(1, 2)
    assert shares["false_refusals"] == Share(1, 3)
    assert shares["refused"] == Share(1, 2)
    assert shares["leaks"] == Share(0, 5)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (EvalQuestion(7, "a", ("default/docs/nowhere",)), "line 7: there is no default/docs/nowhere"),
        (EvalQuestion(7, "a", ("/docs/cache#nowhere",)), "line 7: there is no /docs/cache#nowhere"),
        (EvalQuestion(7, "a", ("default/docs/backup",), version="1.0"), "line 7: there is no default/docs/backup"),
        (EvalQuestion(7, "a", (), version="9"), "line 7: The index has no version '9'"),
        (EvalQuestion(7, "a", (), locale="de"), "line 7: The index has no locale 'de'"),
    ],
)
def test_what_the_index_does_not_have_is_named_with_its_line(
    site: IndexSet, question: EvalQuestion, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        require_places(site, [question])


def test_places_that_are_there_pass(site: IndexSet) -> None:
    require_places(site, [EvalQuestion(1, "a", ("default/docs/cache#lifetime", "/docs/backup"), version="2.x")])


def test_pages_of_another_version_or_language_are_leaks(site: IndexSet) -> None:
    index = site.default.answerer.index
    urls = ("/docs/cache#lifetime", "/docs/1.0/cache", "/fr/docs/cache", "/nowhere")
    assert find_leaks(index, urls, None, None) == ("/docs/1.0/cache", "/fr/docs/cache", "/nowhere")
    assert find_leaks(index, urls, "1.0", None) == ("/docs/cache#lifetime", "/fr/docs/cache", "/nowhere")
    assert find_leaks(index, urls, "2.x", "fr-CA") == ("/docs/cache#lifetime", "/docs/1.0/cache", "/nowhere")


def test_a_bound_that_is_missed_names_the_questions(site: IndexSet) -> None:
    questions = [EvalQuestion(1, LIFETIME, ("/docs/cache#lifetime",)), EvalQuestion(4, FOREIGN, ("/docs/cache",))]
    evaluation = evaluated(site, questions)
    (failure,) = find_failures(evaluation, {"false_refusals": 0.1, "section_cited": 1.0})
    assert (failure.measure, failure.share) == ("false_refusals", Share(1, 2))
    assert [row.question.line for row in failure.rows] == [4]
    assert find_failures(evaluation, {"false_refusals": 0.5}) == []


def test_a_bound_on_what_no_question_is_about_holds(site: IndexSet) -> None:
    evaluation = evaluated(site, [EvalQuestion(1, LIFETIME, ("/docs/cache",))])
    assert find_failures(evaluation, {"refused": 1.0, "section_cited": 1.0}) == []


def test_any_leak_fails() -> None:
    row = JudgedQuestion(EvalQuestion(3, "a", ()), "right", leaks=("/docs/1.0/cache",))
    (failure,) = find_failures(Evaluation((row,)), ANY_LEAK)
    assert failure.rows == (row,)


def test_every_question_whose_answer_changed_is_named(site: IndexSet, tmp_path: Path) -> None:
    changed = PageSource("# Cache\n## Lifetime {#lifetime}\nCached pages expire after forty minutes of silence.")
    other = open_site(build_site(tmp_path, {**PAGES, "/docs/cache": changed}))
    questions = [
        EvalQuestion(1, LIFETIME, ("/docs/cache#lifetime",)),
        EvalQuestion(3, FOLDER, ("/docs/cache",)),
        EvalQuestion(4, FOREIGN, ()),
    ]
    changes = find_changes(evaluated(site, questions), evaluated(other, questions))
    kinds = [(change.kind, change.after.question.line) for change in changes]
    assert kinds == [("other section", 1), ("lost", 3)]
    back = find_changes(evaluated(other, questions), evaluated(site, questions))
    assert [change.kind for change in back] == ["other section", "gained"]


def test_the_same_places_in_other_words_are_a_change(site: IndexSet, tmp_path: Path) -> None:
    backup = PageSource(PAGES["/docs/backup"].text.replace("the restore command", "the command restore"))
    other = open_site(build_site(tmp_path, {**PAGES, "/docs/backup": backup}))
    questions = [
        EvalQuestion(1, LIFETIME, ("/docs/cache#lifetime",)),
        EvalQuestion(2, "How do I restore a snapshot?", ("/docs/backup#restoring",)),
    ]
    (change,) = find_changes(evaluated(site, questions), evaluated(other, questions))
    assert (change.kind, change.after.question.line) == ("other words", 2)


def test_a_language_that_the_other_index_lacks_is_a_change_and_no_error(site: IndexSet, tmp_path: Path) -> None:
    build_index(tmp_path, {"/docs/cache": PAGES["/docs/cache"].text})
    question = EvalQuestion(1, "Quand les pages du cache expirent ?", ("/fr/docs/cache",), locale="fr")
    (change,) = find_changes(evaluated(open_site(tmp_path), [question]), evaluated(site, [question]))
    assert (change.kind, change.before.verdict) == ("gained", "not there")


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433), (0, 0, 0, 1)],
)
def test_intervals_are_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert Share(hits, total).interval == pytest.approx((low, high), abs=1e-4)
