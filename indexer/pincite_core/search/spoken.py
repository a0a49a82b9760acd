"""What an index says of each of its languages: what its rankers are worth there, and where evidence begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, ValidationError, convert

from pincite_core.search.evidence import Calibration

__all__ = ("LANGUAGES_KEY", "UNTOLD", "Spoken", "spoken_languages")

LANGUAGES_KEY = "languages"
"""Where an index keeps them, in `meta`. One without was cut by the rules of English, whatever its locales."""

_Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a build found out about one locale.

    Attributes:
        vectors: What the rankers by vectors are worth, 1 where the model reads the language.
        unknown: The share of the text that the model reads as unknown pieces.
        calibration: The weights of evidence; None where the index's own hold.
    """

    vectors: _Share = 1.0
    unknown: _Share = 0.0
    calibration: Calibration | None = None


UNTOLD = Spoken()


def spoken_languages(stored: object) -> Mapping[str, Spoken]:
    """Return what an index stored under `LANGUAGES_KEY`, by locale; nothing when it stored nothing that can be read."""
    try:
        return convert(stored or {}, dict[str, Spoken])
    except ValidationError:
        return {}
