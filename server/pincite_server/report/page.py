"""Renders the report as one self-contained HTML page with inline SVG charts, without scripts or requests.

Charts take their colours from the style sheet and have a name for screen readers. The page also shows every number of a
chart in a table or list.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from pincite_core.urls import join_url
from pincite_server.report.question_report import REASONS, Day, QuestionReport, SectionGap, VotedReply, VoteReport

__all__ = ("NOT_LOGGED", "TITLE", "VERDICTS", "in_columns", "period_of", "render_page", "summary_of")

TITLE = "Questions that the docs did not answer"
NOT_LOGGED = "A question that is not in these files"
VERDICTS = {"up": "helpful", "down": "not helpful"}

_KINDS = {"answered": "answered", "unanswered": "not in the docs", "declined": "declined: no question for docs"}
_CHARTED = 12  # bars that a reader can take in at a glance; the list below has all sections
_WIDTH, _HEIGHT = 720, 200  # units of the drawing; the page scales it
_LEFT, _RIGHT, _BOTTOM, _TOP = 40, 20, 24, 10  # space for labels
_MOST_COLUMNS = 62  # two months of days; a longer period is shown in columns of one or more weeks
_ROW = 26
_LABEL_WIDTH = 300
_LABEL_CHARACTERS = 44  # characters that fit into the label's width
_TICKS = 4


def render_page(report: QuestionReport, site_url: str = "") -> str:
    """Return the HTML page of a report. `site_url` is the site's origin, for links to sections; "" for no links."""
    template = Template(files("pincite_server.report").joinpath("page.html").read_text(encoding="utf-8"))
    body = "\n".join(_body(report, site_url))
    return template.substitute(title=escape(TITLE), period=escape(period_of(report)), body=body)


def summary_of(votes: VoteReport) -> str:
    """Return a text with the numbers of helpful and unhelpful votes, and the reasons."""
    reasons = ", ".join(f"{REASONS[reason]}: {count}" for reason, count in votes.reasons)
    return f"{votes.up} helpful, {votes.down} not helpful{f' ({reasons})' if reasons else ''}."


def period_of(report: QuestionReport) -> str:
    """Return a text with the report's period."""
    if not report.days:
        return "No questions were logged."
    first, last = report.days[0].date, report.days[-1].date
    when = f"{first:%d %B %Y}" if first == last else f"{first:%d %B %Y} to {last:%d %B %Y}"
    return f"{when}, by day in UTC."


def _body(report: QuestionReport, site_url: str) -> Iterator[str]:
    if report.total:
        yield from _questions(report, site_url)
    if report.votes.up or report.votes.down:
        yield "<h2>Votes of readers</h2>"
        yield f"<p>{escape(summary_of(report.votes))}</p>"
        if report.votes.listed:
            yield f'<ul class="asked">{"".join(map(_voted, report.votes.listed))}</ul>'
    if report.total and report.unreadable:
        yield f'<p class="quiet">{report.unreadable} lines of the log could not be read.</p>'


def _questions(report: QuestionReport, site_url: str) -> Iterator[str]:
    figures = {
        "Questions": report.total,
        "Answered": report.answered,
        "Not in the docs": report.unanswered,
        "Declined": report.declined,
    }
    shares = (
        f"<div><dt>{name}</dt><dd>{count}"
        + ("" if count == report.total else f" <small>{round(100 * count / report.total)} %</small>")
        + "</dd></div>"
        for name, count in figures.items()
    )
    yield f'<dl class="figures">{"".join(shares)}</dl>'
    yield "<h2>Over time</h2>"
    legend = (f'<li><span class="{kind}"></span>{name}</li>' for kind, name in _KINDS.items())
    yield f'<ul class="legend">{"".join(legend)}</ul>'
    span, columns = in_columns(report.days)
    yield f'<div class="chart">{_columns_chart(columns)}</div>'
    first = "Day" if span == 1 else f"{span} days from"
    head = f"<tr><th>{first}</th><th>answered</th><th>not in the docs</th><th>declined</th></tr>"
    rows = "".join(
        f"<tr><th>{day.date.isoformat()}</th>{''.join(f'<td>{getattr(day, kind)}</td>' for kind in _KINDS)}</tr>"
        for day in columns
    )
    yield f"<details><summary>As a table</summary><table>{head}{rows}</table></details>"
    if report.gaps:
        yield "<h2>Sections with the most unanswered questions</h2>"
        yield f'<div class="chart">{_bars_chart(report.gaps[:_CHARTED])}</div>'
        yield "<h2>Unanswered questions by the nearest section</h2>"
        yield from (_gap(gap, site_url) for gap in report.gaps)
    else:
        yield "<p>Every question that docs can answer was answered.</p>"


