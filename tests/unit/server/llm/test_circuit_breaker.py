"""The circuit breaker of the language model's endpoint."""

from pincite_server.llm.circuit_breaker import CircuitBreaker


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_three_failures_in_a_row_open_the_circuit():
    breaker = CircuitBreaker(Clock())
    for _ in range(2):
        breaker.failed()
    assert breaker.allows()
    breaker.failed()
    assert (breaker.is_open, breaker.allows()) == (True, False)


def test_a_success_between_failures_keeps_it_closed():
    breaker = CircuitBreaker(Clock())
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()
    assert breaker.allows()


def test_after_a_rest_one_request_tries_and_the_others_wait_for_it():
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(3):
        breaker.failed()
    clock.now = 29.9
    assert not breaker.allows()
    clock.now = 30.0
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert [breaker.allows() for _ in range(3)] == [True, True, True]


def test_a_trial_that_fails_begins_another_rest_and_one_that_vanishes_too():
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(3):
        breaker.failed()
    clock.now = 30.0
    assert breaker.allows()
    breaker.failed()
    clock.now = 59.0
    assert not breaker.allows()
    clock.now = 60.0
    assert breaker.allows()
    clock.now = 90.0
    assert breaker.allows()


def test_a_permanent_failure_opens_it_at_once():
    breaker = CircuitBreaker(Clock())
    breaker.failed(for_good=True)
    assert not breaker.allows()
