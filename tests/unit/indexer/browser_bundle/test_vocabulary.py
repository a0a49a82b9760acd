"""Every spelling can be made again from the line of its term."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.terms import spellings
from pincite_indexer.browser_bundle.vocabulary import vocabulary_of, vocabulary_text

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
