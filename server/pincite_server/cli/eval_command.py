"""The command `pincite eval`: evaluates an index with a team's own questions, with thresholds for CI."""

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

from pincite_core.errors import InputError
from pincite_core.github_run import add_summary, annotation_lines
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.cli.eval_on_github import evaluation_annotations, evaluation_summary
from pincite_server.cli.eval_output import evaluation_record, print_evaluation
from pincite_server.cli.json_lines import write_row
from pincite_server.cli.writing_lines import QUOTED
from pincite_server.evaluation.agreement import Agreement
from pincite_server.evaluation.evaluate import (
    ANY_LEAK,
    Evaluation,
    evaluate,
    find_changes,
    find_failures,
    require_places,
)
from pincite_server.evaluation.grading import Grader
from pincite_server.evaluation.questions import EvalQuestion, read_questions
from pincite_server.evaluation.sheet import Screen, read_sheet, require_new, write_sheet
from pincite_server.indexes.opened import source_of
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.policy import Policy

__all__ = ("DelayedBar", "eval_command")

_PATIENCE = 1.0  # seconds; a progress bar for a shorter task would only flicker
_FILE = click.Path(dir_okay=False, path_type=Path)
_GRADED = 0.9  # least share of graded answers; with fewer, the graded ones may not represent the others


class DelayedBar:
    """Progress bar on a terminal that appears after a second and is removed at the end."""

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
    "--max-false-negatives": ("false_negative_rate", "Largest share of passages that answer and are refused."),
    "--max-false-positives": (
        "false_positive_rate",
        "Largest share of passages that do not answer and are answered of.",
    ),
    "--min-useful": ("useful", "Least share graded useful (2 or 3); needs --grade."),
    "--min-good": ("good", "Least share graded good (3); needs --grade."),
}


def _with_bounds(command: Callable[..., None]) -> Callable[..., None]:
    for option, (measure, text) in reversed(_BOUNDS.items()):
        command = click.option(option, measure, type=click.FloatRange(0, 1), metavar="SHARE", help=text)(command)
    return command


@click.command("eval")
@click.argument("place", metavar="INDEX")
@click.argument("file", metavar="QUESTIONS.yml", type=click.Path(path_type=Path))
@click.option("--compare", "other", metavar="OTHER_INDEX", help="Name every question whose answer is another there.")
@QUOTED
@click.option("--grade", "graded", is_flag=True, help="Let the language model grade each answer as a reader would.")
@click.option("--sheet", type=_FILE, help="Write the answers to this new file, for people to grade.")
@click.option("--people", type=_FILE, help="Say how the model grades what people graded in this file.")
@_with_bounds
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--github", "on_github", is_flag=True, help="Annotate a run on GitHub, and write its summary.")
def eval_command(
    place: str,
    file: Path,
    other: str | None,
    quoted: bool,
    graded: bool,
    sheet: Path | None,
    people: Path | None,
    as_json: bool,
    on_github: bool,
    **bounds: float | None,
) -> None:
    """Ask INDEX (a file, a folder or a URL) the questions of a file, and say how good its answers are.

    A row of the file has a `question` and either `expect` (a stable ID or URL, or a list of them, any of which is
    right), `refuse: true`, or a `passage` that it is asked of alone, with `answerable`; `version` and `locale` if need
    be. An index's other languages are found beside it. Answers are written by a language model where
    PINCITE_LLM_BASE_URL names one.

    Ends with 1 when a threshold is missed, naming the questions, when anything leaks from another version or
    language, or when too few answers could be graded.
    """
    wanted = {measure: bound for measure, bound in bounds.items() if bound is not None}
    if not graded and wanted.keys() & {"useful", "good"}:
        message = "--min-useful and --min-good are shares of grades. Add --grade."
        raise InputError(message)
    if sheet is not None:
        require_new(sheet)
    questions, screens = read_questions(file), read_sheet(people) if people else ()
    asker, grader = _askers(LlmSettings.from_environment(), quoted=quoted, grades=graded or bool(screens))
    indexes, earlier = _open(place), _open(other) if other else None
    require_places(indexes, questions)
    evaluation = _run(indexes, questions, asker)
    changes = find_changes(_run(earlier, questions, asker), evaluation) if earlier else None
    if sheet is not None:
        write_sheet(sheet, indexes, evaluation)
    agreement = _agreement(grader, screens) if grader and screens else None
    if grader and graded:
        evaluation = _graded(grader, indexes, evaluation)
    failures = find_failures(evaluation, {**wanted, **ANY_LEAK})
    info = indexes.default.answerer.index.info
    if on_github:
        add_summary(evaluation_summary(evaluation, failures, changes))
        click.echo("\n".join(annotation_lines(evaluation_annotations(file, failures, changes))))
    elif as_json:
        write_row(sys.stdout.buffer, evaluation_record(info, evaluation, failures, changes, agreement))
    else:
        print_evaluation(Console(), info.title, evaluation, failures, changes, agreement)
    if failures or (graded and _too_few_grades(evaluation)):
        sys.exit(1)


def _open(place: str) -> IndexSet:
    """Open an index and its other languages until the command ends. A cached copy of an earlier build is never used."""
    folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="pincite-eval-"))
    return source_of(place, Policy.from_environment(), Path(folder)).open()


def _askers(llm: LlmSettings | None, *, quoted: bool, grades: bool) -> tuple[SyncAnswerer, Grader | None]:
    """Return the answerer, and a grader if needed, until the command ends. Quoted answers can be graded too."""
    context = click.get_current_context()
    asker = context.with_resource(SyncAnswerer(None if quoted else llm))
    if not grades:
        return asker, None
    return asker, Grader(context.with_resource(SyncAnswerer(llm)) if quoted else asker)


def _run(indexes: IndexSet, questions: Sequence[EvalQuestion], asker: SyncAnswerer) -> Evaluation:
    with DelayedBar(Console(stderr=True), "Asking", len(questions)) as bar:
        return evaluate(indexes, questions, asker, bar.advance)


def _graded(grader: Grader, indexes: IndexSet, evaluation: Evaluation) -> Evaluation:
    with DelayedBar(Console(stderr=True), "Grading", len(evaluation.rows)) as bar:
        return grader.evaluation(indexes, evaluation, bar.advance)


def _agreement(grader: Grader, screens: Sequence[Screen]) -> Agreement:
    with DelayedBar(Console(stderr=True), "Grading what people graded", len(screens)) as bar:
        return grader.agreement(screens, bar.advance)


def _too_few_grades(evaluation: Evaluation) -> bool:
    """Return whether too few answers have a grade for the shares to be meaningful; print how many have none."""
    wanted = [row for row in evaluation.rows if not row.refused and row.question.expect]
    missing = sum(row.grade is None for row in wanted)
    if missing:
        why = "the language model failed, or wrote no grade"
        click.echo(f"{missing} of {len(wanted)} answers were not graded: {why}.", err=True)
    return len(wanted) - missing < _GRADED * len(wanted)
