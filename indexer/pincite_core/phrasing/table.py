"""The schema of a language's phrase table. Every field is optional; a missing field matches nothing."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from pincite_core.phrasing.phrases import NONE, Bounds, Phrases

__all__ = (
    "Addressing",
    "Boundaries",
    "Claims",
    "Confidence",
    "FollowUps",
    "Groups",
    "Numbers",
    "Opposites",
    "Questions",
    "Request",
    "Sentences",
    "Table",
    "read_table",
)

Forms = tuple[str, ...]
Groups = Literal[",", ".", " "]
Request = Literal["code", "act", "realtime"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of the parts of a table; unknown fields are an error."""


class Questions(_Part, frozen=True):
    """Phrases that identify what a question asks for.

    Attributes:
        how: Questions that ask for instructions or an example.
        fact: Phrases of full questions, which titles and search queries ("rotate tokens") lack.
        whether: Questions that ask if something is possible or true.
        duration, size, count, number: Questions that ask for a number of this kind; `number` is any kind.
        amount: Questions about a passage that ask how many, how long or which share.
        date, person: Questions that ask when or who.
        asking: Words that ask for a number and do not describe the subject.
        words: All question words, which do not describe the subject.
        passage: Starts of questions about a passage as a whole ("what does this mean?").
    """

    how: Phrases = NONE
    fact: Phrases = NONE
    whether: Phrases = NONE
    duration: Phrases = NONE
    size: Phrases = NONE
    count: Phrases = NONE
    number: Phrases = NONE
    amount: Phrases = NONE
    date: Phrases = NONE
    person: Phrases = NONE
    asking: Phrases = NONE
    words: Phrases = NONE
    passage: Forms = ()


class Sentences(_Part, frozen=True):
    """Phrases that classify a sentence, a label or a title of the docs.

    Attributes:
        whether: Sentences that say what is possible and what is not.
        leans: Starts of sentences that depend on the previous text.
        refers: Sentences that only refer the reader elsewhere.
        warns: Labels of dangers or deprecations.
        reading: Titles of lists of further reading.
        often: Durations or frequencies without a number ("daily").
        amounts: Amounts in words.
        dates: Dates in words.
        people: Nouns for people by their role; empty if the language does not mark names by capitals.
    """

    whether: Phrases = NONE
    leans: Phrases = NONE
    refers: Phrases = NONE
    warns: Phrases = NONE
    reading: Phrases = NONE
    often: Phrases = NONE
    amounts: Phrases = NONE
    dates: Phrases = NONE
    people: Phrases = NONE


class Numbers(_Part, frozen=True):
    """Numbers and units in words.

    Attributes:
        spelled: Spelled-out numbers that are not also articles; they equal their digits.
        ordinals: Ordinal words with their values, such as "first" with 1.
        counting: Other words that express a number ("twice").
        some: Words that replace digits before a unit ("half an").
        times, sizes: Units of time, and units of memory or text.
        units: The spellings of each unit besides its international symbol.
        ambiguous: Spellings of units that also have other meanings.
        groups: The thousands separator. If it is not a comma, the comma is the decimal separator.
    """

    spelled: Mapping[str, int] = {}
    ordinals: Mapping[str, int] = {}
    counting: Mapping[str, int] = {}
    some: Forms = ()
    times: Forms = ()
    sizes: Forms = ()
    units: Mapping[str, str] = {}
    ambiguous: str = ""
    groups: Groups = ","


class Opposites(_Part, frozen=True):
    """Pairs of opposite words ("enable disable"), for both claims and passages or for only one of them."""

    both: Forms = ()
    claims: Forms = ()
    passages: Forms = ()


class Claims(_Part, frozen=True):
    """Words that change the meaning of a statement, and words without content.

    Attributes:
        not_: Negations.
        nor: Negations that continue an earlier negation.
        nearly_not: Words that imply a negation ("empty", "fails").
        clause_ends: Words that separate two clauses.
        part_ends: Words that separate two parts of a sentence that each make a statement.
        then_ends: Words that separate such parts after a comma.
        strong: Words of strong claims ("always").
        as_strong: Groups of equally strong words, separated by a bar.
        opposites: Pairs of opposite words.
        opinion: Phrases of a speaker's opinion.
        filler: Words of conversation and connection.
        general: Words too general to claim anything.
        general_verbs: Verbs too general to claim anything; their English inflections are generated.
    """

    not_: Phrases = msgspec.field(default=NONE, name="not")
    nor: Phrases = NONE
    nearly_not: Phrases = NONE
    clause_ends: Forms = ()
    part_ends: Forms = ()
    then_ends: Forms = ()
    strong: Phrases = NONE
    as_strong: Forms = ()
    opposites: Opposites = Opposites()
    opinion: Phrases = NONE
    filler: str = ""
    general: str = ""
    general_verbs: str = ""


