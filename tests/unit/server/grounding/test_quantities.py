import pytest

from pincite_server.grounding.quantities import (
    Quantity,
    contradicted_numbers,
    has_quantity,
    quantities_of,
    quantity_asked,
    unsupported_units,
    without_asking,
)


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
        ("What is a lease?", None),
        ("How do I pause a queue?", None),
    ],
)
def test_a_question_tells_which_kind_of_number_would_answer_it(query: str, kind: Quantity | None) -> None:
    assert quantity_asked(query) == kind


def test_the_words_of_one_language_ask_for_nothing_in_another() -> None:
    assert quantity_asked("Wie lange dauert eine Sperre?", "de") == "duration"
    assert quantity_asked("Wie lange dauert eine Sperre?", "en") is None
    assert quantity_asked("How long is a lease?", "de") is None
    assert quantity_asked("How long is a lease?", "tlh") is None


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
    assert without_asking("Wie lange ist sie?", "de").split() == ["ist", "sie?"]


@pytest.mark.parametrize(
    ("sentence", "near", "found"),
    [
        ("Use two workers.", "Use three workers at once.", ["two"]),
        ("It is minus two for the main thread.", "The cores minus one for the main thread.", ["two"]),
        ("The fourth argument.", "It is the third argument.", ["fourth"]),
        ("Use two workers and three queues.", "Three queues serve two workers.", []),
        ("It has two doors.", "The house is old.", []),
    ],
)
def test_a_number_in_the_place_of_another_is_contradicted(sentence: str, near: str, found: list[str]):
    assert contradicted_numbers(sentence, near) == found


def test_a_number_that_the_question_has_is_not_contradicted():
    assert contradicted_numbers("Use two workers.", "Use three workers.", "two workers") == []


def test_a_number_with_marks_of_thousands_keeps_its_unit():
    assert quantities_of("It takes 1,500 MB.")["1500"] == quantities_of("It takes 1500 MB.")["1500"] == {"mb"}


def test_a_unit_that_is_not_near_is_unsupported():
    assert unsupported_units("It waits 180 milliseconds.", "It waits 180 seconds.") == {"ms"}
    assert unsupported_units("It waits 3 minutes.", "It waits for 3 min.") == set()
