"""The chain of validators: each looks at the whole draft and names what is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pincite_server.policy import Strictness
from pincite_server.reply.records import CheckReason, Composer

__all__ = ("Claim", "Draft", "Finding", "Severity", "ValidationResult", "Validator", "ValidatorChain", "must_fall_back")

Severity = Literal["hard", "soft"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the answer without its markers, and the text of what it cites; None when it cites nothing."""

    text: str
    evidence: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is released. `context` is the text of every section that was retrieved for it.

    `language` is that of the docs, in which answers are written too; a BCP 47 tag.
    """

    composer: Composer
    claims: tuple[Claim, ...]
    context: tuple[str, ...]
    language: str = "en"

    @property
    def text(self) -> str:
        """The claims, one after another."""
        return " ".join(claim.text for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: a stable reason, how bad it is, and what it was found in."""

    reason: CheckReason
    severity: Severity
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Everything that the chain found; `checked` is false when it did not run."""

    findings: tuple[Finding, ...]
    checked: bool = True

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def reasons(self) -> tuple[CheckReason, ...]:
        """The distinct reasons, in the order found."""
        return tuple(dict.fromkeys(finding.reason for finding in self.findings))

    @property
    def verdict(self) -> bool | None:
        """Whether it passed; None when nothing was found because nobody looked."""
        return self.passed if self.checked or self.findings else None

    @property
    def told(self) -> tuple[CheckReason | Literal["not_checked"], ...]:
        """The reasons as clients get them, that it was not checked among them."""
        return self.reasons if self.checked else (*self.reasons, "not_checked")


class Validator(Protocol):
    """One check. It never changes the draft."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return what is wrong; nothing when the draft passes."""
        ...


class ValidatorChain:
    """Runs every validator; one that fails does not hide what the next would say."""

    def __init__(self, validators: Sequence[Validator]) -> None:
        self.validators = tuple(validators)

    def run(self, draft: Draft) -> ValidationResult:
        """Return the findings of all validators, in order."""
        return ValidationResult(tuple(finding for one in self.validators for finding in one.check(draft)))


def must_fall_back(result: ValidationResult, strictness: Strictness) -> bool:
    """Whether the answer is to be replaced: strict on any finding, hybrid on a hard one, permissive never."""
    if strictness == "permissive":
        return False
    return any(finding.severity == "hard" or strictness == "strict" for finding in result.findings)
