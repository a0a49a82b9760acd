"""What an examination finds."""

from dataclasses import dataclass
from typing import Literal

__all__ = ("Diagnosis", "Status", "fail", "ok", "warn")

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at: how it is, and, unless it is well, what to do."""

    check: str
    status: Status
    message: str
    fix: str = ""


def ok(check: str, message: str) -> Diagnosis:
    """Return a finding that all is well."""
    return Diagnosis(check, "ok", message)


def warn(check: str, message: str, fix: str) -> Diagnosis:
    """Return a finding of what readers can live with."""
    return Diagnosis(check, "warn", message, fix)


def fail(check: str, message: str, fix: str) -> Diagnosis:
    """Return a finding of what keeps readers from being served."""
    return Diagnosis(check, "fail", message, fix)
