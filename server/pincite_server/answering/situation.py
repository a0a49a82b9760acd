"""A question with everything that was settled before it is answered."""

import dataclasses
from dataclasses import dataclass
from typing import Self

from pincite_server.answering.timings import StageClock
from pincite_server.engine import Engine
from pincite_server.model import ChosenScope, Notice, Question
from pincite_server.wording import Key, say

__all__ = ("Situation",)

_ALREADY_A_NAME = ("docs", "documentation", "handbook", "guide", "book", "manual", "wiki")


@dataclass(frozen=True, slots=True)
class Situation:
    """The engine, the limited question, its scope, the language to speak, notices so far and the running clock."""

    engine: Engine
    question: Question
    scope: ChosenScope
    language: str
    notices: tuple[Notice, ...]
    clock: StageClock

    @property
    def corpus(self) -> str:
        """What the docs are called: the site's title, as documentation."""
        title = self.engine.corpus_name
        if not title or title.lower().endswith(_ALREADY_A_NAME):
            return title or say("corpus_untitled", self.language)
        return say("corpus", self.language, title=title)

    def say(self, key: Key, **values: str) -> str:
        """Return a message in the reader's language."""
        return say(key, self.language, **values)

    def with_notices(self, *notices: Notice) -> Self:
        """Return the same situation with further notices."""
        return dataclasses.replace(self, notices=(*self.notices, *notices))
