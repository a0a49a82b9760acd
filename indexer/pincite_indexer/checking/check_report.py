"""Define and print the report of a check: findings page by page, then the counts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from rich.console import Console
from rich.text import Text

__all__ = ("Changes", "CheckReport", "Code", "Finding", "Moved", "Severity", "show_report")

Severity = Literal["error", "warning", "info"]
Code = Literal[
    "dead_link",
    "dead_fragment",
    "dead_redirect",
    "unreadable_page",
    "private_source",
    "duplicate_stable_id",
    "duplicate_id",
    "no_author_id",
    "lost_id",
]

_SHOWN = 10  # IDs of a kind shown before "and N more"; --json lists all
_STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of a check.

    Attributes:
        page: URL of the page.
        heading_path: Place on the page.
        href: Target of the link, as written.
        text: Text of the link.
        suggestion: URL of the probably intended target.
        source: File in which the author wrote the link, if sources are known.
        line: Line in this file.
    """

    severity: Severity
    code: Code
    message: str
    page: str = ""
    file: str = ""
    heading_path: tuple[str, ...] = ()
    href: str = ""
    text: str = ""
    suggestion: str | None = None
    source: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """Stable ID that has another URL or a successor now."""

    stable_id: str
    successor: str
    url: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Stable IDs by their change since an earlier index; `lost` holds only IDs lost since then."""

    added: list[str]
    changed: list[str]
    moved: list[Moved]
    lost: list[str]


@dataclass(slots=True)
class CheckReport:
    """Report of a check. `changes` is None if there was no earlier index."""

    place: str
    pages: int = 0
    links: int = 0
    findings: list[Finding] = field(default_factory=list)
    changes: Changes | None = None
    seconds: float = 0.0

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)


def show_report(report: CheckReport, console: Console) -> None:
    """Print a report; findings of severity "info" are counted, not listed."""
    told = [finding for finding in report.findings if finding.severity != "info"]
    for page, findings in groupby(told, key=lambda finding: (finding.page, finding.file)):
        console.print(_heading(*page), soft_wrap=True)
        for finding in findings:
            for line in _lines(finding):
                console.print(line, soft_wrap=True)
    if report.changes:
        for line in _changes(report.changes):
            console.print(line, soft_wrap=True)
    console.print(_summary(report), soft_wrap=True)


def _heading(page: str, file: str) -> Text:
    text = Text("\n")
    text.append(page or file or "The whole site", style="bold")
    if page and file:
        text.append(f"  ({file})", style="dim")
    return text


def _lines(finding: Finding) -> Iterator[Text]:
    line = Text("  ").append(finding.severity, style=_STYLES[finding.severity]).append(f"  {finding.message}")
    yield line
    if finding.heading_path or finding.text:
        where = " › ".join(finding.heading_path)
        yield Text(f"         in {where}" + (f": “{finding.text}”" if finding.text else ""), style="dim")
    if finding.source:
        yield Text(f"         written in {finding.source}:{finding.line}", style="dim")
    if finding.suggestion:
        yield Text("         nearest: ", style="dim").append(finding.suggestion, style="cyan")


def _changes(changes: Changes) -> Iterator[Text]:
    yield Text("\nSince the earlier index", style="bold")
    moved = [
        f"{item.stable_id} → {item.successor if item.successor != item.stable_id else item.url}"
        for item in changes.moved
    ]
    kinds = {"added": changes.added, "changed": changes.changed, "moved": moved, "lost": changes.lost}
    for kind, names in kinds.items():
        yield Text(f"  {len(names):,} {kind}", style="red" if kind == "lost" and names else "")
        for name in names[:_SHOWN]:
            yield Text(f"    {name}", style="dim")
        if len(names) > _SHOWN:
            yield Text(f"    and {len(names) - _SHOWN:,} more", style="dim")


def _summary(report: CheckReport) -> Text:
    errors, warnings = report.count("error"), report.count("warning")
    text = Text(f"\n{report.pages:,} pages, {report.links:,} links checked in {report.seconds:.1f} s: ")
    text.append(_counted(errors, "error"), style=_STYLES["error"] if errors else "green")
    text.append(f", {_counted(warnings, 'warning')}", style=_STYLES["warning"] if warnings else "green")
    if generated := sum(finding.code == "no_author_id" for finding in report.findings):
        text.append(f"; {generated:,} pages have a generated ID", style="dim")
    return text


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
