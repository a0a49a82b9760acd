"""No text is embedded twice, and each has what is wanted of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.embedders import Encoded, FakeEmbedder, Vectors
from pincite_core.index.quantise import StoredText, to_int8
from pincite_core.index.schema import text_hash
from pincite_core.search.late_interaction import pack_tokens
from pincite_core.types import Prompts, Role
from pincite_indexer.vectors.embedding import Embedded, embed_texts, truncated_share
from pincite_indexer.vectors.vector_cache import VectorCache

TEXTS = ["Set the cache size.", "Retry after a failure.", "Cache"]


class CountingEmbedder(FakeEmbedder):
    def __init__(self) -> None:
        self.embedded: list[str] = []

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        self.embedded.extend(texts)
        return super().encode(texts, role)


class WithoutTokens(CountingEmbedder):
    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        return [Encoded(vector) for vector in self.encode(texts, role)]


def embed(
    embedder: FakeEmbedder,
    folder: Path | None = None,
    with_tokens: Sequence[int] = (1, 2),
    deployed: dict[bytes, StoredText] | None = None,
) -> Embedded:
    with VectorCache("fake", folder) as cache:
        return embed_texts(TEXTS, with_tokens, embedder, cache, lambda _: None, deployed or {})


@given(st.sets(st.integers(1, len(TEXTS))))
def test_every_text_gets_its_vector_and_the_wanted_ones_their_tokens(wanted: set[int]) -> None:
    found = embed(FakeEmbedder(), with_tokens=sorted(wanted))
    assert np.array_equal(found.vectors, to_int8(FakeEmbedder().encode(TEXTS)))
    encoded = FakeEmbedder().encode_with_tokens(TEXTS)
    expected = {
        number: pack_tokens(text.tokens).tobytes()
        for number, text in enumerate(encoded, start=1)
        if number in wanted and text.tokens is not None
    }
    assert found.tokens == expected


def test_the_next_build_embeds_nothing_and_writes_the_same(tmp_path: Path) -> None:
    first, embedder = embed(FakeEmbedder(), tmp_path), CountingEmbedder()
    again = embed(embedder, tmp_path)
    assert embedder.embedded == []
    assert (again.reused, again.embedded) == (3, 0)
    assert again.tokens == first.tokens
    assert np.array_equal(again.vectors, first.vectors)


def test_a_text_known_without_its_tokens_is_embedded_again_when_they_are_wanted(tmp_path: Path) -> None:
    embed(FakeEmbedder(), tmp_path, with_tokens=())
    embedder = CountingEmbedder()
    found = embed(embedder, tmp_path, with_tokens=[2])
    assert embedder.embedded == [TEXTS[1]]
    assert list(found.tokens) == [2]


def test_a_model_without_tokens_is_not_asked_for_them_at_every_build(tmp_path: Path) -> None:
    assert embed(WithoutTokens(), tmp_path).tokens == {}
    embedder = WithoutTokens()
    assert embed(embedder, tmp_path).tokens == {}
    assert embedder.embedded == []


def test_deployed_vectors_take_precedence_over_the_cache(tmp_path: Path) -> None:
    embed(FakeEmbedder(), tmp_path)
    deployed = {text_hash(TEXTS[0]): StoredText(np.ones(64, dtype=np.int8), b"t" * 16)}
    found = embed(FakeEmbedder(), tmp_path, deployed=deployed)
    assert found.tokens[1] == b"t" * 16
    assert found.vectors[0].tolist() == [1] * 64


SHORT, LONG = "ten words of the ten that are read to end", "word " * 11


class Reader(FakeEmbedder):
    """Reads ten words, its own marks aside."""

    info = replace(FakeEmbedder.info, max_tokens=12)


class Prompted(Reader):
    info = replace(Reader.info, prompts=Prompts(passage="passage: "))


@pytest.mark.parametrize(
    ("texts", "share"), [([], 0.0), ([SHORT], 0.0), ([LONG], 1.0), ([SHORT, LONG, SHORT, LONG], 0.5)]
)
def test_texts_over_the_token_limit_are_counted(texts: list[str], share: float) -> None:
    assert truncated_share(texts, Reader()) == share


def test_a_prompt_counts_towards_the_token_limit() -> None:
    assert truncated_share([SHORT], Reader()) == 0.0
    assert truncated_share([SHORT], Prompted()) == 1.0
