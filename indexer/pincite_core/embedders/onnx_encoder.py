"""Run an exported ONNX encoder with onnxruntime. It needs neither torch nor a model hub, and much less memory."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from pincite_core.budget import outside_python
from pincite_core.embedders.base import Encoded, ModelInfo, Vectors
from pincite_core.errors import ModelNotFoundError
from pincite_core.search.late_interaction import project_tokens
from pincite_core.search.terms import STOP_WORDS
from pincite_core.types import Role

__all__ = ("INPUT_NAMES", "OUTPUT_NAME", "TOKENS_NAME", "OnnxEmbedder", "content_positions", "import_onnxruntime")

INPUT_NAMES = ("input_ids", "attention_mask")
OUTPUT_NAME = "sentence_embedding"
_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
TOKENS_NAME = "token_states"
"""Name of the optional second output: the last hidden states of all tokens, shape (texts, tokens, hidden)."""


class OnnxEmbedder:
    """Embedder that runs an ONNX file with a `tokenizer.json`, each text in its own thread, up to one per CPU core.

    Texts are never padded into a batch. The int8 scale of a batch depends on every text in it, but a text's vector must
    not depend on other texts. One thread per text is also the fastest way, since texts are short.
    """

    def __init__(self, encoder: bytes, tokenizer: bytes, info: ModelInfo) -> None:
        self.info = info
        self._session = _open_session(encoder)
        self._has_tokens = TOKENS_NAME in {output.name for output in self._session.get_outputs()}
        self._tokenizer = _open_tokenizer(tokenizer, info.max_tokens)

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector per text. A text's vector does not depend on the other texts."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        encode = partial(self._encode_one, self.info.prompts.before(role))
        return np.stack([encoded.vector for encoded in self._each(texts, encode)])

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and, if the encoder has this output, of its tokens."""
        encode = self._encode_tokens if self._has_tokens else self._encode_one
        return self._each(texts, partial(encode, self.info.prompts.before(role)))

    def pieces(self, text: str) -> list[str]:
        """Return the word pieces of a text. An unknown piece is returned as the tokenizer's unknown token."""
        ids = self._tokenizer.encode(_without_surrogates(text), add_special_tokens=False).ids
        return [self._tokenizer.id_to_token(number) for number in ids]  # `tokens` can contain the unknown text itself

    @staticmethod
    def _each(texts: Sequence[str], encode: Callable[[str], Encoded]) -> list[Encoded]:
        if len(texts) < 2:  # a thread would only add overhead
            return [encode(text) for text in texts]
        with ThreadPoolExecutor(min(len(texts), os.cpu_count() or 1)) as workers:
            return list(workers.map(encode, texts))

    def _encode_one(self, prompt: str, text: str) -> Encoded:
        return Encoded(self._run([OUTPUT_NAME], self._tokenizer.encode(_without_surrogates(prompt + text)).ids)[0][0])

    def _encode_tokens(self, prompt: str, text: str) -> Encoded:
        whole = _without_surrogates(prompt + text)
        tokenized = self._tokenizer.encode(whole)
        vectors, states = self._run([OUTPUT_NAME, TOKENS_NAME], tokenized.ids)
        return Encoded(vectors[0], project_tokens(states[0][content_positions(whole, tokenized, len(prompt))]))

    def _run(self, outputs: list[str], ids: list[int]) -> Any:
        rows = np.array([ids], dtype=np.int64)
        with outside_python():
            return self._session.run(outputs, dict(zip(INPUT_NAMES, (rows, np.ones_like(rows)), strict=True)))


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates, which occur in damaged pages and cannot be encoded as UTF-8."""
    return text.encode("utf-8", "replace").decode()


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
    tokenizer.no_padding()  # the file often contains the padding settings of the training
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _missing(package: str) -> str:
    return f"The encoder of this index needs {package}: pip install 'pincite[serve]' or 'pincite[index-light]'."


def content_positions(text: str, tokenized: Any, start: int = 0) -> list[int]:
    """Return the positions of a text's content tokens, which exclude punctuation and stop words.

    If a text has no content tokens, return all its tokens without the special tokens and the prompt. If the text is
    empty, return the positions of all tokens. The text includes the prompt, which ends at `start`. Prompt tokens are
    excluded, since they are the same for every text. `tokenized` is the `tokenizers.Encoding` of the text.
    """
    words, offsets = tokenized.word_ids, tokenized.offsets  # read once, since every access creates a new list
    own = [position for position, word in enumerate(words) if word is not None and offsets[position][1] > start]
    spelling = {position: text[max(start, offsets[position][0]) : offsets[position][1]].strip() for position in own}
    parts = Counter(words)
    content = [
        position
        for position in own
        if any(map(str.isalnum, spelling[position]))
        and not (parts[words[position]] == 1 and spelling[position].lower() in STOP_WORDS)
    ]
    return content or own or list(range(len(words)))


def import_onnxruntime() -> ModuleType:
    """Import onnxruntime with its telemetry disabled, unless the environment enables it.

    From version 1.29 on, the official builds report each session to Microsoft: hashes of the model and the type of
    machine, with an identifier that they store in the home folder. onnxruntime reads the environment variable once, at
    its first import.
    """
    os.environ.setdefault(_NO_TELEMETRY, "1")
    import onnxruntime

    if os.environ[_NO_TELEMETRY] == "1":
        onnxruntime.disable_telemetry_events()  # Windows builds ignore the variable
    return onnxruntime  # type: ignore[no-any-return]
