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
from pincite_server.cli.json_lines import write_row
from pincite_server.report.gaps import QuestionReport, SectionGap, build_report
from pincite_server.report.logs import Logged, read_log
from pincite_server.report.page import NOT_LOGGED, VERDICTS, period_of, render_page, summary_of
from pincite_server.report.votes import REASONS, VotedReply, VoteReport

__all__ = ("report", "report_lines")

_SHOWN = 20  # sections in the text output; the HTML page has all
_QUESTIONS = 5  # questions for each section
_VOTED = 20  # unhelpful or commented replies in the text output; the HTML page has all


def report_lines(report: QuestionReport) -> Iterator[Text]:
    """Yield the report, line by line."""
    yield Text(period_of(report), style="dim")
    if report.unreadable:
        yield Text(f"{report.unreadable} lines of the log could not be read.", style="yellow")
    if report.total:
        yield from _question_lines(report)
    if report.votes.up or report.votes.down:
        yield from _vote_lines(report.votes)


def _question_lines(report: QuestionReport) -> Iterator[Text]:
    yield Text(
        f"{report.total} questions: {report.answered} answered, {report.unanswered} not in the docs, "
        f"{report.declined} declined as no question for docs."
    )
    for gap in report.gaps[:_SHOWN]:
        yield from _gap_lines(gap)
    if len(report.gaps) > _SHOWN:
        yield Text(f"\n... and {len(report.gaps) - _SHOWN} further sections; --html FILE has all.", style="dim")


def _gap_lines(gap: SectionGap) -> Iterator[Text]:
    yield Text.assemble(
        "\n", (f"{gap.count:>4}  ", "bold"), (" › ".join(gap.section.heading_path) or "Nothing near", "bold")
    )
    for question in gap.questions[:_QUESTIONS]:
        times = f" ({question.count} times)" if question.count > 1 else ""
        yield Text(f"      {question.text}{times}")
    if len(gap.questions) > _QUESTIONS:
        yield Text(f"      ... and {len(gap.questions) - _QUESTIONS} more", style="dim")


def _vote_lines(votes: VoteReport) -> Iterator[Text]:
    yield Text(f"\nVotes: {summary_of(votes)}", style="bold")
    for reply in votes.listed[:_VOTED]:
        yield _voted_line(reply)
    if len(votes.listed) > _VOTED:
        yield Text(f"      ... and {len(votes.listed) - _VOTED} more; --html FILE has all.", style="dim")


def _voted_line(reply: VotedReply) -> Text:
    why = f", {REASONS[reply.reason]}" if reply.reason else ""
    comment = f": {_printable(reply.comment)}" if reply.comment else ""
    return Text.assemble(
        f"      {_printable(reply.question) or NOT_LOGGED}", (f"  {VERDICTS[reply.vote]}{why}", "dim"), comment
    )


def _printable(text: str) -> str:
    """Return a reader's text on one line, with control characters replaced by spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT", help="Write a page with charts."
)
@click.option("--site", default="", metavar="URL", help="The site's address, so that the page's sections are links.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Only questions from this day on (UTC).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def report(
    files: tuple[Path, ...], html: Path | None, site: str, since: datetime.datetime | None, as_json: bool
) -> None:
    """Show what readers asked that the docs did not answer, grouped by the nearest section, and their votes.

    FILE is what `pincite serve --log-questions FILE` wrote; several are read as one.
    """
    found = build_report(_since(read_log(files), since))
    if html is not None:
        _write(html, render_page(found, site))
    if as_json:
        write_row(sys.stdout.buffer, _as_json(found))
        return
    console = Console()
    for line in report_lines(found):
        console.print(line, soft_wrap=True)
    if html is not None:
        console.print(f"\nThe page is {html}.", style="dim", soft_wrap=True)


def _since(logged: Logged, first: datetime.datetime | None) -> Logged:
    if first is None:
        return logged
    questions = [row for row in logged.questions if row.at.date() >= first.date()]
    return Logged(questions, [row for row in logged.votes if row.at.date() >= first.date()], logged.unreadable)


def _write(file: Path, page: str) -> None:
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        message = f"{file} cannot be written ({error.strerror}). Name another file with --html."
        raise InputError(message) from error


def _as_json(found: QuestionReport) -> dict[str, object]:
    counts = {name: getattr(found, name) for name in ("total", "answered", "unanswered", "declined", "unreadable")}
    gaps = [{"count": gap.count, **msgspec.to_builtins(gap)} for gap in found.gaps]
    votes = msgspec.to_builtins(found.votes)
    return {**counts, "gaps": gaps, "votes": {**votes, "reasons": dict(found.votes.reasons)}}
