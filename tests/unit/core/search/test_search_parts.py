import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_core.search.fusion import FusionWeights, fuse_by_rank, fuse_by_score, share_of_best, spread
from pincite_core.search.query import parse_query

NAN = math.nan
ONLY_DENSE_AND_BODY = FusionWeights(dense=0.5, sentence=0, body=0.5, title=0, headings=0, page=0, links=0, code=0)


def test_the_best_score_becomes_1_the_worst_0_and_an_absent_one_0() -> None:
    assert spread(np.array([2.0, NAN, 4.0, 3.0])).tolist() == [0.0, 0.0, 1.0, 0.5]


def test_cosines_that_differ_by_rounding_alone_are_equally_good() -> None:
    assert list(spread(np.array([0.5, 0.5 + 1e-8, np.nan]))) == [1.0, 1.0, 0.0]


def test_the_last_that_words_found_is_better_than_what_they_did_not_find() -> None:
    assert share_of_best(np.array([2.0, NAN, 4.0])).tolist() == [0.5, 0.0, 1.0]


def test_a_ranker_with_one_candidate_gives_it_everything() -> None:
    assert spread(np.array([NAN, 0.2])).tolist() == [0.0, 1.0]
    assert share_of_best(np.array([NAN, 0.2])).tolist() == [0.0, 1.0]


def test_a_ranker_that_found_nothing_says_nothing() -> None:
    assert spread(np.array([NAN, NAN])).tolist() == [0.0, 0.0]
    assert share_of_best(np.array([NAN, NAN])).tolist() == [0.0, 0.0]


def test_fusing_prefers_what_both_rankers_like() -> None:
    rankers = {"dense": np.array([0.9, 0.8, 0.1]), "body": np.array([NAN, 8.0, 7.0])}
    assert int(np.argmax(fuse_by_score(rankers, ONLY_DENSE_AND_BODY))) == 1
    assert fuse_by_score(rankers, ONLY_DENSE_AND_BODY)[0] == pytest.approx(0.5)


def test_what_several_rankings_have_near_their_top_comes_first() -> None:
    assert fuse_by_rank([["a", "b", "c"], ["d", "b", "e"], ["f", "b"]]) == ["b", "a", "d", "f", "c", "e"]


@given(st.lists(st.lists(st.integers(0, 40), unique=True, max_size=24), max_size=4))
def test_fused_rankings_hold_every_key_once_and_one_alone_keeps_its_order(rankings: list[list[int]]) -> None:
    fused = fuse_by_rank(rankings)
    assert sorted(fused) == sorted({key for ranking in rankings for key in ranking})
    assert all(fuse_by_rank([ranking]) == ranking for ranking in rankings)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_fused_scores_stay_between_0_and_1(scores: list[float]) -> None:
    rankers = {"dense": np.array(scores), "body": np.abs(scores[::-1])}
    fused = fuse_by_score(rankers, FusionWeights())
    assert ((fused >= 0) & (fused <= 1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("[Bug]: fake timers hang", "fake timers hang"),
        ("[jest-mock] [29] restore fails", "restore fails"),
        ("feat(cli): a flag for shards", "a flag for shards"),
        ("docs: how to mock", "how to mock"),
        ("How do I use docs: prefix?", "How do I use docs: prefix?"),
        ("[Bug]", "[Bug]"),
    ],
)
def test_tracker_prefixes_are_not_part_of_the_question(asked: str, plain: str) -> None:
    assert parse_query(asked).text == plain


def test_stack_frames_are_left_out_but_the_error_is_kept() -> None:
    text = "TypeError: x is not a function\n    at Object.run (/srv/app/index.js:10:5)\n    at main (/srv/a.js:1:2)"
    assert parse_query(text).text == "TypeError: x is not a function"


def test_of_a_long_text_only_the_first_words_and_codes_are_looked_up() -> None:
    words = [f"{chr(97 + number // 26)}{chr(97 + number % 26)}qz" for number in range(400)]
    query = parse_query(" ".join(words))
    assert list(query.terms) == [parse_query(word).terms[0] for word in words[:128]]
    codes = " ".join(f"--flag-{number}" for number in range(400))
    assert parse_query(codes).codes == tuple(f"--flag-{number}" for number in range(64))
    assert (
        len(
            parse_query("的一是在不了有和人这中大为上个国我以要他" * 3 + "".join(map(chr, range(0x4E00, 0x5000)))).terms
        )
        == 128
    )


def test_a_word_that_is_repeated_takes_no_room_from_the_others() -> None:
    assert parse_query("again " * 500 + "snapshot").terms == ("again", "snapshot")


def test_identifiers_are_exact_tokens_as_well() -> None:
    query = parse_query("Does MyClass.doSomething take --no-cache?")
    assert set(query.codes) == {"myclass.dosomething", "--no-cache"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How do I mock a module of Redux?", {"redux"}),
        ("can mapStateToProps return null", {"mapstatetoprop"}),
        ("HQ-1202 what now", {"hq"}),
        ("Global Setup and Teardown", set()),
        ("Redux is slow", set()),
        ("Wie ändere ich die Farbe der Schaltfläche im Kopf?", set()),
    ],
)
def test_names_are_what_is_spelled_as_one_outside_titles_and_beginnings(question: str, names: set[str]) -> None:
    assert set(parse_query(question).names) == names


CALIBRATION = replace(Calibration.uniform(1.0), bias=-3.0)


def test_evidence_is_a_probability_that_grows_with_each_signal() -> None:
    weak = EvidenceSignals.uniform(0.1)
    strong = EvidenceSignals.uniform(0.9)
    assert 0 < evidence_probability(weak, CALIBRATION) < 0.5 < evidence_probability(strong, CALIBRATION) < 1


def test_an_absurd_calibration_does_not_overflow() -> None:
    signals = EvidenceSignals.uniform(0.0)
    assert evidence_probability(signals, replace(CALIBRATION, bias=-5000)) == 0.0
    assert evidence_probability(signals, replace(CALIBRATION, bias=5000)) == 1.0


@given(st.floats(0, 1))
def test_words_are_trusted_by_a_share_and_vectors_whole(share: float) -> None:
    trusted = FusionWeights().trusting_words(share)
    words = {"body", "headings", "page", "links", "code"}
    for name, weight in FusionWeights().items():
        assert getattr(trusted, name) == pytest.approx(weight * share if name in words else weight)
