"""Every language of the interface has a whole table, and each table finds what it should and nothing else."""

import re
from collections.abc import Callable, Iterator

import msgspec
import pytest
from tests.unit.core.phrasing.examples import EXAMPLES

from pincite_core.phrasing import LANGUAGES, Phrases, phrasing
from pincite_core.phrasing.table import read_table
from pincite_core.quoting.quantities import has_quantity, quantity_asked
from pincite_core.quoting.unit_facts import (
    asks_how,
    asks_whether,
    leans_back,
    lists_reading,
    names_task,
    role_of,
    says_whether,
    warns,
)
from pincite_core.wording import LANGUAGES as INTERFACE
from pincite_server.answering.passage.passage import expected_answer_type
from pincite_server.grounding.opposites import is_negated
from pincite_server.guards.boundaries import crossed_boundary
from pincite_server.question.follow_ups import is_follow_up

UNPARTED = {"zh", "zh-Hant", "ja"}
LACKING = {
    "brief": UNPARTED,  # words are not counted where no blanks part them
    "sentences.people": {*UNPARTED, "ko", "fa", "de"},  # names without capitals, or capitals without names
    "numbers.spelled": UNPARTED,  # signs that are parts of other words
    "numbers.ordinals": {*UNPARTED, "ko", "vi"},
    "numbers.counting": UNPARTED,
    "claims.nor": set(INTERFACE) - {"en", "de", "es", "pt", "ru"},
    "claims.general_verbs": set(INTERFACE) - {"en"},  # other stemmers need no endings made
    "claims.clause_ends": UNPARTED,
    "claims.part_ends": UNPARTED,
    "claims.then_ends": UNPARTED,
    "follow_ups.prepositions": {*UNPARTED, "ko"},
    "follow_ups.relational": set(INTERFACE) - {"en"},  # whose content terms are told apart
}
"""What a language has not, by its grammar or its script, and so is not looked for."""

FOUND: dict[str, Callable[[str, str], bool]] = {
    "how": asks_how,
    "fact": lambda text, language: not names_task(text.rstrip("?？؟"), language),
    "whether": asks_whether,
    "duration": lambda text, language: quantity_asked(text, language) == "duration",
    "size": lambda text, language: quantity_asked(text, language) == "size",
    "count": lambda text, language: quantity_asked(text, language) == "count",
    "date": lambda text, language: expected_answer_type(text, language) == "date",
    "person": lambda text, language: expected_answer_type(text, language) == "person",
    "says": says_whether,
    "leans": leans_back,
    "refers": lambda text, language: role_of(text, "prose", language) == "refers",
    "warns": lambda text, language: warns((text,), "", language),
    "reading": lists_reading,
    "not": is_negated,
    "hedges": lambda text, language: phrasing(language).confidence.hedges.found_in(text),
    "lasts": lambda text, language: has_quantity(text, "duration", language),
    "weighs": lambda text, language: has_quantity(text, "size", language),
    "code": lambda text, _: crossed_boundary(text) == "code",
    "act": lambda text, _: crossed_boundary(text) == "act",
    "realtime": lambda text, _: crossed_boundary(text) == "realtime",
    "follow_up": is_follow_up,
}


def fields(part: msgspec.Struct, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield each field of a table with the path to it."""
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if isinstance(value, msgspec.Struct) and not isinstance(value, Phrases):
            yield from fields(value, f"{path}{name.rstrip('_')}.")
        else:
            yield f"{path}{name.rstrip('_')}", value


@pytest.mark.parametrize("language", INTERFACE)
def test_every_language_of_the_interface_has_a_whole_table(language: str) -> None:
    assert language in LANGUAGES
    missing = {path for path, value in fields(phrasing(language)) if not value and value != 0}
    assert missing == {path for path, languages in LACKING.items() if language in languages}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_of_a_table_is_one(language: str) -> None:
    for path, value in fields(phrasing(language)):
        if isinstance(value, Phrases):
            assert value.found_in("") in {True, False}, path
            assert not value.found_in(""), f"{path} finds something in nothing"
        elif isinstance(value, tuple):
            for pattern in value:
                re.compile(pattern.replace("{}", "x"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_opposites_are_pairs_of_single_words(language: str) -> None:
    pairs = phrasing(language).claims.opposites
    assert {len(pair.split()) for pair in (*pairs.both, *pairs.claims, *pairs.passages)} <= {2}


CASES = [
    (language, kind, text.removeprefix("!"), not text.startswith("!"))
    for language, kinds in EXAMPLES.items()
    for kind, texts in kinds.items()
    for text in texts
]


@pytest.mark.parametrize(("language", "kind", "text", "found"), CASES)
def test_a_table_finds_what_a_reader_of_the_language_would(language: str, kind: str, text: str, found: bool) -> None:
    assert FOUND[kind](text, language) is found


@pytest.mark.parametrize("language", INTERFACE)
def test_every_language_of_the_interface_is_held_to_sentences_of_every_kind(language: str) -> None:
    assert set(EXAMPLES[language]) == set(FOUND)
    assert set(EXAMPLES) == set(LANGUAGES)


def test_what_a_language_lacks_is_not_looked_for() -> None:
    assert not asks_how("How do I start? Wie starte ich? Comment ?", "tlh")
    assert not is_negated("not, nicht, pas", "tlh")
    assert role_of("See it.", "prose", "tlh") == "stands"


def test_a_field_that_no_code_reads_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="hwo"):
        read_table(b'{"questions": {"hwo": ["how"]}}')
    with pytest.raises(msgspec.ValidationError, match="bounds"):
        read_table(b'{"bounds": "letters"}')
