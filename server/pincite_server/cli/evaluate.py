"""`pincite eval`: a docs team's own questions asked of an index, with thresholds for CI."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.console import Console

from pincite_server.cli.evaluation_output import print_evaluation
from pincite_server.cli.evaluation_record import evaluation_record
from pincite_server.cli.json_lines import write_row
from pincite_server.cli.progress import DelayedBar
from pincite_server.evaluation.compare import find_changes
from pincite_server.evaluation.evaluate import Evaluation, evaluate, require_places
from pincite_server.evaluation.questions import EvalQuestion, read_questions
from pincite_server.evaluation.thresholds import ANY_LEAK, find_failures
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy

__all__ = ("eval_command",)

# option -> (measure, help)
_BOUNDS = {
    "--min-page-recall": ("page_recall_5", "Least share of questions with a right page among search's first five."),
    "--min-section-recall": ("section_recall_5", "Least share with a right section among search's first five."),
    "--min-page-cited": ("page_cited", "Least share of answers that cite a right page."),
    "--min-section-cited": ("section_cited", "Least share of answers that cite a right section."),
    "--max-false-refusals": ("false_refusals", "Largest share of questions refused though the docs answer them."),
    "--min-refused": ("refused", "Least share refused of those that the docs do not answer."),
}


def _with_bounds(command: Callable[..., None]) -> Callable[..., None]:
    for option, (measure, text) in reversed(_BOUNDS.items()):
        command = click.option(option, measure, type=click.FloatRange(0, 1), metavar="SHARE", help=text)(command)
    return command


@click.command("eval")
@click.argument("place", metavar="INDEX")
@click.argument("file", metavar="QUESTIONS.yml", type=click.Path(path_type=Path))
@click.option("--compare", "other", metavar="OTHER_INDEX", help="Name every question whose answer is another there.")
@_with_bounds
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def eval_command(place: str, file: Path, other: str | None, as_json: bool, **bounds: float | None) -> None:
    """Ask INDEX (a file, a folder or a URL) the questions of a file, and say how good its answers are.

    A row of the file has a `question` and either `expect` (a stable ID or URL, or a list of them, any of which is
    right) or `refuse: true`; `version` and `locale` if need be. An index's other languages are found beside it.

    Ends with 1 when a threshold is missed, naming the questions, or when anything leaks from another version or
    language.
    """
    questions = read_questions(file)
    indexes, earlier = _open(place), _open(other) if other else None
    require_places(indexes, questions)
    evaluation = _run(indexes, questions)
    changes = find_changes(_run(earlier, questions), evaluation) if earlier else None
    wanted = {measure: bound for measure, bound in bounds.items() if bound is not None}
    failures = find_failures(evaluation, {**wanted, **ANY_LEAK})
    info = indexes.default.engine.index.info
    if as_json:
        write_row(sys.stdout.buffer, evaluation_record(info, evaluation, failures, changes))
    else:
        print_evaluation(Console(), info.title, evaluation, failures, changes)
    if failures:
        sys.exit(1)


def _open(place: str) -> IndexSet:
    """Open an index and its siblings for as long as the command runs; no copy of an earlier build may stand in."""
    folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="pincite-eval-"))
    return IndexSource(place, Policy.from_environment(), Path(folder)).open()


def _run(indexes: IndexSet, questions: Sequence[EvalQuestion]) -> Evaluation:
    with DelayedBar(Console(stderr=True), "Asking", len(questions)) as bar:
        return evaluate(indexes, questions, bar.advance)
