"""Real sentence-transformers models, too small to mean anything: made in a second, exported in a few.

The libraries that make them take seconds to import: only a test that makes one pays for it.
"""

import string
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

__all__ = ("TINY_DIMENSION", "TINY_TOKENS", "save_static_model", "save_tiny_model")

TINY_DIMENSION = 32
TINY_TOKENS = 24
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def save_tiny_model(folder: Path, pooling: str = "mean", seed: int = 0) -> Path:
    """Save a random two-layer BERT over single letters, with a pooling of its own, and return its folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=TINY_DIMENSION,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    bert = folder / "bert"
    BertModel(config).save_pretrained(bert)
    _wrapped(tokenizer).save_pretrained(bert)
    transformer = modules.Transformer(str(bert), max_seq_length=TINY_TOKENS)
    layers = [transformer, modules.Pooling(TINY_DIMENSION, pooling), modules.Normalize()]
    SentenceTransformer(modules=layers, device="cpu").save(str(folder / "model"))
    return folder / "model"


def save_static_model(folder: Path) -> Path:
    """Save a model that looks words up in a table, which the exporter cannot write, and return its folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    torch.manual_seed(0)
    table = modules.StaticEmbedding(_tokenizer(), embedding_dim=TINY_DIMENSION)
    SentenceTransformer(modules=[table], device="cpu").save(str(folder / "static"))
    return folder / "static"


def _tokenizer() -> Tokenizer:
    letters = string.ascii_lowercase + string.digits + string.punctuation
    pieces = [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def _wrapped(tokenizer: Tokenizer) -> Any:
    from transformers import PreTrainedTokenizerFast

    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), _SPECIAL, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names)
