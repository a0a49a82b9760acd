import pytest

from pincite_server.grounding.quantities import Quantity, has_quantity, quantity_asked, without_asking


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("How long is a lease?", "duration"),
        ("After how many days are jobs removed?", "duration"),
        ("how often should I back up", "duration"),
        ("How big may a payload be?", "size"),
        ("How much memory does it need?", "size"),
        ("How many characters may a name have?", "size"),
        ("How many times is it tried?", "count"),
        ("How much does it cost?", "number"),
        ("Wie lange dauert eine Sperre?", "number"),
        ("多久会重试", "number"),
        ("What is a lease?", None),
        ("How do I pause a queue?", None),
    ],
)
def test_a_question_tells_which_kind_of_number_would_answer_it(query: str, kind: Quantity | None) -> None:
    assert quantity_asked(query) == kind


@pytest.mark.parametrize(
    ("text", "kind", "held"),
    [
        ("A lease lasts 60 seconds.", "duration", True),
        ("A lease lasts half a minute.", "duration", True),
        ("Kept for an hour.", "duration", True),
        ("Logs are deleted daily.", "duration", True),
        ("The largest value is 100.", "duration", False),
        ("Up to 256 KiB after encoding", "size", True),
        ("Up to 256 jobs", "size", False),
        ("The default is 5 attempts.", "count", True),
        ("The default is 30 s.", "count", False),
        ("After 30 s it is tried 5 times.", "count", True),
        ("Elle dure 60 secondes.", "number", True),
    ],
)
def test_a_sentence_has_a_number_of_a_kind_when_its_unit_says_so(text: str, kind: Quantity, held: bool) -> None:
    assert has_quantity(text, kind) is held


def test_the_words_that_ask_for_a_number_are_no_subject() -> None:
    assert without_asking("How long is a lease?").split() == ["is", "a", "lease?"]
    assert without_asking("Wie lange ist sie?").split() == ["e", "ist", "sie?"]
