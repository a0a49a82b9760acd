"""Language profiles of an index: the dense weight and the evidence calibration of each locale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, ValidationError, convert

from pincite_core.search.evidence import Calibration

__all__ = ("DEFAULT_PROFILE", "LANGUAGES_KEY", "LanguageProfile", "parse_profiles")

LANGUAGES_KEY = "languages"
"""The key of the profiles in the `meta` table. An index without this key used English tokenisation for all locales."""

_Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """Language profile of one locale, measured by a build.

    Attributes:
        vectors: The dense weight, 0 to 1; 1 if the embedding model reads the language.
        unknown: The share of the text that the model tokenises as unknown.
        calibration: The evidence calibration; None if the index's calibration applies.
    """

    vectors: _Share = 1.0
    unknown: _Share = 0.0
    calibration: Calibration | None = None


DEFAULT_PROFILE = LanguageProfile()
"""The profile of a locale that a build did not measure."""


def parse_profiles(stored: object) -> Mapping[str, LanguageProfile]:
    """Parse the value stored under `LANGUAGES_KEY`; return profiles by locale, or none if the value is invalid."""
    try:
        return convert(stored or {}, dict[str, LanguageProfile])
    except ValidationError:
        return {}
