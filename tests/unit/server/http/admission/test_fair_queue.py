from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.http.admission.fair_queue import (
    MOST_WAITING,
    MOST_WAITING_OF_ONE,
    FairQueue,
    Lane,
    WeightedFairQueue,
)
from pincite_server.http.transport.problems import Problem


def drained(queue: FairQueue[str, str]) -> list[str]:
    return [item for _, item in iter(queue.take, None)]


def test_clients_take_turns_and_keep_their_own_order():
    queue = FairQueue[str, str]()
    for client, item in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")):
        queue.add(client, item)
    assert drained(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_new_client_waits_for_at_most_one_item_of_each_other_client():
    queue = FairQueue[str, str]()
    for number in range(12):
        queue.add("greedy", f"greedy {number}")
    queue.take()
    queue.add("modest", "modest")
    assert drained(queue).index("modest") <= 1


@given(st.lists(st.sampled_from("abcd")))
def test_no_client_has_a_second_turn_before_all_have_had_their_first(clients: list[str]):
    queue, had = FairQueue[str, str](), Counter[str]()
    for client in clients:
        queue.add(client, client)
    assert len(queue) == len(clients)
    rounds = []
    for client in drained(queue):
        had[client] += 1
        rounds.append(had[client])
    assert rounds == sorted(rounds)
    assert had == Counter(clients)


def test_a_turn_is_delayed_by_the_cost_of_the_last_one():
    queue = FairQueue[str, str]()
    for number in range(3):
        queue.add("dear", f"dear {number}")
    assert queue.take() == ("dear", "dear 0")
    for number in range(10):
        queue.add("cheap", f"cheap {number}")
    queue.charge("dear", 0.3)
    assert drained(queue).index("dear 1") == 10


def test_an_idle_client_accumulates_no_credit():
    queue = FairQueue[str, str]()
    queue.add("early", "e0")
    for number in range(5):
        queue.add("busy", f"b{number}")
        queue.take()
        queue.charge("busy", 1.0)
    drained(queue)
    for number in range(3):
        queue.add("early", f"e{number + 1}")
    queue.add("new", "n")
    assert drained(queue) == ["e1", "n", "e2", "e3"]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0.001, 1.0)), min_size=40, max_size=80))
def test_busy_clients_get_equal_shares_within_one_turn(costs: list[tuple[str, float]]):
    queue, had, dearest = FairQueue[str, str](most_of_one=100), Counter[str](), {"a": 0.0, "b": 0.0}
    for client in "ab":
        for _ in range(80):
            queue.add(client, client)
    for _, cost in costs:
        turn = queue.take()
        assert turn is not None
        queue.charge(turn[0], cost)
        had[turn[0]] += max(cost, 0.02)
        dearest[turn[0]] = max(dearest[turn[0]], cost)
    assert abs(had["a"] - had["b"]) <= max(dearest.values()) + 0.02


def test_endless_new_clients_do_not_starve_a_reader():
    queue = FairQueue[str, str]()
    queue.add("reader", "first")
    queue.take()
    queue.charge("reader", 0.1)
    queue.add("reader", "second")
    for number in range(16):
        queue.add(f"new {number}", "x")
    for number in range(16, 1000):
        turn = queue.take()
        assert turn is not None
        if turn[0] == "reader":
            break
        queue.add(f"new {number}", "x")
    assert number < 150


def test_the_number_of_remembered_clients_is_limited():
    queue = FairQueue[str, str]()
    for number in range(5000):
        queue.add(f"{number}", "x")
        queue.take()
    assert len(queue._due) <= 2001


def test_one_clients_waiting_items_are_limited_without_effect_on_others():
    queue = FairQueue[str, str](most_of_one=2, most=5)
    for item in ("a1", "a2"):
        queue.add("a", item)
    with pytest.raises(Problem) as refused:
        queue.add("a", "a3")
    assert (refused.value.code, refused.value.status_code) == ("rate_limited", 429)
    assert int((refused.value.headers or {})["Retry-After"]) > 0
    queue.add("b", "b1")
    queue.take()
    queue.add("a", "a3")
    assert drained(queue) == ["b1", "a2", "a3"]


def test_the_waiting_items_of_all_clients_are_limited():
    queue = FairQueue[str, str](most_of_one=2, most=3)
    for client in "abc":
        queue.add(client, client)
    with pytest.raises(Problem) as refused:
        queue.add("d", "d")
    assert (refused.value.code, refused.value.status_code) == ("overloaded", 503)
    assert int((refused.value.headers or {})["Retry-After"]) > 0


def test_a_removed_item_is_never_taken_and_frees_its_place():
    queue = FairQueue[str, str](most_of_one=1)
    queue.add("a", "a1")
    queue.add("b", "b1")
    queue.remove("a", "a1")
    queue.remove("a", "a1")
    queue.remove("c", "never there")
    queue.add("a", "a2")
    assert (len(queue), drained(queue)) == (2, ["b1", "a2"])


# -- lanes and sites --------------------------------------------------------------------------------------------------

SHARES: dict[Lane, float] = {"readers": 0.75, "anonymous": 0.25}


def lane_queue() -> WeightedFairQueue[str]:
    return WeightedFairQueue(FairQueue, SHARES)


