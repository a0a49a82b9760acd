"""Split streamed text into complete sentences, list items and code blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pincite_core.units import split_sentences
from pincite_server.answering.written.markers import MARKER_GROUPS

__all__ = ("WrittenUnit", "WrittenUnits")

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"\s*#{1,6}\s")
_MARKED_END = re.compile(rf"[.!?。！？…:][\"')\]”’）]*{MARKER_GROUPS.pattern}")
_BARE_ANSWER = re.compile(r"(?:yes|no|both|neither|not quite|ja|nein|oui|non|sí|sim|da|да|нет)[.!]", re.IGNORECASE)
_MAY_END = re.compile(r"[.!?。！？…\]】]")


@dataclass(frozen=True, slots=True)
class WrittenUnit:
    """A sentence, list item or code block with its citation markers. `opens` tells whether it starts a paragraph."""

    text: str
    kind: Literal["prose", "item", "code"]
    opens: bool


class WrittenUnits:
    """Splits streamed text into units and returns each as soon as it is complete. Headings are left out.

    A unit is held until the next one starts, because its citation markers may still arrive.
    """

    def __init__(self, language: str = "en") -> None:
        self._language = language
        self._rest = ""
        self._held: WrittenUnit | None = None
        self._opens = True

    def feed(self, text: str) -> list[WrittenUnit]:
        """Return the units that `text` completes."""
        self._rest += text
        return list(self._take(final=False))

    def finish(self) -> list[WrittenUnit]:
        """Return the remaining units at the end of the text, without an unclosed code block."""
        units = list(self._take(final=True))
        if self._held is not None:
            units.append(self._held)
            self._held = None
        return units

    def _take(self, *, final: bool) -> Iterator[WrittenUnit]:
        while self._rest:
            line, newline, after = self._rest.partition("\n")
            if not (newline or final) and _may_become_fence(line):
                return
            if fence := _FENCE.match(line):
                block = self._block(fence.group(1), final=final)
                if block is None:
                    return
                yield from self._hold(block, "code")
            elif newline or final:
                self._rest = after
                yield from self._line(line)
            else:
                yield from self._begun_line()
                return

    def _block(self, fence: str, *, final: bool) -> str | None:
        """Return the code block at the start of the remaining text if it is closed; drop an unclosed one at the end."""
        after = r"(?:\n|$)" if final else r"\n"
        end = re.search(rf"\n[ \t]*{fence}+[ \t]*{after}", self._rest)
        if end is None:
            self._rest = "" if final else self._rest
            return None
        block, self._rest = self._rest[: end.end()].strip(), self._rest[end.end() :]
        return block

    def _line(self, line: str) -> Iterator[WrittenUnit]:
        if not line.strip() or _HEADING.match(line):
            self._opens = True
        elif _ITEM.match(line):
            yield from self._hold(line.strip(), "item")
        else:
            for start, end in self._sentences(line):
                yield from self._hold(line[start:end], "prose")

    def _begun_line(self) -> Iterator[WrittenUnit]:
        """Yield all but the last sentence of an unfinished line."""
        line = self._rest
        if not (_ITEM.match(line) or _HEADING.match(line)) and _MAY_END.search(line):
            sentences = self._sentences(line)
            for (start, end), (following, _) in pairwise(sentences):
                if line[:end].count("`") % 2:  # inside unclosed inline code
                    break
                yield from self._hold(line[start:end], "prose")
                self._rest = line[following:]
        yield from self._settle()

    def _settle(self) -> Iterator[WrittenUnit]:
        """Yield the held unit as soon as the following text cannot be its markers."""
        if self._held is None:
            return
        self._attach()
        following = self._rest.lstrip()
        if following and following[0] not in "[【":
            yield self._held
            self._held = None

    def _attach(self) -> None:
        """Move markers at the start of the remaining text to the held unit, once other text follows them."""
        markers = MARKER_GROUPS.match(self._rest)
        if self._held is not None and markers and self._rest[markers.end() :].strip():
            self._held = replace(self._held, text=f"{self._held.text} {markers.group().strip()}")
            self._rest = self._rest[markers.end() :]

    def _sentences(self, line: str) -> list[tuple[int, int]]:
        """Return the start and end of each sentence in a line, with its markers."""
        cuts = [match.end() for match in _MARKED_END.finditer(line)]
        spans: list[tuple[int, int]] = []
        for left, right in zip([0, *cuts], [*cuts, len(line)], strict=True):
            spans.extend((left + start, left + end) for start, end in split_sentences(line[left:right], self._language))
        return list(_joined(line, spans))

    def _hold(self, text: str, kind: Literal["prose", "item", "code"]) -> Iterator[WrittenUnit]:
        """Hold a unit and yield the previous one; markers at the unit's start belong to the previous one."""
        if self._held is not None:
            if markers := MARKER_GROUPS.match(text):
                self._held = replace(self._held, text=f"{self._held.text} {markers.group().strip()}")
                text = text[markers.end() :].strip()
            if not text:
                return
            yield self._held
        self._held = WrittenUnit(text, kind, self._opens)
        self._opens = False


def _joined(line: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences; a short answer (*Yes.*) or a bold label is joined with the next sentence.

    A label ends inside its marks: `**Cache.** It is kept for a day.`
    """
    begun: int | None = None
    for start, end in spans:
        begun = start if begun is None else begun
        text = line[begun:end]
        if text.count("**") % 2 == 0 and not _BARE_ANSWER.fullmatch(text):
            yield begun, end
            begun = None
    if begun is not None:
        yield begun, spans[-1][1]


def _may_become_fence(line: str) -> bool:
    start = line.lstrip()
    return bool(start) and (start[0] * 3).startswith(start[:3]) and start[0] in "`~"
