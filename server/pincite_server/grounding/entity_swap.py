"""Entity swap detection: finds a name of the docs in place of another, such as `tmp_path` instead of `tmpdir`.

A sentence of the docs contradicts a claim if three conditions hold. It matches the rest of the claim, lacks the claim's
name, and has another name that the claim lacks. The claim still passes if sentences with its name, or next to such a
sentence, match the rest about as well. A sentence without a name ("This option ...") contradicts the claim if no
sentence near the claim's name matches nearly as well.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.search.languages import names_nouns, primary
from pincite_server.grounding.evidence import Evidence, plain_text
from pincite_server.grounding.names import CODE_SPAN, CONSTANTS, FLAG
from pincite_server.grounding.stems import GENERAL_WEIGHT, all_stems, asserted_stems, general_stems, respelled

__all__ = ("misplaces",)

# Chosen on true sentences of seven sites whose names were swapped for other names of the cited excerpts
# (`bench.written --seen --exchanged`). It detects 84 of 164 swaps instead of 23, and doubts 2 more of 360 true
# sentences. Margins of .08 to .15 give similar results.
_MARGIN = 0.1  # share of the weight of a claim's other stems
_BESIDE = 0.85  # factor for a sentence next to a sentence with the name: "Set `a`. It reads ..."
# Chosen on 266 undetected name swaps in answers from whole sections. It detects 48 of them and doubts 23 more of 1,389
# true sentences. With a margin of .3 and one sentence before instead of three, the numbers are 84 and 40.
_LONE_MARGIN = 0.4  # margin for a sentence without a name, whose subject may be some sentences before
_SUBJECT_BEFORE = 3
_ABOUT = 0.3  # least share of the other stems in a sentence about the claim
_FEWEST_STEMS = 2  # stems besides the name
_IDENTIFIER = re.compile(  # an option, a method, a decorator, a package, or a table of a configuration file
    r"[.\[]*(?:@(?![\w.-]+/))?((?:@[\w.-]+/)?[A-Za-z_$][\w$]*(?:[.-][\w$]+)*)(?=$|[-\]([:=* ])"
)
_NAME = re.compile(r"(?<=[\w,)'’] )[^\W\d_][\w.-]*\w")
_OPENING_NAME = re.compile(r"(?:[-*>] )?([A-Z][\w-]*) [A-Z]")  # "Loose Mode does not ..."
_FILE = re.compile(r".+\.(?:cfg|cjs|conf|css|html|ini|js|json|jsx|lock|md|mjs|py|toml|ts|tsx|txt|xml|ya?ml)")


@dataclass(frozen=True, slots=True)
class _Named:
    """A name in lower case, without the name of its parent object, and its span in the text."""

    kind: Literal["flag", "code", "name"]
    word: str
    start: int
    end: int

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the name in a result of `plain_text`."""
        return re.compile(rf"(?<![\w-]){re.escape(self.word)}(?!\w)", re.ASCII)


def misplaces(claim: str, cited: Evidence) -> bool:
    """Return whether a claim has a name where the matching sentences have another name of the same kind."""
    listed = [() if "\n" in sentence else tuple(_told_of(sentence, cited.language)) for sentence in cited.sentences]
    return any(_is_misplaced(one, claim, cited, listed) for one in _named(claim, cited.language))


def _named(text: str, language: str) -> Iterator[_Named]:
    """Yield the names of a text: flags and identifiers in code spans, and capitalised words within a sentence."""
    for match in CODE_SPAN.finditer(text):
        code = match.group(1).strip()
        flags = FLAG.findall(code)
        yield from (_Named("flag", flag.lower(), *match.span()) for flag in flags)
        name = _IDENTIFIER.match(code)
        if not flags and name and name.group(1).lower() not in CONSTANTS:
            whole = name.group(1).lower()
            yield _Named("code", whole if _FILE.fullmatch(whole) else whole.split(".")[-1], *match.span())
    if names_nouns(primary(language)):
        return  # the language capitalises all nouns
    for match in _NAME.finditer(CODE_SPAN.sub(lambda span: "x" * len(span.group()), text)):
        if match.group()[0].isupper():
            yield _Named("name", match.group().lower(), *match.span())


def _told_of(sentence: str, language: str) -> Iterator[_Named]:
    """Yield the names of a sentence of the docs, including a name at its start."""
    yield from _named(sentence, language)
    opening = _OPENING_NAME.match(sentence)
    if opening and asserted_stems(opening.group(1), language) and not names_nouns(primary(language)):
        yield _Named("name", opening.group(1).lower(), *opening.span(1))


def _is_misplaced(one: _Named, claim: str, cited: Evidence, listed: Sequence[Sequence[_Named]]) -> bool:
    weights = _weights(f"{claim[: one.start]} {claim[one.end :]}", cited)
    if len(weights) < _FEWEST_STEMS or _holds(one, " ".join(cited.headings), cited.heading_stems, cited.language):
        return False
    total, said = math.fsum(weights.values()), plain_text(claim)
    shares = [math.fsum(weights.get(stem, 0.0) for stem in stems) / total for stems in cited.stems]
    sentences = zip(cited.sentences, cited.stems, strict=True)
    has = [_holds(one, sentence, stems, cited.language) for sentence, stems in sentences]
    own = max(share * _nearness(has, place) for place, share in enumerate(shares))
    lone = max(share * _nearness(has, place, _SUBJECT_BEFORE) for place, share in enumerate(shares))
    prose = (share for share, sentence in zip(shares, cited.sentences, strict=True) if "\n" not in sentence)
    return max(prose, default=0.0) > lone + _LONE_MARGIN or any(
        share >= _ABOUT
        and share > own + _MARGIN
        and not there
        and any(other.kind == one.kind and not other.pattern.search(said) for other in names)
        for share, there, names in zip(shares, has, listed, strict=True)
    )


def _nearness(has: Sequence[bool], place: int, before: int = 1) -> float:
    """Return the weight of a sentence for a name: 1 if it has the name, `_BESIDE` if a near sentence has it, else 0.

    Near sentences are the `before` sentences before it and the one sentence after it.
    """
    return 1.0 if has[place] else _BESIDE if any(has[max(0, place - before) : place + 2]) else 0.0


def _weights(rest: str, cited: Evidence) -> dict[str, float]:
    """Return the idf weights of a claim's stems that occur in the cited excerpts."""
    general = general_stems(cited.language)
    held = {respelled(stem, cited.held) for stem in asserted_stems(rest, cited.language)} & cited.held
    counts = Counter(stem for stems in cited.stems for stem in held & stems)
    return {
        stem: (GENERAL_WEIGHT if stem in general else 1.0) * math.log(1 + len(cited.stems) / counts[stem])
        for stem in held
    }


def _holds(one: _Named, text: str, stems: frozenset[str], language: str) -> bool:
    """Return whether a sentence contains a name; names in prose match by stems, and code matches literally.

    In a sentence with code spans, an alphabetic code name such as `after` matches only within the spans. The prose may
    contain the same word with its ordinary meaning.
    """
    if one.kind == "name":
        return stems.issuperset(all_stems(one.word, language))
    if one.kind == "code" and one.word.isalpha() and "\n" not in text and CODE_SPAN.search(text):
        text = " ".join(CODE_SPAN.findall(text))
    return one.pattern.search(plain_text(text)) is not None
