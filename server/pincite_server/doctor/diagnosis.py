"""The findings of `pincite doctor`."""

from dataclasses import dataclass
from typing import Literal

__all__ = ("Diagnosis", "Status", "fail", "ok", "warn")

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check: status, message, and a fix unless the status is "ok"."""

    check: str
    status: Status
    message: str
    fix: str = ""


def ok(check: str, message: str) -> Diagnosis:
    """Return a finding without a problem."""
    return Diagnosis(check, "ok", message)


def warn(check: str, message: str, fix: str) -> Diagnosis:
    """Return a finding of a problem that does not stop the service."""
    return Diagnosis(check, "warn", message, fix)


def fail(check: str, message: str, fix: str) -> Diagnosis:
    """Return a finding of a problem that stops readers from being served."""
    return Diagnosis(check, "fail", message, fix)
