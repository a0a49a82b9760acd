"""Format a check's report for GitHub: annotations, and a summary of the changes for readers."""

from pincite_core.github_run import Annotation, Level, summary_items
from pincite_indexer.checking.check_report import Changes, CheckReport, Finding, Severity

__all__ = ("check_annotations", "check_summary")

_LEVELS: dict[Severity, Level] = {"error": "error", "warning": "warning"}
_DEAD = frozenset({"dead_link", "dead_fragment", "dead_redirect"})


def check_annotations(report: CheckReport) -> list[Annotation]:
    """Return an annotation for each error and warning."""
    return [_annotation(finding) for finding in report.findings if finding.severity in _LEVELS]


def check_summary(report: CheckReport) -> str:
    """Return the summary in Markdown."""
    errors, warnings = report.count("error"), report.count("warning")
    told = [finding for finding in report.findings if finding.severity != "info"]
    parts = [
        "## Pincite: links and IDs",
        f"{report.pages:,} pages, {report.links:,} links: **{errors:,} errors, {warnings:,} warnings**.",
        summary_items("Dead links and anchors", [_told(one) for one in told if one.code in _DEAD]),
        summary_items(
            "Other findings", [_told(one) for one in told if one.code not in _DEAD and one.code != "lost_id"]
        ),
        _changes(report.changes) if report.changes else "There is no earlier index to compare with.",
    ]
    return "\n\n".join(filter(None, parts))


def _annotation(finding: Finding) -> Annotation:
    message = finding.message + (f" Nearest: {finding.suggestion}" if finding.suggestion else "")
    where = f"{finding.page}: " if finding.page and not finding.source else ""
    title = f"Pincite: {finding.code.replace('_', ' ')}"
    return Annotation(_LEVELS[finding.severity], title, where + message, finding.source, finding.line)


def _told(finding: Finding) -> str:
    where = f"{finding.source}:{finding.line}" if finding.source else finding.page or finding.file
    return f"{where}: {finding.message}" if where else finding.message


def _changes(changes: Changes) -> str:
    moved = [
        f"{one.stable_id} → {one.successor if one.successor != one.stable_id else one.url}" for one in changes.moved
    ]
    kinds = {
        "IDs that lead nowhere any more": changes.lost,
        "IDs that moved": moved,
        "Sections whose text changed": changes.changed,
        "IDs that are new": changes.added,
    }
    counts = "; ".join(f"{kind}: {len(names):,}" for kind, names in kinds.items())
    lists = (summary_items(kind, names) for kind, names in kinds.items())
    return "\n\n".join([f"Against the deployed index. {counts}.", *filter(None, lists)])
