"""Cosine similarity of a text and a passage that may exceed the maximum input length of the model."""

from collections.abc import Callable, Sequence

from pincite_core.embedders import Vectors
from pincite_core.units import estimate_tokens, split_sentences
from pincite_server.grounding.stems import asserted_stems

__all__ = ("similarity_to", "windows_of")

WINDOW_TOKENS = 256  # maximum input length of the default model, which truncates longer texts


def similarity_to(passage: str, text: str, encode: Callable[[Sequence[str]], Vectors]) -> float:
    """Return the cosine of a text and a passage.

    For a long passage, only the window that shares most words with the text is encoded. A full window takes 40 ms of
    processor time, and validation may take 100 ms.

    Args:
        passage: The passage to compare with.
        text: The answer.
        encode: Encodes texts as unit vectors.
    """
    wanted = set(asserted_stems(text))
    window = max(windows_of(passage), key=lambda window: len(wanted.intersection(asserted_stems(window))))
    first, second = encode([text, window])
    return float(first @ second)


def windows_of(passage: str, limit: int = WINDOW_TOKENS) -> list[str]:
    """Split a passage into windows of whole sentences with at most `limit` estimated tokens each.

    A sentence longer than the limit is a window of its own.
    """
    if estimate_tokens(passage) <= limit:
        return [passage]
    starts, used = [0], 0
    for start, end in split_sentences(passage):
        tokens = estimate_tokens(passage[start:end])
        if used and used + tokens > limit:
            starts.append(start)
            used = 0
        used += tokens
    return [passage[start:end] for start, end in zip(starts, [*starts[1:], len(passage)], strict=True)]
