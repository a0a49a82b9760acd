"""Parsed passage: splits a passage into sentences and stems, once for all sentences compared with it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from pincite_core.quoting.quantities import quantities_of
from pincite_core.units import split_sentences
from pincite_server.grounding.run_on import split_run_on
from pincite_server.grounding.stems import all_stems

__all__ = ("PassageWords", "sentences_of")


_DEFINES = re.compile(
    r"^\s*(?:\w+ )*(?:def|function|func|fn)\s+\w+\s*\(|\)\s*(?::|=>|\{)\s*return\b|\)\s*=>", re.MULTILINE
)
_SAID_OF_CODE = frozenset(all_stems("function functions defines defined computes computed calculates returns returned"))


@dataclass(frozen=True, slots=True)
class PassageWords:
    """Parsed text of a passage.

    Attributes:
        sentences: The sentences in order; a sentence never spans lines.
        lines: The line number of each sentence.
        stems: The stems of each sentence.
        held: The stems of all sentences.
        quantities: The numbers of the passage with the units that follow them.
        quotable: The sentences in normalised form. Sentences without a space between them are also included as one.
        language: BCP 47 tag of the page.
    """

    sentences: tuple[str, ...]
    lines: tuple[int, ...]
    stems: tuple[frozenset[str], ...]
    held: frozenset[str]
    quantities: Mapping[str, set[str]]
    quotable: tuple[str, ...]
    language: str = "en"

    @classmethod
    def of(cls, text: str, language: str = "en") -> Self:
        """Parse a passage."""
        placed = list(_placed_sentences(text, language, split_run_on))
        sentences = tuple(sentence for _, sentence in placed)
        stems = tuple(_stems(sentence, language) for sentence in sentences)
        return cls(
            sentences=sentences,
            lines=tuple(line for line, _ in placed),
            stems=stems,
            held=frozenset().union(*stems),
            quantities=quantities_of(text, language),
            quotable=tuple(dict.fromkeys(map(_plain, (*sentences, *sentences_of(text, language))))),
            language=language,
        )

    def covered(self, wanted: frozenset[str], span: int = 1) -> int:
        """Return the maximum number of wanted stems in any `span` consecutive sentences."""
        starts = range(max(1, len(self.stems) - span + 1))
        return max(len(wanted & frozenset().union(*self.stems[start : start + span])) for start in starts)

    def nearest(self, wanted: frozenset[str]) -> tuple[int, ...]:
        """Return the indices of the sentences with the most wanted stems; several indices if there is a tie."""
        counts = [len(wanted & stems) for stems in self.stems]
        return tuple(place for place, count in enumerate(counts) if count == max(counts))

    def around(self, place: int) -> str:
        """Return a sentence with its neighbours on the same line; other lines are other rows or items."""
        near = range(max(0, place - 1), min(len(self.sentences), place + 2))
        return " ".join(self.sentences[other] for other in near if self.lines[other] == self.lines[place])

    def quotes(self, sentence: str) -> bool:
        """Return whether a sentence equals a sentence of the passage, or the start of one."""
        quote = _plain(sentence)
        return bool(quote) and any(whole.startswith(quote) for whole in self.quotable)


def _stems(sentence: str, language: str) -> frozenset[str]:
    """Return a sentence's stems; for code that defines a function, add the stems of words that describe functions."""
    return frozenset(all_stems(sentence, language)) | (_SAID_OF_CODE if _DEFINES.search(sentence) else frozenset())


def sentences_of(text: str, language: str = "en") -> tuple[str, ...]:
    """Return the sentences of every line of a text."""
    return tuple(sentence for _, sentence in _placed_sentences(text, language))


def _placed_sentences(
    text: str, language: str, split: Callable[[str, str], list[tuple[int, int]]] = split_sentences
) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines()):
        if line.strip():
            yield from ((number, line[start:end]) for start, end in split(line, language))


def _plain(sentence: str) -> str:
    return " ".join(sentence.split()).rstrip(".!;: ").casefold()
