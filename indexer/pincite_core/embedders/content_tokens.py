"""Which tokens of a text say something: neither the model's own marks, nor punctuation, nor stop words."""

from collections import Counter
from typing import Any

from pincite_core.search.terms import STOP_WORDS

__all__ = ("content_positions",)


def content_positions(text: str, tokenized: Any) -> list[int]:
    """Return the positions of a text's content tokens; all but the model's own marks when there is none.

    Args:
        text: The text.
        tokenized: Its `tokenizers.Encoding`.
    """
    words, offsets = tokenized.word_ids, tokenized.offsets  # each makes a new list at every access
    own = [position for position, word in enumerate(words) if word is not None]
    spelled = {position: text[slice(*offsets[position])].strip() for position in own}
    parts = Counter(words)
    telling = [
        position
        for position in own
        if any(map(str.isalnum, spelled[position]))
        and not (parts[words[position]] == 1 and spelled[position].lower() in STOP_WORDS)
    ]
    return telling or own or list(range(len(words)))
