"""Result merging: rank the replies of several sites, and merge their citations or search results into one list."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from msgspec.structs import replace

from pincite_server.answering.citations import MAX_CITATIONS
from pincite_server.answering.generation import PreparedAnswer
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import NEAREST
from pincite_server.federation.federated_site import FederatedSite
from pincite_server.reply.records import Answer, AnsweredScope, Citation, Refusal, ReplyHead, SearchHit

__all__ = ("SiteHits", "SiteReply", "merge_hits", "merge_replies", "rank_replies", "scope_of")

MOST_OTHERS = 3  # other sites whose best section is listed below an answer
HOME_ODDS = 2.0
"""Factor on the odds of the page's own site, chosen on six sites. Of 14 questions that another site would answer, nine
return to the page's site. Two questions from another site's page stay there by mistake."""
_LEAST = 5e-5  # evidence is rounded to four digits

SiteHits = tuple[FederatedSite, Sequence[SearchHit], float]
"""A site, its places best first, and the probability that its docs hold an answer, 0 to 1."""


@dataclass(frozen=True, slots=True)
class SiteReply:
    """One site's quoted reply, with the context from which a model may write."""

    site: FederatedSite
    prepared: PreparedAnswer

    @property
    def reply(self) -> Answer | Refusal:
        """The reply of the site alone."""
        return self.prepared.outcome.reply

    @property
    def refuses(self) -> bool:
        """Whether the site has neither an answer nor context for a model."""
        return isinstance(self.reply, Refusal) and self.prepared.context is None

    @property
    def evidence(self) -> float:
        """The probability that the site's docs hold the answer, 0 to 1."""
        context = self.prepared.context
        return context.evidence if context is not None else self.reply.evidence


def rank_replies(replies: Sequence[SiteReply]) -> list[SiteReply]:
    """Return the replies by falling evidence, answers before refusals. The odds of the page's own site are raised.

    Evidence is a probability that is calibrated for each site. Refusals of an empty site come last.
    """

    def rank(one: SiteReply) -> tuple[bool, bool, float]:
        reply = one.reply
        empty = isinstance(reply, Refusal) and reply.code == "empty_index"
        evidence = min(max(one.evidence, _LEAST), 1 - _LEAST)
        odds = evidence / (1 - evidence) * (HOME_ODDS if one.site.is_home else 1.0)
        return (one.refuses, empty, -odds)

    return sorted(replies, key=rank)


def merge_replies(outcome: Outcome, ranked: Sequence[SiteReply]) -> Outcome:
    """Return the first site's reply with citations of the other sites.

    An answer lists the best section of each other site that has an answer, in place of unused sections of the first
    site. A refusal lists the nearest sections of the sites in turn.

    `outcome` is the reply of the first site, quoted or written by a model. `ranked` are all replies, best first.
    """
    reply, first = outcome.reply, ranked[0].site
    if isinstance(reply, Answer):
        own = [first.labelled(citation) for citation in reply.citations]
        used = [citation for citation in own if citation.used]
        others = [one for one in ranked[1:] if isinstance(one.reply, Answer)][:MOST_OTHERS]
        best = [place for one in others for place in islice(_places(one), 1)]
        unused = [citation for citation in own if not citation.used]
        citations = (*used, *best, *unused[: max(0, MAX_CITATIONS - len(used) - len(best))])
        answer = replace(reply, citations=citations, scope=scope_of(reply, [first]))
        return dataclasses.replace(outcome, reply=answer)
    nearest = [[first.labelled(citation) for citation in reply.nearest]]
    nearest += [list(_places(other)) for other in ranked[1:]]
    shown = [one for row in zip_longest(*nearest) for one in row if one is not None][:NEAREST]
    refusal = replace(reply, nearest=tuple(shown), scope=scope_of(reply, [one.site for one in ranked]))
    return dataclasses.replace(outcome, reply=refusal)


def scope_of(head: ReplyHead, sites: Sequence[FederatedSite]) -> AnsweredScope:
    """Return the scope of a reply with the titles of its sites."""
    return replace(head.scope, site=", ".join(site.title for site in sites))


def _places(one: SiteReply) -> Iterator[Citation]:
    """Yield the citations of a reply that is not shown, best first."""
    reply = one.reply
    for citation in reply.citations if isinstance(reply, Answer) else reply.nearest:
        yield one.site.labelled(replace(citation, n=None, used=False))


def merge_hits(found: Iterable[SiteHits], k: int) -> tuple[SearchHit, ...]:
    """Return the `k` best places of several sites; a score is the score within its site times the site's evidence."""
    weighed = [
        replace(site.labelled(hit), score=round(hit.score * evidence, 4))
        for site, hits, evidence in found
        for hit in hits
    ]
    return tuple(sorted(weighed, key=lambda hit: -hit.score)[:k])
