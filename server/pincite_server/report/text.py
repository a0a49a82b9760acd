"""The report for a terminal."""

from collections.abc import Iterator

from rich.text import Text

from pincite_server.report.gaps import QuestionReport, SectionGap
from pincite_server.report.page import period_of

__all__ = ("report_lines",)

_SHOWN = 20  # sections; the page has all
_QUESTIONS = 5  # of a section


def report_lines(report: QuestionReport) -> Iterator[Text]:
    """Yield the report, line by line."""
    yield Text(period_of(report), style="dim")
    if report.unreadable:
        yield Text(f"{report.unreadable} lines of the log could not be read.", style="yellow")
    if not report.total:
        return
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
