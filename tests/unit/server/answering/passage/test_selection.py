import dataclasses
import math
from pathlib import Path

import pytest
from tests.factories import PageSource, make_answerer

from pincite_core.budget import Budget
from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.answering.passage.passage import answer_from_passage, split_passage
from pincite_server.answering.passage.provenance import PassagePlace, locate_passage
from pincite_server.answering.passage.selection_mode import CLOCK_TOLERANCE, MAX_AGE, selection_problem
from pincite_server.answering.pipeline import answer, answer_selection, prepare_selection
from pincite_server.question.question import Question, Selection
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer, Refusal

ENCODE = FakeEmbedder().encode
ROS = """# ROS 2
ROS 2 is a robotics middleware. ROS 2 supports distributed systems and real-time control of many robots.

## Nodes {#nodes}
A node is a process that computes. Nodes talk over topics with the `rclpy` library.

```python
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)
```

| Option: depth; Type: number; Default: 10 | {#opt-depth}
| Option: policy; Type: string; Default: reliable | {#opt-policy}

## Topics {#topics}
A topic carries messages of one type between nodes.
"""
SHOWN = """Home ROS 2
ROS 2 is a robotics middleware. ROS 2 supports distributed systems and real-time control of many robots.
Nodes
A node is a process that computes. Nodes talk over topics with the rclpy library.
factorial.py
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)
Option Type Default
depth number 10
policy string reliable
Topics
Note
A topic carries messages of one type between nodes.
Edit this page Previous: Install Next: Services
"""
PAGES: dict[str, str | PageSource] = {
    "/docs/ros": PageSource(ROS, shown=SHOWN),
    "/docs/untold": ROS,
    "/docs/other": "# Other\nA page about something else entirely, with weather and gardens.",
}
NODES = "A node is a process that computes. Nodes talk over topics with the rclpy library."


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("selection"), PAGES)


def ask(answerer: Answerer, query: str, text: str, page_url: str | None = "/docs/ros") -> Answer | Refusal:
    return answer_selection(answerer, Question(query, mode="selection", selection=Selection(text, page_url)))


def place(answerer: Answerer, text: str, page_url: str = "/docs/ros") -> PassagePlace | None:
    return locate_passage(answerer.index, text, page_url)


# -- which selections are used ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "age", "code"),
    [
        ("x" * 49, 0, "selection_too_short"),
        ("x" * 50, 0, None),
        ("x" * 50, MAX_AGE, None),
        ("x" * 50, MAX_AGE + 1, "selection_stale"),
        ("  " + "x" * 49 + "  ", 0, "selection_too_short"),
        ("   ", 0, "selection_missing"),
    ],
)
def test_a_selection_is_used_when_long_and_fresh_enough(text: str, age: int, code: str | None) -> None:
    problem = selection_problem(Selection(text, captured_at=1000.0), "en", now=1000.0 + age)
    assert (problem.code if problem else None) == code


@pytest.mark.parametrize("minutes_fast", [-5, 0, 5, 24 * 60])
@pytest.mark.parametrize("age", [0, 4, 5])
def test_a_selection_of_a_reader_whose_clock_is_wrong_is_used(minutes_fast: int, age: int) -> None:
    captured = 1_000_000.0 + 60 * minutes_fast
    assert selection_problem(Selection("x" * 50, captured_at=captured), "en", now=1_000_000.0 + 60 * age) is None


def test_the_tolerance_is_no_more_than_five_minutes() -> None:
    old = selection_problem(Selection("x" * 50, captured_at=0.0), "en", now=5 * 60 + CLOCK_TOLERANCE + 1)
    assert old is not None
    assert CLOCK_TOLERANCE <= 5 * 60


def test_a_selection_that_cannot_be_used_falls_back_to_the_whole_site_and_says_so(answerer: Answerer) -> None:
    question = Question("What is a node?", mode="selection", selection=Selection("A node is", "/docs/ros"))
    reply = answer(answerer, question)
    assert reply.mode == "corpus"
    assert [notice.code for notice in reply.notices] == ["selection_too_short"]


# -- provenance -------------------------------------------------------------------------------------------------------


def test_a_passage_is_cited_as_the_section_that_holds_it(answerer: Answerer) -> None:
    found = place(answerer, NODES)
    assert found is not None
    assert found.target.anchor == "nodes"
    assert found.chunk_id is not None


@pytest.mark.parametrize(
    "text",
    [
        "A node   is a process\n that computes.",
        "A *node* is a <b>process</b> that computes",
        "a node is a process that computes. Nodes talk over topics with the rclpy lib",
        "Nodes\nA node is a process that computes.",
        "process that computes. Nodes talk over",
    ],
)
def test_whitespace_markup_and_cut_ends_are_forgiven(answerer: Answerer, text: str) -> None:
    text = text.replace("<b>", "").replace("</b>", "")
    found = place(answerer, text)
    assert found is not None
    assert found.target.anchor == "nodes"


