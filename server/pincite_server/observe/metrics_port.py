"""A port of its own for `/metrics`, which the public never sees."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, start_http_server

from pincite_core.errors import InputError

__all__ = ("metrics_port",)


@contextmanager
def metrics_port(registry: CollectorRegistry, host: str, port: int) -> Iterator[str]:
    """Serve a registry on a thread for as long as the context lasts; yield the URL. Port 0 is a free one.

    Raises:
        InputError: The port is taken, or the address is none of this machine's.
    """
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        message = f"Could not listen on {host}:{port} ({error.strerror}). Choose another --metrics-port."
        raise InputError(message) from error
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
