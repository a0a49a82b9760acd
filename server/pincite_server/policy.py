"""The operator's policy for answers, and the environment variables that set it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from pincite_core.errors import InputError

__all__ = ("POLICY_VARIABLES", "EvidenceMode", "GroundingMode", "Policy", "Strictness")

Strictness = Literal["strict", "hybrid", "permissive"]
EvidenceMode = Literal["calibrated", "cosine"]
GroundingMode = Literal["default", "adr-003"]

POLICY_VARIABLES = (
    "PINCITE_EVIDENCE_MODE",
    "PINCITE_EVIDENCE_THRESHOLD",
    "CHAT_EVIDENCE_THRESHOLD",
    "PINCITE_GUARDS",
    "ENABLE_VALIDATORS",
    "VALIDATOR_EVIDENCE_THRESHOLD",
    "PINCITE_GROUNDING",
    "PINCITE_BLOCKED_TOPICS",
)
"""All variables that `Policy.from_environment` reads."""

_FALSE = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds and switches of the four stages.

    Attributes:
        evidence_mode: `PINCITE_EVIDENCE_MODE`: `calibrated` (a probability) or `cosine` (EVIDENCE-2).
        evidence_threshold: `PINCITE_EVIDENCE_THRESHOLD`: the least probability, inclusive, at which a question is
            answered.
        cosine_threshold: `CHAT_EVIDENCE_THRESHOLD`: the least cosine, inclusive, in the mode `cosine`. Setting it
            chooses that mode.
        strictness: `PINCITE_GUARDS`: `strict` rejects on any failed check, `hybrid` on hard failures, `permissive` only
            warns.
        validators_enabled: `ENABLE_VALIDATORS`: whether answers are checked at all.
        overlap_threshold: `VALIDATOR_EVIDENCE_THRESHOLD`: the least share of an answer's words that its evidence must
            contain.
        grounding_mode: `PINCITE_GROUNDING`: how answers from a selection are validated: `default` or `adr-003`.
        blocked_topics: `PINCITE_BLOCKED_TOPICS`: words, separated by commas, that mark a question as out of the site's
            scope.
    """

    evidence_mode: EvidenceMode = "calibrated"
    evidence_threshold: float = 0.5
    cosine_threshold: float = 0.35
    strictness: Strictness = "hybrid"
    validators_enabled: bool = True
    overlap_threshold: float = 0.01
    grounding_mode: GroundingMode = "default"
    blocked_topics: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the policy from environment variables.

        Raises:
            InputError: A variable has an invalid value.
        """
        default = cls()
        mode: EvidenceMode = "cosine" if "CHAT_EVIDENCE_THRESHOLD" in environment else default.evidence_mode
        topics = environment.get("PINCITE_BLOCKED_TOPICS", "").split(",")
        return cls(
            evidence_mode=_choice(environment, "PINCITE_EVIDENCE_MODE", get_args(EvidenceMode), mode),
            evidence_threshold=_share(environment, "PINCITE_EVIDENCE_THRESHOLD", default.evidence_threshold),
            cosine_threshold=_share(environment, "CHAT_EVIDENCE_THRESHOLD", default.cosine_threshold),
            strictness=_choice(environment, "PINCITE_GUARDS", get_args(Strictness), default.strictness),
            validators_enabled=environment.get("ENABLE_VALIDATORS", "true").strip().lower() not in _FALSE,
            overlap_threshold=_share(environment, "VALIDATOR_EVIDENCE_THRESHOLD", default.overlap_threshold),
            grounding_mode=_choice(environment, "PINCITE_GROUNDING", get_args(GroundingMode), default.grounding_mode),
            blocked_topics=tuple(topic.strip() for topic in topics if topic.strip()),
        )


def _choice(environment: Mapping[str, str], name: str, choices: tuple[str, ...], default: Any) -> Any:
    value = environment.get(name, default)
    if value not in choices:
        message = f"{name} is {value!r}; it must be one of: {', '.join(choices)}."
        raise InputError(message)
    return value


def _share(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name, str(default))
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        message = f"{name} is {text!r}; it must be a number from 0 to 1."
        raise InputError(message)
    return value
