"""Claims whose words a model reads: what strays from the cited sentences, and what keeps to them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pincite_core.embedders import DEFAULT_MODEL, Encoded, FakeEmbedder
from pincite_core.types import Role
from pincite_server.grounding.claims import Doubt, judge_claim
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.nearness import Nearness

HARBOR = Evidence.of("Harbor", "Boats moor at the northern pier. Lanterns burn until sunrise, and pilots sleep ashore.")


class Measured(FakeEmbedder):
    """A model whose cosines are known: 1 for a word that stands there, about 0 for any other."""

    info = replace(FakeEmbedder.info, name=DEFAULT_MODEL)

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        self.read += texts
        return super().encode_with_tokens(texts, role)


class WithoutTokens(Measured):
    """A model that gives a text one vector alone."""

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        return [encoded._replace(tokens=None) for encoded in super().encode_with_tokens(texts, role)]


@pytest.mark.parametrize(
    ("claim", "strays", "keeps"),
    [
        ("Boats moor at the northern pier.", False, True),
        ("Pilots sleep ashore until sunrise.", False, True),
        ("Boats moor at the northern jetty.", False, True),  # one word of four in a row
        ("Boats anchor at the northern jetty.", False, False),  # two
        ("Boats moor at the northern pier after paying customs officers twice.", True, False),
        ("Customs officers sail.", True, False),
    ],
)
def test_words_in_a_row_that_nothing_cited_is_near_to_stray(claim: str, strays: bool, keeps: bool) -> None:
    nearness = Nearness(Measured(), "")
    assert (nearness.strays(claim, HARBOR), nearness.keeps(claim, HARBOR)) == (strays, keeps)


def test_what_only_repeats_the_question_does_not_stray() -> None:
    claim = "Customs officers inspect cargo."
    assert Nearness(Measured(), "When do boats moor?").strays(claim, HARBOR)
    assert not Nearness(Measured(), "Which customs officers inspect my cargo?").strays(claim, HARBOR)


def test_each_text_is_read_once_for_all_claims() -> None:
    embedder = Measured()
    nearness = Nearness(embedder, "When do boats moor?")
    for _ in range(2):
        nearness.strays("Lanterns burn until sunrise.", HARBOR)
        nearness.keeps("Boats moor.", HARBOR)
    assert len(embedder.read) == len(set(embedder.read)) == 2 + len(HARBOR.sentences) + 1


@pytest.mark.parametrize(
    ("embedder", "claim", "cited"),
    [
        (WithoutTokens(), "Customs officers inspect cargo.", HARBOR),
        (Measured(), "Customs officers inspect cargo.", Evidence.of("", "")),
    ],
    ids=["model without tokens", "nothing cited"],
)
def test_where_there_is_nothing_to_compare_nothing_strays(embedder: Measured, claim: str, cited: Evidence) -> None:
    assert not Nearness(embedder, "").strays(claim, cited)


@pytest.mark.parametrize(("language", "known"), [("en", True), ("en-GB", True), ("de", False), ("fa", False)])
def test_only_what_was_measured_is_compared(language: str, known: bool) -> None:
    assert (Nearness.measured(Measured(), "", language) is not None) == known
    assert Nearness.measured(FakeEmbedder(), "", language) is None


@pytest.mark.parametrize(
    ("claim", "by_words", "with_the_model"),
    [
        # words that the docs have, but elsewhere and of something else
        ("Boats moor at the northern pier, which closes when the tower bell fails.", (), ("words",)),
        (
            "These boats moor at the northern pier, which closes when the tower bell fails:",
            (),
            (),
        ),  # its list may say it
        ("Boats berth at the northern pier.", ("words",), ()),  # one new word among many that are near
        ("Boats do not moor at the northern jetty.", ("words", "negation"), ("words", "negation")),
    ],
)
def test_the_model_looks_again_at_claims_that_words_alone_leave_open_or_settle(
    claim: str, by_words: tuple[Doubt, ...], with_the_model: tuple[Doubt, ...]
) -> None:
    elsewhere = Evidence.of("", "The tower closes at noon. A bell that fails is replaced.")
    evidence = replace(HARBOR, held=HARBOR.held | elsewhere.held)
    shown = Evidence.joined([HARBOR, elsewhere, Evidence.of("", "Berths and jetties.")])
    assert judge_claim(claim, evidence, shown).doubts == by_words
    assert judge_claim(claim, evidence, shown, nearness=Nearness(Measured(), "")).doubts == with_the_model
