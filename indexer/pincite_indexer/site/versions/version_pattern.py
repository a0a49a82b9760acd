"""Parse the value of `--versions`, the path from a site's folder to a version, such as `{locale}/{version}/`."""

import re
from dataclasses import dataclass
from typing import NamedTuple, Self

from pincite_core.errors import InputError
from pincite_indexer.site.versions.version_names import is_language, version_name

__all__ = ("PatternMatch", "VersionPattern")

_VERSION, _LOCALE, _ANY = "{version}", "{locale}", "*"
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|[{}]")
_EXAMPLE = "Write the path from the site's folder to a version, such as '{version}/' or '{locale}/{version}/'."


class PatternMatch(NamedTuple):
    """Folder that a pattern matches: its path with a trailing slash, and what stands for the placeholders."""

    folder: str
    name: str
    locale: str
    part: str  # the folder around the versions, without the locale's folder


@dataclass(frozen=True, slots=True)
class VersionPattern:
    """Pattern of the folders of versions. `{locale}/` is optional in paths, and `*` stands for any one folder."""

    text: str
    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return a pattern.

        Raises:
            InputError: The text has no `{version}`, another placeholder, or is not a relative path.
        """
        parts = tuple(part for part in text.strip().removeprefix("./").split("/") if part)
        found = _PLACEHOLDER.findall(text)
        if found.count(_VERSION) != 1 or found.count(_LOCALE) > 1 or set(found) - {_VERSION, _LOCALE}:
            message = f"--versions {text!r} needs {_VERSION} once, and may have {_LOCALE} once. {_EXAMPLE}"
            raise InputError(message)
        if text.strip().startswith("/") or ".." in parts or "://" in text or "\\" in text:
            message = f"--versions {text!r} is not a path inside the site. {_EXAMPLE}"
            raise InputError(message)
        return cls(text, parts)

    def match(self, file: str) -> PatternMatch | None:
        """Return the folder of a file that the pattern matches; None if it matches none.

        A folder whose name looks like a version is preferred, but others match as well.
        """
        folders = file.split("/")[:-1]
        without = tuple(part for part in self.parts if part != _LOCALE)  # generators omit the default language's folder
        found = [match for parts in (self.parts, without) if (match := _matched(parts, folders))]
        return next((match for match in found if version_name(match.name)), found[0] if found else None)


def _matched(parts: tuple[str, ...], folders: list[str]) -> PatternMatch | None:
    if len(folders) < len(parts):
        return None
    name = locale = ""
    around: list[str] = []
    for part, folder in zip(parts, folders, strict=False):
        match = re.fullmatch(_expression(part), folder)
        if match is None:
            return None
        groups = match.groupdict()
        name, locale = groups.get("version") or name, groups.get("locale") or locale
        if groups.get("locale") and not is_language(locale):
            return None
        if not groups:
            around.append(folder)
    place = "".join(f"{folder}/" for folder in folders[: len(parts)])
    return PatternMatch(place, name, locale, "".join(f"{folder}/" for folder in around))


def _expression(part: str) -> str:
    """Return the regular expression of one folder's name."""
    if part == _ANY:
        return ".+"
    escaped = re.escape(part)
    escaped = escaped.replace(re.escape(_VERSION), "(?P<version>.+)")
    return escaped.replace(re.escape(_LOCALE), "(?P<locale>.+)")
