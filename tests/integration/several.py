"""Several real sidecars behind a real nginx, by the configuration of the page or of the Compose file."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from tests.integration.serving import serve_command, until

__all__ = ("documented", "in_front_of", "is_ready", "of_compose", "served", "started")

ROOT = Path(__file__).parents[2]


def is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200
    except httpx.HTTPError:
        return False


def served(port: int) -> str:
    """Return the build that a sidecar answers from."""
    build: str = httpx.get(f"http://127.0.0.1:{port}/ready").json()["indexes"][0]["build_id"]
    return build


def documented() -> str:
    """Return the configuration of the page."""
    found = re.search(r"```nginx\n(.*?)```", (ROOT / "docs/scale.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def of_compose() -> str:
    """Return that of the Compose file, without the look-ups that are a container's and newer than many an nginx."""
    text = (ROOT / "deploy/replicas/nginx.conf").read_text(encoding="utf-8")
    return re.sub(r"^resolver .*;$| resolve(?=;)", "", text, flags=re.MULTILINE)


def in_front_of(ports: Sequence[int], config: str) -> str:
    """Return the configuration for sidecars at these ports."""
    names = iter(ports)
    config = re.sub(r"server \S+:8765", lambda _: f"server 127.0.0.1:{next(names)}", config)
    return config.replace("listen 80;", "listen 127.0.0.1:PORT;")


@contextmanager
def started(index: Path | str, ports: Sequence[int], *options: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Run a sidecar at each port; they are ready."""
    with ExitStack() as running:
        processes = [
            running.enter_context(
                subprocess.Popen(
                    serve_command(index, "--port", str(port), *options), stdout=subprocess.DEVNULL, text=True
                )
            )
            for port in ports
        ]
        for one in processes:
            running.callback(one.kill)
        until(lambda: all(is_ready(port) for port in ports))
        yield processes
