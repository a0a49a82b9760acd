"""Words compared with words: two bits a component keep the order, and each text's own tokens are compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.late_interaction import (
    TOKEN_BYTES,
    TOKEN_DIMENSION,
    TokenVectors,
    pack_tokens,
    project_tokens,
    token_similarities,
)

seeds = st.integers(0, 2**32 - 1)


def some_tokens(seed: int, count: int) -> TokenVectors:
    states = np.random.default_rng(seed).standard_normal((count, 96)).astype(np.float32)
    return project_tokens(states)


def unpacked(packed: bytes) -> TokenVectors:
    """Return packed tokens as unit vectors, one component at a time."""
    levels = {0: -0.4528, 1: -1.510, 2: 0.4528, 3: 1.510}
    rows = [
        [levels[packed[start + place // 4] >> 2 * (place % 4) & 3] for place in range(TOKEN_DIMENSION)]
        for start in range(0, len(packed), TOKEN_BYTES)
    ]
    found = np.array(rows, dtype=np.float32).reshape(-1, TOKEN_DIMENSION)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@given(seeds, st.integers(1, 30))
def test_two_bits_a_component_stay_near_the_vector(seed: int, count: int) -> None:
    tokens = some_tokens(seed, count)
    packed = pack_tokens(tokens)
    assert packed.shape == (count, TOKEN_BYTES)
    assert (unpacked(packed.tobytes()) * tokens).sum(axis=1).min() > 0.85


@given(seeds, st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(1, 5))
def test_a_texts_similarity_is_the_mean_of_the_best_of_its_own_tokens(
    seed: int, lengths: list[int], asked: int
) -> None:
    query = some_tokens(seed + 1, asked)
    stored = {3 * place + 1: pack_tokens(some_tokens(seed + place, n)).tobytes() for place, n in enumerate(lengths)}
    found = token_similarities(query, stored, [*stored, *stored])
    expected = [(query @ unpacked(packed).T).max(axis=1).mean() for packed in stored.values()]
    assert found.tolist() == pytest.approx(expected * 2, abs=1e-5)


@pytest.mark.parametrize("stored", [{}, {2: pack_tokens(some_tokens(0, 3)).tobytes()}])
def test_a_text_without_tokens_has_no_similarity(stored: dict[int, bytes]) -> None:
    assert np.isnan(token_similarities(some_tokens(1, 2), stored, [1, 7])).all()


def test_a_query_without_tokens_is_similar_to_nothing() -> None:
    stored = {1: pack_tokens(some_tokens(0, 3)).tobytes()}
    assert np.isnan(token_similarities(some_tokens(1, 0), stored, [1])).all()


def test_tokens_that_are_cut_off_are_an_error() -> None:
    with pytest.raises(ValueError, match="cut off"):
        token_similarities(some_tokens(1, 2), {1: b"x" * (TOKEN_BYTES + 1)}, [1])


def test_the_projection_is_the_same_on_every_machine() -> None:
    states = np.eye(3, 8, dtype=np.float32)
    assert "".join("-+"[int(component > 0)] for component in project_tokens(states)[0, :12]) == "--+----+---+"


def test_the_projection_keeps_which_of_two_states_is_nearer() -> None:
    random = np.random.default_rng(5)
    state = random.standard_normal(384)
    near, far = state + random.standard_normal(384), random.standard_normal(384)
    asked, close, away = project_tokens(np.stack([state, near, far]).astype(np.float32))
    assert asked @ close > 0.5 > asked @ away
