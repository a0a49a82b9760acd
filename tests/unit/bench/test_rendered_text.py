"""Words and numbers are compared as readers see them: with signs, decimals and exponents, and each as often."""

import pytest
from bench.rendered_text.compare import Comparison, SeenWord, compare
from bench.rendered_text.index_text import IndexWord
from bench.rendered_text.tokens import cleaned, tokens_of


def words(text: str) -> list[str]:
    return [token.text for token in tokens_of(cleaned(text))]


def compared(seen: str, index: str, *, kind: str = "", repeated: bool = False) -> Comparison:
    on_page = [SeenWord(word, 0, 0, kind, repeated) for word in words(seen)]
    return compare(on_page, [IndexWord(word, index) for word in words(index)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10⁶ events, 2^5 lamps", ["10^6", "events", "2^5", "lamps"]),
        ("10⁻³ m², CO₂ or V_0", ["10^-3", "m^2", "CO_2", "or", "V_0"]),
        ("from -2.5 to +1,250", ["from", "-2.5", "to", "+1,250"]),
        ("pages 5-6, \u221240 °C", ["pages", "5", "6", "-40", "C"]),
        ("the 1^st and 2nd", ["the", "1st", "and", "2nd"]),
        ("x^{n+1} and x^(2)", ["x^n+1", "and", "x^2"]),
        ("Wasser\xadzähler, v1.2.3", ["Wasserzähler", "v1.2.3"]),
    ],
)
def test_a_number_is_one_word_with_sign_decimals_and_exponent(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_an_exponent_that_the_index_lost_is_a_difference_in_both_directions() -> None:
    result = compared("at most 10^6 events", "at most 106 events")
    assert [difference.text for difference in result.missing] == ["10^6"]
    assert [difference.text for difference in result.extra] == ["106"]


def test_a_word_counts_as_often_as_it_stands_on_the_page() -> None:
    result = compared("port one and port two", "port one and two port port")
    assert [difference.text for difference in result.extra] == ["port"]
    assert not result.missing


def test_the_missing_one_of_equal_words_is_found_by_its_neighbours() -> None:
    result = compared("open the valve then close the valve", "open the valve then close")
    assert [difference.text for difference in result.missing] == ["the", "valve"]


def test_a_column_name_may_be_repeated_but_not_lost() -> None:
    assert not compared("Litres", "Litres Litres Litres", repeated=True).extra
    assert compared("Litres", "", repeated=True).missing


@pytest.mark.parametrize("index", ["two QuerySets", "two QuerySet s"])
def test_an_ending_after_code_may_be_a_word_of_its_own(index: str) -> None:
    page = [SeenWord("two", 0, 0), SeenWord("QuerySet", 1, 0), SeenWord("s", 2, 0, soft=True)]
    result = compare(page, [IndexWord(word, index) for word in words(index)])
    assert not result.missing
    assert not result.extra


def test_explained_words_are_counted_if_the_index_lacks_them() -> None:
    lacking, holding = (compared("Edit", index, kind="source link") for index in ("", "Edit"))
    assert [word.kind for word in lacking.explained] == ["source link"]
    assert not holding.explained
    assert not lacking.missing
    assert not holding.extra
