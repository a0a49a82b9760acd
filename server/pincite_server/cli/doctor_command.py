"""The command `pincite doctor`, with text or JSON output and an exit code."""

import os
import sys
from collections.abc import Iterable, Iterator

import click
from rich.console import Console
from rich.text import Text

from pincite_core.postgres.address import is_database
from pincite_server.cli.json_lines import write_row
from pincite_server.doctor.diagnosis import Diagnosis, Status
from pincite_server.doctor.examination import Examination, examine_index_at, examine_sidecar

__all__ = ("doctor",)

_QUESTION = "How do I get started?"
_MARKS: dict[Status, tuple[str, str]] = {
    "ok": ("ok  ", "green"),
    "warn": ("warn", "yellow"),
    "fail": ("FAIL", "bold red"),
}


@click.command()
@click.argument("place", metavar="URL|INDEX")
@click.option("--site", default="", metavar="URL", help="The site's address, where the index does not say it.")
@click.option("--question", default=_QUESTION, show_default=True, help="What to ask, end to end.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def doctor(ctx: click.Context, place: str, site: str, question: str, as_json: bool) -> None:
    """Examine the sidecar at URL with the site that it serves, or an INDEX (a file, a folder, or the URL of one).

    The URL of an index ends in `.json`, `.db` or `/pincite/`. The token of private docs is taken from PINCITE_TOKEN.
    Exits with 1 when something keeps readers from being served.
    """
    how = Examination(question, site, os.environ.get("PINCITE_TOKEN", ""))
    findings = examine_sidecar(place, how) if _is_sidecar(place) else examine_index_at(place, how)
    shown = list(findings) if as_json else list(_printed(findings))
    if as_json:
        write_row(sys.stdout.buffer, shown)
    if any(finding.status == "fail" for finding in shown):
        ctx.exit(1)


def _is_sidecar(place: str) -> bool:
    return "://" in place and not is_database(place) and not place.rstrip("/").endswith((".json", ".db", "/pincite"))


def _printed(findings: Iterable[Diagnosis]) -> Iterator[Diagnosis]:
    """Print findings as they come, and yield them."""
    console = Console()
    for finding in findings:
        mark, style = _MARKS[finding.status]
        console.print(Text.assemble((mark, style), f"  {finding.check:<13} {finding.message}"), soft_wrap=True)
        if finding.fix:
            console.print(Text(f"{'':19} {finding.fix}", style="dim"), soft_wrap=True)
        yield finding
