"""A passage taken apart once, for all the sentences that are held against it."""

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
    """Its sentences with their stems, and what it holds as a whole.

    Attributes:
        sentences: In order; lines are never joined.
        lines: The number of the line that each sentence is on.
        stems: Of each sentence.
        held: All stems together.
        quantities: Numbers with the units that follow them.
        quotable: The sentences without what is only layout; those that no blank parts also as one.
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
        """Take a passage apart."""
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
        """Return the most of the wanted stems that `span` neighbouring sentences hold together."""
        starts = range(max(1, len(self.stems) - span + 1))
        return max(len(wanted & frozenset().union(*self.stems[start : start + span])) for start in starts)

    def nearest(self, wanted: frozenset[str]) -> tuple[int, ...]:
        """Return the places of the sentences that hold most of the wanted stems; several when they hold as many."""
        counts = [len(wanted & stems) for stems in self.stems]
        return tuple(place for place, count in enumerate(counts) if count == max(counts))

    def around(self, place: int) -> str:
        """Return a sentence with its neighbours on the same line: other lines are other rows, items and statements."""
        near = range(max(0, place - 1), min(len(self.sentences), place + 2))
        return " ".join(self.sentences[other] for other in near if self.lines[other] == self.lines[place])

    def quotes(self, sentence: str) -> bool:
        """Whether a sentence is one of the passage's own, or the beginning of one."""
        quote = _plain(sentence)
        return bool(quote) and any(whole.startswith(quote) for whole in self.quotable)


def _stems(sentence: str, language: str) -> frozenset[str]:
    """Return a sentence's stems; of code that defines or returns something, also what anyone would call that."""
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
