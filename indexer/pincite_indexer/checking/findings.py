"""What a check found, as it is told to people and to machines."""

from dataclasses import dataclass, field
from typing import Literal

__all__ = ("Changes", "CheckReport", "Code", "Finding", "Moved", "Severity")

Severity = Literal["error", "warning", "info"]
Code = Literal[
    "dead_link",
    "dead_fragment",
    "dead_redirect",
    "unreadable_page",
    "duplicate_stable_id",
    "duplicate_id",
    "no_author_id",
    "lost_id",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. `page` is a URL; `heading_path` is where on it, `href` and `text` the link as written.

    `suggestion` is the URL of what was probably meant.
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


@dataclass(frozen=True, slots=True)
class Moved:
    """A stable ID that leads to another URL or to another ID now."""

    stable_id: str
    successor: str
    url: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Stable IDs by what became of them since an earlier index; `lost` names those lost since then alone."""

    added: list[str]
    changed: list[str]
    moved: list[Moved]
    lost: list[str]


@dataclass(slots=True)
class CheckReport:
    """Everything a check found. `changes` is None when there was nothing to compare with."""

    place: str
    pages: int = 0
    links: int = 0
    findings: list[Finding] = field(default_factory=list)
    changes: Changes | None = None
    seconds: float = 0.0

    def count(self, severity: Severity) -> int:
        """Return how many findings are of a severity."""
        return sum(finding.severity == severity for finding in self.findings)
