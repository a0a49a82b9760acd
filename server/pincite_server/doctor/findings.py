"""What an examination finds."""

from dataclasses import dataclass
from typing import Literal

__all__ = ("Finding", "Status", "fail", "ok", "warn")

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and, unless it is well, what to do."""

    check: str
    status: Status
    message: str
    fix: str = ""


def ok(check: str, message: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(check, "ok", message)


def warn(check: str, message: str, fix: str) -> Finding:
    """Return a finding of what readers can live with."""
    return Finding(check, "warn", message, fix)


def fail(check: str, message: str, fix: str) -> Finding:
    """Return a finding of what keeps readers from being served."""
    return Finding(check, "fail", message, fix)
