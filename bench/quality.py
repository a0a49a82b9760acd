"""Ask an index the questions of a file and print how good the answers are, with 95 % Wilson intervals.

    python bench/quality.py [--index DIR] [--questions FILE.yml] [--misses]

Without options: the example site's own questions, asked of its index (build it with `make site`). Each is asked twice:
with the index's calibrated evidence, and with the fixed cosine of 0.35. --misses names every question that went wrong.
"""

import argparse
import math
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from pincite_core.urls import lookup_key, split_fragment
from pincite_server.answering.pipeline import answer
from pincite_server.engine import Engine
from pincite_server.model import Answer, Citation, Question, Refusal
from pincite_server.policy import Policy

SITE = Path(__file__).parents[1] / "examples" / "site"
Z = 1.96  # 95 %
POLICIES = {"calibrated": Policy(), "cosine 0.35": Policy(evidence_mode="cosine")}


def main() -> None:
    options = _arguments()
    rows = yaml.safe_load(options.questions.read_text(encoding="utf-8"))
    for name, policy in POLICIES.items():
        engine = Engine.open(options.index, policy=policy)
        counts: Counter[str] = Counter()
        for row in rows:
            _judge(engine, row, counts, misses=options.misses)
        _print(name, counts)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, default=SITE / "build")
    parser.add_argument("--questions", type=Path, default=SITE / "questions.yml")
    parser.add_argument("--misses", action="store_true")
    return parser.parse_args()


def _judge(engine: Engine, row: dict[str, Any], counts: Counter[str], *, misses: bool) -> None:
    question = Question(row["question"], version=row.get("version"), locale=row.get("locale"))
    reply = answer(engine, question)
    refused = isinstance(reply, Refusal)
    if row.get("refuse"):
        counts["foreign"] += 1
        counts["foreign refused"] += refused
        verdict = "" if refused else "answered, but the docs do not say"
    elif isinstance(reply, Answer):
        verdict = _judge_answer(reply, row, counts)
    else:
        counts["answerable"] += 1
        counts["wrongly refused"] += 1
        verdict = "refused"
    if misses and verdict:
        print(f"{verdict:36} {row['question']}")


def _judge_answer(reply: Answer, row: dict[str, Any], counts: Counter[str]) -> str:
    expected = [row["expect"]] if isinstance(row["expect"], str) else row["expect"]
    sections = [any(_is(citation, place) for place in expected) for citation in reply.citations]
    pages = [any(_is_page(citation, place) for place in expected) for citation in reply.citations]
    counts.update({"answerable": 1, "answered": 1, "page cited": any(pages), "section cited": any(sections)})
    counts["section cited first"] += sections[0]
    return "" if any(sections) else "page only" if any(pages) else "another page"


def _is(citation: Citation, place: str) -> bool:
    if place.startswith("/"):
        url = citation.url or ""
        return (lookup_key(url), split_fragment(url)[1]) == (lookup_key(place), split_fragment(place)[1])
    return citation.stable_id == place


def _is_page(citation: Citation, place: str) -> bool:
    if place.startswith("/"):
        return lookup_key(citation.url or "") == lookup_key(place)
    return citation.stable_id.partition("#")[0] == place.partition("#")[0]


def _print(name: str, counts: Counter[str]) -> None:
    print(f"\n{name}")
    for what, of in (
        ("wrongly refused", "answerable"),
        ("page cited", "answered"),
        ("section cited", "answered"),
        ("section cited first", "answered"),
        ("foreign refused", "foreign"),
    ):
        low, high = _wilson(counts[what], counts[of])
        print(f"  {what:20} {counts[what]:4} of {counts[of]:<4} {low:.2f} to {high:.2f}")


def _wilson(hits: int, total: int) -> tuple[float, float]:
    if not total:
        return 0.0, 1.0
    share, square = hits / total, Z * Z
    middle = share + square / (2 * total)
    spread = Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    return (middle - spread) / (1 + square / total), (middle + spread) / (1 + square / total)


if __name__ == "__main__":
    main()
