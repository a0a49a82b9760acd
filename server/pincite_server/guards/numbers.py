"""Numbers and their units: each one in a claim stands in what the claim cites."""

from collections.abc import Sequence

from pincite_server.grounding.quantities import numbers_of, spelled_numbers_of
from pincite_server.guards.chain import Draft, Finding

__all__ = ("NumericUnitsBasic",)


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


def _known(evidence: str) -> set[str]:
    return numbers_of(evidence) | spelled_numbers_of(evidence)
