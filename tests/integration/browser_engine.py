"""Both implementations of the answering engine on one index: the sidecar's in process, the browser's in node."""

import base64
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import structs
from tests.unit.indexer.builds import Silence

from pincite_core.embedders import FAKE_MODEL, FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.evidence import WORDS_CALIBRATION, evidence_probability
from pincite_core.search.language_profile import LanguageProfile
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.words_calibration import WORDS_CALIBRATION_KEY, words_calibrations
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import prepare
from pincite_server.policy import Policy
from pincite_server.question.question import Question, Selection, Turn
from pincite_server.question.resolve import resolve

__all__ = (
    "Asked",
    "BrowserEngine",
    "browser_engine",
    "build_files",
    "reply_without_ids",
    "sidecar_reply",
    "sidecar_search_by_words",
)

_DERIVED = {"used", "anchor", "chunk_id", "verified"}  # fields of a citation that others give

BUILT_AT = "2026-01-02T03:04:05+00:00"
Reply = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A question for both engines. `least` is the least evidence of an answer; None is the default."""

    query: str
    locale: str = "en"
    turns: tuple[str, ...] = ()
    selection: str | None = None
    page_url: str | None = None
    least: float | None = 0.0


def build_files(files: dict[str, str], folder: Path) -> Path:
    """Write built pages, index them with files for answers in the browser, and return the index folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    build_index(BuildOptions(folder, model=FAKE_MODEL, cache=False, browser_answers=True), None, Silence())
    return folder / "pincite"


def sidecar_reply(index: Index, asked: Asked) -> tuple[str, Reply]:
    """Return the text that the sidecar embeds, and its reply."""
    policy = Policy() if asked.least is None else Policy(evidence_threshold=asked.least)
    answerer = Answerer.with_embedder(index, FakeEmbedder(), policy)
    answerer = replace(answerer, build=structs.replace(answerer.build, built_at=BUILT_AT))
    question = Question(
        asked.query,
        mode="corpus" if asked.selection is None else "selection",
        selection=None if asked.selection is None else Selection(asked.selection, asked.page_url),
        locale=asked.locale,
        locale_chosen=True,
        page_url=asked.page_url if asked.selection is None else None,
        turns=tuple(Turn(turn, "") for turn in asked.turns),
    )
    resolved = resolve(answerer, question)
    reply = prepare(resolved).outcome.reply
    return resolved.query.text, msgspec.json.decode(msgspec.json.encode(reply))


class _WithoutVectors(Index):
    """An index whose vectors count nothing."""

    def language_profile(self, scope_ids: Any) -> LanguageProfile:
        return LanguageProfile(0.0)


@lru_cache(8)
def _without_vectors(index: Index) -> Index:
    return _WithoutVectors(index._rows, index._engine)


def sidecar_search_by_words(index: Index, query: str, locale: str) -> tuple[dict[str, float], float]:
    """Return the scores of the best five sections by words alone, and the evidence."""
    scope_ids = [scope.scope_id for scope in index.scopes if scope.locale == locale]
    vector = np.zeros(FakeEmbedder.info.dimension, dtype=np.float32)
    result = search(_without_vectors(index), vector, parse_query(query, index.language_of(scope_ids)), scope_ids, 5)
    calibration = words_calibrations({WORDS_CALIBRATION_KEY: index.meta(WORDS_CALIBRATION_KEY)})
    scores = {}
    for section in result.sections:
        target = index.target(section.target_id)
        scores[f"{index.page(target.page_id).url}#{target.anchor}"] = section.score
    evidence = evidence_probability(result.signals, calibration.get(locale, WORDS_CALIBRATION))
    return {place: score for place, score in scores.items() if score > 0}, evidence


class BrowserEngine:
    """A node process that answers with the browser's code."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def reply(self, folder: Path, asked: Asked, text: str | None, *, changes_locale: bool = False) -> tuple[str, Reply]:
        """Return the text that the browser would embed, and its reply.

        Args:
            folder: The index folder.
            asked: The question.
            text: The text whose vectors the browser gets; None answers by words alone.
            changes_locale: Whether a question in another language of the site is answered from its pages.
        """
        request: dict[str, Any] = {
            "query": asked.query,
            "mode": "corpus" if asked.selection is None else "selection",
            "scope": {"locale": asked.locale},
            "message_id": "m",
            "session_id": "s",
            "turns": [{"query": turn, "answer": ""} for turn in asked.turns],
        }
        if asked.selection is None and asked.page_url:
            request["page_url"] = asked.page_url
        if asked.selection is not None:
            request["selection"] = {"text": asked.selection, "page_url": asked.page_url or "", "captured_at": ""}
        given = {
            "folder": str(folder / "search"),
            "locale": asked.locale,
            "builtAt": BUILT_AT,
            "least": asked.least,
            "request": request,
            "embedded": None if text is None else _embedded(text),
            "changesLocale": changes_locale,
        }
        said = self._ask(given)
        return said["read"], said["reply"]

    def search_by_words(self, folder: Path, query: str, locale: str) -> tuple[dict[str, float], float]:
        """Return the scores of the best five sections by words alone, and the evidence."""
        request = {"query": query, "wordsOnly": True}
        said = self._ask({"folder": str(folder / "search"), "locale": locale, "builtAt": BUILT_AT, "request": request})
        return {place: score for place, score in said["found"] if score > 0}, said["evidence"]

    def _ask(self, given: dict[str, Any]) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{json.dumps(given)}\n")
        stdin.flush()
        said = json.loads(stdout.readline())
        assert "error" not in said, said["error"]
        return said


@contextmanager
def browser_engine() -> Iterator[BrowserEngine]:
    """Run the browser's engine in a node process."""
    script = Path(__file__).with_name("browser_engine.mjs")
    with subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield BrowserEngine(process)
        finally:
            process.kill()


def _embedded(text: str) -> dict[str, Any]:
    encoded, states = FakeEmbedder().encode_with_tokens([text], "query")[0], FakeEmbedder().token_states(text)
    return {"vector": _packed(encoded.vector), "states": _packed(states), "hidden": states.shape[1]}


def _packed(numbers: npt.NDArray[np.float32]) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def reply_without_ids(reply: Reply) -> Reply:
    """Return what both engines must agree on: without ids of messages, times, and fields that repeat others."""
    kept = {key: reply[key] for key in ("type", "mode", "scope", "notices", "learning_suggestions")}
    if reply["type"] == "refusal":
        told = {key: reply[key] for key in ("code", "message", "reasons", "suggestions")}
        return kept | told | {"nearest": [_cited(one) for one in reply["nearest"]]}
    claims = [{key: claim[key] for key in ("text", "citations", "markers", "quote")} for claim in reply["claims"]]
    return kept | {
        "answer": reply["answer"],
        "claims": claims,
        "citations": [_cited(one) for one in reply["citations"]],
    }


def _cited(citation: dict[str, Any]) -> str:
    """Return a citation on one line: all of its fields but those that differ between builds or repeat others."""
    return " | ".join(f"{name}: {value}" for name, value in sorted(citation.items()) if name not in _DERIVED)
