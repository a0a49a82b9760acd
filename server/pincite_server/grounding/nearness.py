"""Late interaction between a claim and its citations: compares them by token vectors.

An invented fact is often a few words at the end of a true sentence. Counts of new words cannot distinguish it from a
paraphrase. Token vectors depend on their context, so several tokens in a row of an invented fact have no near match. If
all tokens have a near match, the claim is a paraphrase.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np

from pincite_core.embedders import DEFAULT_MODEL, Embedder
from pincite_core.search.late_interaction import TokenVectors
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.stems import all_stems

__all__ = ("Nearness",)

_RUN = 4  # content tokens in a row; a single token may be a synonym, and an invented clause has several
# Mean cosines, chosen on the written answers of fourteen sites (bench/written).
_FAR = 0.54
_NEAR = 0.72
_MOST_READ = 12  # cited sentences to encode; a section has about 60, and each takes 4 ms of CPU time
_MEASURED = DEFAULT_MODEL  # other models have cosines of another scale
_LANGUAGE = "en"  # the model's cosines have another scale in languages with little training data


class Nearness:
    """Compares claims with their citations by token vectors; encodes each text once.

    Words that repeat the question do not count as invented.
    """

    def __init__(self, embedder: Embedder, question: str) -> None:
        self._embedder = embedder
        self._question = question
        self._tokens: dict[str, TokenVectors] = {}

    @classmethod
    def measured(cls, embedder: Embedder, question: str, language: str) -> Self | None:
        """Create an instance; return None if the thresholds were not measured for the model and the language."""
        known = embedder.info.name == _MEASURED and language.split("-")[0] == _LANGUAGE
        return cls(embedder, question) if known else None

    def strays(self, claim: str, cited: Evidence) -> bool:
        """Return whether some tokens in a row are far from all cited text."""
        return self._farthest(claim, cited) < _FAR

    def keeps(self, claim: str, cited: Evidence) -> bool:
        """Return whether all tokens are near the cited text."""
        return self._farthest(claim, cited) >= _NEAR

    def _farthest(self, claim: str, cited: Evidence) -> float:
        """Return the lowest mean, over `_RUN` tokens in a row, of the cosine to the nearest cited token.

        The result is NaN if the claim or the citations have no tokens.
        """
        texts = [text for text in (*_nearest(claim, cited), self._question) if any(map(str.isalnum, text))]
        self._read([claim, *texts])
        own, held = self._tokens.get(claim), [self._tokens[text] for text in texts if text in self._tokens]
        if own is None or not held:
            return np.nan
        nearest = (own @ np.vstack(held).T).max(axis=1)
        run = min(_RUN, len(nearest))
        return float(np.convolve(nearest, np.full(run, 1 / run), mode="valid").min())

    def _read(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._tokens]
        for text, encoded in zip(new, self._embedder.encode_with_tokens(new), strict=True):
            if encoded.tokens is not None:
                self._tokens[text] = encoded.tokens


def _nearest(claim: str, cited: Evidence) -> list[str]:
    """Return the `_MOST_READ` cited sentences that share the most stems with a claim."""
    if len(cited.sentences) <= _MOST_READ:
        return list(cited.sentences)
    stems = set(all_stems(claim, cited.language))
    shared = [-len(stems & held) for held in cited.stems]
    return [cited.sentences[place] for place in sorted(range(len(shared)), key=shared.__getitem__)[:_MOST_READ]]