class Confidence(_Part, frozen=True):
    """Phrases of doubt (`hedges`), of missing knowledge (`unsure`) and of certainty (`certain`)."""

    hedges: Phrases = NONE
    unsure: Phrases = NONE
    certain: Phrases = NONE


class FollowUps(_Part, frozen=True):
    """Words that identify a follow-up question.

    Attributes:
        opens: Starts of follow-ups.
        closes: Ends of follow-ups.
        whole: Complete follow-ups.
        pronouns: Pronouns that refer to the previous question.
        prepositions: Prepositions that start a phrase within a follow-up.
        polite: Polite phrases before a question.
        asks: Starts of questions.
        relational: Stems of words that have no referent of their own.
    """

    opens: Forms = ()
    closes: Forms = ()
    whole: Forms = ()
    pronouns: Forms = ()
    prepositions: Forms = ()
    polite: Forms = ()
    asks: Forms = ()
    relational: str = ""


class Boundaries(_Part, frozen=True):
    """Patterns of requests to write code, to perform an action, and for real-time information.

    Each `{name}` in a pattern is replaced with the part of that name in `parts`.
    """

    parts: Mapping[str, str] = {}
    code: Forms = ()
    act: Forms = ()
    realtime: Forms = ()

    def patterns(self, kind: Request) -> Iterator[str]:
        """Yield the patterns of one kind of request, with parts inserted."""
        for pattern in getattr(self, kind):
            for name, part in self.parts.items():
                pattern = pattern.replace(f"{{{name}}}", part)
            yield pattern


class Addressing(_Part, frozen=True):
    """Patterns of prompt injection: text addressed to an assistant.

    Attributes:
        words: Literal words for a fast first check. Every match of `dismiss` or `direct` contains one of them.
        dismiss: Orders to dismiss instructions.
        direct: Orders to an assistant.
        unless: Patterns that make a match of `dismiss` harmless.
        asks: Questions about assistants.
    """

    words: Forms = ()
    dismiss: Forms = ()
    direct: Forms = ()
    unless: Forms = ()
    asks: Forms = ()


class Table(_Part, frozen=True):
    """The phrase table of a language.

    Attributes:
        bounds: The word boundaries of the language.
        negated: Whether the negated words come after or before the negation.
        brief: The minimum number of words of a self-contained sentence; None if words are not counted.
    """

    bounds: Bounds = "words"
    negated: Literal["after", "before"] = "after"
    brief: int | None = None
    questions: Questions = Questions()
    sentences: Sentences = Sentences()
    numbers: Numbers = Numbers()
    claims: Claims = Claims()
    confidence: Confidence = Confidence()
    follow_ups: FollowUps = FollowUps()
    boundaries: Boundaries = Boundaries()
    addressing: Addressing = Addressing()


class _Bounded(msgspec.Struct):
    bounds: Bounds = "words"


class _Forms(msgspec.Struct, forbid_unknown_fields=True):
    opens: Forms = ()
    has: Forms = ()
    ends: Forms = ()


def read_table(data: bytes) -> Table:
    """Parse a table from JSON. Phrases are a list (anywhere in a text) or an object with `opens`, `has` and `ends`.

    Raises:
        msgspec.ValidationError: The data does not match the schema.
    """
    bounds = msgspec.json.decode(data, type=_Bounded).bounds

    def phrases(kind: type, value: Any) -> Any:
        if kind is not Phrases:
            raise NotImplementedError
        if isinstance(value, list):
            return Phrases(has=msgspec.convert(value, Forms), bounds=bounds)
        forms = msgspec.convert(value, _Forms)
        return Phrases(forms.opens, forms.has, forms.ends, bounds)

    return msgspec.json.decode(data, type=Table, dec_hook=phrases)
