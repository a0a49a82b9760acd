"""A question with everything that was settled before it is answered, and the clock that times each stage."""

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from pincite_core.budget import check_budget
from pincite_core.quoting.prompt_injection import addresses_assistant
from pincite_core.search.query import Query
from pincite_core.wording import Key, say
from pincite_server.answerer import Answerer
from pincite_server.answering.question import ChosenScope, Question
from pincite_server.reply.records import Notice

__all__ = ("Situation", "StageClock")


class StageClock:
    """Times the stages of one question."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; an error that leaves it carries the stage's name as a note.

        Raises:
            WorkLimitError: What the question may cost was spent before.
        """
        check_budget()
        started = time.perf_counter()
        try:
            yield
        except Exception as error:
            error.add_note(f"in the stage `{name}`")
            raise
        finally:
            self._stages[name] = self._stages.get(name, 0.0) + _milliseconds_since(started)

    def timings(self) -> dict[str, float]:
        """Return milliseconds by stage, and their `total` since the clock was made."""
        rounded = {name: round(value, 3) for name, value in self._stages.items()}
        return {**rounded, "total": round(_milliseconds_since(self._started), 3)}


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


_ALREADY_A_NAME = ("docs", "documentation", "handbook", "guide", "book", "manual", "wiki")


@dataclass(frozen=True, slots=True)
class Situation:
    """The answerer, the limited question, the same parsed, its scope, the language to speak, notices and the clock."""

    answerer: Answerer
    question: Question
    query: Query
    scope: ChosenScope
    language: str
    notices: tuple[Notice, ...]
    clock: StageClock

    @property
    def spoken(self) -> str | None:
        """The language that the reader asked in, where it is not that of the docs that are searched."""
        return self.question.spoken or self.scope.foreign

    @property
    def corpus(self) -> str:
        """What the docs are called: the site's title, as documentation."""
        title = self.answerer.corpus_name
        title = "" if addresses_assistant(title) else title
        if not title or title.lower().endswith(_ALREADY_A_NAME):
            return title or say("corpus_untitled", self.language)
        return say("corpus", self.language, title=title)

    def address(self, url: str) -> str:
        """Return a root-relative URL of the site as the page of the question needs it."""
        return self.answerer.absolute(url) if self.question.elsewhere else url

    def say(self, key: Key, **values: str) -> str:
        """Return a message in the reader's language."""
        return say(key, self.language, **values)

    def with_notices(self, *notices: Notice) -> Self:
        """Return the same situation with further notices."""
        return dataclasses.replace(self, notices=(*self.notices, *notices))
