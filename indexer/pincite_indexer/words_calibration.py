"""Calibrate the evidence score for search by words alone, without vectors.

A browser searches by words until the encoder is loaded, or if the encoder cannot run. Each language is calibrated with
a dense weight of zero (`calibration`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
from msgspec import ValidationError, convert

from pincite_core.embedders import Encoded, ModelInfo, Vectors
from pincite_core.index.write import IndexContent
from pincite_core.search.evidence import Calibration
from pincite_core.search.language_profile import LANGUAGES_KEY, LanguageProfile
from pincite_core.types import Role
from pincite_indexer.calibration import CALIBRATED_ON_KEY, calibrate
from pincite_indexer.moves.previous import Previous

__all__ = ("WORDS_CALIBRATION_KEY", "words_calibration_facts", "words_calibrations")

WORDS_CALIBRATION_KEY = "words_calibration"
"""Key in the index's `meta` of the calibrations by locale."""

_DIMENSION = 8  # the smallest dimension of an index; the vectors carry no information


def words_calibration_facts(content: IndexContent, previous: Previous | None) -> dict[str, object]:
    """Return the calibrations for words alone, from the earlier build if its vector calibration still applies.

    `content` has its vector calibration in `meta`.
    """
    made_on = content.meta.get(CALIBRATED_ON_KEY)
    if previous and made_on is not None and previous.index.meta(CALIBRATED_ON_KEY) == made_on:
        stored = previous.index.meta(WORDS_CALIBRATION_KEY)
        if stored and words_calibrations({WORDS_CALIBRATION_KEY: stored}):
            return {WORDS_CALIBRATION_KEY: stored}
    found = calibrate(_without_vectors(content), _NoEmbedder())
    return {WORDS_CALIBRATION_KEY: {locale: asdict(calibration) for locale, calibration in found.items()}}


def words_calibrations(meta: Mapping[str, object]) -> dict[str, Calibration]:
    """Return the stored calibrations by locale; empty if `meta` holds none or they are invalid."""
    try:
        return convert(meta.get(WORDS_CALIBRATION_KEY) or {}, dict[str, Calibration])
    except ValidationError:
        return {}


class _NoEmbedder:
    info = ModelInfo("", "", _DIMENSION, 1)

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return np.zeros((len(texts), _DIMENSION), dtype=np.float32)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        return [Encoded(vector, None) for vector in self.encode(texts, role)]

    def pieces(self, text: str) -> list[str]:
        return text.split()


def _without_vectors(content: IndexContent) -> IndexContent:
    silent = {locale: asdict(LanguageProfile(0.0)) for locale in content.info.locales}
    return replace(
        content,
        info=replace(content.info, dimension=_DIMENSION),
        vectors=np.zeros((len(content.text_hashes), _DIMENSION), dtype=np.int8),
        tokens={},
        meta=content.meta | {LANGUAGES_KEY: silent},
    )
