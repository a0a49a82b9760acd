"""Questions that the docs did not answer: their groups, and the page that lists them."""

import datetime
import re
from pathlib import Path

import html5lib
import msgspec
import pytest
from tests.unit.server.report.logged import DOCKER, NOON, PORTS, asked

from pincite_core.errors import InputError
from pincite_server.cli.report_command import report_lines
from pincite_server.observe.question_log import LoggedQuestion
from pincite_server.report.page import in_columns, render_page
from pincite_server.report.question_report import Day, Logged, QuestionReport, build_report, read_log

HOSTILE = '<script>alert(1)</script> & "quotes" \u202e'


def report_of(questions: list[LoggedQuestion], unreadable: int = 0) -> QuestionReport:
    return build_report(Logged(questions, unreadable=unreadable))


def test_unanswered_questions_are_grouped_by_the_nearest_section_most_frequent_first():
    report = report_of(
        [asked("rootless?", DOCKER, PORTS), asked("which udp ports?", PORTS), asked("ipv6 ports?", PORTS)]
    )
    assert [(gap.section, gap.count) for gap in report.gaps] == [(PORTS, 2), (DOCKER, 1)]


def test_the_same_question_in_other_words_is_one():
    report = report_of([asked("How do I open ports?", PORTS), asked("open PORTS", PORTS), asked("open PORTS", PORTS)])
    (question,) = report.gaps[0].questions
    assert (question.text, question.count) == ("open PORTS", 3)


def test_what_was_answered_or_is_no_question_for_docs_is_no_gap():
    report = report_of(
        [asked("a", DOCKER, code=None), asked("b", code="capability"), asked("c", code="out_of_scope"), asked("d")]
    )
    assert (report.total, report.answered, report.unanswered, report.declined) == (4, 1, 1, 2)
    assert [gap.section.heading_path for gap in report.gaps] == [()]


def test_days_without_a_question_are_there_too():
    report = report_of([asked("a", day=0), asked("b", day=3)])
    assert [day.unanswered for day in report.days] == [1, 0, 0, 1]


def test_a_long_time_is_shown_by_weeks_and_loses_nothing():
    days = [Day(NOON.date() + datetime.timedelta(days=number), 1, 2, 3) for number in range(200)]
    span, columns = in_columns(days)
    assert span == 7
    assert sum(day.answered + day.unanswered + day.declined for day in columns) == 1200


def test_lines_that_cannot_be_read_are_counted_not_fatal(tmp_path: Path):
    file = tmp_path / "q.jsonl"
    file.write_bytes(msgspec.json.encode(asked("a")) + b'\n\n{"cut off')
    logged = read_log([file])
    assert (len(logged.questions), logged.unreadable) == (1, 1)


def test_a_log_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="--log-questions"):
        read_log([tmp_path / "nowhere.jsonl"])


@pytest.fixture
def page() -> str:
    rows = [
        asked(HOSTILE, DOCKER),
        asked(HOSTILE, DOCKER),
        asked("which udp ports?", PORTS, day=4),
        asked("x", code=None),
    ]
    return render_page(report_of(rows, unreadable=1), "https://docs.example")


def test_the_page_parses_without_an_error(page: str):
    html5lib.HTMLParser(strict=True).parse(page)


def test_the_page_asks_nobody_for_anything_and_runs_nothing(page: str):
    assert "default-src 'none'" in page
    assert not re.findall(r"<(?:script|link|img|iframe)|@import|url\(|\son\w+=", page)
    assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) == {
        "https://docs.example/kit/install#docker",
        "https://docs.example/kit/config#ports",
    }


def test_a_question_is_text_and_nothing_else(page: str):
    document = html5lib.parse(page, namespaceHTMLElements=False)
    questions = ["".join(element.itertext()) for element in document.iter("bdi")]
    assert questions == [HOSTILE, "which udp ports?"]


def test_every_chart_has_a_name_and_its_numbers_in_a_table(page: str):
    document = html5lib.parse(page, namespaceHTMLElements=False)
    charts = [element for element in document.iter() if str(element.tag).endswith("svg")]
    assert [chart.get("aria-label") for chart in charts] == [
        "Questions over time",
        "Sections with the most unanswered questions",
    ]
    cells = ["".join(row.itertext()) for row in document.iter("tr")]
    assert cells[1] == "2026-02-13120"
    assert len(cells) == 6


def test_sections_are_no_links_without_the_sites_address_or_with_a_strange_one():
    report = report_of([asked("a", DOCKER)])
    for site in ("", "javascript:alert(1)//"):
        assert "<a " not in render_page(report, site)


def test_a_log_without_questions_says_so():
    report = report_of([])
    assert "No questions were logged." in render_page(report)
    assert [str(line) for line in report_lines(report)] == ["No questions were logged."]


def test_when_all_is_answered_the_page_says_so():
    assert "was answered" in render_page(report_of([asked("a", DOCKER, code=None)]))


def test_the_text_names_sections_and_questions():
    lines = "\n".join(str(line) for line in report_lines(report_of([asked("a", DOCKER), asked("a", DOCKER)])))
    assert "Install › Docker" in lines
    assert "a (2 times)" in lines
