"""How much of a site's text is beyond what its model reads."""

from collections.abc import Sequence

from pincite_core.embedders import Embedder
from pincite_indexer.spread_out import spread_out

__all__ = ("share_cut",)

_SAMPLE = 300  # texts: one in ten more or less is told, in a tenth of a second
_MARKS = 2  # the model's own, at either end


def share_cut(texts: Sequence[str], embedder: Embedder) -> float:
    """Return the share of texts, 0 to 1, whose end the model does not read: words alone find what stands there."""
    sample = spread_out(list(texts), _SAMPLE)
    room = embedder.info.max_tokens - _MARKS
    prompt = embedder.info.prompts.passage
    return sum(len(embedder.pieces(prompt + text)) > room for text in sample) / max(1, len(sample))
