import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.patience import PATIENCE

from pincite_core.budget import check_budget
from pincite_core.errors import WorkLimitError
from pincite_server.http.admission.fair_queue import MOST_WAITING_OF_ONE, Lane
from pincite_server.http.admission.fair_worker import REQUEST_CLIENT, RequestClient, Worker, _FifoLock, client_of
from pincite_server.http.transport.problems import Problem


class Gate:
    """Holds the one thread of a worker until it is opened."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def hold(self) -> None:
        self.reached.set()
        assert self.open.wait(PATIENCE)

    async def until_reached(self) -> None:
        assert await asyncio.to_thread(self.reached.wait, PATIENCE)


@contextmanager
def requesting(client: str, lane: Lane = "anonymous") -> Iterator[RequestClient]:
    token = REQUEST_CLIENT.set(RequestClient(client, lane))
    try:
        yield REQUEST_CLIENT.get()
    finally:
        REQUEST_CLIENT.reset(token)


def on_one_thread(test: Callable[[Worker, Gate], Awaitable[None]], *, seconds: float = 60.0) -> None:
    """Run a test with a worker of one thread that the gate holds."""

    async def held() -> None:
        worker, gate = Worker(1, seconds), Gate()
        holding = asyncio.create_task(worker.run(gate.hold))
        await gate.until_reached()
        try:
            await test(worker, gate)
        finally:
            gate.open.set()
            await holding
            worker.close()

    asyncio.run(asyncio.wait_for(held(), PATIENCE))


def begun(worker: Worker, client: str, work: Callable[[], object], lane: Lane = "anonymous") -> "asyncio.Task[object]":
    with requesting(client, lane):
        return asyncio.create_task(worker.run(work))


def test_requests_of_two_clients_alternate():
    async def test(worker: Worker, gate: Gate) -> None:
        order: list[str] = []
        tasks = [begun(worker, "greedy", lambda: order.append("greedy")) for _ in range(12)]
        tasks.append(begun(worker, "modest", lambda: order.append("modest")))
        await asyncio.sleep(0)  # every task has joined the queue
        assert worker.waiting == 13
        gate.open.set()
        await asyncio.gather(*tasks)
        assert order.index("modest") == 1

    on_one_thread(test)


def test_a_cancelled_waiting_request_frees_its_place_and_never_runs():
    async def test(worker: Worker, gate: Gate) -> None:
        order: list[str] = []
        leaving, staying = (begun(worker, name, lambda name=name: order.append(name)) for name in ("leaver", "stayer"))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        assert worker.waiting == 1
        gate.open.set()
        await staying
        assert order == ["stayer"]

    on_one_thread(test)


def test_work_of_a_disconnected_client_ends_at_its_next_budget_check():
    async def test(worker: Worker, gate: Gate) -> None:
        ended: list[type[Exception]] = []
        inner = Gate()

        def work() -> None:
            inner.hold()
            try:
                check_budget()
            except WorkLimitError as error:
                ended.append(type(error))
                raise

        leaving = begun(worker, "leaver", work)
        gate.open.set()
        await inner.until_reached()
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        inner.open.set()
        assert await worker.run(lambda: "free") == "free"
        assert ended == [WorkLimitError]

    on_one_thread(test)


def test_a_client_with_too_many_waiting_requests_is_refused_and_others_are_not():
    async def test(worker: Worker, gate: Gate) -> None:
        waiting = [begun(worker, "greedy", lambda: 1) for _ in range(MOST_WAITING_OF_ONE)]
        beyond = begun(worker, "greedy", lambda: 2)
        other = begun(worker, "modest", lambda: 3)
        refused = (await asyncio.gather(beyond, return_exceptions=True))[0]
        assert isinstance(refused, Problem)
        assert refused.code == "rate_limited"
        gate.open.set()
        assert await asyncio.gather(*waiting, other) == [1] * MOST_WAITING_OF_ONE + [3]

    on_one_thread(test)


def test_a_reader_does_not_wait_for_a_row_of_anonymous_clients():
    async def test(worker: Worker, gate: Gate) -> None:
        order: list[str] = []
        tasks = [begun(worker, f"new {number}", lambda: order.append("anonymous")) for number in range(12)]
        tasks.append(begun(worker, "reader", lambda: order.append("reader"), "readers"))
        await asyncio.sleep(0)  # every task has joined the queue
        gate.open.set()
        await asyncio.gather(*tasks)
        assert order.index("reader") <= 1

    on_one_thread(test)


def test_an_error_on_the_thread_is_raised_in_the_caller():
    async def test(worker: Worker, gate: Gate) -> None:
        gate.open.set()
        with pytest.raises(ZeroDivisionError):
            await worker.run(lambda: 1 / 0)
        assert await worker.run(lambda: "next") == "next"

    on_one_thread(test)


def test_all_calls_of_one_request_share_one_budget():
    async def test(worker: Worker, gate: Gate) -> None:
        gate.open.set()
        with requesting("reader") as request:
            await worker.run(lambda: None)
            assert request.used > 0
            request.used = 60.0
            with pytest.raises(WorkLimitError):
                await worker.run(lambda: None)
        with requesting("reader"):
            assert await worker.run(lambda: "answered") == "answered"

    on_one_thread(test)


def test_the_lock_serves_its_waiters_in_order():
    turn, order = _FifoLock(), list[str]()
    ready = threading.Barrier(2)

    def work(name: str) -> None:
        ready.wait(PATIENCE)
        for _ in range(3):
            turn.take()
            order.append(name)
            while not turn._waiting and len(order) < 5:
                pass  # until the other one waits
            turn.give()

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert "".join(order) in {"ababab", "bababa"}


def test_closing_cancels_waiting_calls():
    async def closed() -> None:
        worker, gate = Worker(1, 60.0), Gate()
        running = asyncio.create_task(worker.run(gate.hold))
        await gate.until_reached()
        waiting = asyncio.create_task(worker.run(lambda: "never"))
        await asyncio.sleep(0)
        gate.open.set()
        worker.close()
        results = await asyncio.gather(running, waiting, return_exceptions=True)
        assert results[0] is None
        assert isinstance(results[1], asyncio.CancelledError)

    asyncio.run(asyncio.wait_for(closed(), PATIENCE))


def test_a_reader_with_a_session_token_is_one_client_from_any_address():
    assert client_of("192.0.2.1", "token-1") == client_of("2001:db8::1", "token-1")
    assert client_of("192.0.2.1", "token-1") != client_of("192.0.2.1", "token-2")
    assert client_of("192.0.2.1", "192.0.2.1") != client_of("192.0.2.1", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
        ("2001:db8:1:2::1", "2001:0DB8:0001:0002::0001"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_addresses_of_one_network_are_one_client(one: str, other: str):
    assert client_of(one, "") == client_of(other, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "192.0.2.2"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("testclient", ""),
    ],
)
def test_other_addresses_are_other_clients(one: str, other: str):
    assert client_of(one, "") != client_of(other, "")
