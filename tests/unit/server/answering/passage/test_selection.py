import dataclasses
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.answering.passage.passage import answer_from_passage, split_passage
from pincite_server.answering.passage.provenance import PassagePlace, locate_passage
from pincite_server.answering.passage.selection_mode import MAX_AGE, selection_problem
from pincite_server.answering.pipeline import answer, answer_selection, prepare_selection
from pincite_server.answering.question import Question, Selection
from pincite_server.reply.records import Answer, Refusal

ENCODE = FakeEmbedder().encode
PAGES = {
    "/docs/ros": """# ROS 2
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
""",
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


def test_a_passage_of_another_page_is_not_proved(answerer: Answerer) -> None:
    assert place(answerer, NODES, "/docs/other") is None
    assert place(answerer, NODES, "/nowhere") is None


# -- answers from the passage alone -----------------------------------------------------------------------------------


def test_every_sentence_of_the_answer_stands_in_the_passage(answerer: Answerer) -> None:
    question = Question("What do nodes talk over?", mode="selection", selection=Selection(NODES, "/docs/ros"))
    outcome = prepare_selection(answerer, question).outcome
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
