"""Excerpts taken apart, and the sentences that say most of a claim."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_server.grounding.evidence import Evidence, plain_text

TEXT = "Alpha comes first. Beta comes second.\n\n```sh\nrun --fast\nstop\n```\n\nGamma is `last`."


def test_sentences_code_and_headings_are_told_apart():
    evidence = Evidence.of("Letters > Greek", TEXT)
    assert evidence.sentences == (
        "Alpha comes first.",
        "Beta comes second.",
        "run --fast\nstop",
        "Gamma is `last`.",
        "Letters > Greek",
    )
    assert "run --fast" in evidence.code
    assert "last" in evidence.code
    assert "alpha" not in evidence.code


def test_the_number_of_a_step_is_no_number_that_the_docs_state():
    evidence = Evidence.of(
        "", "1. Stop the node.\n2) Start it again in 5 s.\n\n3.5 GB are enough on port 80. It is open."
    )
    steps, rest = evidence.sentences[:2], evidence.sentences[2:]
    assert steps == ("- Stop the node.", "- Start it again in 5 s.")
    assert rest == ("3.5 GB are enough on port 80.", "It is open.")


def test_a_long_listing_is_looked_at_in_windows_that_lose_no_line():
    lines = [f"line{number}" for number in range(20)]
    evidence = Evidence.of("", "```\n" + "\n".join(lines) + "\n```")
    assert all(any(line in sentence.split("\n") for sentence in evidence.sentences) for line in lines)
    assert max(sentence.count("\n") for sentence in evidence.sentences) < 6


def test_a_claim_of_two_facts_is_found_in_two_places():
    evidence = Evidence.of("", TEXT)
    assert evidence.places_of({"alpha": 1.0, "gamma": 1.0}) == (0, 3)


def test_a_place_that_adds_next_to_nothing_to_a_claim_is_none_of_its_places():
    assert Evidence.of("", TEXT).places_of({"alpha": 10.0, "gamma": 0.5}) == (0,)


def test_neighbours_are_quoted_together_and_headings_only_alone():
    evidence = Evidence.of("Letters > Greek", TEXT)
    assert evidence.quote((1, 0)) == "Alpha comes first. Beta comes second."
    assert evidence.quote((4, 3)) == "Gamma is `last`."
    assert evidence.quote((4,)) == "Letters > Greek"


def test_joined_excerpts_hold_what_each_holds():
    one, other = Evidence.of("A", "One."), Evidence.of("B", "Two.")
    joined = Evidence.joined([one, other])
    assert joined.sentences == ("One.", "A", "Two.", "B")
    assert joined.held == one.held | other.held


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(text: str):
    evidence = Evidence.of(text, text)
    assert len(evidence.sentences) == len(evidence.stems)
    assert "`" not in plain_text(text)


def test_the_items_of_each_list_are_counted_nested_ones_for_themselves():
    text = "Kinds:\n\n- one\n\n- two\n\n  - inner\n\n  goes on\n\n- three\n\nSteps:\n\n1. First.\n2. Then."
    assert Evidence.of("", text).list_lengths == {3, 1, 2}
    assert Evidence.of("", "- one\n  - of one\n- two\n  - of two").list_lengths == {2, 1}
    assert Evidence.of("", "No list - none at all.\n\n-v is a flag.").list_lengths == frozenset()
    assert Evidence.joined([Evidence.of("", "- one"), Evidence.of("", "- one\n- two")]).list_lengths == {1, 2}


def test_struck_out_text_is_no_evidence() -> None:
    evidence = Evidence.of("", "The relay listens on ~~port 41~~ port 42. Write `~~text~~` to strike it out.")
    assert "41" not in evidence.text
    assert "~~text~~" in evidence.text
