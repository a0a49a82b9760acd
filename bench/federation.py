"""Ask questions of their own site alone and across all sites: how often the right site answers, and the cost.

    python -m bench.federation --index NAME=PATH ... --questions NAME=FILE ...

Questions are lines of JSON with `question`, and `gold` (`page`, `anchor`), `judged` (URL, anchor, grade of 3), or
`gold_url`. Questions of a `kind` other than `answerable` have no answer on their site. The bench asks each question of
its site alone, across all sites without a page, from a page of its own site, and from a page of another site (the next
in the list). Page figures use the first five results of search, section figures use the answer. Processor time is the
time of the process, without the loading.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread, as the sidecar does

# isort: split
from bench.quality.tables import print_table, share_cell

from pincite_core.urls import lookup_key
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, search_hits, search_with_evidence
from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.evaluation.shares import Share
from pincite_server.federation.federated_reply import FederatedQuestion, federated_reply
from pincite_server.federation.federated_site import FederatedSite, share_encodings
from pincite_server.federation.result_merging import merge_hits
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer, Citation, Refusal

FIRST = 5
RIGHT = 3  # the grade of a section that answers
ALONE, NO_PAGE, OWN_PAGE, OTHER_PAGE = "alone", "across", "from its page", "from another's"


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and the places that answer it, as page keys with anchors; none if the question has no answer."""

    site: str
    question: str
    gold: frozenset[tuple[str, str]]


@dataclass(slots=True)
class Counts:
    """Counts of the results of one way of asking."""

    of: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def main() -> None:
    options = _arguments()
    sites = {name: Answerer.open(place) for name, place in _named(options.index).items()}
    questions = [row for name, file in _named(options.questions).items() for row in _read(name, file, sites[name])]
    ways = {way: Counts() for way in (ALONE, NO_PAGE, OWN_PAGE, OTHER_PAGE)}
    for number, asked in enumerate(questions):
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(questions)}", end="", file=sys.stderr)
        for way, counts in ways.items():
            _ask(way, counts, sites, asked)
    _show(ways)


def _ask(way: str, counts: Counts, sites: Mapping[str, Answerer], asked: JudgedQuestion) -> None:
    if way == ALONE:
        hits = [(asked.site, hit.url) for hit in search_hits(sites[asked.site], asked.question, FIRST)]
        searched = process_time()
        reply = answer(sites[asked.site], Question(asked.question))
        cited = [(asked.site, citation) for citation in _cited(reply)]
    else:
        home = {NO_PAGE: None, OWN_PAGE: asked.site, OTHER_PAGE: _next(list(sites), asked.site)}[way]
        put = [
            FederatedSite(name, one, Question(asked.question, elsewhere=name != home)) for name, one in sites.items()
        ]
        hits = _search(put, asked.question)
        searched = process_time()
        reply = asyncio.run(_reply(put))
        cited = [(citation.stable_id.partition(":")[0], citation) for citation in _cited(reply)]
    counts.seconds += process_time() - searched
    _count(counts.of, asked, hits, reply, cited)


def _search(put: Sequence[FederatedSite], query: str) -> list[tuple[str, str]]:
    found = [(site, *search_with_evidence(site.answerer, query, FIRST)) for site in share_encodings(put)]
    return [(hit.stable_id.partition(":")[0], hit.url) for hit in merge_hits(found, FIRST)]


async def _reply(put: Sequence[FederatedSite]) -> Answer | Refusal:
    async def offload(function: Any, *arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    asked = FederatedQuestion(tuple(put))
    return (await ReplyBroadcast(partial(federated_reply, asked, offload)).outcome()).reply


def _cited(reply: Answer | Refusal) -> Sequence[Citation]:
    return reply.citations if isinstance(reply, Answer) else ()


def _count(
    of: Counter[str],
    asked: JudgedQuestion,
    hits: Sequence[tuple[str, str]],
    reply: Answer | Refusal,
    cited: Sequence[tuple[str, Citation]],
) -> None:
    if not asked.gold:
        of["unanswered"] += 1
        of["unanswered, refused"] += isinstance(reply, Refusal)
        return
    pages = {page for page, _ in asked.gold}
    found = [site == asked.site and lookup_key(url) in pages for site, url in hits]
    used = [site for site, citation in cited if citation.used]
    of["answerable"] += 1
    of["page first"] += any(found[:1])
    of["page among five"] += any(found)
    of["refused"] += isinstance(reply, Refusal)
    of["right site answers"] += bool(used) and used[0] == asked.site
    of["another site answers"] += bool(used) and used[0] != asked.site
    of["section cited"] += any(site == asked.site and _is_gold(one, asked.gold) for site, one in cited)
    of["section used"] += any(site == asked.site and one.used and _is_gold(one, asked.gold) for site, one in cited)


def _is_gold(citation: Citation, gold: frozenset[tuple[str, str]]) -> bool:
    return (lookup_key(citation.url or ""), citation.anchor or "") in gold


def _next(names: Sequence[str], name: str) -> str:
    return names[(names.index(name) + 1) % len(names)]


def _show(ways: Mapping[str, Counts]) -> None:
    answerable = ("page first", "page among five", "section cited", "section used", "right site answers")
    rows = {name: [_cell(one.of[name], one.of["answerable"]) for one in ways.values()] for name in answerable}
    for name in ("another site answers", "refused"):
        rows[name] = [_cell(one.of[name], one.of["answerable"]) for one in ways.values()]
    rows["refused, as its site does not answer"] = [
        _cell(one.of["unanswered, refused"], one.of["unanswered"]) for one in ways.values()
    ]
    asked = [one.of["answerable"] + one.of["unanswered"] for one in ways.values()]
    rows["processor time an answer, ms"] = [
        f"{1000 * one.seconds / max(1, count):.1f}" for one, count in zip(ways.values(), asked, strict=True)
    ]
    print_table("", list(ways), rows)


def _cell(hits: int, total: int) -> str:
    return share_cell(Share(hits, total))


def _read(name: str, file: Path, site: Answerer) -> Iterable[JudgedQuestion]:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = frozenset(_places(row, site.index.info.base_url)) if row.get("kind") == "answerable" else frozenset()
        if row["question"] and (gold or row.get("kind") != "answerable"):
            yield JudgedQuestion(name, row["question"], gold)


def _places(row: Mapping[str, Any], base_url: str) -> Iterable[tuple[str, str]]:
    for place in row.get("gold", ()):
        yield lookup_key(base_url + place["page"]), place["anchor"]
    for url, anchor, grade in row.get("judged", ()):
        if grade == RIGHT:
            yield lookup_key(url), anchor
    if url := row.get("gold_url_current") or row.get("gold_url"):
        yield lookup_key(url), row.get("gold_anchor") or ""


def _named(assignments: Iterable[str]) -> dict[str, Path]:
    return {name: Path(place) for name, _, place in (one.partition("=") for one in assignments)}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", action="append", required=True, metavar="NAME=PATH")
    parser.add_argument("--questions", action="append", required=True, metavar="NAME=FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
