"""Generate falsified copies: replace a name of an answer with another name of the same kind from its excerpts.

These copies are harder to detect than the copies that people write, which mostly use a name that no excerpt has. Some
of the generated copies are true by chance.
"""

import random
import re
from collections.abc import Iterator, Sequence, Set

import msgspec
from bench.written.answers import Falsified, WrittenAnswer, WrittenExcerpt

__all__ = ("EXCHANGED", "with_exchanged")

EXCHANGED = ("of the cited excerpts", "of the other excerpts")
_SEED = 11
_SPAN = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w.]*\w\b")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_MARKERS = re.compile(r"(?:\[\[\d+\]\]\s*)+")
_KINDS = (  # kinds of code; other code is not replaced
    re.compile(r"-.+"),
    re.compile(r"[\w.]+\(.*\)"),
    re.compile(r"[A-Z][A-Z_0-9]+"),
    re.compile(r"[A-Z]\w*"),
    re.compile(r"[\w$.@-]+"),
)


def with_exchanged(row: WrittenAnswer) -> WrittenAnswer:
    """Return an answer with generated copies in place of its own: at most one for each name and kind."""
    choice = random.Random(f"{_SEED} {row.id}")
    return msgspec.structs.replace(row, falsified=tuple(_exchanged(row, choice)))


def _exchanged(row: WrittenAnswer, choice: random.Random) -> Iterator[Falsified]:
    prose = _FENCED.sub(lambda block: " " * len(block.group()), row.answer)
    plain = _SPAN.sub(lambda span: " " * len(span.group()), prose)
    for found in (*_SPAN.finditer(prose), *_NAME.finditer(plain)):
        markers = _MARKERS.search(prose, found.end())
        if markers is None or row.answer.count(found.group()) != 1:
            continue
        cited = {int(number) for number in re.findall(r"\d+", markers.group())}
        line = prose[prose.rfind("\n", 0, found.start()) + 1 :].partition("\n")[0]
        for kind, pool in zip(EXCHANGED, _pools(found.group(), row, cited, line), strict=True):
            if pool:
                yield Falsified(kind, found.group(), choice.choice(pool))


def _pools(name: str, row: WrittenAnswer, cited: Set[int], line: str) -> tuple[list[str], list[str]]:
    """Return the possible replacements of a name: from the cited excerpts, and from the other excerpts only."""
    own = [excerpt for excerpt in row.excerpts if excerpt.n in cited]
    others = [excerpt for excerpt in row.excerpts if excerpt.n not in cited]
    held = " ".join(f"{excerpt.title} {excerpt.text}" for excerpt in own).lower()
    return _like(name, own, line), [one for one in _like(name, others, line) if _bare(one) not in held]


def _like(name: str, excerpts: Sequence[WrittenExcerpt], line: str) -> list[str]:
    """Return the names in some excerpts that have the same kind as a name and are not in its line."""
    texts = [_FENCED.sub(" ", excerpt.text) for excerpt in excerpts]
    if name.startswith("`"):
        found = {span.group() for text in texts for span in _SPAN.finditer(text) if _kind(span.group()) == _kind(name)}
        found = found if _kind(name) is not None else set()
    else:
        found = {one for text in texts for one in _NAME.findall(_SPAN.sub(" ", text)) if len(one) > 2}
    return sorted(one for one in found if _bare(one) not in line.lower() and _bare(name) not in one.lower())


def _kind(code: str) -> int | None:
    return next((place for place, kind in enumerate(_KINDS) if kind.fullmatch(code.strip("`"))), None)


def _bare(name: str) -> str:
    return name.strip("`.()").lower()
