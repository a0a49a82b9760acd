"""Recognise the names of folders of versions (`2.1`, `v3`, `latest`) and of languages, and order versions."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from pincite_core.wording import name_of

__all__ = ("VersionName", "is_language", "version_name")

_NUMBERED = re.compile(
    r"(?P<mark>v|r|version[-_.]?|ver[-_.]?|release[-_.]?|rel[-_.]?)?"
    r"(?P<numbers>\d{1,6}(?:[._]\d{1,6}){0,5})(?P<line>[._]x)?"
    r"(?:[-_.+]?(?P<stage>a|alpha|b|beta|c|rc|cr|m|milestone|pre|preview|dev|snapshot|next|nightly|canary|edge)[-_.]?(?P<count>\d{0,6}))?"
    r"(?:[-_.+]?(?:final|ga|lts|post\d{0,6}|stable|p\d{1,6}))?",
    re.IGNORECASE | re.ASCII,
)
_RELEASED = ("stable", "latest", "current", "release", "lts", "default")  # aliases of a release, the surest first
_UNRELEASED = frozenset(
    "alpha beta canary dev devel develop development edge head main master next nightly preview snapshot trunk "
    "unreleased unstable".split()
)
_CACHED = 10_000  # names; the pages of a site share their folders
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
_STAGES = (
    "dev",
    "snapshot",
    "nightly",
    "canary",
    "edge",
    "next",
    "a",
    "alpha",
    "m",
    "milestone",
    "b",
    "beta",
    "pre",
    "preview",
    "c",
)


@dataclass(frozen=True, slots=True, order=True)
class VersionName:
    """Name of a version; of two names, the greater one is the newer release.

    Attributes:
        maturity: 2 for a release, 1 for a preview of one, 0 for a name without a number.
        numbers: The version's numbers without trailing zeros.
        stage: How close a preview is to its release.
        parts: How many numbers the name has; a name with more is the more specific one.
        text: The folder's name.
        is_certain: Whether the name stands for a version wherever it occurs. `3` may be a page of a list.
    """

    maturity: int
    numbers: tuple[int, ...]
    stage: tuple[int, int]
    parts: int
    text: str
    is_certain: bool

    @property
    def alias_rank(self) -> int:
        """Return how surely the name is an alias of the current release, 0 being the surest."""
        folded = self.text.casefold()
        return _RELEASED.index(folded) if folded in _RELEASED else len(_RELEASED)

    @property
    def is_alias(self) -> bool:
        """Return whether the name stands for another version, such as `stable`."""
        return self.alias_rank < len(_RELEASED)

    def may_stand_for(self, other: Self) -> bool:
        """Return whether this name can be an alias of another: `latest` or `2` of `2.1`."""
        if not other.parts:
            return False
        return self.is_alias or (0 < self.parts < other.parts and other.numbers[: self.parts] == self.numbers)


@lru_cache(_CACHED)
def version_name(text: str) -> VersionName | None:
    """Return the name of a version in parts; None if no version is called so."""
    folded = text.casefold()
    if folded in _RELEASED or folded in _UNRELEASED:
        return VersionName(0, (), (0, 0), 0, text, is_certain=True)
    match = _NUMBERED.fullmatch(text)
    if match is None:
        return None
    numbers = [int(part) for part in re.split(r"[._]", match["numbers"])]
    stage = (match["stage"] or "").lower()
    place = (_STAGES.index(stage) if stage in _STAGES else len(_STAGES)) if stage else 0
    count = int(match["count"] or 0) if stage else 0
    parts, is_certain = len(numbers), len(numbers) > 1 or bool(match["mark"] or match["line"] or stage)
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return VersionName(1 if stage else 2, tuple(numbers), (place, count), parts, text, is_certain)


@lru_cache(_CACHED)
def is_language(text: str) -> bool:
    """Return whether a folder's name is the tag of a language, such as `fr` or `zh_CN`."""
    tag = text.replace("_", "-")
    return bool(_LOCALE.fullmatch(text)) and name_of(tag, "en") != tag
