"""Resolve a question once, before it is answered: scope, languages, boundary and search terms."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Self

from pincite_core.budget import check_budget
from pincite_core.quoting.prompt_injection import addresses_assistant
from pincite_core.rules import QUESTION
from pincite_core.search.query import Query, parse_query
from pincite_core.wording import Key, language_of, name_of, say
from pincite_server.answerer import Answerer
from pincite_server.guards.boundaries import Boundary, crossed_boundary
from pincite_server.question.follow_ups import expand_follow_up
from pincite_server.question.question import MAX_QUERY, Question, limit_question, without_invisible
from pincite_server.question.scope import ChosenScope, choose_scope, languages_to_ask_in, scope_of_question
from pincite_server.reply.records import Notice

__all__ = ("ResolvedQuestion", "resolve")


class StageClock:
    """Times the stages of one question, in milliseconds."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; an exception gets a note with the stage's name.

        Raises:
            WorkLimitError: The question has already used up its processor time.
        """
        check_budget()
        started = time.perf_counter()
        try:
            yield
        except Exception as error:
            error.add_note(f"in the stage `{name}`")
            raise
        finally:
            self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - started) * 1000

    def timings(self) -> dict[str, float]:
        """Return the milliseconds of each stage, and the `total` since the clock was created."""
        stages = {**self._stages, "total": (time.perf_counter() - self._started) * 1000}
        return {name: round(value, 3) for name, value in stages.items()}


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question as all stages of answering use it.

    Attributes:
        answerer: The index and its model.
        asked: The question as the reader asked it, without invisible characters.
        asked_scope: The scope chosen by the reader's own words.
        asked_boundary: The boundary that the reader's own words cross. Such a question is neither restated nor planned.
        question: The question with the words to search for, cut to the length limits.
        query: These words, parsed for search.
        scope: The scope to search.
        boundary: The boundary that these words cross. Such a question is refused.
        language: The language of messages to the reader, a tag of `LANGUAGES`.
        reader_language: The language of the question if it differs from the docs' language; else None.
        docs_languages: The names of the docs' languages if the words to search for are in another one; else "".
        notices: Notices to the reader about this resolution.
        clock: Times the stages of the reply.
    """

    answerer: Answerer
    asked: Question
    asked_scope: ChosenScope
    asked_boundary: Boundary | None
    question: Question
    query: Query
    scope: ChosenScope
    boundary: Boundary | None
    language: str
    reader_language: str | None
    docs_languages: str
    notices: tuple[Notice, ...]
    clock: StageClock

    @property
    def corpus(self) -> str:
        """The name of the docs: the site's title, with a word for documentation if needed."""
        title = self.answerer.corpus_name
        title = "" if addresses_assistant(title) else title
        if not title or QUESTION.already_a_name.search(title):
            return title or self.say("corpus_untitled")
        return self.say("corpus", title=title)

    def address(self, url: str) -> str:
        """Return a root-relative URL, made absolute if the reader is on another site."""
        return self.answerer.absolute(url) if self.question.elsewhere else url

    def say(self, key: Key, **values: str) -> str:
        """Return a message in the reader's language."""
        return say(key, self.language, **values)

    def with_notices(self, *notices: Notice) -> Self:
        """Return the same question with further notices."""
        return replace(self, notices=(*self.notices, *notices))

    def restated(self, words: str, translated_from: str | None = None) -> "ResolvedQuestion":
        """Resolve the question again in other words, with a clock of its own.

        The words are a follow-up as a whole question, or a translation of the language `translated_from`.
        """
        question = replace(self.asked, query=words, embedding=None, embedding_tokens=())
        return _resolve(self.answerer, question, self, translated_from)


def resolve(answerer: Answerer, question: Question) -> ResolvedQuestion:
    """Return a question with its scope, languages, boundary and search terms; a follow-up is expanded first."""
    resolved = _resolve(answerer, without_invisible(question))
    asked = resolved.asked
    if asked.mode != "corpus" or not asked.turns or resolved.asked_boundary is not None:
        return resolved
    locale = choose_scope(answerer.index, None, asked.locale, asked.page_url)[0].locale
    whole = expand_follow_up(asked.query[:MAX_QUERY], asked.turns, answerer.index, locale)
    return resolved if whole is None else resolved.restated(whole)


def _resolve(
    answerer: Answerer, question: Question, original: ResolvedQuestion | None = None, translated_from: str | None = None
) -> ResolvedQuestion:
    """Resolve a question; `original` is the question that it restates."""
    asked, index, topics = original.asked if original else question, answerer.index, answerer.policy.blocked_topics
    words, clock = asked.query[:MAX_QUERY], StageClock()
    with clock.stage("scope"):
        scope, notices = scope_of_question(index, question)
        reader_language = translated_from or scope.foreign
        language = language_of(words, reader_language or scope.locale)
        limited, cut = limit_question(question, index.info.max_tokens, language)
    crossed = original.asked_boundary if original else crossed_boundary(words, topics)
    docs_languages = languages_to_ask_in(index, scope, language) if scope.foreign else ""
    understood: dict[Key, str] = {}
    if translated_from:
        understood["question_translated"] = name_of(scope.locale, language)
    elif original:
        understood["question_rewritten"] = ""
    if docs_languages and not translated_from:
        understood["docs_language"] = docs_languages
    messages = (Notice(key, say(key, language, name=name, query=limited.query)) for key, name in understood.items())
    return ResolvedQuestion(
        answerer,
        asked=asked,
        asked_scope=original.asked_scope if original else scope,
        asked_boundary=crossed,
        question=limited,
        query=parse_query(limited.query, index.language_of(scope.scope_ids), scope.foreign),
        scope=scope,
        boundary=crossed if limited.query == words else crossed_boundary(limited.query, topics),
        language=language,
        reader_language=reader_language,
        docs_languages=docs_languages,
        notices=(*notices, *messages, *cut),
        clock=clock,
    )
