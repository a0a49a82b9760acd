"""How near the words of a claim come to those that it rests on, as a model reads them (late interaction).

A fact that nobody wrote is often a few words more at the end of a true sentence: too few new ones to tell them from
another way of saying it. A model reads each token among its neighbours, though, and finds none like them for several in
a row. Where all of them are near, words that the docs lack say the same.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np

from pincite_core.embedders import DEFAULT_MODEL, Embedder
from pincite_core.search.late_interaction import TokenVectors
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.stems import all_stems

__all__ = ("Nearness",)

_RUN = 4  # content tokens in a row: one alone may be a synonym, and a clause that nobody wrote has several
# Means of cosines, chosen on the written answers of fourteen sites (bench/written).
_FAR = 0.54
_NEAR = 0.72
_MOST_READ = 12  # cited sentences, those that share most words: a section has some 60, at 4 ms of CPU time each
_MEASURED = DEFAULT_MODEL  # the cosines of another model have another scale ...
_LANGUAGE = "en"  # ... and so have this one's in a language that it hardly learned


class Nearness:
    """Compares claims with what they cite; each text is read once.

    Args:
        embedder: The encoder of the index.
        question: What was asked; what only repeats it is no invention.
    """

    def __init__(self, embedder: Embedder, question: str) -> None:
        self._embedder = embedder
        self._question = question
        self._tokens: dict[str, TokenVectors] = {}

    @classmethod
    def measured(cls, embedder: Embedder, question: str, language: str) -> Self | None:
        """Return None for a model or a language whose cosines were not measured."""
        known = embedder.info.name == _MEASURED and language.split("-")[0] == _LANGUAGE
        return cls(embedder, question) if known else None

    def strays(self, claim: str, cited: Evidence) -> bool:
        """Whether some words in a row are far from all that is cited."""
        return self._farthest(claim, cited) < _FAR

    def keeps(self, claim: str, cited: Evidence) -> bool:
        """Whether all words are near what is cited."""
        return self._farthest(claim, cited) >= _NEAR

    def _farthest(self, claim: str, cited: Evidence) -> float:
        """Return the lowest mean cosine of some tokens in a row to their nearest cited ones; NaN without tokens."""
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
    """Return the cited sentences that share most stems with a claim, as many as are read."""
    if len(cited.sentences) <= _MOST_READ:
        return list(cited.sentences)
    stems = set(all_stems(claim, cited.language))
    shared = [-len(stems & held) for held in cited.stems]
    return [cited.sentences[place] for place in sorted(range(len(shared)), key=shared.__getitem__)[:_MOST_READ]]
