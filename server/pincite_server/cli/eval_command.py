"""The command `pincite eval`: evaluates an index with a team's own questions, with thresholds for CI."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from pincite_core.errors import InputError
from pincite_core.github_run import add_summary, annotation_lines
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.cli.common import QUOTED, write_row
from pincite_server.cli.eval_output import (
    evaluation_annotations,
    evaluation_record,
    evaluation_summary,
    print_evaluation,
)
from pincite_server.evaluation.evaluate import (
    ANY_LEAK,
    Evaluation,
    evaluate,
    find_changes,
    find_failures,
    require_places,
)
from pincite_server.evaluation.grading import Grader, read_sheet, require_new, write_sheet
from pincite_server.evaluation.questions import EvalQuestion, read_questions
from pincite_server.indexes.opened import source_of
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.policy import Policy

__all__ = ("eval_command",)

_DELAY = 1.0  # seconds; a progress bar for a shorter task would only flicker
_FILE = click.Path(dir_okay=False, path_type=Path)
_GRADED = 0.9  # least share of graded answers; with fewer, the graded ones may not represent the others


@contextmanager
def _delayed_bar(text: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal after a second. Yield a function that counts a step."""
    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    task, due = bar.add_task(text, total=total), time.monotonic() + _DELAY

    def advance() -> None:
        bar.advance(task)
        if not bar.live.is_started and time.monotonic() >= due:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()


# option -> (measure, help)
_BOUNDS = {
    "--min-page-recall": ("page_recall_5", "Minimum share of questions with a right page in the first 5 results."),
    "--min-section-recall": ("section_recall_5", "Minimum share with a right section in the first 5 results."),
    "--min-page-cited": ("page_cited", "Minimum share of answers that cite a right page."),
    "--min-section-cited": ("section_cited", "Minimum share of answers that cite a right section."),
    "--max-false-refusals": ("false_refusals", "Maximum share of answerable questions that are refused."),
    "--min-refused": ("refused", "Minimum share of unanswerable questions that are refused."),
    "--max-false-negatives": ("false_negative_rate", "Maximum share of answerable passages that are refused."),
    "--max-false-positives": ("false_positive_rate", "Maximum share of unanswerable passages that are answered."),
    "--min-useful": ("useful", "Minimum share of answers graded 2 or 3; needs --grade."),
    "--min-good": ("good", "Minimum share of answers graded 3; needs --grade."),
}


def _with_bounds(command: Callable[..., None]) -> Callable[..., None]:
    for option, (measure, text) in reversed(_BOUNDS.items()):
        command = click.option(
            option, measure, type=click.FloatRange(0, 1), metavar="SHARE", help=text, show_default="no limit"
        )(command)
    return command


@click.command("eval")
@click.argument("place", metavar="INDEX")
@click.argument("file", metavar="QUESTIONS.yml", type=click.Path(path_type=Path))
@click.option("--compare", "other", metavar="OTHER_INDEX", help="List each question with another answer in this index.")
@QUOTED
@click.option("--grade", "graded", is_flag=True, help="Let the language model grade each answer from 0 to 3.")
@click.option("--sheet", type=_FILE, help="New file for the answers, for people to grade.")
@click.option("--people", type=_FILE, help="Sheet that people graded, to compare their grades with the model's.")
@_with_bounds
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--github", "on_github", is_flag=True, help="Write annotations and the summary of a GitHub Actions run.")
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
    """Ask the questions in a file of INDEX (a file, a folder or a URL), and measure the answers.

    A row of the file has a `question` and one of three fields. `expect` is a stable ID or URL, or a list of them, any
    of which is right. `refuse: true` expects a refusal. A `passage` is asked alone, and `answerable` says whether it
    has the answer. `version` and `locale` are optional. If PINCITE_LLM_BASE_URL is set, a language model writes the
    answers.

    The exit code is 1 if a share misses its threshold, if an answer comes from another version or language, or if too
    few answers were graded.
    """
    wanted = {measure: bound for measure, bound in bounds.items() if bound is not None}
    if not graded and wanted.keys() & {"useful", "good"}:
        message = "--min-useful and --min-good are shares of grades. Add --grade."
        raise InputError(message)
    if sheet is not None:
        require_new(sheet)
    questions, screens = read_questions(file), read_sheet(people) if people else ()
    context, llm = click.get_current_context(), LlmSettings.from_environment()
    asker, grader = context.with_resource(SyncAnswerer(None if quoted else llm)), None
    if graded or screens:  # quoted answers can be graded too
        grader = Grader(context.with_resource(SyncAnswerer(llm)) if quoted else asker)
    indexes, earlier = _open(place), _open(other) if other else None
    require_places(indexes, questions)
    evaluation = _evaluate(indexes, questions, asker)
    changes = find_changes(_evaluate(earlier, questions, asker), evaluation) if earlier else None
    if sheet is not None:
        write_sheet(sheet, indexes, evaluation)
    agreement = None
    if grader and screens:
        with _delayed_bar("Grading the answers that people graded", len(screens)) as advance:
            agreement = grader.agreement(screens, advance)
    if grader and graded:
        with _delayed_bar("Grading", len(evaluation.rows)) as advance:
            evaluation = grader.evaluation(indexes, evaluation, advance)
    failures = find_failures(evaluation, {**wanted, **ANY_LEAK})
    info = indexes.default.answerer.index.info
    if on_github:
        add_summary(evaluation_summary(evaluation, failures, changes))
        click.echo("\n".join(annotation_lines(evaluation_annotations(file, failures, changes))))
    elif as_json:
        write_row(sys.stdout.buffer, evaluation_record(info, evaluation, failures, changes, agreement))
    else:
        print_evaluation(Console(), info.title, evaluation, failures, changes, agreement)
    if failures or (graded and _has_too_few_grades(evaluation)):
        sys.exit(1)


def _open(place: str) -> IndexSet:
    """Open an index and its other languages until the command ends. A cached copy of an earlier build is never used."""
    folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="pincite-eval-"))
    return source_of(place, Policy.from_environment(), Path(folder)).open()


def _evaluate(indexes: IndexSet, questions: Sequence[EvalQuestion], asker: SyncAnswerer) -> Evaluation:
    with _delayed_bar("Asking", len(questions)) as advance:
        return evaluate(indexes, questions, asker, advance)


def _has_too_few_grades(evaluation: Evaluation) -> bool:
    """Return whether too few answers have a grade for the shares to be meaningful; print how many have none."""
    answers = [row for row in evaluation.rows if not row.refused and row.question.expect]
    missing = sum(row.grade is None for row in answers)
    if missing:
        reason = "the language model failed, or wrote no grade"
        click.echo(f"{missing} of {len(answers)} answers were not graded: {reason}.", err=True)
    return len(answers) - missing < _GRADED * len(answers)
