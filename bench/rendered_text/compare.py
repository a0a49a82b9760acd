"""Compare the words that a reader sees on a page with the words of its index, as multisets in both directions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from bench.rendered_text.index_text import IndexWord

__all__ = ("Comparison", "Difference", "SeenWord", "compare", "is_number")


@dataclass(frozen=True, slots=True)
class SeenWord:
    """Word on the page. `kind` is its explanation, or empty.

    The index may repeat a `repeated` word, and may join a `soft` word to the word before.
    """

    text: str
    run: int
    offset: int
    kind: str = ""
    repeated: bool = False
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Unexplained difference: a word on the page that the index lacks, or a word in the index that nobody sees."""

    text: str
    seen: SeenWord | None = None
    context: str = ""  # in the index


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result for one page: counts of words and numbers, and its differences."""

    words: int = 0
    numbers: int = 0
    missing: list[Difference] = field(default_factory=list)
    extra: list[Difference] = field(default_factory=list)
    outside: list[SeenWord] = field(default_factory=list)  # words in the landmark around the content, but not in it
    explained: list[SeenWord] = field(default_factory=list)  # words that the index lacks, and may lack


FOLDED = "folded"
"""Kind of the words that readers see only if they ask for them; the index may have them."""

OUTSIDE = "outside"
"""Kind of the words that are not in the content."""

_Word = TypeVar("_Word", "SeenWord", IndexWord)


def is_number(word: str) -> bool:
    """Return whether a word counts as a number: a digit is its first character, or follows its sign."""
    return word.lstrip("+-")[:1].isdigit()


def compare(seen: Sequence[SeenWord], index: Sequence[IndexWord]) -> Comparison:
    """Compare a page's words with its index's words.

    Headers of rows and columns, cells that span rows, and labels of tabs may be repeated by the index. Of such words
    one is required, and any number is allowed.
    """
    outside = [word for word in seen if word.kind == OUTSIDE]
    seen = _joined([word for word in seen if word.kind != OUTSIDE], {word.text for word in index})
    required = Counter(word.text for word in seen if not word.kind and not word.repeated)
    repeatable = {word.text for word in seen if word.repeated and not word.kind}
    required.update(repeatable)
    explained = Counter(word.text for word in seen if word.kind)
    optional = Counter(word.text for word in index if word.optional)
    single = Counter(word.text for word in index if not word.repeated and not word.optional)
    repeated = Counter({word.text for word in index if word.repeated})
    shown = Counter({word.text for word in index if word.repeated and not word.optional})
    held = single + repeated
    lacked = {word.run for word in outside if word.text not in held}
    lacking = required - held
    surplus = (single | shown) - required - explained  # a repeated word counts only if nothing else has it
    for text in repeatable:
        del surplus[text]
    return Comparison(
        words=sum(required.values()) + sum(word.kind not in {"", FOLDED} for word in seen),
        numbers=sum(count for text, count in (required + explained).items() if is_number(text)),
        missing=[Difference(word.text, seen=word) for word in _missing(seen, index, lacking)],
        extra=[Difference(word.text, context=word.context) for word in _extra(seen, index, surplus)],
        outside=[word for word in outside if word.run in lacked],
        explained=_explained(seen, held + optional, required),
    )


def _joined(seen: Sequence[SeenWord], held: Set[str]) -> list[SeenWord]:
    """Join soft words to the words before where the index has them as one word."""
    words: list[SeenWord] = []
    place = 0
    while place < len(seen):
        end = place + 1
        while end < len(seen) and seen[end].soft:
            end += 1
        texts = ["".join(word.text for word in seen[place:stop]) for stop in range(end, place, -1)]
        text = next((text for text in texts[:-1] if text in held), seen[place].text)
        words.append(replace(seen[place], text=text))
        place += len(texts) - texts.index(text)
    return words


def _explained(seen: Iterable[SeenWord], held: Counter[str], required: Counter[str]) -> list[SeenWord]:
    left = held - required
    explained = []
    for word in seen:
        if word.kind not in {"", FOLDED} and not (word.repeated and held[word.text]):
            if left[word.text] > 0:
                left[word.text] -= 1
            else:
                explained.append(word)
    return explained


def _missing(seen: Sequence[SeenWord], index: Sequence[IndexWord], lacking: Counter[str]) -> list[SeenWord]:
    """Return which of the equal words on the page are missing, as far as their neighbours tell."""
    words = [word for word in seen if not word.kind]
    return _take(words, index, lacking) if lacking else []


def _extra(seen: Sequence[SeenWord], index: Sequence[IndexWord], surplus: Counter[str]) -> list[IndexWord]:
    return _take(index, seen, surplus) if surplus else []


def _take(words: Sequence[_Word], others: Sequence[SeenWord | IndexWord], counts: Counter[str]) -> list[_Word]:
    """Return as many words as counted, first those that have the fewest of their neighbours in the other text."""
    known = set(_pairs(others))
    pairs = [pair in known for pair in _pairs(words)]
    likeness = [before + after for before, after in pairwise(pairs)]
    left, taken = Counter(counts), []
    for place in sorted(range(len(words)), key=lambda place: likeness[place]):
        if left[words[place].text] > 0:
            left[words[place].text] -= 1
            taken.append(place)
    return [words[place] for place in sorted(taken)]


def _pairs(words: Sequence[SeenWord | IndexWord]) -> Iterator[tuple[str, str]]:
    texts = ["", *(word.text for word in words), ""]
    return pairwise(texts)
