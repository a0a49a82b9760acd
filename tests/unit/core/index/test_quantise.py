"""Vectors as bits and as int8."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.index.quantise import cosines, to_bits, to_int8

SEEDS = st.integers(0, 2**32 - 1)


def unit_vectors(seed: int, count: int, dimension: int = 64) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(SEEDS)
def test_int8_keeps_cosines_to_a_hundredth(seed: int) -> None:
    vectors = unit_vectors(seed, 8)
    exact = vectors[1:] @ vectors[0]
    assert np.abs(cosines(vectors[0], to_int8(vectors[1:])) - exact).max() < 0.01


def test_the_largest_component_becomes_127() -> None:
    assert np.abs(to_int8(unit_vectors(1, 5))).max(axis=1).tolist() == [127] * 5


def test_a_vector_of_zeros_is_close_to_nothing() -> None:
    stored = to_int8(np.zeros((1, 8), dtype=np.float32))
    assert stored.tolist() == [[0] * 8]
    assert cosines(unit_vectors(1, 1, 8)[0], stored).tolist() == [0.0]


def test_a_component_is_one_bit_and_the_first_is_the_lowest() -> None:
    vector = np.array([[0.5, -0.5, 0.5, -0.1, 0, 0, 0, 0.1] + [-1.0] * 8], dtype=np.float32)
    assert to_bits(vector).tolist() == [[0b10000101, 0]]


def test_bits_of_stored_int8_are_those_of_the_vector() -> None:
    vectors = unit_vectors(7, 20)
    large = np.abs(vectors) * 127 / np.abs(vectors).max(axis=1, keepdims=True) >= 0.5
    bits, stored = (
        np.unpackbits(to_bits(item), axis=1, bitorder="little")
        for item in (vectors, to_int8(vectors).astype("float32"))
    )
    assert (bits == stored)[large].all()


def test_no_vectors_are_no_rows() -> None:
    assert to_bits(np.zeros((0, 64), dtype=np.float32)).shape == (0, 8)


def test_equal_rows_have_equal_cosines_wherever_they_stand() -> None:
    draws = np.random.default_rng(1)
    query = draws.standard_normal(384).astype(np.float32)
    rows = draws.integers(-127, 128, (37, 384)).astype(np.int8)
    rows[[3, 20, 36]] = rows[0]
    found = cosines(query, rows)
    assert len({float(found[at]) for at in (0, 3, 20, 36)}) == 1
    assert all(cosines(query, rows[at : at + 1])[0] == found[at] for at in range(37))
