"""Measure how much of a site's text exceeds the model's token limit."""

from collections.abc import Sequence

from pincite_core.embedders import Embedder
from pincite_indexer.spread_out import spread_out

__all__ = ("share_cut",)

_SAMPLE = 300  # texts; the share is exact to about 0.1, in a tenth of a second
_MARKS = 2  # special tokens, one at each end


def share_cut(texts: Sequence[str], embedder: Embedder) -> float:
    """Return the share of texts, 0 to 1, that exceed the token limit; only words find the cut part."""
    sample = spread_out(list(texts), _SAMPLE)
    room = embedder.info.max_tokens - _MARKS
    prompt = embedder.info.prompts.passage
    return sum(len(embedder.pieces(prompt + text)) > room for text in sample) / max(1, len(sample))
