"""Find the source file and line of each finding."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pincite_indexer.checking.check_report import Finding
from pincite_indexer.site.resolved_site import Site

__all__ = ("with_source_lines",)

_QUOTED = re.compile(r"'([^']+)'")  # the ID in a message about a duplicate ID


def with_source_lines(findings: Sequence[Finding], site: Site, docs: Path) -> list[Finding]:
    """Return the findings, with the source file and line if the page's source is known.

    The file is `docs` joined with the source's path. The line is the first with the link as written. If there is none,
    it is the first line with the link's fragment, its text, or its heading.
    """
    sources = {page.url: docs / page.source for page in site.pages if page.source}
    found = []
    for finding in findings:
        source = sources.get(finding.page)
        if source is None or not source.is_file():
            found.append(finding)
        else:
            lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
            found.append(replace(finding, source=source.as_posix(), line=_line(finding, lines)))
    return found


def _line(finding: Finding, lines: Sequence[str]) -> int:
    """Return the number of the first line with the most reliable text of a finding, or 1 if no line has any."""
    path, mark, fragment = finding.href.partition("#")
    name = path.rstrip("/").rpartition("/")[2]
    texts = (
        f"({finding.href})" if finding.href else "",
        finding.href,
        f"#{fragment})" if mark else "",
        f"{name}.md" if name else "",
        f"[{finding.text}]" if finding.text else "",
        *_QUOTED.findall(finding.message),
        *finding.heading_path[:0:-1],
    )
    for text in filter(None, texts):
        for number, line in enumerate(lines, 1):
            if text in line:
                return number
    return 1
