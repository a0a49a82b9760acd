"""Numbers and their units: each one in a claim stands in what the claim cites."""

import re
from collections.abc import Sequence

from pincite_server.guards.chain import Draft, Finding

__all__ = ("NumericUnitsBasic", "numbers_of")

_NUMBER = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)\s?(%|[kKMGT]i?B|[mµun]?s\b|ms\b|[a-z]{1,3}\b)?")
_SPELLED = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_SPELLED_WORD = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE)


class NumericUnitsBasic:
    """Finds `unsupported_number` for a number that the evidence of its claim does not hold."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each such number."""
        context = "\n".join(draft.context)
        return [
            Finding("unsupported_number", "hard", number)
            for claim in draft.claims
            for number in sorted(numbers_of(claim.text) - _known(context if claim.evidence is None else claim.evidence))
        ]


def numbers_of(text: str) -> set[str]:
    """Return the numbers of a text, without thousands separators or trailing zeros after a point."""
    return {_plain(match.group(1)) for match in _NUMBER.finditer(text)}


def _known(evidence: str) -> set[str]:
    spelled = {_SPELLED[match.group().lower()] for match in _SPELLED_WORD.finditer(evidence)}
    return numbers_of(evidence) | spelled


def _plain(number: str) -> str:
    joined = re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")
    return joined.rstrip("0").rstrip(".") if joined.count(".") == 1 else joined
