"""Measure answers on the example site's own questions, or on external sites and judgements.

    python -m bench.quality [--data DIR] [--index SITE=PATH ...] [--only PART ...] [--json FILE] [--runs DIR] [--misses]

Without --data: the example site's questions, asked of its index (build it with `make site`).

DIR holds `eval/questions.jsonl`, `eval/qrels.jsonl` and `eval/grounding.jsonl`. For each judged site it holds
`sites/SITE/build`, `sites/SITE.tar.xz` or an existing index in `indexes/SITE`. --index names an index elsewhere.
`regraded` is `retrieval` with later grades for sections that its judges had not seen (`bench/questions/graded`).
`written` asks the questions of `bench/questions` about the sites that --index names. `chosen` asks the questions about
the sites on which weights were chosen. `folds` fits the evidence rule on the written or on the judged sites, and
reports it on the others. Shares are printed with their counts and 95 % Wilson intervals. --runs writes every ranking as
JSON lines, so that another scorer can judge it. --misses names the questions that failed.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.quality.example import report_example
from bench.quality.folds import report_folds
from bench.quality.graded import read_chosen, with_grades
from bench.quality.grounding import report_grounding
from bench.quality.indexes import open_sites
from bench.quality.invented import report_invented
from bench.quality.judgements import SiteQuestions, read_judgements
from bench.quality.pairs import read_pairs
from bench.quality.reports import report_retrieval
from bench.quality.selection import report_selection
from bench.quality.written import read_written

from pincite_server.answerer import Answerer

PARTS = ("retrieval", "regraded", "written", "chosen", "folds", "grounding", "selection", "invented")


def main() -> None:
    options = _arguments()
    record: dict[str, object] = {}
    if options.data is None:
        record["example"] = report_example(misses=options.misses)
    else:
        _report_data(options, record)
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _report_data(options: argparse.Namespace, record: dict[str, object]) -> None:
    judgements, pairs = read_judgements(options.data / "eval"), read_pairs(options.data / "eval" / "grounding.jsonl")
    with tempfile.TemporaryDirectory() as scratch:
        answerers = open_sites(options.data, dict(options.index), sorted(judgements), Path(scratch))
        if "retrieval" in options.only:
            record["retrieval"] = report_retrieval(answerers, judgements, options.runs, misses=options.misses)
        if "regraded" in options.only:
            record["regraded"] = report_retrieval(answerers, with_grades(judgements), None, misses=False)
        _report_written(options, answerers, judgements, record)
        answerer = next(iter(answerers.values()))
        if "grounding" in options.only:
            record["grounding"] = report_grounding(answerer.embedder, pairs)
        if "selection" in options.only:
            record["selection"] = report_selection(answerer, pairs)
        if "invented" in options.only:
            record["invented"] = report_invented(answerers)


def _report_written(
    options: argparse.Namespace,
    answerers: Mapping[str, Answerer],
    judgements: Mapping[str, SiteQuestions],
    record: dict[str, object],
) -> None:
    opened = {site: Answerer.open(place) for site, place in options.index if site not in answerers}
    off_topic = dict.fromkeys(
        text for site in judgements.values() for kind, text in site.foreign if kind == "off-topic"
    )
    if "chosen" in options.only and (chosen := read_chosen(opened, list(off_topic))):
        record["chosen"] = report_retrieval({site: opened[site] for site in chosen}, chosen, None, misses=False)
    questions = with_grades(read_written(opened, list(off_topic)))
    asked = {site: opened[site] for site in questions}
    if "written" in options.only and asked:
        record["written"] = report_retrieval(asked, questions, options.runs, misses=options.misses)
    if "folds" in options.only and asked:
        folds = {"judged sites": judgements, "sites of bench/questions": questions}
        record["folds"] = report_folds({**answerers, **asked}, folds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--index", type=_named_path, action="append", default=[], metavar="SITE=PATH")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--misses", action="store_true")
    return parser.parse_args()


def _named_path(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals:
        message = f"{text!r} is not SITE=PATH"
        raise argparse.ArgumentTypeError(message)
    return name, Path(path)


if __name__ == "__main__":
    main()
