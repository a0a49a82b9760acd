"""A language model that says again what a capable reader said in its place (`tests/cases/transcripts.jsonl`).

The reader saw the prompts of the example site and nothing else. A marker of a recorded answer names its excerpt by the
heading path, `[[Concepts > Leases]]`, and `[[0]]` is number 0: so a transcript outlives another order of the excerpts.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
from tests.integration.scripted_llm import DONE, ScriptedModel

__all__ = ("Transcript", "TranscriptModel", "read_transcripts")

_FILE = Path(__file__).parents[1] / "cases" / "transcripts.jsonl"
_QUESTION = re.compile(r"<question ([a-z]{5})>\n(.*?)\n</question", re.DOTALL)
_EXCERPT = re.compile(r"<excerpt [a-z]{5}-(\d+)>\n([^\n]*)\n")
_MARKER = re.compile(r"\[\[([^\]]+)\]\]")
_UNREAD = 99  # of a section that is not among the excerpts any more: its marker names nothing


class Transcript(msgspec.Struct, frozen=True):
    """A question, the plan for it, and the answer; "" where the plan says that the question is foreign."""

    question: str
    plan: str
    answer: str


def read_transcripts() -> list[Transcript]:
    """Return all transcripts."""
    return [msgspec.json.decode(line, type=Transcript) for line in _FILE.read_bytes().splitlines()]


class TranscriptModel(ScriptedModel):
    """Plans and writes as recorded, and confirms what it is asked to check."""

    def __init__(self) -> None:
        super().__init__()
        self._known = {one.question: one for one in read_transcripts()}

    def script_for(self, asked: dict[str, Any], prompt: str, *, plans: bool) -> tuple[object, ...]:
        """Return what was said in reply to such a request."""
        found = _QUESTION.search(asked["messages"][-1]["content"])
        assert found is not None
        transcript = self._known[found[2]]
        if plans:
            return (transcript.plan, DONE)
        if statements := prompt.count("<statement "):
            return ("\n".join(f"{number}: yes" for number in range(1, statements + 1)), DONE)
        numbers = {title: number for number, title in _EXCERPT.findall(prompt)}
        marked = _MARKER.sub(
            lambda name: f"[{found[1]}-{0 if name[1] == '0' else numbers.get(name[1], _UNREAD)}]", transcript.answer
        )
        return (marked, DONE)
