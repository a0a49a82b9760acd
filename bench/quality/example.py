"""The example site's own questions, asked with the index's calibrated evidence and with the fixed cosine of 0.35."""

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

__all__ = ("report_example",)

SITE = Path(__file__).parents[2] / "examples" / "site"
Z = 1.96  # 95 %
POLICIES = {"calibrated": Policy(), "cosine 0.35": Policy(evidence_mode="cosine")}


def report_example(*, misses: bool) -> None:
    """Print how good the answers are; `misses` names every question that went wrong."""
    rows = yaml.safe_load((SITE / "questions.yml").read_text(encoding="utf-8"))
    for name, policy in POLICIES.items():
        engine = Engine.open(SITE / "build", policy=policy)
        counts: Counter[str] = Counter()
        for row in rows:
            _judge(engine, row, counts, misses=misses)
        _print(name, counts)


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
