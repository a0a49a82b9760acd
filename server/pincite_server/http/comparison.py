"""Two configurations of the validators side by side: each reader always gets the same one, by the hash of the token."""

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pincite_core.errors import InputError
from pincite_server.engine import Engine
from pincite_server.policy import POLICY_VARIABLES, Policy

__all__ = ("Comparison",)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Arm `a` is the operator's policy; half of the readers get `other` as arm `b`. Without `other` all are in `a`."""

    other: Policy | None = None

    @classmethod
    def from_assignments(cls, assignments: Sequence[str], environment: Mapping[str, str]) -> Self:
        """Return the comparison with the policy of `environment` under some changes.

        Args:
            assignments: Each `NAME=VALUE`, the name as in `environment`; none for no comparison.
            environment: The variables of arm `a`.

        Raises:
            InputError: One is no assignment, names no setting of the policy, or has a value that cannot be used.
        """
        if not assignments:
            return cls()
        changes: dict[str, str] = {}
        for assignment in assignments:
            name, mark, value = assignment.partition("=")
            if not mark or name not in POLICY_VARIABLES:
                message = f"{assignment!r} cannot be compared. Name a policy's variable, such as PINCITE_GUARDS=strict."
                raise InputError(message)
            changes[name] = value
        return cls(Policy.from_environment({**environment, **changes}))

    def engine_for(self, engine: Engine, reader: str) -> tuple[Engine, str]:
        """Return the engine with the policy of a reader's arm, and the arm's name.

        Args:
            engine: With the policy of arm `a`.
            reader: The reader's token; "" is in arm `a`.
        """
        if self.other is None or not reader or hashlib.sha256(reader.encode()).digest()[0] % 2 == 0:
            return engine, "a"
        return dataclasses.replace(engine, policy=self.other), "b"
