"""Late interaction: compares each token of a question with each token of a chunk (ColBERT, Khattab and Zaharia 2020).

A single vector per chunk averages its parts; token vectors keep them apart. A random sign projection reduces token
vectors and preserves cosines (Achlioptas 2003). Each component takes two bits, so a token takes 16 bytes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

__all__ = (
    "TOKEN_BYTES",
    "TOKEN_DIMENSION",
    "TOKEN_LEVELS",
    "TokenVectors",
    "pack_tokens",
    "packed_signs",
    "project_tokens",
    "token_similarities",
)

TOKEN_DIMENSION = 64
"""Fewer components lower hit@1 on eight sites. Twice as many raise hit@1 by .01 at twice the size."""

TOKEN_BYTES = TOKEN_DIMENSION // 4

TokenVectors = npt.NDArray[np.float32]
"""Shape (content tokens of a text, TOKEN_DIMENSION); every row has length 1."""

PackedTokens = npt.NDArray[np.uint8]
"""Shape (tokens, TOKEN_BYTES): four components per byte, the first component in the lowest bits."""

# Optimal two-bit quantiser of a normal distribution (Max 1960), in units of the standard deviation.
_STEP, _INNER, _OUTER = 0.9816, 0.4528, 1.510
_DEVIATION = TOKEN_DIMENSION**-0.5  # standard deviation of the components of a unit vector
_SHIFTS = np.array([0, 2, 4, 6], dtype=np.uint8)
_CODES = (np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS) & 3
TOKEN_LEVELS = (-_INNER, -_OUTER, _INNER, _OUTER)
"""What the two bits of a component stand for: its sign, and whether it is large."""
_LEVELS = np.array(TOKEN_LEVELS, dtype=np.float32)[_CODES]
_SQUARES = (_LEVELS**2).sum(axis=1)
_ONES = np.ones(TOKEN_BYTES, dtype=np.float32)
_AT_ONCE = 2048  # tokens per block; unpacked half a megabyte, which fits a CPU cache and is several times faster


def project_tokens(states: npt.NDArray[np.float32]) -> TokenVectors:
    """Project a model's token states, shape (tokens, hidden), to unit vectors of TOKEN_DIMENSION components."""
    return _unit(states @ _signs(states.shape[1]))


def pack_tokens(vectors: TokenVectors) -> PackedTokens:
    """Quantise unit vectors to two bits per component: the sign, and whether the magnitude is large."""
    codes = (vectors > 0).astype(np.uint8) << 1 | (np.abs(vectors) > _STEP * _DEVIATION)
    packed: PackedTokens = np.bitwise_or.reduce(codes.reshape(-1, TOKEN_BYTES, 4) << _SHIFTS, axis=2)
    return packed


def token_similarities(
    query: TokenVectors, stored: Mapping[int, bytes], vector_ids: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Return, for each text, the mean over the query's tokens of the cosine to the text's nearest token.

    A text without tokens gets NaN.

    Args:
        query: The query's token vectors.
        stored: Packed tokens by vector id; texts without tokens are absent.
        vector_ids: The texts to score.

    Raises:
        ValueError: The tokens of a text are truncated.
    """
    wanted, places = np.unique(np.asarray(vector_ids, dtype=np.int64), return_inverse=True)
    held = [stored.get(vector_id, b"") for vector_id in wanted.tolist()]
    if any(len(packed) % TOKEN_BYTES for packed in held):
        message = "tokens are cut off"
        raise ValueError(message)
    scores = np.full(len(wanted), np.nan)
    if any(held) and len(query):
        scores[np.array(list(map(bool, held)))] = _similarities(query, [packed for packed in held if packed])
    return scores[places]


def _similarities(query: TokenVectors, texts: Sequence[bytes]) -> npt.NDArray[np.float32]:
    packed = np.frombuffer(b"".join(texts), dtype=np.uint8).reshape(-1, TOKEN_BYTES)
    lengths = np.array([len(text) // TOKEN_BYTES for text in texts])
    ends = np.cumsum(lengths)
    firsts, means = ends - lengths, np.empty(len(texts), dtype=np.float32)
    for some in np.split(np.arange(len(texts)), np.flatnonzero(np.diff(firsts // _AT_ONCE)) + 1):
        start, end = firsts[some[0]], ends[some[-1]]
        near = _cosines(query, packed[start:end])
        means[some] = np.maximum.reduceat(near, firsts[some] - start, axis=0).mean(axis=1)
    return means


def _cosines(query: TokenVectors, packed: PackedTokens) -> npt.NDArray[np.float32]:
    levels = np.take(_LEVELS, packed, axis=0)  # several times faster than indexing
    near: npt.NDArray[np.float32] = levels.reshape(-1, TOKEN_DIMENSION) @ query.T
    near /= np.sqrt(np.take(_SQUARES, packed) @ _ONES)[:, None]  # several times faster than a sum of short rows
    return near


def packed_signs(hidden: int) -> bytes:
    """Return the projection's signs for states of `hidden` components, row by row, eight per byte; 1 means plus."""
    return hashlib.shake_256(b"pincite token vectors").digest(hidden * TOKEN_DIMENSION // 8)


@lru_cache(maxsize=4)
def _signs(hidden: int) -> npt.NDArray[np.float32]:
    """Return the projection matrix for `hidden` components; its signs come from a hash, so every machine agrees."""
    signs = np.unpackbits(np.frombuffer(packed_signs(hidden), dtype=np.uint8)).astype(np.float32) * 2 - 1
    return signs.reshape(hidden, TOKEN_DIMENSION)


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    scaled: npt.NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
    return scaled
