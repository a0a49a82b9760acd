"""Draws charts as inline SVG, without scripts or requests, with style sheet colours and a name for screen readers.

The page also shows every number of a chart in a table or list.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pincite_server.report.gaps import Day, SectionGap

__all__ = ("bars_by_section", "columns_by_day", "in_columns")

_WIDTH = 720  # units of the drawing; the page scales it
_HEIGHT = 200
_LEFT, _RIGHT, _BOTTOM, _TOP = 40, 20, 24, 10  # space for labels
_MOST_COLUMNS = 62  # two months of days; a longer period is shown in columns of one or more weeks
_ROW = 26
_LABEL_WIDTH = 300
_LABEL_CHARACTERS = 44  # characters that fit into the label's width
_TICKS = 4
_KINDS = ("answered", "unanswered", "declined")  # from bottom to top


@dataclass(frozen=True, slots=True)
class _Column:
    first: datetime.date
    counts: tuple[int, int, int]

    @property
    def total(self) -> int:
        return sum(self.counts)


def in_columns(days: Sequence[Day]) -> tuple[int, list[_Column]]:
    """Return the number of days in a column, and the columns: one day each if they fit, else whole weeks."""
    span = 1 if len(days) <= _MOST_COLUMNS else 7 * math.ceil(len(days) / 7 / _MOST_COLUMNS)
    columns = []
    for start in range(0, len(days), span):
        part = days[start : start + span]
        counts = (
            sum(day.answered for day in part),
            sum(day.unanswered for day in part),
            sum(day.declined for day in part),
        )
        columns.append(_Column(part[0].date, counts))
    return span, columns


def columns_by_day(days: Sequence[Day]) -> str:
    """Return a stacked column chart of answered, unanswered and declined questions over time."""
    _, columns = in_columns(days)
    top = _round_up(max(column.total for column in columns))
    scale = (_HEIGHT - _TOP - _BOTTOM) / top
    step = (_WIDTH - _LEFT - _RIGHT) / len(columns)
    marks = [_grid(top, scale)]
    for number, column in enumerate(columns):
        marks.append(_stack(column, _LEFT + number * step, step, scale))
    marks.append(_dates(columns, step))
    return _drawing("Questions over time", _HEIGHT, "".join(marks))


def bars_by_section(gaps: Sequence[SectionGap]) -> str:
    """Return a bar chart of the unanswered questions near each section."""
    most = max(gap.count for gap in gaps)
    room = _WIDTH - _LABEL_WIDTH - _LEFT
    rows = []
    for number, gap in enumerate(gaps):
        top, length = number * _ROW, max(2.0, room * gap.count / most)
        label = escape(_label(gap.section.heading_path))
        rows.append(
            f'<text class="label" x="{_LABEL_WIDTH - 8}" y="{top + 17}" text-anchor="end">{label}</text>'
            f'<rect class="unanswered" x="{_LABEL_WIDTH}" y="{top + 4}" width="{length:.1f}" height="18" rx="3"/>'
            f'<text class="value" x="{_LABEL_WIDTH + length + 6:.1f}" y="{top + 17}">{gap.count}</text>'
        )
    return _drawing("Sections with the most unanswered questions", len(gaps) * _ROW, "".join(rows))


def _drawing(name: str, height: int, marks: str) -> str:
    return f'<svg role="img" aria-label="{escape(name)}" viewBox="0 0 {_WIDTH} {height}">{marks}</svg>'


def _stack(column: _Column, left: float, step: float, scale: float) -> str:
    base = float(_HEIGHT - _BOTTOM)
    gap = min(4.0, step * 0.2)
    parts = [f"<g><title>{column.first.isoformat()}: {_in_words(column)}</title>"]
    for kind, count in zip(_KINDS, column.counts, strict=True):
        base -= count * scale
        if count:
            parts.append(
                f'<rect class="{kind}" x="{left + gap / 2:.1f}" y="{base:.1f}" '
                f'width="{min(step - gap, 40):.1f}" height="{count * scale:.1f}"/>'
            )
    return "".join(parts) + "</g>"


def _in_words(column: _Column) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in zip(_KINDS, column.counts, strict=True))


def _grid(top: int, scale: float) -> str:
    lines = []
    for number in range(_TICKS + 1):
        value = top * number // _TICKS
        y = _HEIGHT - _BOTTOM - value * scale
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        )
    return "".join(lines)


def _dates(columns: Sequence[_Column], step: float) -> str:
    """Label the first column and as many others as fit beside each other."""
    every = max(1, math.ceil(len(columns) / 8))
    return "".join(
        f'<text class="tick" x="{_LEFT + number * step + min(step, 40) / 2:.1f}" y="{_HEIGHT - 6}" '
        f'text-anchor="middle">{column.first:%d %b}</text>'
        for number, column in enumerate(columns)
        if number % every == 0
    )


def _round_up(value: int) -> int:
    """Return the next value that divides into whole ticks."""
    return max(_TICKS, math.ceil(value / _TICKS) * _TICKS)


def _label(heading_path: Sequence[str]) -> str:
    """Return the page and section if both fit, else the section, truncated if necessary."""
    if not heading_path:
        return "Nothing near"
    both = f"{heading_path[0]} › {heading_path[-1]}"
    label = both if len(heading_path) > 1 and len(both) <= _LABEL_CHARACTERS else heading_path[-1]
    return label if len(label) <= _LABEL_CHARACTERS else label[: _LABEL_CHARACTERS - 1] + "…"
