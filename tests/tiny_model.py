"""Real sentence-transformers models, too small to mean anything: made in a moment, exported in a few.

Their files are written as sentence-transformers saves them, but without it: its torch takes seconds to import.
"""

import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

__all__ = ("TINY_DIMENSION", "TINY_TOKENS", "save_static_model", "save_tiny_model")

TINY_DIMENSION = 32
TINY_TOKENS = 24
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_LAYERS, _INNER, _POSITIONS = 2, 64, 64
_SPREAD = 0.02  # as BERT's weights begin
_MODULES = "sentence_transformers.sentence_transformer.modules"
_TRANSFORMER = {
    "transformer_task": "feature-extraction",
    "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
    "module_output_name": "token_embeddings",
}

Weights = dict[str, npt.NDArray[np.float32]]


def save_tiny_model(folder: Path, pooling: str = "mean", seed: int = 0) -> Path:
    """Save a random two-layer BERT over single letters, with a pooling of its own, and return its folder."""
    model, tokenizer = folder / "model", _tokenizer()
    kinds = {
        "": "sentence_transformers.base.modules.transformer.Transformer",
        "1_Pooling": f"{_MODULES}.pooling.Pooling",
        "2_Normalize": "sentence_transformers.base.modules.normalize.Normalize",
    }
    _save_modules(model, kinds)
    _write(model / "config.json", _bert_config(tokenizer.get_vocab_size()))
    _write(model / "sentence_bert_config.json", _TRANSFORMER)
    _write(model / "1_Pooling/config.json", {"embedding_dimension": TINY_DIMENSION, "pooling_mode": pooling})
    _write(model / "2_Normalize/config.json", {})
    save_file(_bert(tokenizer.get_vocab_size(), seed), model / "model.safetensors", {"format": "pt"})
    tokenizer.add_special_tokens(list(_SPECIAL))
    tokenizer.save(str(model / "tokenizer.json"))
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), _SPECIAL, strict=True))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": TINY_TOKENS, **names}
    _write(model / "tokenizer_config.json", settings)
    return model


def save_static_model(folder: Path) -> Path:
    """Save a model that looks words up in a table, which the exporter cannot write, and return its folder."""
    model, tokenizer = folder / "static", _tokenizer()
    _save_modules(model, {"": f"{_MODULES}.static_embedding.StaticEmbedding"})
    table = np.random.default_rng(0).standard_normal((tokenizer.get_vocab_size(), TINY_DIMENSION), np.float32)
    save_file({"embedding.weight": table}, model / "model.safetensors")
    tokenizer.save(str(model / "tokenizer.json"))
    return model


def _save_modules(model: Path, kinds: dict[str, str]) -> None:
    """Write what the model is made of: the type of each module by the folder that is its own."""
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": kind}
        for number, (path, kind) in enumerate(kinds.items())
    ]
    _write(model / "modules.json", modules)
    prompts = {"query": "", "document": ""}
    whole = {"model_type": "SentenceTransformer", "prompts": prompts, "similarity_fn_name": "cosine"}
    _write(model / "config_sentence_transformers.json", whole)


def _write(file: Path, told: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(told, indent=2), encoding="utf-8")


def _bert_config(vocabulary: int) -> dict[str, Any]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "dtype": "float32",
        "vocab_size": vocabulary,
        "hidden_size": TINY_DIMENSION,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": 2,
        "intermediate_size": _INNER,
        "max_position_embeddings": _POSITIONS,
        "type_vocab_size": 2,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    }


def _bert(vocabulary: int, seed: int) -> Weights:
    """Return random weights by the names that BERT's have."""
    random = np.random.default_rng(seed)
    weights: Weights = {}
    for name, shape in _bert_shapes(vocabulary):
        if len(shape) == 2:
            weights[f"{name}.weight"] = random.standard_normal(shape, np.float32) * np.float32(_SPREAD)
        if "embeddings.word" in name:
            weights[f"{name}.weight"][0] = 0  # padding
        if "LayerNorm" in name:
            weights[f"{name}.weight"] = np.ones(shape, np.float32)
        if "_embeddings" not in name:
            weights[f"{name}.bias"] = np.zeros(shape[0], np.float32)
    return weights


def _bert_shapes(vocabulary: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the name and the shape of each part that has weights."""
    square, norm = (TINY_DIMENSION, TINY_DIMENSION), (TINY_DIMENSION,)
    for kind, rows in (("word", vocabulary), ("position", _POSITIONS), ("token_type", 2)):
        yield f"embeddings.{kind}_embeddings", (rows, TINY_DIMENSION)
    yield "embeddings.LayerNorm", norm
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            yield f"{layer}.attention.{part}", square
        yield f"{layer}.attention.output.LayerNorm", norm
        yield f"{layer}.intermediate.dense", (_INNER, TINY_DIMENSION)
        yield f"{layer}.output.dense", (TINY_DIMENSION, _INNER)
        yield f"{layer}.output.LayerNorm", norm
    yield "pooler.dense", square


def _tokenizer() -> Tokenizer:
    letters = string.ascii_lowercase + string.digits + string.punctuation
    pieces = [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer
