from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.http.admission.fair_queue import FairQueue, Lane, LanedQueue
from pincite_server.http.transport.problems import Problem


def drained(queue: FairQueue[str]) -> list[str]:
    return [item for _, item in iter(queue.take, None)]


def test_clients_take_turns_and_each_ones_own_come_in_order():
    queue = FairQueue[str]()
    for client, item in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")):
        queue.add(client, item)
    assert drained(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_comes_late_waits_for_one_of_each_other_client_at_most():
    queue = FairQueue[str]()
    for number in range(12):
        queue.add("greedy", f"greedy {number}")
    queue.take()
    queue.add("modest", "modest")
    assert drained(queue).index("modest") <= 1


@given(st.lists(st.sampled_from("abcd")))
def test_nobody_has_a_second_turn_before_all_who_wait_have_had_their_first(clients: list[str]):
    queue, had = FairQueue[str](), Counter[str]()
    for client in clients:
        queue.add(client, client)
    assert len(queue) == len(clients)
    rounds = []
    for client in drained(queue):
        had[client] += 1
        rounds.append(had[client])
    assert rounds == sorted(rounds)
    assert had == Counter(clients)


def test_a_turn_is_put_off_by_what_the_last_one_cost():
    queue = FairQueue[str]()
    for number in range(3):
        queue.add("dear", f"dear {number}")
    assert queue.take() == ("dear", "dear 0")
    for number in range(10):
        queue.add("cheap", f"cheap {number}")
    queue.charge("dear", 0.3)
    assert drained(queue).index("dear 1") == 10


def test_who_has_not_asked_for_a_while_has_saved_nothing_up():
    queue = FairQueue[str]()
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
def test_of_clients_who_ask_without_end_none_gets_more_than_a_turn_beyond_the_others(costs: list[tuple[str, float]]):
    queue, had, dearest = FairQueue[str](most_of_one=100), Counter[str](), {"a": 0.0, "b": 0.0}
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


def test_an_endless_row_of_new_clients_keeps_nobody_waiting():
    queue = FairQueue[str]()
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


def test_only_so_many_clients_are_remembered():
    queue = FairQueue[str]()
    for number in range(5000):
        queue.add(f"{number}", "x")
        queue.take()
    assert len(queue._due) <= 2001


def test_one_client_may_let_only_so_much_wait_and_another_is_not_refused_for_it():
    queue = FairQueue[str](most_of_one=2, most=5)
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


def test_all_clients_together_may_let_only_so_much_wait():
    queue = FairQueue[str](most_of_one=2, most=3)
    for client in "abc":
        queue.add(client, client)
    with pytest.raises(Problem) as refused:
        queue.add("d", "d")
    assert (refused.value.code, refused.value.status_code) == ("overloaded", 503)
    assert int((refused.value.headers or {})["Retry-After"]) > 0


def test_what_is_removed_is_never_next_and_leaves_room():
    queue = FairQueue[str](most_of_one=1)
    queue.add("a", "a1")
    queue.add("b", "b1")
    queue.remove("a", "a1")
    queue.remove("a", "a1")
    queue.remove("c", "never there")
    queue.add("a", "a2")
    assert (len(queue), drained(queue)) == (2, ["b1", "a2"])


# -- lanes ------------------------------------------------------------------------------------------------------------

SHARES: dict[Lane, float] = {"readers": 0.75, "newcomers": 0.25}


def lanes_of(queue: LanedQueue[str], turns: int, cost: dict[Lane, float]) -> Counter[str]:
    """Return how many of some turns each lane has, when a turn costs as many seconds."""
    had = Counter[str]()
    for _ in range(turns):
        turn = queue.take()
        assert turn is not None
        queue.charge(turn, cost[turn.lane])
        had[turn.lane] += 1
    return had


def both_waiting(count: int = 60) -> LanedQueue[str]:
    queue = LanedQueue[str](SHARES)
    for number in range(count):
        queue.add("newcomers", f"new {number}", "n")
        queue.add("readers", f"reader {number}", "r")
    return queue


def test_while_both_lanes_wait_each_has_its_share():
    assert lanes_of(both_waiting(), 40, {"readers": 0.02, "newcomers": 0.02}) == {"readers": 30, "newcomers": 10}


def test_dear_turns_of_a_lane_are_paid_for_with_fewer_of_them():
    assert lanes_of(both_waiting(), 33, {"readers": 0.02, "newcomers": 0.2})["newcomers"] <= 2


def test_a_lane_that_is_alone_has_every_turn():
    queue = LanedQueue[str](SHARES)
    for number in range(5):
        queue.add("newcomers", f"new {number}", "n")
    assert lanes_of(queue, 5, {"newcomers": 1.0}) == {"newcomers": 5}
    assert queue.take() is None


@pytest.mark.parametrize("alone", SHARES)
def test_a_lane_that_was_alone_has_used_up_nothing_of_what_is_to_come(alone: Lane):
    queue = LanedQueue[str](SHARES)
    for number in range(50):
        queue.add(alone, f"early {number}", "x")
        lanes_of(queue, 1, {alone: 0.02})
    for number in range(40):
        queue.add("newcomers", f"new {number}", "n")
        queue.add("readers", f"reader {number}", "r")
    assert 29 <= lanes_of(queue, 40, {"readers": 0.02, "newcomers": 0.02})["readers"] <= 31


@given(st.lists(st.tuples(st.sampled_from(["readers", "newcomers"]), st.sampled_from("abc"))))
def test_everything_that_waits_in_a_lane_has_its_turn(waiting: list[tuple[Lane, str]]):
    queue = LanedQueue[str](SHARES)
    for lane, client in waiting:
        queue.add(lane, client, client)
    had = [(turn.lane, turn.client) for turn in iter(queue.take, None)]
    assert (sorted(had), len(queue)) == (sorted(waiting), 0)


def test_what_is_removed_from_a_lane_is_never_next():
    queue = both_waiting(1)
    queue.remove("readers", "reader 0", "r")
    assert [turn.item for turn in iter(queue.take, None)] == ["n"]


def test_a_lane_that_is_full_refuses_and_the_other_takes_more():
    queue = LanedQueue[str](SHARES)
    for number in range(512):
        queue.add("newcomers", f"new {number}", "n")
    with pytest.raises(Problem) as refused:
        queue.add("newcomers", "one more", "n")
    assert refused.value.code == "overloaded"
    queue.add("readers", "reader", "r")
