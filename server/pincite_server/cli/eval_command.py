"""`pincite eval`: a docs team's own questions asked of an index, with thresholds for CI."""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import click
from rich.console import Console
from rich.progress import Progress

from pincite_server.cli.eval_output import evaluation_record, print_evaluation
from pincite_server.cli.json_lines import write_row
from pincite_server.evaluation.evaluate import (
    ANY_LEAK,
    Evaluation,
    evaluate,
    find_changes,
    find_failures,
    require_places,
)
from pincite_server.evaluation.questions import EvalQuestion, read_questions
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy

__all__ = ("DelayedBar", "eval_command")

_PATIENCE = 1.0  # seconds before a bar is more help than flicker


class DelayedBar:
    """Counts steps; on a terminal, and after a second, shows them. Leaves nothing behind."""

    def __init__(self, console: Console, what: str, total: int) -> None:
        self._bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(what, total=total)
        self._due = time.monotonic() + _PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._bar.stop()

    def advance(self) -> None:
        """Count one step."""
        self._bar.advance(self._task)
        if not self._shown and time.monotonic() >= self._due:
            self._bar.start()
            self._shown = True


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
    info = indexes.default.answerer.index.info
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
