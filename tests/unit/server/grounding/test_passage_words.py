"""Sentences without a blank between them, and names that only look like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.grounding.passage_words import PassageWords, split_run_on
from pincite_server.grounding.verdict import judge_support


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_run_on(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They sang old folk music.", "Ewan MacColl wrote ballads."),
        ("He lived there until 1989.", "James Miller was a singer."),
        ('She starred in "The Line".', "The Prince is a film."),
        ("It ran for years (in Paris).", '"Carmen" is an opera.'),
        ("He met the famous singer-songwriter.", "James D. Swan sang."),
    ],
    ids=["a word", "a year", "a quotation", "brackets", "a hyphen, and an initial"],
)
def test_a_sentence_ends_where_a_blank_is_missing_after_it(one: str, other: str) -> None:
    assert _sentences(f"{one}{other}") == [one, other]
    assert _sentences(f"{one} {other}") == [one, other]


@pytest.mark.parametrize(
    "text",
    [
        "A string or os.PathLike denoting a path is taken.",
        "Pass a flask.Flask object that was made before.",
        "This sets the option of pytest.Parser.",
        "The attributes are set on the cookies.Morsel directly.",
        "The logger is taken from my_logging.Logger in every case.",
        "The logger is taken from app.logging.Logger in every case.",
        "The logger is taken from `logging.Logger in every case` of these.",
        "It is much the same as request.POST in every case.",
        "It is much the same as request.Post(data) in every case.",
        "It is much the same as example.com in every case.",
    ],
)
def test_a_name_with_dots_is_left_whole(text: str) -> None:
    assert _sentences(text) == [text]


@given(st.text(max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    spans = split_run_on(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


def test_two_sentences_without_a_blank_are_not_one_that_says_both() -> None:
    passage = "The Wolfhounds were formed in London in 1985.Mary Hansen was a singer from Brisbane in Australia."
    claim = "The Wolfhounds were formed in Australia."
    assert judge_support(passage, "", claim).score == judge_support(passage.replace(".M", ". M"), "", claim).score


def test_what_has_no_blank_in_the_passage_may_be_quoted_with_or_without_one() -> None:
    words = PassageWords.of("They sang old folk music.Ewan MacColl wrote ballads.")
    assert words.quotes("They sang old folk music.Ewan MacColl wrote ballads.")
    assert words.quotes("They sang old folk music.")
    assert words.quotes("Ewan MacColl wrote ballads.")
