"""Compare answers in the browser with the sidecar: python -m bench.in_browser --data DIR --index SITE=PATH ...

`pincite index --browser-answers --browser-encoder` wrote each index folder. The bench asks the judged questions of
DIR/eval, and of `bench/questions` for other sites. It asks the sidecar and, in Chromium, the widget's built files:
with the folder's encoder, and by words only. BM25 uses the text and headings of the same sections. Times are of the
search only, after the files are loaded and the question is embedded. The sites on which weights were chosen have a
total of their own.
"""

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from bench.page_cost import served
from bench.quality.graded import CHOSEN_ON, read_chosen, with_grades
from bench.quality.judgements import SiteQuestions, read_judgements
from bench.quality.places import Place, section_key
from bench.quality.retrieval import MEASURES, Run, measure, run_system
from bench.quality.systems import RANKED, Hybrid, System, Words
from bench.quality.tables import print_table, share_cell
from bench.quality.written import read_written
from playwright.sync_api import Browser, Page, sync_playwright

from pincite_core.search.query import parse_query
from pincite_server.answerer import Answerer
from pincite_server.answering.retrieve import retrieve
from pincite_server.evaluation.shares import Share
from pincite_server.question.scope import choose_scope

ROOT = Path(__file__).parents[1]
WAYS = {"browser": False, "browser, words alone": True}
_SIDECAR, _BM25 = "sidecar", "BM25"


@dataclass(frozen=True, slots=True)
class Found:
    """The browser's result for a question: ranked places, cited places, and milliseconds."""

    places: list[Place]
    cited: list[Place] | None
    ms: float


class InBrowser:
    """The browser's results, by question."""

    def __init__(self, found: Mapping[str, Found]) -> None:
        self.found = found

    def rank(self, question: str) -> list[Place]:
        """Return the best places."""
        return self.found[question].places

    def cite(self, question: str) -> list[Place] | None:
        """Return the places that the answer cites; None for a question that is refused."""
        return self.found[question].cited


class Sidecar(Hybrid):
    """The sidecar, with its places named by section, as in the browser's search."""

    def rank(self, question: str) -> list[Place]:
        """Return the best sections."""
        index, (scope, _) = self._answerer.index, choose_scope(self._answerer.index)
        query = parse_query(question, index.language_of(scope.scope_ids))
        found = retrieve(self._answerer, self._answerer.encode(query.text), query, scope, RANKED)
        targets = [index.target(section.target_id) for section in found.sections]
        return [(index.page(target.page_id).url, target.anchor) for target in targets]


def main() -> None:
    options = _arguments()
    runs: dict[str, dict[str, Run]] = {}
    same: dict[str, dict[str, list[bool]]] = {}
    record: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        scratch = Path(folder)
        (scratch / "widget").symlink_to(ROOT / "widget" / "dist")
        (scratch / "page.html").write_text("<!doctype html><title>bench</title>")
        executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        with served(scratch) as address:
            for site, answerer, questions in _asked(options):
                (scratch / site).symlink_to(dict(options.index)[site].resolve())
                systems = _systems(site, questions, address, browser)
                alike = {way: list(_alike(answerer, systems[way], questions)) for way in WAYS}
                here: dict[str, System] = {_SIDECAR: Sidecar(answerer), _BM25: Words(answerer)}
                runs[site] = {name: run_system(system, questions) for name, system in (here | systems).items()}
                record[site] = _report(site, runs[site], alike, systems)
                same[site] = alike
        browser.close()
    for title, sites in _groups(list(runs)).items():
        pooled = {name: sum((runs[site][name] for site in sites), Run((), ())) for name in (_SIDECAR, _BM25, *WAYS)}
        joined = {way: [outcome for site in sites for outcome in same[site][way]] for way in WAYS}
        record[title] = _report(title, pooled, joined, {})
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _groups(sites: Sequence[str]) -> dict[str, list[str]]:
    """Return groups of sites for the totals; sites on which weights were chosen are a group of their own."""
    chosen = [site for site in sites if site in CHOSEN_ON]
    groups = {"all other sites": [site for site in sites if site not in CHOSEN_ON], "sites chosen on": chosen}
    return {title: named for title, named in groups.items() if named}


