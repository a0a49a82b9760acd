"""Names that stand in the excerpts, and where a claim puts them."""

import pytest

from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.entity_swap import misplaces
from pincite_server.grounding.evidence import Evidence

HARBOR = Evidence.of(
    "Harbor",
    """Set `berth_limit` to close the harbor when it is full of boats. Boats are counted each morning.

The option `tide_table` names the file that the lanterns are read from. It is looked for in the current folder.

Run `harbor open --night` to light every lantern before the boats come in. With `--quiet` no bell is rung at all.

The pilots of Aldwick meet ships beyond the outer reef. Supplies are brought from Morsby on Sundays.
""",
)


@pytest.mark.parametrize(
    "claim",
    [
        "Set `tide_table` to close the harbor when it is full of boats.",
        "The lanterns are read from the file that `berth_limit` names.",
        "Run `harbor open` with `--quiet` to light every lantern before the boats come in.",
        "Ships are met beyond the outer reef by the pilots of Morsby.",
        "On Sundays, supplies are brought from Aldwick.",
    ],
)
def test_a_name_is_doubtful_where_the_sentence_that_says_the_rest_has_another(claim: str) -> None:
    assert misplaces(claim, HARBOR)
    verdict = judge_claim(claim, HARBOR, HARBOR)
    assert (verdict.proof, "name" in verdict.doubts) == ("doubtful", True)


@pytest.mark.parametrize(
    "claim",
    [
        "Set `berth_limit` to close the harbor when it is full of boats.",
        "The harbor is closed by `berth_limit` when it is full of boats, and `tide_table` names the file of lanterns.",
        "With `--quiet` no bell is rung.",
        "Boats are counted each morning for `berth_limit`.",
        "`tide_table` is looked for in the current folder.",
        "The pilots of Aldwick meet ships beyond the reef.",
        "Set `true` to close the harbor when it is full of boats.",
        "Some `tide_table`.",
    ],
    ids=[
        "where it stands",
        "two facts",
        "a flag",
        "of the sentence before",
        "as the next sentence says",
        "a name in prose",
        "a value of any switch",
        "nothing beside it",
    ],
)
def test_a_name_is_not_doubtful_where_its_own_sentence_or_a_neighbour_says_as_much(claim: str) -> None:
    assert not misplaces(claim, HARBOR)


def test_what_the_heading_names_is_what_every_sentence_below_it_is_about() -> None:
    text = "The harbor is closed when it is full.\n\nIt has room for twenty boats, as `berth_limit` has."
    claim = "`tide_table` has room for twenty boats."
    assert misplaces(claim, Evidence.of("Options", text))
    assert not misplaces(claim, Evidence.of("Options > tide_table", text))


def test_another_kind_of_name_does_not_stand_in_the_place_of_one() -> None:
    text = "The option `tide_table` is new. Boats are counted. Supplies are brought by pilots of Morsby at noon."
    assert not misplaces("Set `tide_table` to bring supplies by pilots at noon.", Evidence.of("", text))


def test_a_name_is_doubtful_where_the_sentence_that_says_the_rest_stands_far_from_it() -> None:
    options = [f"`{name}`\n\nOne of the {name} boats. It is {name}." for name in ("red", "blue")]
    text = "\n\n".join([*options, "This option keeps the lanterns alight until noon."])
    assert misplaces("`red` keeps the lanterns alight until noon.", Evidence.of("", text))
    assert not misplaces("`blue` keeps the lanterns alight until noon.", Evidence.of("", text))


def test_a_listing_has_names_but_puts_none_in_a_place() -> None:
    listed = Evidence.of("Options", "```\nberth_limit: close the harbor when full\n```\n\nThere is also `tide_table`.")
    assert not misplaces("Close the harbor when full with `tide_table`.", listed)


def test_a_name_is_the_same_in_code_that_says_what_it_belongs_to() -> None:
    text = "Call `harbor.close_all()` to send every boat away. Call `open_all()` for the reverse."
    for call in ("close_all", "harbor.close_all()", "self.close_all(boats)", ".close_all()"):
        assert not misplaces(f"Every boat is sent away when you call `{call}`.", Evidence.of("", text))
    assert misplaces("Every boat is sent away when you call `open_all()`.", Evidence.of("", text + "\n\nNone stays."))


def test_a_capital_is_no_name_where_every_noun_has_one() -> None:
    text = "Der Hafen wird von Lotsen bewacht. Die Vorräte kommen sonntags."
    assert not misplaces("Der Hafen wird von Vorräten bewacht.", Evidence.of("", text, "de"))


def test_an_inflected_name_is_the_same_name() -> None:
    text = "The harbor is kept by the Wardens of the coast. On Sundays the Pilots rest."
    assert not misplaces("The harbor is kept by a Warden of the coast.", Evidence.of("", text))


@pytest.mark.parametrize(
    ("text", "true", "other"),
    [
        (
            "- `@harbor/bell` rings when a boat comes in.\n- `@harbor/lamp` is lit at night by the pilots.",
            "`@harbor/lamp` is lit at night by the pilots.",
            "`@harbor/bell` is lit at night by the pilots.",
        ),
        (
            "The boats that moor are listed under `[harbor.fleet]`.\n\nA pier is `[harbor.berths]` long.",
            "List the boats that moor under `[harbor.fleet]`.",
            "List the boats that moor under `[harbor.berths]`.",
        ),
        (
            "Calm Mode does not sound the bell for boats.\n\nStorm Mode keeps every pilot ashore until noon.",
            "The bell does not sound for boats in Calm Mode.",
            "The bell does not sound for boats in Storm Mode.",
        ),
        (
            "The pilots are called after `.dock()` or `.moor()` has begun.\n\nCall `.after()` for other boats.",
            "The pilots are called once `.moor()` has begun.",
            "The pilots are called once `.after()` has begun.",
        ),
        (
            "The berths are read from `berths.toml` each morning.\n\n`boats.toml` names the fleet.",
            "Berths are read from `berths.toml` each morning.",
            "Berths are read from `boats.toml` each morning.",
        ),
        (
            "`@berth()` keeps a place for the boat until noon.\n\nOther classes are marked with `@pier()`.",
            "A place is kept for the boat until noon by `@berth()`.",
            "A place is kept for the boat until noon by `@pier()`.",
        ),
    ],
    ids=[
        "a scoped package",
        "a table of a file",
        "a name that opens a sentence",
        "a word of prose",
        "a file",
        "a decorator",
    ],
)
def test_names_of_every_kind_are_told_from_one_another(text: str, true: str, other: str) -> None:
    docs = Evidence.of("", f"{text}\n\nNothing else is said here.")
    assert not misplaces(true, docs)
    assert misplaces(other, docs)


def test_a_word_that_opens_a_claim_is_no_name() -> None:
    docs = Evidence.of("", "Keep Aldwick in sight until the bell rings.\n\nOn Sundays the Pilots rest.")
    assert not misplaces("Watch Aldwick until the bell rings.", docs)
