"""Run a recorded answer through the checks of written answers, as if a model sent it."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any, Literal, cast

from bench.written.answers import WrittenAnswer

from pincite_core.embedders import DEFAULT_MODEL, Embedder
from pincite_core.embedders.loading import model_folder
from pincite_core.wording import say
from pincite_indexer.vectors.encoder_export import export_files
from pincite_server.answering.generation import Excerpt, GenerationContext
from pincite_server.answering.written.gate import Gate, JudgedUnit
from pincite_server.answering.written.links import plain_emphasis
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.units import WrittenUnits
from pincite_server.policy import Policy
from pincite_server.question.resolve import ResolvedQuestion

__all__ = ("Outcome", "ReplayedUnit", "default_encoder", "is_broken", "replay")

Outcome = Literal["verified", "mended", "doubtful", "dropped"]
_MARKER = re.compile(r"\[\[(\d+)\]\]")
_DRAWN = re.compile(r"\s*\[-\d+\]")  # a drawn marker without its letters
_LINK_NUMBER = re.compile(r" ?\(→ \d+\)")


@dataclass(frozen=True, slots=True)
class ReplayedUnit:
    """The result of a unit; `written` is its text from the model, `seconds` the processor time of its check.

    `is_absent` says that the unit states what the docs do not cover.
    """

    written: str
    kind: str
    text: str
    outcome: Outcome
    doubts: tuple[str, ...]
    evidence: str
    seconds: float
    is_absent: bool = False


class _Citer:
    """Numbers excerpts by their titles."""

    def __init__(self) -> None:
        self._titles: list[str] = []

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        for excerpt in excerpts:
            if excerpt.title not in self._titles:
                self._titles.append(excerpt.title)
        return tuple(self._titles.index(excerpt.title) + 1 for excerpt in excerpts)

    def citations(self) -> tuple[()]:
        return ()


def replay(row: WrittenAnswer, answer: str, encoder: Embedder | None = None) -> list[ReplayedUnit]:
    """Return the result of each unit of an answer, in order; `encoder` defaults to the default model's encoder."""
    places = {excerpt.n: place for place, excerpt in enumerate(row.excerpts)}
    excerpts = [Excerpt(one.title, one.text, number=one.n, is_quoted=one.quoted) for one in row.excerpts]
    markers = Markers.draw(max(places), [row.question, answer])
    gate = Gate(_context(row.question, encoder or default_encoder()), excerpts, markers)
    units = WrittenUnits()
    text = _MARKER.sub(lambda found: markers.marker(int(found.group(1))), answer)
    judged: list[tuple[str, JudgedUnit, float]] = []
    for unit in (*units.feed(text), *units.finish()):
        started = time.process_time()
        one = gate.judge(unit)
        if one is not None:
            judged.append((unit.text.replace(markers.nonce, ""), one, time.process_time() - started))
            gate.release(one)
    gate.finish()
    return list(_outcomes(gate, judged, places))


def is_broken(units: Sequence[ReplayedUnit]) -> bool:
    """Return whether the shown text has a list or code without its introduction, the reverse, or a cut word."""
    shown = [unit for unit in units if unit.outcome != "dropped"]
    for place, unit in enumerate(units):
        follower = next((other for other in units[place + 1 : place + 2]), None)
        if unit.text.endswith(":") and follower is not None and follower.kind != "prose":
            followers = [other for other in units[place + 1 :] if other.kind != "prose"]
            if (unit in shown) != any(other in shown for other in followers):
                return True
    return any(unit.text not in _plain(unit.written) for unit in shown)


def _plain(written: str) -> str:
    """Return a unit's words without markers and emphasis, which the checks remove."""
    return plain_emphasis(_DRAWN.sub("", _LINK_NUMBER.sub("", written)))


def _outcomes(
    gate: Gate, judged: Sequence[tuple[str, JudgedUnit, float]], places: dict[int, int]
) -> Iterator[ReplayedUnit]:
    claims = [claim.text for claim in gate.claims]
    for written, one, seconds in judged:
        outcome: Outcome = "dropped"
        if one.text in claims:
            given = {places.get(int(number)) for number in re.findall(r"\[-(\d+)\]", written)}
            mended = bool(given) and not given & set(one.cited) and not one.is_absent
            proved: Outcome = "mended" if mended else "verified"
            outcome = "doubtful" if one.verdict.proof == "doubtful" else proved
        yield ReplayedUnit(
            written,
            one.unit.kind,
            one.text,
            outcome,
            one.verdict.doubts,
            "\n\n".join(gate.evidence_of([one])),
            seconds,
            one.is_absent,
        )


@cache
def default_encoder() -> Embedder:
    """Return the encoder that an index of the default model ships."""
    folder = model_folder(DEFAULT_MODEL)
    if folder is None:
        raise SystemExit("The default model is not on this machine; `make .make/dev` installs it.")
    return export_files(folder, DEFAULT_MODEL).load()


def _context(question: str, encoder: Embedder) -> GenerationContext:
    """Return the minimal context that the checks need."""
    resolved = SimpleNamespace(
        answerer=SimpleNamespace(policy=Policy(), embedder=encoder),
        question=SimpleNamespace(query=question),
        scope=SimpleNamespace(locale="en"),
        say=lambda key: say(key, "en"),
    )
    stub: Any = SimpleNamespace(resolved=cast(ResolvedQuestion, resolved), grounding_mode="default", citer=_Citer)
    return cast(GenerationContext, stub)