def _report(
    site: str, runs: Mapping[str, Run], alike: Mapping[str, list[bool]], systems: Mapping[str, InBrowser]
) -> dict[str, object]:
    measured = {name: measure(run) for name, run in runs.items()}
    cells = {what: [share_cell(measured[name][what]) for name in runs] for what in MEASURES}
    cells["same first section"] = ["-", "-", *(share_cell(Share.of(outcomes)) for outcomes in alike.values())]
    if systems:
        times = {way: np.array([found.ms for found in system.found.values()]) for way, system in systems.items()}
        cells["ms, median and 95th"] = [
            "-",
            "-",
            *(f"{np.median(ms):.0f}, {np.quantile(ms, 0.95):.0f}" for ms in times.values()),
        ]
    print_table(site, list(runs), cells)
    return {what: dict(zip(runs, row, strict=True)) for what, row in cells.items()}


def _alike(answerer: Answerer, system: InBrowser, questions: SiteQuestions) -> Iterator[bool]:
    """Yield for each judged question whether both systems find the same section first."""
    sidecar: System = Sidecar(answerer)
    for item in questions.answerable:
        ours, theirs = sidecar.rank(item.question), system.rank(item.question)
        yield bool(ours and theirs) and section_key(*ours[0]) == section_key(*theirs[0])


def _systems(site: str, questions: SiteQuestions, address: str, browser: Browser) -> dict[str, InBrowser]:
    page = browser.new_page()
    page.goto(f"{address}/page.html")
    page.add_script_tag(content=(ROOT / "bench" / "in_browser.js").read_text("utf-8"))
    page.evaluate("(site) => window.openSite(site, true)", site)
    texts = [item.question for item in questions.answerable] + [text for _, text in questions.foreign]
    systems = {
        way: InBrowser(_found(page, list(dict.fromkeys(texts)), by_words=by_words)) for way, by_words in WAYS.items()
    }
    page.close()
    return systems


def _found(page: Page, texts: Sequence[str], *, by_words: bool) -> dict[str, Found]:
    rows: list[dict[str, Any]] = page.evaluate(
        "([texts, byWords, k]) => window.ask(texts, byWords, k)", [texts, by_words, RANKED]
    )
    return {
        text: Found(_places(row["places"]) or [], _places(row["cited"]), row["ms"])
        for text, row in zip(texts, rows, strict=True)
    }


def _places(rows: Sequence[Sequence[str]] | None) -> list[Place] | None:
    return None if rows is None else [(url, anchor) for url, anchor in rows]


def _asked(options: argparse.Namespace) -> Iterator[tuple[str, Answerer, SiteQuestions]]:
    """Yield each site that has an index with its questions, with the newer grades if there are any."""
    judgements = read_judgements(options.data / "eval")
    answerers = {site: Answerer.open(place) for site, place in options.index if site not in CHOSEN_ON}
    kinds = (pair for questions in judgements.values() for pair in questions.foreign)
    off_topic = list(dict.fromkeys(text for kind, text in kinds if kind == "off-topic"))
    written = read_written({site: of for site, of in answerers.items() if site not in judgements}, off_topic)
    for site, questions in with_grades({**judgements, **written}).items():
        if site in answerers:
            yield site, answerers[site], _limited(questions, options.most)
    for site, questions in read_chosen(dict(options.index), off_topic).items():
        yield site, Answerer.open(dict(options.index)[site]), _limited(questions, options.most)


def _limited(questions: SiteQuestions, most: int) -> SiteQuestions:
    return replace(questions, foreign=questions.foreign[:most])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds eval/")
    parser.add_argument("--index", type=_named_path, action="append", required=True, metavar="SITE=PATH")
    parser.add_argument("--most", type=int, default=1000, help="questions of a site that are to be refused")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def _named_path(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    return name, Path(path)


if __name__ == "__main__":
    main()
