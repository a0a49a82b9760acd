"""Citation coverage: every claim cites something."""

from collections.abc import Sequence

from pincite_server.guards.chain import Draft, Finding

__all__ = ("CitationRequired",)


class CitationRequired:
    """Finds `missing_citation` in an answer without claims, or with a claim that cites nothing."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each uncited claim."""
        if not draft.claims:
            return [Finding("missing_citation", "hard")]
        return [Finding("missing_citation", "hard", claim.text) for claim in draft.claims if claim.evidence is None]
