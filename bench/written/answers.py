"""Read answers written from excerpts, and falsified copies of their sentences."""

import lzma
from pathlib import Path

import msgspec

__all__ = (
    "HELD_OUT",
    "KINDS",
    "SEEN",
    "WHOLE_SECTIONS",
    "Falsified",
    "WrittenAnswer",
    "WrittenExcerpt",
    "read_answers",
)

SEEN = (
    "jest",
    "redux-stripped",
    "scrapy",
    "pytest",
    "karmada",
    "mikro-orm",
    "drf",
    "aiohttp",
    "pip",
    "pillow",
    "fastify",
    "turbo",
    "nextjs",
    "npm",
    "tornado",
    "borg",
    "cargo",
    "typer",
)
HELD_OUT = ("click", "peewee", "kombu", "structlog")
WHOLE_SECTIONS = "whole_sections"
"""Answers about four sites, written from up to twelve whole sections each."""

KINDS = ("name", "number", "marker", "invented", "negation", "swapped", "overreach")


class WrittenExcerpt(msgspec.Struct, frozen=True):
    """The text that the writer saw as excerpt `n`; if not `quoted`, the writer only saw a link to it."""

    n: int
    title: str
    text: str
    quoted: bool = True


class Falsified(msgspec.Struct, frozen=True):
    """One falsification: `put` replaces `find`, which occurs once in the answer."""

    kind: str
    find: str
    put: str


class WrittenAnswer(msgspec.Struct, frozen=True):
    """A question, its excerpts, and the answer with `[[n]]` as the marker of excerpt `n`.

    `queries` is the plan that found the excerpts, if there was a plan. `site` is the question's site, and `kind` says
    whether the docs answer it. `is_seen` says that somebody had looked at its falsified copies before the last change
    of a rule.
    """

    id: str
    question: str
    excerpts: tuple[WrittenExcerpt, ...]
    answer: str
    falsified: tuple[Falsified, ...] = ()
    queries: tuple[str, ...] = ()
    site: str = ""
    kind: str = "answerable"
    is_seen: bool = False

    def with_falsified(self, one: Falsified) -> str:
        """Return the answer with one falsification.

        Raises:
            ValueError: The answer does not contain the replaced text exactly once.
        """
        if self.answer.count(one.find) != 1:
            message = f"{self.id}: {one.find!r} does not stand in the answer once"
            raise ValueError(message)
        return self.answer.replace(one.find, one.put)


def read_answers(site: str) -> list[WrittenAnswer]:
    """Return the answers about a site, or those of `WHOLE_SECTIONS`."""
    file = Path(__file__).parent / f"{site}.jsonl"
    packed = file.with_suffix(".jsonl.xz")
    written = lzma.decompress(packed.read_bytes()) if packed.exists() else file.read_bytes()
    return [msgspec.json.decode(line, type=WrittenAnswer) for line in written.splitlines()]
