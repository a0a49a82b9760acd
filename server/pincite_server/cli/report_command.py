"""The command `pincite report`: questions that the docs did not answer, and readers' votes."""

import datetime
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.text import Text

from pincite_core.errors import InputError
from pincite_server.cli.common import JSON, write_row
from pincite_server.report.page import NOT_LOGGED, VERDICTS, period_of, render_page, summary_of
from pincite_server.report.question_report import REASONS, Logged, QuestionReport, build_report, read_log

__all__ = ("report", "report_lines")

# The HTML page has all sections, questions and votes.
_SECTIONS = 20
_QUESTIONS = 5  # for each section
_VOTES = 20


def report_lines(report: QuestionReport) -> Iterator[Text]:
    """Yield the report, line by line."""
    yield Text(period_of(report), style="dim")
    if report.unreadable:
        yield Text(f"{report.unreadable} lines of the log could not be read.", style="yellow")
    if report.total:
        yield from _question_lines(report)
    votes = report.votes
    if votes.up or votes.down:
        yield Text(f"\nVotes: {summary_of(votes)}", style="bold")
        for reply in votes.listed[:_VOTES]:
            why = f", {REASONS[reply.reason]}" if reply.reason else ""
            comment = f": {_printable(reply.comment)}" if reply.comment else ""
            question = f"      {_printable(reply.question) or NOT_LOGGED}"
            yield Text.assemble(question, (f"  {VERDICTS[reply.vote]}{why}", "dim"), comment)
        if len(votes.listed) > _VOTES:
            yield Text(f"      ... and {len(votes.listed) - _VOTES} more; --html FILE has all.", style="dim")


def _question_lines(report: QuestionReport) -> Iterator[Text]:
    yield Text(
        f"{report.total} questions: {report.answered} answered, {report.unanswered} not in the docs, "
        f"{report.declined} declined as no question for docs."
    )
    for gap in report.gaps[:_SECTIONS]:
        heading = " › ".join(gap.section.heading_path) or "Nothing near"
        yield Text.assemble("\n", (f"{gap.count:>4}  ", "bold"), (heading, "bold"))
        for question in gap.questions[:_QUESTIONS]:
            times = f" ({question.count} times)" if question.count > 1 else ""
            yield Text(f"      {question.text}{times}")
        if len(gap.questions) > _QUESTIONS:
            yield Text(f"      ... and {len(gap.questions) - _QUESTIONS} more", style="dim")
    if len(report.gaps) > _SECTIONS:
        yield Text(f"\n... and {len(report.gaps) - _SECTIONS} further sections; --html FILE has all.", style="dim")


def _printable(text: str) -> str:
    """Return a reader's text on one line, with control characters replaced by spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT", help="HTML page to write.")
@click.option("--site", default="", metavar="URL", help="Address of the site, for links in the HTML page.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="First day of the report (UTC).",
    show_default="the day of the first question",
)
@JSON
def report(
    files: tuple[Path, ...], html: Path | None, site: str, since: datetime.datetime | None, as_json: bool
) -> None:
    """Report the questions that the docs did not answer, by the nearest section, and readers' votes.

    Each FILE is a log of `pincite serve --log-questions FILE`.
    """
    logged = read_log(files)
    if since is not None:
        questions = [row for row in logged.questions if row.at.date() >= since.date()]
        votes = [row for row in logged.votes if row.at.date() >= since.date()]
        logged = Logged(questions, votes, logged.unreadable)
    found = build_report(logged)
    if html is not None:
        try:
            html.write_text(render_page(found, site), encoding="utf-8")
        except OSError as error:
            message = f"{html} cannot be written ({error.strerror}). Name another file with --html."
            raise InputError(message) from error
    if as_json:
        counts = {name: getattr(found, name) for name in ("total", "answered", "unanswered", "declined", "unreadable")}
        gaps = [{"count": gap.count, **msgspec.to_builtins(gap)} for gap in found.gaps]
        by_vote = {**msgspec.to_builtins(found.votes), "reasons": dict(found.votes.reasons)}
        write_row(sys.stdout.buffer, {**counts, "gaps": gaps, "votes": by_vote})
        return
    console = Console()
    for line in report_lines(found):
        console.print(line, soft_wrap=True)
    if html is not None:
        console.print(f"\nThe page is {html}.", style="dim", soft_wrap=True)
