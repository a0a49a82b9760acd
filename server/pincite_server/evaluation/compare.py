"""What changed between two evaluations of the same questions: another build, another model, another release."""

from dataclasses import dataclass
from typing import Literal

from pincite_server.evaluation.evaluate import Evaluation
from pincite_server.evaluation.judge import JudgedQuestion, Verdict

__all__ = ("Change", "ChangeKind", "find_changes")

ChangeKind = Literal["gained", "lost", "refused now", "answered now", "other section", "other words"]
_WORTH: dict[Verdict, int] = {"right": 2, "right page": 1}  # every other verdict is as bad as the next: 0


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose reply changed. `gained` and `lost` are better and worse verdicts; the others weigh the same."""

    kind: ChangeKind
    before: JudgedQuestion
    after: JudgedQuestion


def find_changes(before: Evaluation, after: Evaluation) -> list[Change]:
    """Return every question whose reply changed, in the file's order."""
    pairs = zip(before.rows, after.rows, strict=True)
    return [Change(kind, old, new) for old, new in pairs if (kind := _kind(old, new))]


def _kind(old: JudgedQuestion, new: JudgedQuestion) -> ChangeKind | None:
    was, now = _WORTH.get(old.verdict, 0), _WORTH.get(new.verdict, 0)
    if was != now:
        return "gained" if now > was else "lost"
    if old.refused != new.refused:
        return "refused now" if new.refused else "answered now"
    if new.refused or (old.cited, old.text) == (new.cited, new.text):
        return None
    return "other words" if old.cited == new.cited else "other section"
