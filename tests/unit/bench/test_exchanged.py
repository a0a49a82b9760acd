"""Copies of written answers in which a name is exchanged for another that the excerpts have."""

from bench.written.answers import Falsified, WrittenAnswer, WrittenExcerpt
from bench.written.exchanged import EXCHANGED, with_exchanged

OWN, OTHER = EXCHANGED
LIMITS = WrittenExcerpt(1, "Limits", "Set `max_boats` or `max_crew`. Call `count()`. Ask in Aldwick, or in Morsby.")
LIGHTS = WrittenExcerpt(2, "Lights", "Set `max_lamps`, not `max_crew`.\n\n```\nsay `max_oars`\n```\n\nAsk in Torley.")


def _exchanged(answer: str) -> list[Falsified]:
    row = WrittenAnswer("a-1", "How many boats?", (LIMITS, LIGHTS), answer, ())
    return list(with_exchanged(row).falsified)


def test_a_name_is_exchanged_for_one_of_its_kind_of_the_cited_excerpt_and_for_one_of_the_others_alone() -> None:
    assert _exchanged("Set `max_boats`. [[1]]") == [
        Falsified(OWN, "`max_boats`", "`max_crew`"),
        Falsified(OTHER, "`max_boats`", "`max_lamps`"),
    ]


def test_a_name_in_prose_is_exchanged_for_one_in_prose() -> None:
    assert _exchanged("You may ask in Aldwick. [[1]]") == [
        Falsified(OWN, "Aldwick", "Morsby"),
        Falsified(OTHER, "Aldwick", "Torley"),
    ]


def test_what_stands_twice_or_cites_nothing_or_has_none_of_its_kind_is_left() -> None:
    assert _exchanged("Set `max_boats`, yes, `max_boats`. [[1]]") == []
    assert _exchanged("Set `max_boats`.") == []
    assert _exchanged("Call `count()`. [[1]]") == []
    assert _exchanged("```\nset `max_boats`\n``` [[1]]") == []


def test_it_is_never_exchanged_for_one_that_its_line_has() -> None:
    assert [one.kind for one in _exchanged("Set `max_boats`, as `max_crew` is set. [[1]]")] == [OTHER, OTHER]
