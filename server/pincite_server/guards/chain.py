"""The validator chain: each validator checks the whole draft and returns findings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pincite_server.policy import Strictness
from pincite_server.reply.records import CheckReason, Composer

__all__ = ("Claim", "Draft", "Finding", "Severity", "ValidationResult", "Validator", "ValidatorChain", "must_fall_back")

Severity = Literal["hard", "soft"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the answer without citation markers, with the cited text (None without a citation)."""

    text: str
    evidence: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before release."""

    composer: Composer
    claims: tuple[Claim, ...]
    context: tuple[str, ...]  # the text of every section retrieved for the answer
    language: str = "en"  # BCP 47 tag of the docs and of the answer

    @property
    def text(self) -> str:
        """The text of all claims, joined by spaces."""
        return " ".join(claim.text for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in a draft: a stable reason code, its severity, and the affected text."""

    reason: CheckReason
    severity: Severity
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """All findings of the validator chain; `checked` is false if the chain did not run."""

    findings: tuple[Finding, ...]
    checked: bool = True

    @property
    def passed(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    @property
    def reasons(self) -> tuple[CheckReason, ...]:
        """The distinct reasons, in order of their findings."""
        return tuple(dict.fromkeys(finding.reason for finding in self.findings))

    @property
    def verdict(self) -> bool | None:
        """Whether the draft passed; None if the chain did not run and there are no findings."""
        return self.passed if self.checked or self.findings else None

    @property
    def client_reasons(self) -> tuple[CheckReason | Literal["not_checked"], ...]:
        """The reasons for clients, with `not_checked` if the chain did not run."""
        return self.reasons if self.checked else (*self.reasons, "not_checked")


class Validator(Protocol):
    """Interface of a validator, which checks a draft without changing it."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return the findings; empty if the draft passes."""
        ...


class ValidatorChain:
    """A sequence of validators, which all run even if one of them has findings."""

    def __init__(self, validators: Sequence[Validator]) -> None:
        self.validators = tuple(validators)

    def run(self, draft: Draft) -> ValidationResult:
        """Return the findings of all validators, in order."""
        return ValidationResult(tuple(finding for one in self.validators for finding in one.check(draft)))


def must_fall_back(result: ValidationResult, strictness: Strictness) -> bool:
    """Return whether to replace the answer: strict on any finding, hybrid on a hard finding, permissive never."""
    if strictness == "permissive":
        return False
    return any(finding.severity == "hard" or strictness == "strict" for finding in result.findings)
