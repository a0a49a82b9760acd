"""What nobody sees is taken out of a text, and what a script or an emoji needs is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.strip_invisible import mask_invisible, strip_invisible


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian, parted without a blank
        "क्\u200dष",  # Devanagari, a half form
        "ක්\u200dෂ",  # Sinhala
        "ភាសា\u200bខ្មែរ",  # Khmer, where a line may break
        "שלום \u200fעולם",
        "ש\u034fלום",
        "مرحبا بالعالم\u200f!",
        "👨\u200d👩\u200d👧",
        "👩🏽\u200d💻",
        "🏳\ufe0f\u200d🌈",
        "❤\ufe0f\u200d🔥",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "1\ufe0f\u20e3 ✔\ufe0e",
        "葛\U000e0100",  # another shape of the same sign
        "soft\u00adhyphen and\u00a0blank",
        "a\tb\nc",
    ],
)
def test_characters_that_a_script_or_an_emoji_needs_stay(text: str) -> None:
    assert strip_invisible(text) == text
    assert mask_invisible(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("ig\u200bno\u200dre\u200c\u2060\ufeff", "ignore"),
        ("\u202eDENWP\u202c \u2066x\u2069", "DENWP x"),
        ("red \x1b[31m\x00\x07\x7f\x9b", "red [31m"),
        ("a\U000e0049\U000e0067\U000e006e\U000e007f", "a"),
        ("🏴\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065\U000e007f", "🏴"),
        ("x\ufe00\ufe01\ufe02\U000e0150", "x\ufe00"),
        ("a\u200e\u200f\u200eb", "a\u200eb"),
        ("می\u200c\u200d\u200cخ", "می\u200cخ"),
        ("one\r\ntwo\rthree\x0bfour\u2028five", "one\ntwo\nthree four five"),
        ("\ud800\u3164", ""),
    ],
)
def test_invisible_characters_are_removed(text: str, seen: str) -> None:
    assert strip_invisible(text) == seen


def test_masking_keeps_offsets_and_splits_no_word() -> None:
    assert mask_invisible("pre\u200bvious\x0btext\U000e0041") == "pre\u00advious text\u00ad"


@given(st.text())
def test_a_text_in_place_is_as_long_as_before(text: str) -> None:
    assert len(mask_invisible(text)) == len(text)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert strip_invisible(text) == text
