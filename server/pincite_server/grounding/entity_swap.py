"""Names of the docs in another's place: "`tmp_path` is for old tests" where they say it of `tmpdir`.

A sentence of the docs that says the rest of a claim, lacks the claim's name and has one that the claim lacks speaks
against it, unless those that have the name, or stand beside one that has, say about as much of the rest. One without a
name ("This option ...") speaks against it where no sentence near one that has the name says nearly as much.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.search.languages import names_nouns, primary
from pincite_server.grounding.code_names import CONSTANTS
from pincite_server.grounding.evidence import Evidence, plain_text
from pincite_server.grounding.general_words import general_stems
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("misplaces",)

# Chosen on names of seven sites' true sentences that were exchanged for others of the cited excerpts (`bench.written
# --seen --exchanged`): of 164, 84 are caught instead of 23, and 2 of 360 true sentences are doubted more. Margins of
# .08 to .15 do about as well.
_MARGIN = 0.1  # of the weight of a claim's other stems
_BESIDE = 0.85  # what a sentence beside one that has the name counts for: "Set `a`. It reads ..."
# Chosen on exchanged names of answers from whole sections, of which 266 were missed: 48 of them are caught, and 23 of
# 1,389 true sentences are doubted more. With .3, and one sentence before instead of three, 84 and 40.
_LONE_MARGIN = 0.4  # the same for a sentence without a name, whose subject may stand some sentences before it
_SUBJECT_BEFORE = 3
_ABOUT = 0.3  # share of the other stems from which a sentence is about the claim at all
_FEWEST_STEMS = 2  # besides the name
_GENERAL_WEIGHT = 0.25  # as where the nearest sentences are looked for
_SPAN = re.compile(r"`+([^`]+)`+")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_IDENTIFIER = re.compile(  # an option, a method, a decorator, a package, a table of a configuration
    r"[.\[]*(?:@(?![\w.-]+/))?((?:@[\w.-]+/)?[A-Za-z_$][\w$]*(?:[.-][\w$]+)*)(?=$|[-\]([:=* ])"
)
_NAME = re.compile(r"(?<=[\w,)'’] )[^\W\d_][\w.-]*\w")
_OPENING_NAME = re.compile(r"(?:[-*>] )?([A-Z][\w-]*) [A-Z]")  # "Loose Mode does not ..."
_FILE = re.compile(r".+\.(?:cfg|cjs|conf|css|html|ini|js|json|jsx|lock|md|mjs|py|toml|ts|tsx|txt|xml|ya?ml)")


@dataclass(frozen=True, slots=True)
class _Named:
    """A name of a text, in lower case and without what it belongs to, and where it stands there."""

    kind: Literal["flag", "code", "name"]
    word: str
    start: int
    end: int

    @property
    def pattern(self) -> re.Pattern[str]:
        """What finds the name in a `plain_text`."""
        return re.compile(rf"(?<![\w-]){re.escape(self.word)}(?!\w)", re.ASCII)


def misplaces(claim: str, cited: Evidence) -> bool:
    """Whether a claim has a name where the sentences that say the rest of it have another of the same kind."""
    listed = [() if "\n" in sentence else tuple(_told_of(sentence, cited.language)) for sentence in cited.sentences]
    return any(_is_misplaced(one, claim, cited, listed) for one in _named(claim, cited.language))


def _named(text: str, language: str) -> Iterator[_Named]:
    """Yield the names of a text: flags and identifiers set as code, and words with a capital inside a sentence."""
    for match in _SPAN.finditer(text):
        code = match.group(1).strip()
        flags = _FLAG.findall(code)
        yield from (_Named("flag", flag.lower(), *match.span()) for flag in flags)
        name = _IDENTIFIER.match(code)
        if not flags and name and name.group(1).lower() not in CONSTANTS:
            whole = name.group(1).lower()
            yield _Named("code", whole if _FILE.fullmatch(whole) else whole.split(".")[-1], *match.span())
    if names_nouns(primary(language)):
        return  # a capital means nothing there
    for match in _NAME.finditer(_SPAN.sub(lambda span: "x" * len(span.group()), text)):
        if match.group()[0].isupper():
            yield _Named("name", match.group().lower(), *match.span())


def _told_of(sentence: str, language: str) -> Iterator[_Named]:
    """Yield the names of a sentence of the docs: one that it opens with too, as a claim opens with any word."""
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
        share >= _ABOUT and share > own + _MARGIN and not there and _has_another(one, names, said)
        for share, there, names in zip(shares, has, listed, strict=True)
    )


def _nearness(has: Sequence[bool], place: int, before: int = 1) -> float:
    """Return how much what a sentence says is said of a name: one that has it, one beside such a one, another.

    `before` is how many sentences before one count as beside it; after it, one does.
    """
    return 1.0 if has[place] else _BESIDE if any(has[max(0, place - before) : place + 2]) else 0.0


def _has_another(one: _Named, names: Sequence[_Named], said: str) -> bool:
    """Whether a name of the same kind is among some that a claim, as `plain_text`, does not have."""
    return any(other.kind == one.kind and not other.pattern.search(said) for other in names)


def _weights(rest: str, cited: Evidence) -> dict[str, float]:
    """Return the stems of a claim that its excerpts hold; the fewer sentences have one, the more it tells."""
    general = general_stems(cited.language)
    held = {respelled(stem, cited.held) for stem in asserted_stems(rest, cited.language)} & cited.held
    counts = Counter(stem for stems in cited.stems for stem in held & stems)
    return {
        stem: (_GENERAL_WEIGHT if stem in general else 1.0) * math.log(1 + len(cited.stems) / counts[stem])
        for stem in held
    }


def _holds(one: _Named, text: str, stems: frozenset[str], language: str) -> bool:
    """Whether a sentence has a name: one in prose however it is inflected, code letter by letter.

    A sentence that sets something as code says a word like `after` in prose as well; there code alone counts.
    """
    if one.kind == "name":
        return stems.issuperset(all_stems(one.word, language))
    if one.kind == "code" and one.word.isalpha() and "\n" not in text and _SPAN.search(text):
        text = " ".join(_SPAN.findall(text))
    return one.pattern.search(plain_text(text)) is not None
