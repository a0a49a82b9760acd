"""Which of several sites' replies a reader gets, and what of the others stands below it."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from msgspec.structs import replace

from pincite_server.answering.across.asked_site import AskedSite
from pincite_server.answering.citations import MAX_CITATIONS
from pincite_server.answering.material import Prepared
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import NEAREST
from pincite_server.reply.records import Answer, AnsweredScope, Citation, Refusal, ReplyHead

__all__ = ("SiteReply", "best_first", "of_site", "scope_of", "with_others")

MOST_OTHERS = 3  # sites whose best section stands below an answer; a fourth is no longer near
HOME_ODDS = 2.0
"""By how much the odds of the page's own site count more: chosen on six sites, of whose 14 questions that another site
would answer nine come home, for two that are asked from another's page and should not stay there."""
_LEAST = 5e-5  # evidence is told to four digits


@dataclass(frozen=True, slots=True)
class SiteReply:
    """What one site replies: in its own words, and from which `material` a model is to write, if it is to.

    `queries` were searched for.
    """

    site: AskedSite
    prepared: Prepared
    queries: tuple[str, ...] = ()

    @property
    def reply(self) -> Answer | Refusal:
        """The reply as the site alone would give it."""
        return self.prepared.outcome.reply

    @property
    def refuses(self) -> bool:
        """Whether it has no answer, nor anything that a model may find one in."""
        return isinstance(self.reply, Refusal) and self.prepared.material is None

    @property
    def evidence(self) -> float:
        """How likely its docs hold the answer, 0 to 1."""
        material = self.prepared.material
        return material.evidence if material is not None else self.reply.evidence


def best_first(replies: Sequence[SiteReply]) -> list[SiteReply]:
    """Return the replies, answers before refusals, in the order of their evidence; the page's site before near ones.

    Evidence is a probability that each site has calibrated for itself. Refusals of a site that is empty come last.
    """

    def rank(one: SiteReply) -> tuple[bool, bool, float]:
        reply = one.reply
        empty = isinstance(reply, Refusal) and reply.code == "empty_index"
        return (one.refuses, empty, -_odds(one))

    return sorted(replies, key=rank)


def _odds(one: SiteReply) -> float:
    evidence = min(max(one.evidence, _LEAST), 1 - _LEAST)
    return evidence / (1 - evidence) * (HOME_ODDS if one.site.is_home else 1.0)


def with_others(outcome: Outcome, ranked: Sequence[SiteReply]) -> Outcome:
    """Return the first site's reply with each place's site, and what the others have to say to the question.

    Below an answer that is the best section of each other site that would have answered, in place of those of the first
    that the answer does not use; among the nearest sections of a refusal those of several sites.

    Args:
        outcome: The reply of the first, in the docs' own words or a model's.
        ranked: All replies, best first.
    """
    reply, first = outcome.reply, ranked[0].site
    if isinstance(reply, Answer):
        own = [of_site(citation, first) for citation in reply.citations]
        citations = _joined(own, list(_best_of_others(ranked[1:])))
        answer = replace(reply, citations=citations, scope=scope_of(reply, [first]))
        return dataclasses.replace(outcome, reply=answer)
    nearest = [[of_site(citation, first) for citation in reply.nearest]]
    nearest += [list(_places(other)) for other in ranked[1:]]
    shown = [one for row in zip_longest(*nearest) for one in row if one is not None][:NEAREST]
    refusal = replace(reply, nearest=tuple(shown), scope=scope_of(reply, [one.site for one in ranked]))
    return dataclasses.replace(outcome, reply=refusal)


def scope_of(head: ReplyHead, sites: Sequence[AskedSite]) -> AnsweredScope:
    """Return the filter of a reply with the sites that it is of."""
    return replace(head.scope, site=", ".join(site.title for site in sites))


def of_site(citation: Citation, site: AskedSite) -> Citation:
    """Return a citation that says which site it is of, whichever page it is shown on."""
    return replace(
        citation,
        site=site.title,
        heading_path=(site.title, *citation.heading_path),
        url=citation.url and site.address(citation.url),
        stable_id=site.stable_id(citation.stable_id),
    )


def _best_of_others(others: Sequence[SiteReply]) -> Iterator[Citation]:
    answers = [one for one in others if isinstance(one.reply, Answer)]
    for one in answers[:MOST_OTHERS]:
        yield from islice(_places(one), 1)


def _joined(own: Sequence[Citation], others: Sequence[Citation]) -> tuple[Citation, ...]:
    """Return what is used, the others' best, and of what only qualifies as much as makes up the usual number."""
    used = [citation for citation in own if citation.used]
    further = [citation for citation in own if not citation.used]
    return (*used, *others, *further[: max(0, MAX_CITATIONS - len(used) - len(others))])


def _places(one: SiteReply) -> Iterator[Citation]:
    """Yield where a reply that is not shown leads to, the best first."""
    reply = one.reply
    for citation in reply.citations if isinstance(reply, Answer) else reply.nearest:
        yield of_site(replace(citation, n=None, used=False), one.site)
