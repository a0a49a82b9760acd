"""Report search and answers: every system for each site, and for all sites pooled."""

import json
from collections.abc import Mapping
from pathlib import Path

from bench.quality.judgements import SiteQuestions
from bench.quality.retrieval import MEASURES, Run, measure, run_system
from bench.quality.systems import systems_of
from bench.quality.tables import print_table, share_cell

from pincite_server.answerer import Answerer
from pincite_server.cli.eval_output import share_record

__all__ = ("report_retrieval",)

_POOLED = "all sites"


def report_retrieval(
    answerers: Mapping[str, Answerer], questions: Mapping[str, SiteQuestions], runs: Path | None, *, misses: bool
) -> dict[str, object]:
    """Run every system on every site, print a table for each site, and return all numbers for JSON."""
    results = {site: _run_site(answerers[site], questions[site]) for site in answerers}
    for site, by_system in results.items():
        if runs:
            _write_runs(runs, site, by_system)
    names = list(next(iter(results.values())))
    pooled = {name: sum((results[site][name] for site in answerers), Run((), ())) for name in names}
    record: dict[str, object] = {}
    for site, by_system in {**results, _POOLED: pooled}.items():
        measured = {name: measure(run) for name, run in by_system.items()}
        cells = {what: [share_cell(measured[name][what]) for name in names] for what in MEASURES}
        print_table(site, names, cells)
        record[site] = {
            name: {what: share_record(share) for what, share in shares.items()} for name, shares in measured.items()
        }
    if misses:
        _print_misses(pooled[names[0]])
    return record


def _run_site(answerer: Answerer, questions: SiteQuestions) -> dict[str, Run]:
    return {name: run_system(system, questions) for name, system in systems_of(answerer).items()}


def _write_runs(folder: Path, site: str, by_system: Mapping[str, Run]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, run in by_system.items():
        lines = [
            json.dumps(
                {
                    "id": item.question.id,
                    "refused": item.cited is None,
                    "ranked": [{"url_path": url, "anchor": anchor or None} for url, anchor in item.ranked],
                    "cited": item.cited,
                }
            )
            for item in run.answerable
        ]
        (folder / f"{name.replace(' ', '-')}@{site}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _print_misses(run: Run) -> None:
    print("\nwhat went wrong")
    for item in run.answerable:
        if item.cited is None:
            print(f"  refused           {item.question.id}  {item.question.question}")
        elif item.question.clear and item.question.sections and not item.section_cited:
            what = "another section" if item.page_cited else "another page"
            print(f"  {what:16}  {item.question.id}  {item.question.question}")
    for kind, question, refused in run.foreign:
        if not refused:
            print(f"  answered          {kind}: {question}")
