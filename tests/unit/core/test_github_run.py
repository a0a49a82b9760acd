"""Workflow commands and summaries: one line each, whatever a pull request writes into its pages."""

from pathlib import Path

import pytest

from pincite_core.errors import InputError
from pincite_core.github_run import SUMMARY_VARIABLE, Annotation, add_summary, annotation_lines, summary_items


def test_an_annotation_names_its_file_and_line() -> None:
    lines = annotation_lines([Annotation("warning", "Dead link", "leads nowhere", "docs/a.md", 7)])
    assert lines == ["::warning file=docs/a.md,line=7,title=Dead link::leads nowhere"]


def test_a_text_begins_no_command_and_adds_no_property() -> None:
    hostile = Annotation("error", "a,b:c", "x\n::set-env name=A::b\r%", "docs/a,line=1.md", 1)
    [line] = annotation_lines([hostile])
    assert line == ("::error file=docs/a%2Cline=1.md,line=1,title=a%2Cb%3Ac::x%0A::set-env name=A::b%0D%25")


def test_of_each_level_ten_are_shown_and_the_worst_first() -> None:
    many = [Annotation("warning", "t", str(number)) for number in range(30)]
    lines = annotation_lines([*many, Annotation("error", "t", "worst")])
    assert lines[0] == "::error title=t::worst"
    assert len(lines) == 11


def test_items_of_a_summary_are_text() -> None:
    folded = summary_items("Lost", ["a <img src=x> [b](c)\n# d"])
    assert "- a \\<img src=x\\> \\[b\\](c) \\# d\n" in folded
    assert folded.startswith("<details><summary>Lost: 1</summary>")
    assert summary_items("Lost", []) == ""


def test_a_long_list_says_how_much_is_left_out() -> None:
    assert "- and 10 more" in summary_items("Lost", [str(number) for number in range(60)])


def test_a_summary_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SUMMARY_VARIABLE, str(tmp_path / "summary.md"))
    add_summary("one\n")
    add_summary("two")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == "one\n\ntwo\n\n"


def test_outside_of_a_run_the_option_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SUMMARY_VARIABLE, raising=False)
    with pytest.raises(InputError, match="Leave --github out"):
        add_summary("one")
