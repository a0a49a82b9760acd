"""Parsed evidence: splits excerpts into sentences, code, headings and stems, once for all claims of an answer."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pincite_core.quoting.unit_facts import STRUCK
from pincite_core.units import split_sentences
from pincite_server.grounding.stems import all_stems

__all__ = ("Evidence", "leads_in", "plain_text")

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_CODE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_CODE_OR_STRUCK = re.compile(
    r"(?P<code>^ *(`{3,}|~{3,}).*?^ *\2|`[^`\n]+`)|" + STRUCK.pattern, re.DOTALL | re.MULTILINE
)
_ITEM = re.compile(r"( *)(?:[-*+]|\d{1,3}[.)])\s+\S")
_STEP = re.compile(r"^( *)\d{1,3}[.)]\s+(?=\S)")  # step numbers are not quantities of the docs
_CODE_LINES, _CODE_STEP = 6, 3  # size and step, in lines, of overlapping windows over a listing
_MOST_PLACES = 3  # maximum number of sentences that support one claim
_ADDS = 0.12  # least share of a claim that a further sentence must add
_BREVITY = 0.002  # penalty per stem, so that the shorter of two equal sentences is nearer
_LISTING = 0.3  # penalty for code, which contains many names and few statements


@dataclass(frozen=True, slots=True)
class Evidence:
    """Parsed text of one or more excerpts.

    Attributes:
        sentences: The sentences in order, with the heading last in each excerpt; code blocks are split into windows.
        stems: The stems of each sentence.
        headings: The heading paths.
        heading_stems: The stems of all headings.
        held: The stems of all sentences.
        text: The headings and text on one line, in lower case and without backticks.
        code: The headings and code on one line, in lower case and without backticks.
        language: BCP 47 tag of the page.
        list_lengths: The numbers of items of the lists.
    """

    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    headings: tuple[str, ...]
    heading_stems: frozenset[str]
    held: frozenset[str]
    text: str
    code: str
    language: str = "en"
    list_lengths: frozenset[int] = frozenset()

    @classmethod
    def of(cls, heading: str, text: str, language: str = "en") -> Self:
        """Parse an excerpt without struck-out text. `heading` is its heading path, or "" if it has none."""
        if "~~" in text:
            text = _CODE_OR_STRUCK.sub(lambda match: match["code"] or "", text)
        sentences = (*_sentences(text, language), *([heading] if heading else []))
        stems = tuple(frozenset(all_stems(sentence, language)) for sentence in sentences)
        code = " ".join(match.group() for match in _CODE.finditer(text))
        return cls(
            sentences=sentences,
            stems=stems,
            headings=(heading,) if heading else (),
            heading_stems=frozenset(all_stems(heading, language)),
            held=frozenset().union(*stems),
            text=plain_text(f"{heading} {text}"),
            code=plain_text(f"{heading} {code}"),
            language=language,
            list_lengths=frozenset(_list_lengths(text)),
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Join several excerpts into one."""
        return cls(
            sentences=tuple(sentence for part in parts for sentence in part.sentences),
            stems=tuple(stems for part in parts for stems in part.stems),
            headings=tuple(heading for part in parts for heading in part.headings),
            heading_stems=frozenset().union(*(part.heading_stems for part in parts)),
            held=frozenset().union(*(part.held for part in parts)),
            text=" ".join(part.text for part in parts),
            code=" ".join(part.code for part in parts),
            language=parts[0].language if parts else "en",
            list_lengths=frozenset().union(*(part.list_lengths for part in parts)),
        )

    def places_of(self, wanted: Mapping[str, float]) -> tuple[int, ...]:
        """Select greedily the sentences that cover the most weighted stems; return their indices, best first."""
        left, found = dict(wanted), list[int]()
        total = math.fsum(wanted.values())
        while self.sentences and len(found) < _MOST_PLACES:
            gains = [
                math.fsum(left.get(stem, 0.0) for stem in stems) - _BREVITY * len(stems) - _LISTING * ("\n" in sentence)
                for sentence, stems in zip(self.sentences, self.stems, strict=True)
            ]
            best = max(range(len(gains)), key=gains.__getitem__)
            if gains[best] <= 0 or (found and gains[best] < _ADDS * total):
                break
            found.append(best)
            left = {stem: weight for stem, weight in left.items() if stem not in self.stems[best]}
        return tuple(found)

    def around(self, places: Sequence[int], reach: int = 1) -> tuple[int, ...]:
        """Return the indices within `reach` sentences of any of the given indices, in order."""
        near = {near for place in places for near in range(place - reach, place + reach + 1)}
        return tuple(sorted(place for place in near if 0 <= place < len(self.sentences)))

    def said(self, places: Sequence[int]) -> str:
        """Return the sentences at the given indices, one per line."""
        return "\n".join(self.sentences[place] for place in places)

    def quote(self, places: Sequence[int]) -> str:
        """Return the best sentence that is not a heading, with a neighbouring sentence if one is also in `places`."""
        own = [place for place in places if self.sentences[place] not in self.headings] or list(places)
        if not own:
            return ""
        beside = [place for place in own[1:] if abs(place - own[0]) == 1]
        return " ".join(self.sentences[place] for place in sorted([own[0], *beside[:1]]))


def leads_in(text: str) -> bool:
    """Return whether a text is a lead-in, which ends with a colon; the following text proves it."""
    return text.rstrip().endswith((":", "："))


def plain_text(text: str) -> str:
    """Return a text on one line, in lower case and without backticks."""
    return " ".join(text.replace("`", "").lower().split())


def _sentences(text: str, language: str) -> Iterator[str]:
    listing: list[str] | None = None
    for line in text.splitlines():
        if _FENCE.match(line):
            yield from _windows(listing or [])
            listing = [] if listing is None else None
        elif listing is not None:
            listing.append(line)
        else:
            line = _STEP.sub(r"\1- ", line)
            yield from (line[start:end] for start, end in split_sentences(line, language))
    yield from _windows(listing or [])


def _windows(lines: Sequence[str]) -> Iterator[str]:
    for start in range(0, max(1, len(lines) - _CODE_STEP), _CODE_STEP):
        if window := "\n".join(lines[start : start + _CODE_LINES]).strip():
            yield window


def _list_lengths(text: str) -> Iterator[int]:
    """Yield the number of items of each list and nested list. Other indented lines belong to their item."""
    counts: dict[int, int] = {}  # items of the open lists, by indentation
    for line in text.splitlines():
        if item := _ITEM.match(line):
            indent = len(item[1])
            yield from [counts.pop(deeper) for deeper in sorted(counts) if deeper > indent]
            counts[indent] = counts.get(indent, 0) + 1
        elif line[:1].strip():
            yield from counts.values()
            counts.clear()
    yield from counts.values()