def turns_by_lane(queue: WeightedFairQueue[str], turns: int, cost: dict[Lane, float]) -> Counter[str]:
    """Return the number of turns by lane, for a cost of a turn in seconds."""
    had = Counter[str]()
    for _ in range(turns):
        taken = queue.take()
        assert taken is not None
        path, _item = taken
        queue.charge(path, cost[path[0]])
        had[path[0]] += 1
    return had


def both_waiting(count: int = 60) -> WeightedFairQueue[str]:
    queue = lane_queue()
    for number in range(count):
        queue.add(("anonymous", f"new {number}"), "n")
        queue.add(("readers", f"reader {number}"), "r")
    return queue


def test_while_both_lanes_wait_each_has_its_share():
    assert turns_by_lane(both_waiting(), 40, {"readers": 0.02, "anonymous": 0.02}) == {"readers": 30, "anonymous": 10}


def test_a_lane_with_expensive_requests_has_fewer_turns():
    assert turns_by_lane(both_waiting(), 33, {"readers": 0.02, "anonymous": 0.2})["anonymous"] <= 2


def test_a_lane_that_is_alone_has_every_turn():
    queue = lane_queue()
    for number in range(5):
        queue.add(("anonymous", f"new {number}"), "n")
    assert turns_by_lane(queue, 5, {"anonymous": 1.0}) == {"anonymous": 5}
    assert queue.take() is None


@pytest.mark.parametrize("alone", SHARES)
def test_a_lane_that_was_alone_keeps_its_share_later(alone: Lane):
    queue = lane_queue()
    for number in range(50):
        queue.add((alone, f"early {number}"), "x")
        turns_by_lane(queue, 1, {alone: 0.02})
    for number in range(40):
        queue.add(("anonymous", f"new {number}"), "n")
        queue.add(("readers", f"reader {number}"), "r")
    assert 29 <= turns_by_lane(queue, 40, {"readers": 0.02, "anonymous": 0.02})["readers"] <= 31


@given(st.lists(st.tuples(st.sampled_from(["readers", "anonymous"]), st.sampled_from("abc"))))
def test_every_waiting_item_of_a_lane_is_taken_once(waiting: list[tuple[Lane, str]]):
    queue = lane_queue()
    for lane, client in waiting:
        queue.add((lane, client), client)
    had = [path for path, _ in iter(queue.take, None)]
    assert (sorted(had), len(queue)) == (sorted(waiting), 0)


def test_a_removed_item_of_a_lane_is_never_taken():
    queue = both_waiting(1)
    queue.remove(("readers", "reader 0"), "r")
    assert [item for _, item in iter(queue.take, None)] == ["n"]


def test_a_full_lane_refuses_and_the_other_takes_more():
    queue = lane_queue()
    for number in range(MOST_WAITING):
        queue.add(("anonymous", f"new {number}"), "n")
    with pytest.raises(Problem) as refused:
        queue.add(("anonymous", "one more"), "n")
    assert refused.value.code == "overloaded"
    queue.add(("readers", "reader"), "r")


def site_queue() -> WeightedFairQueue[str]:
    return WeightedFairQueue(lane_queue)


def test_a_question_waits_for_at_most_one_question_of_each_other_site():
    queue = site_queue()
    for number in range(50):
        queue.add(("noisy", "readers", f"reader {number % 10}"), f"noisy {number}")
    queue.take()
    queue.add(("quiet", "anonymous", "somebody"), "quiet")
    assert len(queue) == 50
    assert [item for _, item in iter(queue.take, None)].index("quiet") <= 1


def test_a_site_with_expensive_questions_has_fewer_turns():
    queue, had = site_queue(), {"expensive": 0, "cheap": 0}
    for number in range(60):
        for site in had:
            queue.add((site, "readers", f"reader {number}"), site)
    for _ in range(44):
        taken = queue.take()
        assert taken is not None
        path, site = taken
        had[site] += 1
        queue.charge(path, 0.2 if site == "expensive" else 0.02)
    assert had == pytest.approx({"expensive": 4, "cheap": 40}, abs=1)


def test_an_idle_site_accumulates_no_credit():
    queue = site_queue()
    queue.add(("early", "readers", "a"), "early")
    for number in range(30):
        queue.add(("busy", "readers", f"{number}"), "busy")
    while queue.take():
        pass
    for number in range(6):
        queue.add(("early", "readers", f"{number}"), "early")
        queue.add(("busy", "readers", f"{number}"), "busy")
    assert [item for _, item in iter(queue.take, None)][:6].count("busy") >= 2


def test_a_full_site_refuses_its_own_readers_only():
    queue = site_queue()
    for number in range(MOST_WAITING):
        queue.add(("noisy", "readers", f"reader {number}"), "question")
    with pytest.raises(Problem):
        queue.add(("noisy", "readers", "one more"), "question")
    for _ in range(MOST_WAITING_OF_ONE):
        queue.add(("quiet", "readers", "one"), "question")
    with pytest.raises(Problem):
        queue.add(("quiet", "readers", "one"), "question")


def test_an_item_is_removed_from_its_own_site_only():
    queue = site_queue()
    for site in "ab":
        queue.add((site, "readers", "one"), "question")
    for site in ("a", "unknown"):
        queue.remove((site, "readers", "one"), "question")
    assert [path[0] for path, _ in iter(queue.take, None)] == ["b"]
