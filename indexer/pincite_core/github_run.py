"""Write annotations and job summaries for GitHub Actions.

The text of pages is untrusted, since anybody can open a pull request. It is escaped, so that it cannot start a new line
or an HTML tag.
"""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pincite_core.errors import InputError

__all__ = ("SUMMARY_VARIABLE", "Annotation", "Level", "add_summary", "annotation_lines", "summary_items")

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Environment variable with the path of the file that holds the job summary, in Markdown."""

Level = Literal["error", "warning", "notice"]
_LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
_MOST_SHOWN = 10  # annotations per level that GitHub shows for a step; the summary lists all
_MOST_ITEMS = 50  # items per list in the summary, which is limited to 1 MB
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = _IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~!])")


class Annotation(Struct, frozen=True):
    """An annotation of a file in the repository.

    `file` is the path in the repository, or "" if the annotation belongs to no file. `line` is 0 if the annotation
    belongs to the whole file.
    """

    level: Level
    title: str
    message: str
    file: str = ""
    line: int = 0


def annotation_lines(annotations: Iterable[Annotation]) -> list[str]:
    """Return the workflow commands for annotations, most severe first, up to GitHub's limit for each level."""
    found = list(annotations)
    return [_command(one) for level in _LEVELS for one in [one for one in found if one.level == level][:_MOST_SHOWN]]


def add_summary(markdown: str) -> None:
    """Append Markdown to the job summary.

    Raises:
        InputError: The process does not run in GitHub Actions, or the summary file cannot be written.
    """
    name = os.environ.get(SUMMARY_VARIABLE)
    if not name:
        message = f"{SUMMARY_VARIABLE} is not set, so there is no run to write a summary for. Leave --github out here."
        raise InputError(message)
    try:
        with Path(name).open("a", encoding="utf-8") as stream:
            stream.write(f"{markdown.rstrip()}\n\n")
    except OSError as error:
        message = f"The run's summary {name} cannot be written ({error.strerror}). Is {SUMMARY_VARIABLE} right?"
        raise InputError(message) from error


def summary_items(heading: str, items: Sequence[str]) -> str:
    """Return a collapsible Markdown list with a heading and a count, or "" if there are no items.

    The items are plain text, which is escaped.
    """
    if not items:
        return ""
    plain = (" ".join(item.split()) for item in items[:_MOST_ITEMS])
    shown = "\n".join("- " + _MARKDOWN.sub(r"\\\1", item) for item in plain)
    more = f"\n- and {len(items) - _MOST_ITEMS:,} more" if len(items) > _MOST_ITEMS else ""
    return f"<details><summary>{heading}: {len(items):,}</summary>\n\n{shown}{more}\n\n</details>\n"


def _command(one: Annotation) -> str:
    properties = {"file": one.file, "line": str(one.line) if one.line else "", "title": one.title}
    pairs = ",".join(f"{name}={value.translate(_IN_PROPERTIES)}" for name, value in properties.items() if value)
    return f"::{one.level} {pairs}::{one.message.translate(_IN_MESSAGES)}"
