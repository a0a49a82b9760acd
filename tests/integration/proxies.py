"""Real proxies in front of a sidecar, for tests of what comes through them."""

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
from tests.patience import PATIENCE

__all__ = ("behind_caddy", "behind_nginx", "caddy", "free_port")

_NGINX = """
user root;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 4096; }}
http {{
  types {{ text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; }}
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {http}
}}
"""
_CADDY = "{{\n\tadmin off\n\tlog {{\n\t\toutput discard\n\t}}\n}}\n{sites}"


@contextmanager
def behind_nginx(folder: Path, http: str, port: int = 0) -> Iterator[httpx.Client]:
    """Run nginx; yield a client for it.

    Args:
        folder: For its files.
        http: What goes into the block `http`; `PORT` stands for the port to listen on.
        port: The port, where `http` names it; 0 for one that is free.
    """
    port, config = port or free_port(), folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, http=http.replace("PORT", str(port))))
    with _running([_nginx(), "-c", str(config), "-p", str(folder), "-g", "daemon off;"], port) as client:
        yield client


@contextmanager
def behind_caddy(folder: Path, sites: str) -> Iterator[httpx.Client]:
    """Run Caddy; yield a client for it.

    Args:
        folder: For its files.
        sites: The Caddyfile without its global options; `PORT` stands for the port to listen on.
    """
    port, config = free_port(), folder / "Caddyfile"
    config.write_text(_CADDY.format(sites=sites.replace("PORT", str(port))))
    command = [caddy(), "run", "--config", str(config), "--adapter", "caddyfile"]
    with _running(command, port, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)) as client:
        yield client


def caddy() -> str:
    """Return the path of Caddy; a test is skipped without it."""
    return shutil.which("caddy") or pytest.skip("caddy is not installed")


def _nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        if os.environ.get("PINCITE_REQUIRE_NGINX"):
            pytest.fail("nginx is not installed")
        pytest.skip("nginx is not installed")
    return found


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str], port: int, **environment: str) -> Iterator[httpx.Client]:
    with subprocess.Popen(command, env=os.environ | environment) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
                _wait_for(client, process)
                yield client
        finally:
            process.terminate()


def _wait_for(client: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            client.get("/nothing")
        except httpx.ConnectError:
            time.sleep(0.02)
        else:
            return
    pytest.fail(f"{process.args!r} did not start")
