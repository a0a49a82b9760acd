"""Votes of readers on replies: which votes count, and how the report lists them."""

from pathlib import Path

import msgspec
from tests.unit.server.report.logged import asked, voted

from pincite_server.cli.report_command import report_lines
from pincite_server.report.page import render_page
from pincite_server.report.question_report import Logged, build_report, read_log

HOSTILE = "<img src=x onerror=alert(1)> \x1b[2J\nsecond line"


def test_the_last_vote_on_a_reply_counts_with_its_reason_and_comment():
    votes = [voted("a", "up"), voted("a", "down", minute=1), voted("a", "down", "wrong", "It is 5.", minute=2)]
    report = build_report(Logged([asked("How many?", code=None, message_id="a")], votes)).votes
    assert (report.up, report.down, report.reasons) == (0, 1, (("wrong", 1),))
    (listed,) = report.listed
    assert (listed.question, listed.answered, listed.comment) == ("How many?", True, "It is 5.")


def test_helpful_replies_are_counted_and_only_those_with_a_comment_listed():
    report = build_report(Logged([], [voted("a", "up"), voted("b", "up", comment="Thanks!")])).votes
    assert (report.up, [listed.comment for listed in report.listed]) == (2, ["Thanks!"])


def test_the_newest_come_first_and_reasons_by_how_often_they_were_given():
    votes = [
        voted("a", "down", "in_docs"),
        voted("b", "down", "wrong", minute=1),
        voted("c", "down", "wrong", minute=2),
    ]
    questions = [asked(name, message_id=name) for name in "abc"]
    report = build_report(Logged(questions, votes)).votes
    assert [listed.question for listed in report.listed] == ["c", "b", "a"]
    assert report.reasons == (("wrong", 2), ("in_docs", 1))


def test_votes_and_questions_share_a_file_and_lines_of_earlier_versions_are_read(tmp_path: Path):
    old = msgspec.to_builtins(asked("old"))
    del old["message_id"]
    lines = (old, asked("new", message_id="a"), voted("a", "down"), {"vote": "sideways"})
    file = tmp_path / "q.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    logged = read_log([file])
    assert [question.question for question in logged.questions] == ["old", "new"]
    assert ([vote.vote for vote in logged.votes], logged.unreadable) == (["down"], 1)


def test_people_read_the_votes_below_the_questions_and_no_comment_steers_their_terminal():
    logged = Logged([asked("Which port?", message_id="a")], [voted("a", "down", "in_docs", HOSTILE), voted("b", "up")])
    lines = [str(line) for line in report_lines(build_report(logged))]
    assert "\nVotes: 1 helpful, 1 not helpful (the docs do say it: 1)." in lines
    assert any("Which port?" in line and "second line" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_on_the_page_a_comment_is_text_and_nothing_else():
    page = render_page(build_report(Logged([], [voted("a", "down", "wrong", HOSTILE)])))
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "A question that is not in these files" in page
