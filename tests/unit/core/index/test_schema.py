"""Vectors are stored by the hash of a text: the whole of it counts, and the same text has the same one everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.index.schema import text_hash


@given(st.text(min_size=1), st.integers(1, 5000))
def test_texts_with_one_beginning_are_told_apart_by_their_last_character(start: str, times: int) -> None:
    beginning = start * times
    assert len({text_hash(beginning), text_hash(f"{beginning}a"), text_hash(f"{beginning}b")}) == 3


def test_a_hash_is_the_same_in_every_process_and_release() -> None:
    assert text_hash("Größe").hex() == "ba94ef9b04a20d4d71328310afe38a62"


def test_half_a_surrogate_pair_has_a_hash() -> None:
    assert len(text_hash("\ud800")) == 16
