"""Names, spellings and neighbours: what a sentence's words are taken for."""

import pytest

from pincite_server.grounding.contradiction import _parts, _rules_of
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.passage_words import PassageWords
from pincite_server.grounding.stems import respelled


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Overall a node waits.", []),
        ("Renewing waits.", []),
        ("Kafka waits.", ["Kafka"]),
        ("A node waits for Kafka.", ["Kafka"]),
        ("A node waits Overall.", ["Overall"]),
    ],
    ids=["a common opening", "an opening verb", "a name that opens", "a name within", "no opening"],
)
def test_a_capital_is_a_name_unless_it_opens_the_sentence_with_a_common_word(sentence: str, names: list[str]) -> None:
    assert unsupported_names(sentence, frozenset()) == names


@pytest.mark.parametrize(
    ("stem", "held", "spelled"),
    [
        ("behaviour", "behavior", "behavior"),
        ("initialis", "initial", "initial"),
        ("interact", "internal", "interact"),
        ("initial", "initialisers", "initial"),
        ("port", "ports", "port"),
    ],
    ids=["spelled otherwise", "derived", "one beginning", "far too long", "too short to tell"],
)
def test_a_stem_is_another_spelling_of_a_held_one_when_their_ends_are_close_by(
    stem: str, held: str, spelled: str
) -> None:
    assert respelled(stem, {held}) == spelled


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Reading removes a message, and peeking leaves it.", ["Reading removes a message", "peeking leaves it."]),
        ("Reading removes a message, and peeking.", ["Reading removes a message peeking."]),
    ],
)
def test_a_part_of_two_words_of_its_own_says_something_of_its_own(sentence: str, parts: list[str]) -> None:
    assert _parts(sentence, _rules_of("en")) == parts


def test_what_stands_around_a_sentence_are_its_neighbours_on_the_line() -> None:
    words = PassageWords.of("One is first. Two is second. Three is third. Four is fourth.\nFive is fifth.")
    assert words.around(1) == "One is first. Two is second. Three is third."
    assert words.around(3) == "Three is third. Four is fourth."
