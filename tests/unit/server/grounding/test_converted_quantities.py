"""Quantities in other units."""

import pytest

from pincite_server.grounding.claims import comes_to


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("60000", "cache it for a minute"),
        ("60000 ms", "cache it for 1 minute"),
        ("7200", "a session of 2 h"),
        ("1048576", "uploads of at most 1 MB"),
        ("1000000", "uploads of at most 1 MB"),
        ("0.5 s", "wait 500 ms"),
    ],
)
def test_a_number_is_a_quantity_of_the_text_in_another_unit(number: str, text: str) -> None:
    assert comes_to(number, text, "en")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("60001", "cache it for a minute"),
        ("60000 h", "cache it for a minute"),
        ("60000", "cache it for a while"),
        ("60", "up to 1 kilometre"),
        ("1024", "wait an hour"),
    ],
)
def test_any_other_number_is_not(number: str, text: str) -> None:
    assert not comes_to(number, text, "en")
