"""Differential test: the sidecar and the browser give the same replies about random sites.

Run more cases, or others, with:

    export PINCITE_DIFFERENTIAL_CASES=20000 PINCITE_DIFFERENTIAL_SEED=7
    pytest -s tests/integration/test_browser_differential.py
"""

import difflib
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import engine
from tests.integration.browser_engine import (
    Asked,
    BrowserEngine,
    build_files,
    reply_without_ids,
    sidecar_reply,
    sidecar_search_by_words,
)
from tests.integration.random_sites import Ask, Site, asks, files_of, markdown_of, sites

from pincite_core.index.read import Index
from pincite_core.search import engine as search_engine
from pincite_core.search.ranking import SECTIONS_FOR_COVERAGE
from pincite_indexer.browser_bundle import files as bundle

CASES = int(os.environ.get("PINCITE_DIFFERENTIAL_CASES", "500"))
SEED = int(os.environ.get("PINCITE_DIFFERENTIAL_SEED", "35"))
SHRINK = os.environ.get("PINCITE_DIFFERENTIAL_SHRINK", "1") != "0"
QUESTIONS_A_SITE = 4  # at least
CLOSE = 0.011  # both engines round, and add numbers in another order
ALL_ROWS = 4000  # rows whose exact cosines are taken, as the browser does; the sidecar takes those of a few hundred


@st.composite
def cases(draw: st.DrawFn) -> tuple[Site, list[Ask]]:
    site = draw(sites())
    return site, draw(st.lists(asks(site), min_size=4, max_size=10))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_both_engines_give_the_same_reply(
    browser: BrowserEngine, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_engine, "_LEAST_RESCORED", ALL_ROWS)
    monkeypatch.setattr(engine, "MAX_SHRINKING_SECONDS", 90)  # readable by then
    phrases = list(bundle.phrase_files())  # the same for every site, and most of the time that a small build takes
    monkeypatch.setattr(bundle, "phrase_files", lambda: phrases)

    count: Counter[str] = Counter()

    @lru_cache(8)  # shrinking asks many questions of the same site
    def built(site: Site) -> tuple[Path, Index]:
        folder = build_files(files_of(site), tmp_path_factory.mktemp("site"))
        return folder, Index.open(folder)

    @seed(SEED)
    @settings(
        max_examples=max(1, CASES // QUESTIONS_A_SITE),
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink) if SHRINK else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
    )
    @given(cases())
    def check(case: tuple[Site, list[Ask]]) -> None:
        __tracebackhide__ = True
        site, questions = case
        folder, index = built(site)
        for ask in questions:
            asked = Asked(ask.query, site.language, ask.turns, ask.selection, "/docs/1/", 0.0 if ask.sure else None)
            count.update(("cases",))
            difference = compare(browser, folder, index, asked)
            if difference:
                raise AssertionError(report(site, asked, difference))

    check()
    assert count.total() >= CASES


def compare(browser: BrowserEngine, folder: Path, index: Index, asked: Asked) -> list[str]:
    """Return the differences of the two replies to a question, as lines."""
    text, expected = sidecar_reply(index, asked)
    read, found = browser.reply(folder, asked, text)
    if _is_foreign(expected) != _is_foreign(found):
        return []  # the sidecar detects languages with a model, the browser by stop words and letters
    lines = [] if read == text else [f"the sidecar embeds {text!r}, the browser {read!r}"]
    judged = [(reply.pop("evidence", 0.0), reply.pop("confidence_score", 0.0)) for reply in (expected, found)]
    if judged[0] != pytest.approx(judged[1], abs=CLOSE) and expected["mode"] != "selection":
        lines.append(f"evidence and confidence: {judged[0]} in the sidecar, {judged[1]} in the browser")
    scores, evidence = sidecar_search_by_words(index, asked.query, asked.locale)
    in_browser, evidence_there = browser.search_by_words(folder, asked.query, asked.locale)
    is_close = abs(evidence - evidence_there) < CLOSE or len(scores) < SECTIONS_FOR_COVERAGE  # others fill up by chance
    if scores != pytest.approx(in_browser, abs=CLOSE) or not is_close:
        lines.append(f"by words alone: {scores, evidence} in the sidecar, {in_browser, evidence_there} in the browser")
    return [*lines, *_diff(_compared(expected), _compared(found))]


def _is_foreign(reply: dict[str, Any]) -> bool:
    return any(notice["code"] == "docs_language" for notice in reply["notices"])


def _compared(reply: dict[str, Any]) -> dict[str, Any]:
    """Return what a reply is compared by.

    The browser judges a selected passage by fewer signals, so one engine may refuse what the other answers.
    """
    told = reply_without_ids(reply)
    return {key: told[key] for key in ("mode", "scope", "notices")} if reply["mode"] == "selection" else told


def _diff(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    one, other = _lines(expected), _lines(found)
    return list(difflib.unified_diff(one, other, "sidecar", "browser", lineterm="", n=1))


def _lines(value: Any, name: str = "") -> list[str]:
    if isinstance(value, dict):
        return [line for key, one in value.items() for line in _lines(one, f"{name}.{key}")]
    if isinstance(value, list):
        return [line for at, one in enumerate(value) for line in _lines(one, f"{name}[{at}]")]
    return [f"{name[1:]}: {line}" for line in str(value).split("\n")]


def report(site: Site, asked: Asked, difference: list[str]) -> str:
    """Return a case and the difference of its replies, for people."""
    told = [f"question: {asked.query!r}"]
    told += [f"after: {list(asked.turns)}"] if asked.turns else []
    told += [f"selection: {asked.selection!r}"] if asked.selection is not None else []
    told += ["with the default threshold of evidence"] if asked.least is None else []
    return "\n".join(["the engines differ", markdown_of(site), "", *told, "", *difference])
