"""Only tokens that say something are compared: no marks of the model, no punctuation, no stop words."""

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from pincite_core.embedders.onnx_encoder import content_positions

PIECES = ["[UNK]", "[CLS]", "[SEP]", "how", "do", "i", "the", "in", "##lin", "##ing", "cache", "clear", "?", ".", "js"]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    built = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    built.normalizer = normalizers.BertNormalizer()
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    built.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return built


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("How do I clear the cache?", ["clear", "cache"]),
        ("the inlining", ["in", "##lin", "##ing"]),  # a piece of a word is no stop word
        ("cache.js", ["cache", "js"]),
        ("how do I?", ["how", "do", "i", "?"]),  # nothing else is left
        ("", ["[CLS]", "[SEP]"]),
    ],
)
def test_content_tokens_are_kept(tokenizer: Tokenizer, text: str, kept: list[str]) -> None:
    encoded = tokenizer.encode(text)
    assert [encoded.tokens[position] for position in content_positions(text, encoded)] == kept


@pytest.mark.parametrize(("text", "kept"), [("clear the cache", ["clear", "cache"]), ("how?", ["how", "?"])])
def test_tokens_of_a_prompt_are_not_content_tokens(tokenizer: Tokenizer, text: str, kept: list[str]) -> None:
    prompt = "clear js: "
    encoded = tokenizer.encode(prompt + text)
    found = content_positions(prompt + text, encoded, len(prompt))
    assert [encoded.tokens[position] for position in found] == kept


def test_a_word_that_starts_in_the_space_after_the_prompt_belongs_to_the_text() -> None:
    """Sentencepiece takes the blank before a word for its first letter."""
    built = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁ask:", -1.0), ("▁the", -1.0), ("▁cache", -1.0)], unk_id=0))
    built.pre_tokenizer = pre_tokenizers.Metaspace()
    encoded = built.encode("ask: the cache")
    found = content_positions("ask: the cache", encoded, len("ask: "))
    assert [encoded.tokens[position] for position in found] == ["▁cache"]
