"""`pincite report`: what readers asked that the docs did not answer."""

import datetime
import sys
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec
from rich.console import Console

from pincite_core.errors import InputError
from pincite_server.cli.json_lines import write_row
from pincite_server.observe.question_log import LoggedQuestion
from pincite_server.report.gaps import QuestionReport, build_report, read_log
from pincite_server.report.page import render_page
from pincite_server.report.text import report_lines

__all__ = ("report",)


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
    """Show what readers asked that the docs did not answer, grouped by the nearest section.

    FILE is what `pincite serve --log-questions FILE` wrote; several are read as one.
    """
    rows, unreadable = read_log(files)
    found = build_report(_since(rows, since), unreadable)
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


def _since(rows: Iterable[LoggedQuestion], first: datetime.datetime | None) -> list[LoggedQuestion]:
    return [row for row in rows if first is None or row.at.date() >= first.date()]


def _write(file: Path, page: str) -> None:
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        message = f"{file} cannot be written ({error.strerror}). Name another file with --html."
        raise InputError(message) from error


def _as_json(found: QuestionReport) -> dict[str, object]:
    counts = {name: getattr(found, name) for name in ("total", "answered", "unanswered", "declined", "unreadable")}
    gaps = [{"count": gap.count, **msgspec.to_builtins(gap)} for gap in found.gaps]
    return {**counts, "gaps": gaps}
