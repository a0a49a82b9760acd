import pytest

from pincite_core.embedders import FakeEmbedder
from pincite_server.grounding.verdict import judge_support, validate_grounding

ENCODE = FakeEmbedder().encode
ROS = "ROS 2 supports distributed systems."
OPTIONS = (
    "Option: depth; Type: number; Default: 10\nOption: timeout; Type: number; Default: 30\nOption: policy; Type: string"
)


def grounded(passage: str, response: str, question: str = "What does it say?") -> bool:
    return judge_support(passage, question, response).grounded


@pytest.mark.parametrize(
    "response",
    [
        "Distributed systems are supported by ROS 2.",
        "ROS 2 supports distributed systems.",
        "Yes.",
        "That's right. ROS 2 supports distributed systems.",
    ],
)
def test_what_the_passage_says_is_grounded(response: str) -> None:
    assert grounded(ROS, response)


@pytest.mark.parametrize(
    "response",
    [
        "Kubernetes provides container orchestration.",
        "ROS 2 supports distributed systems since 2017.",
        "ROS 2 supports distributed systems on Windows.",
        "Kubernetes supports distributed systems.",
        "ROS 2 supports `rclpySpin` and distributed systems.",
        "ROS 2 supports distributed systems with max_depth.",
        "ROS 2 supports distributed systems of Kubernetes-like size.",
    ],
)
def test_an_invented_name_or_number_is_not_grounded(response: str) -> None:
    assert not grounded(ROS, response)


@pytest.mark.parametrize(
    ("passage", "response"),
    [
        (ROS, "ROS 2 does not support distributed systems."),
        ("The server does not encrypt backups.", "The server encrypts backups."),
        ("Set `cache` to enable compression of pages.", "Set `cache` to disable compression of pages."),
        ("The oldest snapshots are removed by night.", "The newest snapshots are removed by night."),
        ("The connection is safe.", "The connection is unsafe."),
    ],
)
def test_the_opposite_of_what_the_passage_says_is_not_grounded(passage: str, response: str) -> None:
    verdict = judge_support(passage, "What does it say?", response)
    assert not verdict.grounded
    assert "negates what the selection says, or the reverse" in verdict.reasons


def test_a_negation_elsewhere_in_the_sentence_is_no_contradiction() -> None:
    passage = "Blogs came with tools for publishing, made for users who did not have much experience with programming."
    assert grounded(passage, "Blogs came with tools for publishing.")


@pytest.mark.parametrize(
    ("response", "true"),
    [
        ("The default of depth is 10.", True),
        ("The default of depth is 30.", False),
        ("The default of timeout is 30.", True),
        ("The default of timeout is 10.", False),
        ("The default of depth is 99.", False),
    ],
)
def test_a_number_belongs_to_its_row(response: str, true: bool) -> None:
    assert grounded(OPTIONS, response) is true


@pytest.mark.parametrize(
    ("response", "true"),
    [
        ("Cached pages expire after 30 minutes.", True),
        ("Cached pages expire after thirty minutes.", True),
        ("Cached pages expire after 30 min.", True),
        ("Cached pages expire after 30 seconds.", False),
        ("Cached pages expire after 30 hours.", False),
    ],
)
def test_a_number_keeps_its_unit(response: str, true: bool) -> None:
    assert grounded("Cached pages expire after 30 minutes.", response) is true


def test_a_number_may_stand_in_the_next_sentence_of_the_paragraph() -> None:
    passage = "The timeout of a request is 5 seconds. It can be raised to 60."
    assert grounded(passage, "The timeout of a request can be raised to 60.")


@pytest.mark.parametrize(
    ("passage", "response"),
    [
        ("Fort Beauséjour was captured.", "Fort Beausejour was captured."),
        ("The behaviour of the cache can be changed.", "The cache's behavior can be changed."),
        ("It has twelve nodes.", "It has 12 nodes."),
        ("It was released on 3 Apr 2019.", "It was released in April 2019."),
    ],
)
def test_another_spelling_is_no_invention(passage: str, response: str) -> None:
    assert grounded(passage, response)


def test_a_name_that_only_repeats_the_question_is_no_invention() -> None:
    passage = "It supports modules experimentally, behind a flag."
    assert grounded(passage, "Jest supports modules experimentally, behind a flag.", "Does Jest support modules?")
    assert not grounded(passage, "Vitest supports modules experimentally, behind a flag.", "Does Jest support modules?")


def test_the_worst_sentence_decides() -> None:
    assert not grounded(ROS, f"{ROS} {ROS} It was written by gardeners who like weather.")


@pytest.mark.parametrize("response", ["What would you like to know about systems?", "I love such amazing systems!"])
def test_a_question_or_an_opinion_is_not_grounded(response: str) -> None:
    assert not grounded(ROS, response)


def test_a_quoted_sentence_is_grounded_whatever_it_is() -> None:
    passage = "I love ROS 2! Why does this not matter?\nNothing here is 5 s."
    assert all(judge_support(passage, "?", line).score > 0.9 for line in passage.splitlines())


@pytest.mark.parametrize("passage", ["", "  \n"])
def test_an_empty_passage_supports_nothing(passage: str) -> None:
    assert not grounded(passage, ROS)
    assert grounded(passage, "")


@pytest.mark.parametrize(
    ("response", "true"), [("缓存页面在三十分钟后过期。", True), ("机器人在花园里种植玫瑰花。", False)]
)
def test_text_without_blanks_is_judged_by_its_pairs_of_characters(response: str, true: bool) -> None:
    assert grounded("系统保存页面。缓存页面在三十分钟后过期，然后删除。", response) is true


def test_the_reasons_name_what_is_not_in_the_selection() -> None:
    verdict = validate_grounding("ROS 2 is middleware.", "What is it?", "It runs on Kubernetes.", ENCODE)
    assert "mentions *Kubernetes*, which is not in the selection" in verdict.reasons
    assert "Kubernetes" in verdict.unsupported


def test_the_reasons_are_in_the_readers_language() -> None:
    verdict = validate_grounding("ROS 2 ist Middleware.", "Was?", "Es braucht Kubernetes.", ENCODE, language="de")
    assert "erwähnt *Kubernetes*; das steht nicht im markierten Text" in verdict.reasons


def test_a_refused_answer_always_has_a_reason() -> None:
    verdict = judge_support(ROS, "?", "Does ROS 2 support distributed systems?")
    assert (verdict.grounded, verdict.reasons) == (False, ("the selection does not say this",))


def test_similarity_and_overlap_are_measured_beside_the_verdict() -> None:
    verdict = validate_grounding(ROS, "?", "ROS 2 supports systems.", ENCODE)
    assert verdict.similarity > 0.5
    assert verdict.keyword_overlap == 1.0
