"""Sites take turns by what their questions cost."""

import pytest

from pincite_server.http.admission.fair_queue import MOST_WAITING, MOST_WAITING_OF_ONE
from pincite_server.http.admission.site_queue import SiteQueue
from pincite_server.http.transport.problems import Problem


def drained(queue: SiteQueue[str]) -> list[str]:
    return [taken.turn.item for taken in iter(queue.take, None)]


def test_a_question_waits_for_one_of_each_other_site_at_most():
    queue = SiteQueue[str]()
    for number in range(50):
        queue.add("noisy", "readers", f"reader {number % 10}", f"noisy {number}")
    queue.take()
    queue.add("quiet", "newcomers", "somebody", "quiet")
    assert len(queue) == 50
    assert drained(queue).index("quiet") <= 1


def test_a_site_whose_questions_cost_more_has_fewer_turns():
    queue, had = SiteQueue[str](), {"dear": 0, "cheap": 0}
    for number in range(60):
        for site in had:
            queue.add(site, "readers", f"reader {number}", site)
    for _ in range(44):
        taken = queue.take()
        assert taken is not None
        had[taken.site] += 1
        queue.charge(taken, 0.2 if taken.site == "dear" else 0.02)
    assert had == pytest.approx({"dear": 4, "cheap": 40}, abs=1)


def test_a_site_that_nobody_asked_for_long_has_saved_nothing_up():
    queue = SiteQueue[str]()
    queue.add("early", "readers", "a", "early")
    for number in range(30):
        queue.add("busy", "readers", f"{number}", "busy")
    drained(queue)
    for number in range(6):
        queue.add("early", "readers", f"{number}", "early")
        queue.add("busy", "readers", f"{number}", "busy")
    assert drained(queue)[:6].count("busy") >= 2


def test_a_site_that_is_full_turns_its_own_readers_away_and_no_others():
    queue = SiteQueue[str]()
    for number in range(MOST_WAITING):
        queue.add("noisy", "readers", f"reader {number}", "question")
    with pytest.raises(Problem):
        queue.add("noisy", "readers", "one more", "question")
    for _ in range(MOST_WAITING_OF_ONE):
        queue.add("quiet", "readers", "one", "question")
    with pytest.raises(Problem):
        queue.add("quiet", "readers", "one", "question")


def test_what_no_longer_waits_is_removed_from_its_site_alone():
    queue = SiteQueue[str]()
    queue.add("a", "readers", "one", "question")
    queue.add("b", "readers", "one", "question")
    queue.remove("a", "readers", "one", "question")
    queue.remove("unknown", "readers", "one", "question")
    assert [taken.site for taken in iter(queue.take, None)] == ["b"]