@pytest.mark.parametrize(
    "text",
    [
        "A node is a thread that computes things for robots.",
        "A node is a process that never computes. Nodes talk over topics.",
        "Nodes talk over topics. A node is a process that computes.",
        "A node is a process that computes, says the president.",
        "node",
    ],
)
def test_an_invented_or_reordered_passage_is_not_proved(answerer: Answerer, text: str) -> None:
    assert place(answerer, text) is None


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("rclpy library.\nfactorial.py\ndef factorial(n):\n    return 1 if n == 0", "nodes"),
        ("NOTE\nA topic carries messages of one type between nodes.", "topics"),
        ("messages of one type between nodes.\nEdit this page\nPrevious: Install\nNext: Serv", "topics"),
        ("policy\tstring\treliable\nTopics\nNote\nA topic carries messages", ""),
        ("Edit this page\nPrevious: Install", ""),
    ],
)
def test_what_is_selected_along_with_the_text_is_found_too(answerer: Answerer, text: str, anchor: str) -> None:
    found = place(answerer, text)
    assert found is not None
    assert found.target.anchor == anchor


@pytest.mark.parametrize(
    "text",
    [
        "A node is a process that computes.\nEdit this page\nNodes talk over topics with the rclpy library.",
        "Danger\nA topic carries messages of one type between nodes.",
        "A topic carries messages of one type between nodes.\nNote",
        "A topic carries messages of one type between nodes.\nEdit this page\nNodes never talk.",
        "A topic carries messages of one type between nodes.\nGardens hold tulips.",
        "other.py\ndef factorial(n):\n    return 1 if n == 0 else n * factorial(n - 1)",
        "Next: Services\nPrevious: Install\nEdit this page",
        "between nodes of one type messages carries A topic.",
        "A topic carries messages of one type between nodes. A page about something else entirely.",
    ],
)
def test_one_real_line_does_not_prove_what_is_invented_moved_or_from_another_page(
    answerer: Answerer, text: str
) -> None:
    assert place(answerer, text) is None


@pytest.mark.parametrize(("step", "found"), [(7, True), (1, False)])
def test_lines_may_stand_around_a_closed_tab_and_single_words_may_not(tmp_path: Path, step: int, found: bool) -> None:
    panel = "This panel tells how to install Lantern with another package manager. " * 30
    text = f"# Tabs\nRun the installer of your system first. {panel}Then start Lantern with its own service."
    tabbed = make_answerer(tmp_path, {"/docs/tabs": PageSource(text, shown=text)})
    words = "Run the installer of your system first. Then start Lantern with its own service.".split()
    lines = [" ".join(words[start : start + step]) for start in range(0, len(words), step)]
    assert (place(tabbed, "\n".join(lines), "/docs/tabs") is not None) is found


def test_a_page_whose_index_tells_only_its_chunks_is_found_by_these(answerer: Answerer) -> None:
    found = place(answerer, f"Nodes\n{NODES}", "/docs/untold")
    assert found is not None
    assert found.target.anchor == "nodes"
    assert place(answerer, f"{NODES}\nEdit this page", "/docs/untold") is None


def test_half_a_code_block_is_found(answerer: Answerer) -> None:
    found = place(answerer, "return 1 if n == 0 else n * factorial(n - 1)")
    assert found is not None
    assert found.target.anchor == "nodes"


def test_table_cells_without_their_headers_are_found_in_their_row(answerer: Answerer) -> None:
    found = place(answerer, "policy\tstring\treliable")
    assert found is not None
    assert found.target.anchor == "opt-policy"


@pytest.mark.parametrize(
    "text",
    [
        "Option\tType\tDefault\ndepth\tnumber\t10\npolicy\tstring\treliable",
        "Option\tType\tDefault\npolicy\tstring\treliable",
        "with the rclpy library.\nOption\tType\tDefault\ndepth\tnumber\t10\npolicy\tstring\treliable",
    ],
)
def test_a_table_is_found_with_its_header_row(answerer: Answerer, text: str) -> None:
    assert place(answerer, text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Option\tOwner\tDefault\ndepth\tnumber\t10\npolicy\tstring\treliable",
        "Option\tType\tDefault\npolicy\tstring\treliable\ndepth\tnumber\t10",
        "Option\tType\tDefault\ndepth\tnumber\t11\npolicy\tstring\treliable",
    ],
)
def test_a_table_with_an_invented_header_or_cell_is_not_proved(answerer: Answerer, text: str) -> None:
    assert place(answerer, text) is None


def test_a_passage_over_two_sections_is_cited_as_what_holds_both(answerer: Answerer) -> None:
    text = "reliable\nTopics\nA topic carries messages of one type between nodes."
    found = place(answerer, text)
    assert found is not None
    assert found.target.anchor == ""


