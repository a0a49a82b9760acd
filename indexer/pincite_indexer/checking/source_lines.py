"""Find the source file and line of each finding."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pincite_indexer.checking.check_report import Finding
from pincite_indexer.site.resolved_site import Site

__all__ = ("with_source_lines",)

_QUOTED = re.compile(r"'([^']+)'")  # the ID in a message about a duplicate ID
_FIRST = 1  # the line number if no line matches


def with_source_lines(findings: Sequence[Finding], site: Site, docs: Path) -> list[Finding]:
    """Return the findings, with the source file and line if the page's source is known.

    The file is `docs` joined with the source's path. The line is the first with the link as written. If there is none,
    it is the first line with the link's fragment, its text, or its heading.
    """
    sources = {page.url: docs / page.source for page in site.pages if page.source}
    return [_placed(finding, sources.get(finding.page)) for finding in findings]


def _placed(finding: Finding, source: Path | None) -> Finding:
    if source is None or not source.is_file():
        return finding
    lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
    return replace(finding, source=source.as_posix(), line=_line(finding, lines))


def _line(finding: Finding, lines: Sequence[str]) -> int:
    for words in _signs(finding):
        for number, line in enumerate(lines, 1):
            if words in line:
                return number
    return _FIRST


def _signs(finding: Finding) -> Iterator[str]:
    """Yield the texts that may identify the line, the most reliable first."""
    path, mark, fragment = finding.href.partition("#")
    name = path.rstrip("/").rpartition("/")[2]
    signs = (
        f"({finding.href})" if finding.href else "",
        finding.href,
        f"#{fragment})" if mark else "",
        f"{name}.md" if name else "",
        f"[{finding.text}]" if finding.text else "",
        *_QUOTED.findall(finding.message),
        *finding.heading_path[:0:-1],
    )
    yield from filter(None, signs)
