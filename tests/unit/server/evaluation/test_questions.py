from pathlib import Path

import pytest
from tests.unit.server.evaluation.sites import write_questions

from pincite_core.errors import InputError
from pincite_server.evaluation.questions import EvalQuestion, read_questions


def test_a_row_expects_one_place_or_several_or_a_refusal(tmp_path: Path) -> None:
    file = write_questions(
        tmp_path,
        "# comment\n"
        "- question: How long?\n  expect: concepts/cache#lifetime\n"
        "- {question: Where, expect: [concepts/cache, /docs/backup], version: 3.10, locale: fr}\n"
        "- question: Who won?\n  refuse: true\n"
        "- {question: When, passage: Pages expire at noon., answerable: true}\n"
        "- {question: Who, passage: Pages expire at noon., answerable: false}\n",
    )
    assert read_questions(file) == (
        EvalQuestion(2, "How long?", ("concepts/cache#lifetime",)),
        EvalQuestion(4, "Where", ("concepts/cache", "/docs/backup"), "3.10", "fr"),
        EvalQuestion(5, "Who won?", ()),
        EvalQuestion(7, "When", (), passage="Pages expire at noon.", answerable=True),
        EvalQuestion(8, "Who", (), passage="Pages expire at noon.", answerable=False),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- question: a\n  refuse: true\n- question: b\n", r"line 3: give either expect .* or refuse: true"),
        ("- question: a\n  expect: x\n  refuse: true\n", r"line 1: give either expect"),
        ("- question: a\n  refuse: true\n\n- question: b\n  expects: x\n", r"line 4: .*expects"),
        ("- question: a\n  passage: b\n", r"line 1: with a passage give answerable: true or false"),
        ("- question: a\n  passage: ' '\n  answerable: true\n", r"line 1: with a passage give answerable"),
        ("- question: a\n  passage: b\n  answerable: true\n  expect: x\n", r"line 1: .* and neither expect nor refuse"),
        ("- question: a\n  expect: x\n  answerable: true\n", r"line 1: with a passage give answerable"),
        ("- question: a\n  refuse: perhaps\n", r"line 1: .*bool"),
        ("- question: ''\n  refuse: true\n", r"line 1: the question is empty"),
        ("- just words\n", r"line 1: "),
        ("- question: a\n  expect: [x\n- question: b\n", r"line 3: this is no YAML"),
        ("- question: a\n\texpect: x\n", r"line 2: this is no YAML"),
        ("question: a\nrefuse: true\n", r"is no list of questions"),
        ("# nothing yet\n", r"has no questions"),
    ],
)
def test_a_bad_file_is_refused_with_the_line_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_questions(write_questions(tmp_path, text))


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"- question: caf\xe9\n")
    for name in ("nowhere.yml", "latin"):
        with pytest.raises(InputError, match="cannot be read as UTF-8 text"):
            read_questions(tmp_path / name)
