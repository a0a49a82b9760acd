"""The systems of the comparison: Pincite, words only, vectors only, and a fixed cosine."""

from dataclasses import replace
from typing import Protocol

import numpy as np
from bench.quality.places import Place

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.bm25 import TermWeights
from pincite_core.search.terms import content_terms
from pincite_core.urls import join_fragment
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, search_hits
from pincite_server.policy import Policy
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer

__all__ = ("Dense", "Hybrid", "System", "Words", "systems_of")

RANKED = 10  # the number of search results that are judged, as `pincite search -k 10` returns them
CITED = 5  # an answer's citations
_DEPTH = 100  # number of ranked chunks, enough for ten sections
_SECTION_TEXT = TermWeights(body=1, headings=1, page=0, links=0, code=0)


class System(Protocol):
    """A system that ranks places for a question, and answers with some of them or refuses."""

    def rank(self, question: str) -> list[Place]:
        """Return at most `RANKED` places, best first."""

    def cite(self, question: str) -> list[Place] | None:
        """Return at most `CITED` places that an answer cites; None if the question is refused."""


def systems_of(answerer: Answerer) -> dict[str, System]:
    """Return the systems over one index, by name, Pincite first."""
    seed = replace(answerer, policy=Policy(evidence_mode="cosine"))
    return {"Pincite": Hybrid(answerer), "BM25": Words(answerer), "dense": Dense(answerer), "cosine 0.35": Hybrid(seed)}


class Hybrid:
    """The product itself, under the answerer's policy."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer

    def rank(self, question: str) -> list[Place]:
        return [(hit.url, hit.anchor or "") for hit in search_hits(self._answerer, question, RANKED)]

    def cite(self, question: str) -> list[Place] | None:
        reply = answer(self._answerer, Question(question))
        if not isinstance(reply, Answer):
            return None
        return [(citation.url or "", citation.anchor or "") for citation in reply.citations]


class Words:
    """BM25 over the text and headings of sections (SQLite FTS5); refuses if no word matches."""

    def __init__(self, answerer: Answerer) -> None:
        self._index, self._scopes = answerer.index, choose_scope(answerer.index)[0].scope_ids

    def rank(self, question: str) -> list[Place]:
        matches = self._index.match_terms(content_terms(question), self._scopes, _DEPTH, _SECTION_TEXT)
        return _sections(self._index, [match.row_id for match in matches])

    def cite(self, question: str) -> list[Place] | None:
        return self.rank(question)[:CITED] or None


class Dense:
    """Cosine of question and every chunk; has no way to refuse."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        scopes = set(choose_scope(answerer.index)[0].scope_ids)
        self._chunks = [chunk for chunk in answerer.index.chunks() if chunk.scope_id in scopes]
        self._vectors = answerer.index.vectors([chunk.vector_id for chunk in self._chunks])

    def rank(self, question: str) -> list[Place]:
        scores = cosines(self._answerer.embedder.encode([question], "query")[0], self._vectors)
        best = np.argsort(-scores, kind="stable")[:_DEPTH]
        return _sections(self._answerer.index, [self._chunks[row].chunk_id for row in best])

    def cite(self, question: str) -> list[Place] | None:
        return self.rank(question)[:CITED]


def _sections(index: Index, chunk_ids: list[int]) -> list[Place]:
    """Return the sections of ranked chunks, each once."""
    chunks = index.chunks_by_id(chunk_ids)
    wanted = list(dict.fromkeys(chunks[chunk_id].target_id for chunk_id in chunk_ids))[:RANKED]
    targets = index.targets_by_id(wanted)
    pages = index.pages_by_id(target.page_id for target in targets.values())
    ordered = (targets[target_id] for target_id in wanted)
    return [(join_fragment(pages[target.page_id].url, target.anchor), target.anchor) for target in ordered]
