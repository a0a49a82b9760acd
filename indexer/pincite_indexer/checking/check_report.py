"""Define the report of a check, and show it on a console, or on GitHub as annotations and a summary for readers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from rich.console import Console
from rich.text import Text

from pincite_core.github_run import Annotation, summary_items

__all__ = ("Changes", "CheckReport", "Code", "Finding", "Moved", "check_annotations", "check_summary", "show_report")

Severity = Literal["error", "warning", "info"]
Code = Literal[
    "dead_link",
    "dead_fragment",
    "dead_redirect",
    "unreadable_page",
    "private_source",
    "duplicate_stable_id",
    "duplicate_id",
    "bad_characters",
    "unread_parts",
    "no_author_id",
    "lost_id",
]

_SHOWN = 10  # IDs of a kind shown before "and N more"; --json lists all
_STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}
_DEAD = frozenset({"dead_link", "dead_fragment", "dead_redirect"})


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of a check.

    `page` is a URL, `heading_path` the place on the page, and `href` the target of the link, as written. `suggestion`
    is the URL of the probably intended target. `source` and `line` say where the author wrote the link, if sources are
    known.
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

    def __str__(self) -> str:
        return f"{self.stable_id} → {self.successor if self.successor != self.stable_id else self.url}"


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
    """Print a report; findings of severity "info" are counted, except for the first pages with unreadable parts."""
    for line in _console_lines(report):
        console.print(line, soft_wrap=True)


def _console_lines(report: CheckReport) -> Iterator[Text]:
    listed = [finding for finding in report.findings if finding.severity != "info"]
    for (page, file), findings in groupby(listed, key=lambda finding: (finding.page, finding.file)):
        heading = Text("\n").append(page or file or "The whole site", style="bold")
        yield heading.append(f"  ({file})", style="dim") if page and file else heading
        for finding in findings:
            yield from _finding_lines(finding)
    yield from _unread_lines([finding for finding in report.findings if finding.code == "unread_parts"])
    if report.changes:
        yield from _change_lines(report.changes)
    errors, warnings = report.count("error"), report.count("warning")
    text = Text(f"\n{report.pages:,} pages, {report.links:,} links checked in {report.seconds:.1f} s: ")
    text.append(_counted(errors, "error"), style=_STYLES["error"] if errors else "green")
    text.append(f", {_counted(warnings, 'warning')}", style=_STYLES["warning"] if warnings else "green")
    if generated := sum(finding.code == "no_author_id" for finding in report.findings):
        text.append(f"; {generated:,} pages have a generated ID", style="dim")
    yield text


def _finding_lines(finding: Finding) -> Iterator[Text]:
    yield Text("  ").append(finding.severity, style=_STYLES[finding.severity]).append(f"  {finding.message}")
    if finding.heading_path or finding.text:
        where = " › ".join(finding.heading_path)
        yield Text(f"         in {where}" + (f": “{finding.text}”" if finding.text else ""), style="dim")
    if finding.source:
        yield Text(f"         written in {finding.source}:{finding.line}", style="dim")
    if finding.suggestion:
        yield Text("         nearest: ", style="dim").append(finding.suggestion, style="cyan")


def _change_lines(changes: Changes) -> Iterator[Text]:
    yield Text("\nSince the earlier index", style="bold")
    kinds = {
        "added": changes.added,
        "changed": changes.changed,
        "moved": [str(item) for item in changes.moved],
        "lost": changes.lost,
    }
    for kind, names in kinds.items():
        yield Text(f"  {len(names):,} {kind}", style="red" if kind == "lost" and names else "")
        for name in names[:_SHOWN]:
            yield Text(f"    {name}", style="dim")
        if len(names) > _SHOWN:
            yield Text(f"    and {len(names) - _SHOWN:,} more", style="dim")


def _unread_lines(findings: Sequence[Finding]) -> Iterator[Text]:
    if findings:
        yield Text("\nParts whose text cannot be read", style="bold")
    for finding in findings[:_SHOWN]:
        yield Text(f"  {finding.page}: {finding.message.partition(': ')[2]}", style="dim")
    if len(findings) > _SHOWN:
        yield Text(f"  and {len(findings) - _SHOWN:,} more pages", style="dim")


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def check_annotations(report: CheckReport) -> list[Annotation]:
    """Return a GitHub annotation for each error and warning."""
    found = []
    for finding in report.findings:
        if finding.severity != "info":
            where = f"{finding.page}: " if finding.page and not finding.source else ""
            nearest = f" Nearest: {finding.suggestion}" if finding.suggestion else ""
            title = f"Pincite: {finding.code.replace('_', ' ')}"
            message = where + finding.message + nearest
            found.append(Annotation(finding.severity, title, message, finding.source, finding.line))
    return found


def check_summary(report: CheckReport) -> str:
    """Return the summary of a report in Markdown."""
    errors, warnings = report.count("error"), report.count("warning")
    listed = [finding for finding in report.findings if finding.severity != "info"]
    others = [_summary_item(one) for one in listed if one.code not in _DEAD and one.code != "lost_id"]
    unread = [_summary_item(one) for one in report.findings if one.code == "unread_parts"]
    parts = [
        "## Pincite: links and IDs",
        f"{report.pages:,} pages, {report.links:,} links: **{errors:,} errors, {warnings:,} warnings**.",
        summary_items("Dead links and anchors", [_summary_item(one) for one in listed if one.code in _DEAD]),
        summary_items("Other findings", others),
        summary_items("Parts whose text cannot be read", unread),
        _change_summary(report.changes) if report.changes else "There is no earlier index to compare with.",
    ]
    return "\n\n".join(filter(None, parts))


def _summary_item(finding: Finding) -> str:
    where = f"{finding.source}:{finding.line}" if finding.source else finding.page or finding.file
    return f"{where}: {finding.message}" if where else finding.message


def _change_summary(changes: Changes) -> str:
    kinds = {
        "IDs that lead nowhere any more": changes.lost,
        "IDs that moved": [str(item) for item in changes.moved],
        "Sections whose text changed": changes.changed,
        "IDs that are new": changes.added,
    }
    counts = "; ".join(f"{kind}: {len(names):,}" for kind, names in kinds.items())
    lists = (summary_items(kind, names) for kind, names in kinds.items())
    return "\n\n".join([f"Against the deployed index. {counts}.", *filter(None, lists)])
