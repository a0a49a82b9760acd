"""An exported encoder, run by onnxruntime: no torch, no hub, a fraction of the memory."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from pincite_core.embedders.base import ModelInfo, Vectors
from pincite_core.embedders.onnx_runtime import import_onnxruntime
from pincite_core.errors import ModelNotFoundError

__all__ = ("INPUT_NAMES", "OUTPUT_NAME", "OnnxEmbedder")

INPUT_NAMES = ("input_ids", "attention_mask")
OUTPUT_NAME = "sentence_embedding"


class OnnxEmbedder:
    """Encodes one text at a time, as many at once as there are cores.

    Texts are never padded into one batch: the int8 scale of a batch depends on all that is in it, and a text's vector
    must not depend on its company. One thread a text is also the fastest way, since texts are short.

    Args:
        encoder: The bytes of the ONNX file.
        tokenizer: The bytes of its `tokenizer.json`.
        info: The identity to report.
    """

    def __init__(self, encoder: bytes, tokenizer: bytes, info: ModelInfo) -> None:
        self.info = info
        self._session = _open_session(encoder)
        self._tokenizer = _open_tokenizer(tokenizer, info.max_tokens)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text; the same text gives the same bits in any company."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        if len(texts) == 1:
            return self._encode_one(texts[0])
        with ThreadPoolExecutor(min(len(texts), os.cpu_count() or 1)) as workers:
            return np.concatenate(list(workers.map(self._encode_one, texts)))

    def _encode_one(self, text: str) -> Vectors:
        # Lone surrogates, which damaged pages hold, cannot be passed on as UTF-8.
        clean = text.encode("utf-8", "replace").decode()
        ids = np.array([self._tokenizer.encode(clean).ids], dtype=np.int64)
        inputs = dict(zip(INPUT_NAMES, (ids, np.ones_like(ids)), strict=True))
        vector: Vectors = self._session.run([OUTPUT_NAME], inputs)[0]
        return vector


def _open_session(encoder: bytes) -> Any:
    try:
        onnxruntime = import_onnxruntime()
    except ImportError as error:
        raise ModelNotFoundError(_missing("onnxruntime")) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(encoder, options, providers=["CPUExecutionProvider"])


def _open_tokenizer(data: bytes, max_tokens: int) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelNotFoundError(_missing("tokenizers")) from error
    tokenizer = Tokenizer.from_buffer(data)
    tokenizer.no_padding()  # files often carry the settings of the model's training
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _missing(package: str) -> str:
    return f"The encoder of this index needs {package}: pip install 'pincite[serve]' or 'pincite[index-light]'."
