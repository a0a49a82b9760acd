"""A real nginx in front of a sidecar, for tests of what comes through it."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

__all__ = ("in_front",)

_MAIN = """
user root;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {http}
}}
"""


@contextmanager
def in_front(folder: Path, http: str) -> Iterator[httpx.Client]:
    """Run nginx; yield a client for it.

    Args:
        folder: For its files.
        http: What goes into the block `http`; `PORT` stands for the port to listen on.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = folder / "nginx.conf"
    config.write_text(_MAIN.format(folder=folder, http=http.replace("PORT", str(port))))
    with subprocess.Popen([_nginx(), "-c", str(config), "-p", str(folder), "-g", "daemon off;"]) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
                _wait_for(client)
                yield client
        finally:
            process.terminate()


def _nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        if os.environ.get("PINCITE_REQUIRE_NGINX"):
            pytest.fail("nginx is not installed")
        pytest.skip("nginx is not installed")
    return found


def _wait_for(client: httpx.Client) -> None:
    for _ in range(200):
        try:
            client.get("/nothing")
        except httpx.ConnectError:
            time.sleep(0.02)
        else:
            return
    pytest.fail("nginx did not start")
