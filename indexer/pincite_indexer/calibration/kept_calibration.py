"""An earlier build's calibration, kept while the site is still the site that it was made on.

Calibrating asks an index some two hundred questions, which is most of a rebuild that embeds nothing; one page more or
less does not move its result. How much of a site is the same is told by a sketch of its texts, the smallest of their
hashes (Broder 1997, "On the resemblance and containment of documents"), so that many small changes do not add up.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from msgspec import ValidationError, convert

from pincite_core.embedders import ModelInfo
from pincite_core.search.evidence import CALIBRATION_KEY, Calibration
from pincite_indexer.calibration.calibrate import RECIPE
from pincite_indexer.moves.previous import Previous

__all__ = ("CALIBRATED_ON_KEY", "calibrated_on", "kept_calibration")

CALIBRATED_ON_KEY = "calibrated_on"
_SKETCH = 128  # hashes; they tell the share of common texts to within some three per cent
_HASH_BYTES = 8
_SAME = 0.9  # of the texts


@dataclass(frozen=True, slots=True)
class _CalibratedOn:
    recipe: int
    sketch: list[str]


def calibrated_on(text_hashes: Sequence[bytes]) -> dict[str, object]:
    """Return what an index stores beside its calibration: how it was made, and a sketch of the texts."""
    return asdict(_CalibratedOn(RECIPE, _sketch(text_hashes)))


def kept_calibration(previous: Previous, model: ModelInfo, text_hashes: Sequence[bytes]) -> dict[str, object] | None:
    """Return what an earlier index says of its calibration; None when it does not hold for these texts."""
    try:
        made_on = convert(previous.index.meta(CALIBRATED_ON_KEY), _CalibratedOn)
        calibration = convert(previous.index.meta(CALIBRATION_KEY), Calibration)
    except ValidationError:
        return None
    same_model = previous.made_by.vectors_key == model.vectors_key
    if not same_model or made_on.recipe != RECIPE or _resemblance(made_on.sketch, _sketch(text_hashes)) < _SAME:
        return None
    return {CALIBRATION_KEY: asdict(calibration), CALIBRATED_ON_KEY: asdict(made_on)}


def _sketch(text_hashes: Sequence[bytes]) -> list[str]:
    return sorted({digest[:_HASH_BYTES].hex() for digest in text_hashes})[:_SKETCH]


def _resemblance(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the estimated share of the texts of either site that both have."""
    lowest = sorted({*one, *other})[:_SKETCH]
    both = {*one} & {*other}
    return sum(item in both for item in lowest) / len(lowest) if lowest else 0.0
