"""How like a passage a text is, by cosine, when the passage may be longer than what the model reads at once."""

from collections.abc import Callable, Sequence

from pincite_core.embedders import Vectors
from pincite_core.units import estimate_tokens, split_sentences
from pincite_server.grounding.stems import asserted_stems

__all__ = ("similarity_to", "windows_of")

WINDOW_TOKENS = 256  # what the default model reads; the rest of a longer text would not be looked at


def similarity_to(passage: str, text: str, encode: Callable[[Sequence[str]], Vectors]) -> float:
    """Return the cosine of a text and a passage; of a long one, the window that shares most words with the text.

    One window is enough: encoding a full one takes 40 ms of processor time, and validation has 100.

    Args:
        passage: What the text is compared with.
        text: The answer.
        encode: Turns texts into unit vectors.
    """
    wanted = set(asserted_stems(text))
    window = max(windows_of(passage), key=lambda window: len(wanted.intersection(asserted_stems(window))))
    first, second = encode([text, window])
    return float(first @ second)


def windows_of(passage: str, limit: int = WINDOW_TOKENS) -> list[str]:
    """Return the passage in stretches of whole sentences of at most `limit` estimated tokens, in order.

    A sentence that is longer by itself is a window of its own.
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
