import math

import pytest

from pincite_core.embedders import ModelInfo
from pincite_server.http.routes.chat import checked_embedding, checked_tokens
from pincite_server.http.transport.problems import Problem

MODEL = ModelInfo("sentence-transformers/all-MiniLM-L6-v2", "0" * 64, 4, 256)


@pytest.mark.parametrize("name", [None, MODEL.name, "all-MiniLM-L6-v2", "Xenova/all-MiniLM-L6-v2"])
def test_an_embedding_of_the_indexs_model_is_scaled_to_length_one(name: str | None):
    embedding = checked_embedding([3.0, 0.0, 4.0, 0.0], name, MODEL)
    assert embedding == pytest.approx((0.6, 0.0, 0.8, 0.0))


def test_a_question_may_come_without_an_embedding():
    assert checked_embedding(None, "whatever", MODEL) is None


@pytest.mark.parametrize(
    ("embedding", "name", "told"),
    [
        ([1.0, 0.0, 0.0], None, "has 3 numbers"),
        ([], None, "has 0 numbers"),
        ([0.0] * 4, None, "zero"),
        ([math.nan, 1.0, 1.0, 1.0], None, "not finite"),
        ([math.inf, 1.0, 1.0, 1.0], None, "not finite"),
        ([1e308] * 4, None, "not finite"),
        ([1.0] * 4, "bge-small-en", "all-MiniLM-L6-v2"),
    ],
)
def test_an_embedding_that_does_not_fit_is_refused_with_the_reason(embedding: list[float], name: str | None, told: str):
    with pytest.raises(Problem, match=told) as caught:
        checked_embedding(embedding, name, MODEL)
    assert caught.value.status_code == 400


def test_token_vectors_are_scaled_to_length_one():
    rows = checked_tokens([[3.0, 4.0, *[0.0] * 62]], MODEL)
    assert rows[0][:2] == pytest.approx((0.6, 0.8))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([[1.0] * 63], "64 numbers"),
        ([[1.0] * 64] * 257, "256 rows"),
        ([[0.0] * 64], "zero"),
        ([[1.0] * 64, [math.nan] * 64], "not finite"),
    ],
)
def test_token_vectors_that_do_not_fit_are_refused_with_the_reason(rows: list[list[float]], told: str):
    with pytest.raises(Problem, match=told):
        checked_tokens(rows, MODEL)
