"""The command `pincite doctor`, with text or JSON output and an exit code."""

import os
import sys
from collections.abc import Iterable, Iterator

import click
from rich.console import Console
from rich.text import Text

from pincite_core.postgres.address import is_database
from pincite_server.cli.common import JSON, write_row
from pincite_server.doctor.diagnosis import Diagnosis, Status
from pincite_server.doctor.examination import Examination, examine_index_at, examine_sidecar

__all__ = ("doctor",)

_MARKS: dict[Status, tuple[str, str]] = {
    "ok": ("ok  ", "green"),
    "warn": ("warn", "yellow"),
    "fail": ("FAIL", "bold red"),
}


@click.command()
@click.argument("place", metavar="URL|INDEX")
@click.option("--site", default="", metavar="URL", help="Address of the site.", show_default="the address in the index")
@click.option("--question", default="How do I get started?", show_default=True, help="Question to ask the sidecar.")
@JSON
@click.pass_context
def doctor(ctx: click.Context, place: str, site: str, question: str, as_json: bool) -> None:
    """Check the sidecar at URL and its site, or an INDEX (a file, a folder, the URL of either, or a database).

    The URL of an index ends in `.json`, `.db` or `/pincite/`. PINCITE_TOKEN is the access token of private docs. The
    exit code is 1 if a problem stops readers from being served.
    """
    how = Examination(question, site, os.environ.get("PINCITE_TOKEN", ""))
    is_index = "://" not in place or is_database(place) or place.rstrip("/").endswith((".json", ".db", "/pincite"))
    findings = examine_index_at(place, how) if is_index else examine_sidecar(place, how)
    shown = list(findings) if as_json else list(_printed(findings))
    if as_json:
        write_row(sys.stdout.buffer, shown)
    if any(finding.status == "fail" for finding in shown):
        ctx.exit(1)


def _printed(findings: Iterable[Diagnosis]) -> Iterator[Diagnosis]:
    """Print findings as they come, and yield them."""
    console = Console()
    for finding in findings:
        mark, style = _MARKS[finding.status]
        console.print(Text.assemble((mark, style), f"  {finding.check:<13} {finding.message}"), soft_wrap=True)
        if finding.fix:
            console.print(Text(f"{'':19} {finding.fix}", style="dim"), soft_wrap=True)
        yield finding
