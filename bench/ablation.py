"""Measure what each part of search adds: leave out one part at a time, on judged questions.

    python bench/ablation.py --data DIR [--index SITE=PATH ...]

DIR holds `eval/questions.jsonl`, `eval/qrels.jsonl` and the sites, as for `python -m bench.quality`. Shares are of the
clear questions, with 95 % Wilson intervals. The last column counts the questions whose first section changed. With few
questions, a share may stay the same because two changes cancel out.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.quality.indexes import open_sites
from bench.quality.judgements import JudgedQuestion, read_judgements
from bench.quality.places import Place
from bench.quality.retrieval import Judged, Run, measure

from pincite_core.search.fusion import OTHER_PLACES, FusionWeights
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.urls import join_fragment
from pincite_server.answerer import Answerer
from pincite_server.evaluation.shares import Share
from pincite_server.question.scope import choose_scope

MEASURED = ("page@1", "page@5", "section@1", "section@5")
RANKED = 10


def main() -> None:
    options = _arguments()
    judgements = read_judgements(options.data / "eval")
    with tempfile.TemporaryDirectory() as scratch:
        answerers = open_sites(options.data, dict(options.index), sorted(judgements), Path(scratch))
        asked = [(answerers[site], item) for site, questions in judgements.items() for item in questions.answerable]
        whole = _ranks(asked, OTHER_PLACES)
        print(f"{'':16}" + "".join(f"{name:>16}" for name in (*MEASURED, "first changed")))
        for name, weights in _variants():
            _print(name, _ranks(asked, weights), whole)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--index", type=_named_path, action="append", default=[], metavar="SITE=PATH")
    return parser.parse_args()


def _named_path(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    return name, Path(path)


def _variants() -> Iterator[tuple[str, FusionWeights]]:
    yield "all", OTHER_PLACES
    for ranker in fields(FusionWeights):
        yield f"without {ranker.name}", replace(OTHER_PLACES, **{ranker.name: 0.0})


def _ranks(asked: list[tuple[Answerer, JudgedQuestion]], weights: FusionWeights) -> list[Judged]:
    return [Judged(item, _rank(answerer, item.question, weights), None) for answerer, item in asked]


def _rank(answerer: Answerer, question: str, weights: FusionWeights) -> list[Place]:
    index = answerer.index
    query = parse_query(question)
    asked = answerer.encode(query.text)
    scope_ids = choose_scope(index)[0].scope_ids
    found = search(index, asked.vector, query, scope_ids, RANKED, weights, asked.tokens)
    targets = [index.target(section.landing_id) for section in found.sections]
    return [(join_fragment(index.page(target.page_id).url, target.anchor), target.anchor) for target in targets]


def _print(name: str, ranks: list[Judged], whole: list[Judged]) -> None:
    shares = measure(Run(tuple(ranks), ()))
    changed = sum(one.ranked[:1] != other.ranked[:1] for one, other in zip(ranks, whole, strict=True))
    print(f"{name:16}" + "".join(f"{_told(shares[key]):>16}" for key in MEASURED) + f"{changed:>16}", flush=True)


def _told(share: Share) -> str:
    low, high = share.interval
    return f"{share.value or 0:.2f} {low:.2f}-{high:.2f}"


if __name__ == "__main__":
    main()
