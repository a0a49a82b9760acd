"""What a table of a language holds; every field may be left out, and is then never found in a text."""

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
    """A part of a table; a field that no code reads is an error."""


class Questions(_Part, frozen=True):
    """What a question asks for.

    Attributes:
        how: To be shown, not only told.
        fact: Something that a title or a search ("rotate tokens") does not ask.
        whether: If something can be or is so.
        duration, size, count, number: A number of this kind; `number` is any.
        amount: How many, how long, which share: any number, of a passage.
        date, person: When, who.
        asking: The words of asking for a number, which say nothing of the subject.
        words: All words of asking, likewise.
        passage: About the passage as a whole ("what does this mean?"), from the beginning.
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
    """What a sentence, a label or a title of the docs is.

    Attributes:
        whether: It says what can be and what cannot.
        leans: It cannot be read without the words before it.
        refers: It only sends the reader elsewhere.
        warns: A label tells of a danger, or that something is deprecated.
        reading: A title stands above a list of where to read on.
        often: It tells how long or how often without a number ("daily").
        amounts: It tells how many, in words.
        dates: It tells when.
        people: It tells of somebody by what they do; empty where names are not seen by their capitals.
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
        spelled: Numbers that are no article; they are the same word as their digits.
        ordinals: "first", which is 1 to a reader.
        counting: What else tells a number ("twice").
        some: What stands before a unit instead of digits ("half an").
        times, sizes: Units of time, and of memory or text.
        units: The spellings of each unit, beside its international symbol.
        ambiguous: Spellings of units that may be none.
        groups: What parts thousands; where it is no comma, that stands before a fraction.
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
    """Pairs of words ("enable disable"): for claims and passages both, or for one of them alone."""

    both: Forms = ()
    claims: Forms = ()
    passages: Forms = ()


class Claims(_Part, frozen=True):
    """What turns a statement round, and what in it tells nothing.

    Attributes:
        not_: Negations.
        nor: Further ones, which only go on from one.
        nearly_not: Words that negate in other words ("empty", "fails").
        clause_ends, part_ends: Words between two clauses, or between parts that each say something of their own.
        then_ends: Words that part so after a comma.
        strong: Words that claim more than most sentences do ("always").
        as_strong: Words that are as strong as one another, a bar between them.
        opposites: Pairs of words.
        opinion: A speaker's own voice.
        filler: Words of conversation and connection.
        general: Words so general that they claim nothing.
        general_verbs: Verbs of that kind, whose English endings are made.
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
    """Words of doubt, words that say that the writer does not know, words that insist on certainty."""

    hedges: Phrases = NONE
    unsure: Phrases = NONE
    certain: Phrases = NONE


class FollowUps(_Part, frozen=True):
    """How a question that leans on the one before it opens, closes, what it is as a whole, what stands for what.

    `polite` is said before it, `asks` opens a question, `relational` are stems of words that name no thing of their
    own.
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
    """Requests to write code, to act, and for what only the present knows; `parts` are put in by their names."""

    parts: Mapping[str, str] = {}
    code: Forms = ()
    act: Forms = ()
    realtime: Forms = ()

    def patterns(self, kind: Request) -> Iterator[str]:
        """Yield the patterns of requests of a kind, with their parts."""
        for pattern in getattr(self, kind):
            for name, part in self.parts.items():
                pattern = pattern.replace(f"{{{name}}}", part)
            yield pattern


class Addressing(_Part, frozen=True):
    """Text that speaks to an assistant: to dismiss instructions, to direct it, what makes the first harmless.

    One of `words` stands in whatever the first two match; to look for them is quick. `asks` are of questions that are
    about assistants.
    """

    words: Forms = ()
    dismiss: Forms = ()
    direct: Forms = ()
    unless: Forms = ()
    asks: Forms = ()


class Table(_Part, frozen=True):
    """A language's table.

    Attributes:
        bounds: How its words are parted.
        negated: Where what a negation denies stands: after it, or before it.
        brief: Words below which a sentence of it says nothing alone; None where they are not counted.
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
    """Return a table from JSON, in which forms are a list (anywhere in a text) or an object of three.

    Raises:
        msgspec.ValidationError: It is none.
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
