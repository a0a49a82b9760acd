import asyncio
import socket

import pytest

from pincite_core.errors import InputError
from pincite_server.http.transport.connections import listen, url_of


def test_replies_do_not_wait_for_acknowledgements():
    async def nodelay_of_an_accepted_connection() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def on_connect(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(on_connect, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            nodelay = await asyncio.wait_for(accepted, 10)
            writer.close()
            await writer.wait_closed()
        return nodelay

    assert asyncio.run(nodelay_of_an_accepted_connection()) != 0


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost")])
def test_the_url_is_one_to_open_on_this_machine(host: str, shown: str):
    with listen(host, 0) as listener:
        assert url_of(listener) == f"http://{shown}:{listener.getsockname()[1]}"


def test_a_taken_port_is_told_with_what_to_do():
    with listen("127.0.0.1", 0) as taken, pytest.raises(InputError, match="Choose another --port"):
        listen("127.0.0.1", taken.getsockname()[1])
