"""Renders the report as one self-contained HTML page, light and dark, without scripts or requests."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from pincite_core.urls import join_url
from pincite_server.report.charts import bars_by_section, columns_by_day, in_columns
from pincite_server.report.gaps import AskedQuestion, Day, QuestionReport, SectionGap
from pincite_server.report.votes import REASONS, VotedReply, VoteReport

__all__ = ("NOT_LOGGED", "TITLE", "VERDICTS", "period_of", "render_page", "summary_of")

TITLE = "What readers asked that the docs did not answer"
NOT_LOGGED = "A question that is not in these files"
VERDICTS = {"up": "helpful", "down": "not helpful"}
_CHARTED = 12  # bars that a reader can take in at a glance; the list below has all sections
_FOLLOWED = frozenset({"http", "https"})


def render_page(report: QuestionReport, site_url: str = "") -> str:
    """Return the HTML page of a report.

    Args:
        report: The report.
        site_url: The site's origin, for links to sections; "" for names without links.
    """
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
        yield from _votes(report.votes)
    if report.total and report.unreadable:
        yield f'<p class="quiet">{report.unreadable} lines of the log could not be read.</p>'


def _questions(report: QuestionReport, site_url: str) -> Iterator[str]:
    yield _figures(report)
    yield "<h2>Over time</h2>"
    yield _legend()
    yield f'<div class="chart">{columns_by_day(report.days)}</div>'
    yield _table(report.days)
    if report.gaps:
        yield "<h2>Where the docs fall short</h2>"
        yield f'<div class="chart">{bars_by_section(report.gaps[:_CHARTED])}</div>'
        yield "<h2>What was asked, by the nearest section</h2>"
        yield from (_gap(gap, site_url) for gap in report.gaps)
    else:
        yield "<p>Every question that docs can answer was answered.</p>"


def _votes(votes: VoteReport) -> Iterator[str]:
    yield "<h2>What readers thought of the replies</h2>"
    yield f"<p>{escape(summary_of(votes))}</p>"
    if votes.listed:
        yield f'<ul class="asked">{"".join(map(_voted, votes.listed))}</ul>'


def _voted(reply: VotedReply) -> str:
    question = f"<bdi>{escape(reply.question)}</bdi>" if reply.question else NOT_LOGGED
    kind = "answered" if reply.answered else "not answered" if reply.question else ""
    said = "; ".join(filter(None, (kind, VERDICTS[reply.vote], REASONS[reply.reason] if reply.reason else "")))
    comment = f"<br><q>{escape(reply.comment)}</q>" if reply.comment else ""
    return (
        f'<li><div>{question}<br><span class="quiet">{said}</span>{comment}</div>'
        f'<span class="quiet">{reply.date:%d %b %Y}</span></li>'
    )


def _figures(report: QuestionReport) -> str:
    def figure(name: str, count: int) -> str:
        share = "" if count == report.total else f" <small>{round(100 * count / report.total)} %</small>"
        return f"<div><dt>{name}</dt><dd>{count}{share}</dd></div>"

    rows = (
        figure("Questions", report.total),
        figure("Answered", report.answered),
        figure("Not in the docs", report.unanswered),
        figure("Declined", report.declined),
    )
    return f'<dl class="figures">{"".join(rows)}</dl>'


def _legend() -> str:
    kinds = (
        ("answered", "answered"),
        ("unanswered", "not in the docs"),
        ("declined", "declined: no question for docs"),
    )
    items = "".join(f'<li><span class="{kind}"></span>{name}</li>' for kind, name in kinds)
    return f'<ul class="legend">{items}</ul>'


def _table(days: Sequence[Day]) -> str:
    span, columns = in_columns(days)
    first = "Day" if span == 1 else f"{span} days from"
    head = f"<tr><th>{first}</th><th>answered</th><th>not in the docs</th><th>declined</th></tr>"
    rows = "".join(
        f"<tr><th>{column.first.isoformat()}</th>{''.join(f'<td>{count}</td>' for count in column.counts)}</tr>"
        for column in columns
    )
    return f"<details><summary>As a table</summary><table>{head}{rows}</table></details>"


def _gap(gap: SectionGap, site_url: str) -> str:
    name = escape(" › ".join(gap.section.heading_path) or "Nothing near")
    link = (join_url(site_url, gap.section.url) if site_url and gap.section.url else None) or ""
    heading = f'<a href="{escape(link)}">{name}</a>' if link.partition(":")[0] in _FOLLOWED else name
    id_line = f'<p class="id">{escape(gap.section.stable_id)}</p>' if gap.section.stable_id else ""
    rows = "".join(map(_question, gap.questions))
    return f'<section><h3>{heading}</h3>{id_line}<ul class="asked">{rows}</ul></section>'


def _question(question: AskedQuestion) -> str:
    times = f"{question.count} times, last" if question.count > 1 else ""
    when = f"{times} {question.last:%d %b %Y}".strip()
    return f'<li><bdi>{escape(question.text)}</bdi><span class="quiet">{when}</span></li>'