def _gap(gap: SectionGap, site_url: str) -> str:
    name = escape(" › ".join(gap.section.heading_path) or "Nothing near")
    link = (join_url(site_url, gap.section.url) if site_url and gap.section.url else None) or ""
    heading = f'<a href="{escape(link)}">{name}</a>' if link.partition(":")[0] in {"http", "https"} else name
    id_line = f'<p class="id">{escape(gap.section.stable_id)}</p>' if gap.section.stable_id else ""
    rows = []
    for question in gap.questions:
        times = f"{question.count} times, last " if question.count > 1 else ""
        when = f'<span class="quiet">{times}{question.last:%d %b %Y}</span>'
        rows.append(f"<li><bdi>{escape(question.text)}</bdi>{when}</li>")
    return f'<section><h3>{heading}</h3>{id_line}<ul class="asked">{"".join(rows)}</ul></section>'


def _voted(reply: VotedReply) -> str:
    question = f"<bdi>{escape(reply.question)}</bdi>" if reply.question else NOT_LOGGED
    kind = "answered" if reply.answered else "not answered" if reply.question else ""
    vote = "; ".join(filter(None, (kind, VERDICTS[reply.vote], REASONS[reply.reason] if reply.reason else "")))
    comment = f"<br><q>{escape(reply.comment)}</q>" if reply.comment else ""
    return (
        f'<li><div>{question}<br><span class="quiet">{vote}</span>{comment}</div>'
        f'<span class="quiet">{reply.date:%d %b %Y}</span></li>'
    )


def in_columns(days: Sequence[Day]) -> tuple[int, list[Day]]:
    """Return the number of days in a column, and the sum of each column: one day each if they fit, else whole weeks."""
    span = 1 if len(days) <= _MOST_COLUMNS else 7 * math.ceil(len(days) / 7 / _MOST_COLUMNS)
    columns = []
    for start in range(0, len(days), span):
        part = days[start : start + span]
        counts = (sum(getattr(day, kind) for day in part) for kind in _KINDS)
        columns.append(Day(part[0].date, *counts))
    return span, columns


def _columns_chart(columns: Sequence[Day]) -> str:
    """Return a stacked column chart of answered, unanswered and declined questions over time."""
    highest = max(day.answered + day.unanswered + day.declined for day in columns)
    top = max(_TICKS, math.ceil(highest / _TICKS) * _TICKS)  # divides into whole ticks
    scale = (_HEIGHT - _TOP - _BOTTOM) / top
    step = (_WIDTH - _LEFT - _RIGHT) / len(columns)
    marks = []
    for number in range(_TICKS + 1):
        value = top * number // _TICKS
        y = _HEIGHT - _BOTTOM - value * scale
        marks.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        )
    marks.extend(_stack(day, _LEFT + number * step, step, scale) for number, day in enumerate(columns))
    every = max(1, math.ceil(len(columns) / 8))  # as many dates as fit beside each other
    marks.extend(
        f'<text class="tick" x="{_LEFT + number * step + min(step, 40) / 2:.1f}" y="{_HEIGHT - 6}" '
        f'text-anchor="middle">{columns[number].date:%d %b}</text>'
        for number in range(0, len(columns), every)
    )
    return _drawing("Questions over time", _HEIGHT, marks)


def _stack(day: Day, left: float, step: float, scale: float) -> str:
    base, gap = float(_HEIGHT - _BOTTOM), min(4.0, step * 0.2)
    counts = {kind: getattr(day, kind) for kind in _KINDS}
    name = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    parts = [f"<g><title>{day.date.isoformat()}: {name}</title>"]
    for kind, count in counts.items():
        base -= count * scale
        if count:
            parts.append(
                f'<rect class="{kind}" x="{left + gap / 2:.1f}" y="{base:.1f}" '
                f'width="{min(step - gap, 40):.1f}" height="{count * scale:.1f}"/>'
            )
    return "".join(parts) + "</g>"


def _bars_chart(gaps: Sequence[SectionGap]) -> str:
    """Return a bar chart of the unanswered questions near each section."""
    most = max(gap.count for gap in gaps)
    rows = []
    for number, gap in enumerate(gaps):
        top, length = number * _ROW, max(2.0, (_WIDTH - _LABEL_WIDTH - _LEFT) * gap.count / most)
        rows.append(
            f'<text class="label" x="{_LABEL_WIDTH - 8}" y="{top + 17}" text-anchor="end">{_label(gap)}</text>'
            f'<rect class="unanswered" x="{_LABEL_WIDTH}" y="{top + 4}" width="{length:.1f}" height="18" rx="3"/>'
            f'<text class="value" x="{_LABEL_WIDTH + length + 6:.1f}" y="{top + 17}">{gap.count}</text>'
        )
    return _drawing("Sections with the most unanswered questions", len(gaps) * _ROW, rows)


def _label(gap: SectionGap) -> str:
    """Return the page and section if both fit, else the section, truncated if necessary."""
    path = gap.section.heading_path or ("Nothing near",)
    both = f"{path[0]} › {path[-1]}"
    label = both if len(path) > 1 and len(both) <= _LABEL_CHARACTERS else path[-1]
    return escape(label if len(label) <= _LABEL_CHARACTERS else label[: _LABEL_CHARACTERS - 1] + "…")


def _drawing(name: str, height: int, marks: Sequence[str]) -> str:
    return f'<svg role="img" aria-label="{escape(name)}" viewBox="0 0 {_WIDTH} {height}">{"".join(marks)}</svg>'
