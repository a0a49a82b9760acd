"""Words against their opposites: in pairs, and by what stands before them."""

import pytest

from pincite_server.grounding.opposites import opposed


@pytest.mark.parametrize(
    ("word", "held"),
    [
        ("disabl", "enabl"),
        ("unverifi", "verifi"),
        ("verifi", "unverifi"),
        ("unclear", "clear"),
        ("clear", "unclear"),
        ("exact", "inexact"),
    ],
)
def test_a_word_whose_opposite_is_held_is_opposed(word: str, held: str) -> None:
    assert opposed({word}, {held}) == [word]


@pytest.mark.parametrize(
    ("word", "held"),
    [("unverifi", "leas"), ("verifi", "leas"), ("import", "port"), ("port", "import"), ("unit", "it")],
    ids=["another word", "no prefix", "too short a rest", "too short a word", "hardly a rest"],
)
def test_a_word_is_not_opposed_for_its_first_letters_alone(word: str, held: str) -> None:
    assert opposed({word}, {held}) == []


def test_a_word_that_is_held_itself_is_not_opposed() -> None:
    assert opposed({"enabl"}, {"enabl", "disabl"}) == []