def test_a_passage_of_a_section_that_is_gone_is_cited_as_what_enclosed_it(answerer: Answerer) -> None:
    nodes = answerer.index.target_at("/docs/ros#nodes")
    assert nodes is not None
    narrowed = dataclasses.replace(answerer, index=answerer.index.without((), [nodes.target_id]))
    found = place(narrowed, NODES)
    assert found is not None
    assert found.target.anchor == ""


def test_thousands_of_lines_are_found_without_trying_every_beginning(tmp_path: Path) -> None:
    page = {"/docs/long": "# Long\n" + "e x " * 30_000 + "Lanterns burn at the very end."}
    long = make_answerer(tmp_path, page)
    guard = Budget(math.inf)
    found = guard.run(place, long, "e\n" * 4_900 + "Lanterns burn", "/docs/long")
    assert found is not None
    assert guard.used < 2, "some hundredths of a second; from every beginning it takes ten"


def test_a_passage_of_another_page_is_not_proved(answerer: Answerer) -> None:
    assert place(answerer, NODES, "/docs/other") is None
    assert place(answerer, NODES, "/nowhere") is None


# -- answers from the passage alone -----------------------------------------------------------------------------------


def test_every_sentence_of_the_answer_stands_in_the_passage(answerer: Answerer) -> None:
    question = Question("What do nodes talk over?", mode="selection", selection=Selection(NODES, "/docs/ros"))
    outcome = prepare_selection(resolve(answerer, question)).outcome
    assert outcome.reply.mode == "selection"
    assert outcome.pieces
    for delta in outcome.pieces:
        assert delta.strip().removesuffix("[1]").strip() in NODES


def test_what_a_tracker_puts_before_a_question_is_no_part_of_it(answerer: Answerer) -> None:
    plain, tracked = (ask(answerer, f"{prefix}What do nodes talk over?", NODES) for prefix in ("", "[ROS-Bug] [v29]: "))
    assert isinstance(plain, Answer)
    assert isinstance(tracked, Answer)
    assert tracked.text == plain.text


def test_the_answer_cites_the_target_that_holds_the_passage(answerer: Answerer) -> None:
    reply = ask(answerer, "What do nodes talk over?", NODES)
    assert isinstance(reply, Answer)
    assert [citation.url for citation in reply.citations] == ["/docs/ros#nodes"]


def test_an_unproved_passage_is_answered_without_a_link_and_says_so(answerer: Answerer) -> None:
    reply = ask(answerer, "What do gardens hold?", "Gardens hold roses and gardens hold tulips in every season.")
    assert isinstance(reply, Answer)
    assert "selection_unproved" in [notice.code for notice in reply.notices]
    assert [(citation.url, citation.source_type, citation.verified) for citation in reply.citations] == [
        (None, "selected_text", False)
    ]


def test_a_question_that_the_passage_does_not_answer_gets_the_exact_sentence(answerer: Answerer) -> None:
    reply = ask(answerer, "Which licence does Kubernetes have?", NODES)
    assert isinstance(reply, Refusal)
    assert reply.code == "not_in_selection"
    assert reply.message == "The selected text does not contain the answer."
    assert "Kubernetes" in reply.learning_suggestions
    assert "mentions *Kubernetes*, which is not in the selection" in reply.reasons
    assert reply.nearest


def test_what_is_this_is_answered_from_the_passage(answerer: Answerer) -> None:
    assert isinstance(ask(answerer, "What is this?", "ROS 2 is a robotics middleware."), Answer)


def test_what_is_something_else_is_not(answerer: Answerer) -> None:
    reply = ask(answerer, "What is AI?", "ROS 2 is a robotics middleware.")
    assert isinstance(reply, Refusal)
    assert "does not contain the answer" in reply.message


def test_a_long_selection_is_truncated_with_a_notice(answerer: Answerer) -> None:
    reply = ask(answerer, "What do nodes talk over?", NODES + " x" * 6000)
    assert "Selected text truncated to 10,000 characters." in [notice.message for notice in reply.notices]


def test_code_stays_in_one_piece() -> None:
    text = "Look:\n```py\ndef f():\n    return 1\n```\nIt returns one. It is short."
    units = [text[unit.start : unit.end] for unit in split_passage(text)]
    assert units == ["Look:", "```py\ndef f():\n    return 1\n```", "It returns one.", "It is short."]


def test_an_empty_passage_answers_nothing() -> None:
    assert answer_from_passage("  \n ", "What?", ENCODE).units == ()


def test_selection_mode_without_a_selection_is_an_error_of_the_caller(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, {"/a": "# A\nText of a page."})
    with pytest.raises(ValueError, match="no selected text"):
        answer_selection(answerer, Question("What?", mode="selection"))
