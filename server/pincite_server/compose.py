"""Stage 3: an extractive answer. Sentences of the docs, verbatim and whole, in reading order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.quantise import cosines
from pincite_core.read import Index
from pincite_core.search import RankedSection, SearchResult
from pincite_core.tokens import terms
from pincite_core.types import Chunk, Sentence, UnitKind

__all__ = ("MAX_SENTENCES", "Statement", "asks_how", "compose_extractive")

MAX_SENTENCES = 3  # chat specification: "Maximum 3 sentences for the main answer"
_SOURCE_SECTIONS = 5  # as many as are cited
_SECTION_FLOOR = 0.55  # a section this much worse than the best one is another subject
_ADDS_FLOOR = 0.80  # a further sentence must be nearly as good as the best one
_SAME_COSINE = 0.92  # above this two sentences say the same
_LEAD_BONUS = 0.06  # a section's first sentence tends to say what it is about
_COVERAGE_WEIGHT = 0.35
_SECTION_WEIGHT = 0.35
_LONGEST_CODE = 60  # lines; a longer listing is a page, not an answer

_HOW = re.compile(
    r"\b(?:how|example|snippet|syntax|usage|configure|set ?up|install|command|enable|disable)\b"
    r"|làm sao|làm thế nào|như thế nào|cách|ví dụ|如何|怎么|怎樣|怎样|示例|例子"
    r"|\bwie\b|beispiel|\bcomment\b|exemple|\bc[oó]mo\b|ejemplo|どう|方法|やり方|例|چگونه|چطور|مثال",
    re.IGNORECASE,
)
_LEANS_BACK = re.compile(r"(?:this|that|these|those|it|they|he|she|such|however|but|and|so|also|then)\b", re.IGNORECASE)
_REFERS = re.compile(
    r"(?:(?:please|also|you can|for (?:more|further) \w+,?)\s+)*(?:see|consult|refer to|check out|read|visit)\b"
    r"|(?:siehe|voir|consulte|véase|xem|参见|请参阅|詳細は)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of the answer: one unit of a chunk, verbatim, and the innermost target that holds it."""

    text: str
    kind: UnitKind
    target_id: int
    chunk: Chunk
    start: int


@dataclass(frozen=True, slots=True)
class _Option:
    """A sentence that the answer may use."""

    sentence: Sentence
    section: RankedSection
    text: str
    score: float
    vector: npt.NDArray[np.float32] | None


def asks_how(query: str) -> bool:
    """Whether a question wants to be shown, not only told."""
    return bool(_HOW.search(query))


def compose_extractive(
    index: Index, vector: npt.NDArray[np.float32], query: str, result: SearchResult
) -> tuple[Statement, ...]:
    """Return at most three sentences and, where the question asks how, one code block; empty when nothing fits.

    Statements are in reading order: pages by their best section, inside a page as the page has them.
    """
    sections = _worth_quoting(result.sections)
    options = _options(index, vector, result, sections)
    chosen = _choose([option for option in options if option.sentence.kind != "code" and not _asks(option.text)])
    if asks_how(query) or not chosen:
        chosen.extend(_choose_code(options, chosen, result))
    return tuple(_statement(option) for option in _in_reading_order(chosen, sections))


def _worth_quoting(sections: Sequence[RankedSection]) -> list[RankedSection]:
    if not sections:
        return []
    floor = sections[0].score * _SECTION_FLOOR
    return [section for section in sections[:_SOURCE_SECTIONS] if section.score >= floor]


def _options(
    index: Index, vector: npt.NDArray[np.float32], result: SearchResult, sections: Sequence[RankedSection]
) -> list[_Option]:
    by_chunk = {section.chunk.chunk_id: section for section in sections}
    sentences = index.sentences_of_chunks(by_chunk)
    stored = index.vectors([sentence.vector_id for sentence in sentences if sentence.vector_id])
    rows = iter(zip(stored.astype(np.float32), cosines(vector, stored), strict=True))
    options = []
    for sentence in sentences:
        row, cosine = next(rows) if sentence.vector_id else (None, np.float32(0))
        section = by_chunk[sentence.chunk_id]
        text = section.chunk.text[sentence.start : sentence.end]
        score = float(cosine) + _SECTION_WEIGHT * section.score + _COVERAGE_WEIGHT * _coverage(text, result.rarity)
        options.append(_Option(sentence, section, text, score - _flaws(text, sentence), row))
    return options


def _asks(text: str) -> bool:
    """Whether a sentence of the docs only asks, which answers nobody."""
    return text.endswith(("?", "？", "؟"))


def _coverage(text: str, rarity: dict[str, float]) -> float:
    total = sum(rarity.values())
    held = set(terms(text))
    return sum(weight for term, weight in rarity.items() if term in held) / total if total else 0.0


def _flaws(text: str, sentence: Sentence) -> float:
    """Return what to take off for a sentence that does not stand alone."""
    flaws = 0.0
    if sentence.kind == "prose":
        flaws += 0.15 if text.endswith((":", "：")) else 0.0
        flaws += 0.20 if len(_WORD.findall(text)) < 4 and text.isascii() else 0.0
        flaws += 0.07 if _LEANS_BACK.match(text) else 0.0
        flaws += 0.20 if _REFERS.match(text) else 0.0
        flaws -= _LEAD_BONUS if sentence.start == 0 else 0.0
    return flaws


def _choose(options: Sequence[_Option]) -> list[_Option]:
    ranked = sorted(options, key=lambda option: (-option.score, option.sentence.sentence_id))
    chosen: list[_Option] = []
    for option in ranked:
        if len(chosen) == MAX_SENTENCES or (chosen and option.score < chosen[0].score * _ADDS_FLOOR):
            break
        if not any(_says_the_same(option, other) for other in chosen):
            chosen.append(option)
    return chosen


def _says_the_same(one: _Option, other: _Option) -> bool:
    if one.text == other.text:
        return True
    if one.vector is None or other.vector is None:
        return False
    lengths = float(np.linalg.norm(one.vector) * np.linalg.norm(other.vector))
    return float(one.vector @ other.vector) > _SAME_COSINE * lengths


def _choose_code(options: Sequence[_Option], chosen: Sequence[_Option], result: SearchResult) -> list[_Option]:
    """Return the code block of the quoted sections that fits best: most of the question's terms, then the nearest."""
    quoted = {option.section.target_id for option in chosen[:1]} or {section.target_id for section in result.sections}
    blocks = [
        option
        for option in options
        if option.sentence.kind == "code"
        and option.section.target_id in quoted
        and option.text.count("\n") <= _LONGEST_CODE
    ]
    after = chosen[0].sentence.sentence_id if chosen else 0
    blocks.sort(key=lambda option: (-option.score, abs(option.sentence.sentence_id - after)))
    return blocks[:1]


def _in_reading_order(chosen: Sequence[_Option], sections: Sequence[RankedSection]) -> list[_Option]:
    page_rank: dict[int, int] = {}
    for rank, section in enumerate(sections):
        page_rank.setdefault(section.chunk.page_id, rank)
    return sorted(chosen, key=lambda option: (page_rank[option.section.chunk.page_id], option.sentence.sentence_id))


def _statement(option: _Option) -> Statement:
    sentence = option.sentence
    return Statement(option.text, sentence.kind, sentence.target_id, option.section.chunk, sentence.start)
