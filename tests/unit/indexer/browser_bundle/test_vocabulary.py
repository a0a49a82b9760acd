"""Every spelling can be made again from the line of its term."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.terms import spellings
from pincite_indexer.browser_bundle.vocabulary import endings_of, vocabulary_of, vocabulary_text

WORDS = st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=9), max_size=12)


def spelled(line: str) -> set[str]:
    """Read a line as the browser does, which counts in UTF-16."""
    term, *endings = line.split(" ")
    units = term.encode("utf-16-le")
    cuts = (ending.partition(":") for ending in endings)
    return {term} | {units[: len(units) - 2 * int(cut)].decode("utf-16-le") + added for cut, _, added in cuts}


@given(WORDS)
def test_a_line_holds_its_term_and_all_spellings(words: list[str]) -> None:
    text = " ".join(words)
    pairs = spellings([text])
    lines = vocabulary_text(vocabulary_of([text], {term for _, term in pairs}, "en")).split("\n")
    found = {line.split(" ")[0]: spelled(line) for line in lines if line}
    assert found == {term: {term} | {spelling for spelling, other in pairs if other == term} for _, term in pairs}


def test_endings_are_counted_in_all_versions_without_the_rare_ones() -> None:
    words = {f"word{letter}": frozenset({f"word{letter}en"}) for letter in "abc"}
    one = {**words, "happi": frozenset({"happy"})}
    other = {"wordd": frozenset({"worden", "wordden"}), "worde": frozenset({"wordees"})}
    assert endings_of([one, other]) == {"en": [(0, 4 / 7)]}


def test_an_ending_is_found_beside_marks_that_a_stemmer_leaves_out() -> None:
    words = {f"wor{letter}": frozenset({f"wör{letter}en"}) for letter in "abc"}
    assert endings_of([words]) == {"en": [(0, 1.0)]}


def test_the_fewest_letters_that_fall_away_come_first() -> None:
    kept = {f"word{letter}": frozenset({f"word{letter}en"}) for letter in "abc"}
    cut = {f"word{letter}o": frozenset({f"word{letter}en"}) for letter in "abc"}
    assert endings_of([kept, cut]) == {"en": [(0, 0.5), (1, 0.5)]}
