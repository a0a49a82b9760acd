"""The sub-command `check`."""

import sys
from dataclasses import asdict
from pathlib import Path

import click
import msgspec
from rich.console import Console

from pincite_indexer.build import OnLostId
from pincite_indexer.checking.check import CheckOptions, check
from pincite_indexer.checking.check_report import show_report
from pincite_indexer.progress import ConsoleProgress

__all__ = ("check_command",)


@click.command("check")
@click.argument("place", metavar="SITE_DIR|INDEX")
@click.option(
    "--docs", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of Markdown sources."
)
@click.option("--site-url", help="Where the site will live, when its pages do not say.")
@click.option("--previous", metavar="INDEX", help="Index of the last deploy: a file, a folder or a web address.")
@click.option(
    "--on-lost-id",
    type=click.Choice(["ignore", "warn", "fail"]),
    default="warn",
    show_default=True,
    help="What to do when stable IDs of --previous lead nowhere any more.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check_command(
    place: str, docs: Path | None, site_url: str | None, previous: str | None, on_lost_id: OnLostId, as_json: bool
) -> None:
    """Find dead links, dead fragments and duplicate ids in a built site, and what changed since the last deploy.

    Needs no model. Ends with 1 when there are errors; warnings alone end with 0.
    """
    with ConsoleProgress(Console(stderr=True)) as progress:
        report = check(CheckOptions(place, docs, site_url, previous, on_lost_id), progress)
    if as_json:
        counts = {"errors": report.count("error"), "warnings": report.count("warning")}
        click.echo(msgspec.json.encode({**asdict(report), **counts}))
    else:
        show_report(report, Console(file=sys.stdout))
    if report.count("error"):
        sys.exit(1)
