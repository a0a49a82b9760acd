"""Walk the page in a new folder, and print what each step took: `python -m tests.stranger dist`."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.integration.proxies import behind_nginx, free_port
from tests.stranger.page import Step, steps_of

ROOT = Path(__file__).parents[2]
QUESTION = "How do I create a docs version?"
ANSWER = "/docs/tutorial-extras/manage-docs-versions#create-a-docs-version"

_PATIENCE_MS = 60_000


def main() -> None:
    """Walk, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dist", type=Path, help="The folder with the wheel and the tarball.")
    parser.add_argument("--json", type=Path, help="Write the table to this file as well.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-stranger-") as folder, ExitStack() as services:
        walk = Walk(Path(folder), chosen.dist.resolve(), services)
        for row in walk.rows():
            print(f"{row['step']:<36} {row['seconds']:>7.1f} s {row['megabytes']:>8.1f} MB", flush=True)  # noqa: T201
            walk.told.append(row)
        if chosen.json:
            chosen.json.write_text(json.dumps(walk.told, indent=1))


class Walk:
    """One walk: the folder it is in, the addresses it uses, and the processes that it leaves running."""

    def __init__(self, folder: Path, dist: Path, services: ExitStack) -> None:
        self.told: list[dict[str, str | float]] = []
        self._folder, self._services = folder, services
        self._site = folder / "handbook"
        self._ports = free_port(), free_port()
        docs, chat = (f"http://localhost:{port}" for port in self._ports)
        self._docs = docs
        own = {"https://docs.example.com": docs, "https://chat.example.com": chat, "/srv/docs": str(folder / "www")}
        names = {
            "--host-name chat.example.com": f"--port {self._ports[1]}",
            "server_name docs.example.com": "server_name localhost",
        }
        self._steps = steps_of(ROOT / "docs/install.md", own | names)
        self._environment = _clean(folder) | {"PACKAGES": str(dist)}

    def rows(self) -> Iterator[dict[str, str | float]]:
        """Yield what each step took, in seconds and in megabytes that stay on the disk."""
        acts = [
            self._site_made,
            self._shell,
            self._configured,
            self._shell,
            self._deployed,
            self._served,
            self._looked_at,
        ]
        for step, act in zip(self._steps, acts, strict=True):
            before, started = _megabytes(self._folder), time.perf_counter()
            act(step)
            seconds = time.perf_counter() - started
            yield {"step": step.name, "seconds": seconds, "megabytes": _megabytes(self._folder) - before}
        started = time.perf_counter()
        self._asked()
        yield {"step": "First cited answer, from the click", "seconds": time.perf_counter() - started, "megabytes": 0.0}

    def _run(self, script: str, cwd: Path) -> str:
        command = ["bash", "-euo", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=cwd, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"The page says:\n{script}\nand that fails:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def _shell(self, step: Step) -> None:
        told = self._run(step.blocks["sh"], self._site)
        if "npm run build" in step.blocks["sh"] and "--cors-origin" not in told:
            sys.exit(f"The build does not say how to start the sidecar:\n{told[-3000:]}")

    def _site_made(self, step: Step) -> None:
        self._run(step.blocks["sh"], self._folder)

    def _configured(self, step: Step) -> None:
        file = self._site / "docusaurus.config.js"
        text, entry = file.read_text(), step.blocks["js"]
        for name in ("url", "baseUrl"):
            found = re.search(rf"^{name}: .*$", entry, re.MULTILINE)
            assert found is not None
            text, count = re.subn(rf"^  {name}: .*$", f"  {found[0]}", text, count=1, flags=re.MULTILINE)
            assert count == 1, name
        plugins = entry[entry.index("plugins: [") :]
        assert text.count("  presets: [") == 1
        file.write_text(text.replace("  presets: [", f"{plugins}\n  presets: ["))

    def _deployed(self, step: Step) -> None:
        self._run(step.blocks["sh"], self._site)
        block = step.blocks["nginx"].replace("listen 80;", f"listen {self._ports[0]};")
        (self._folder / "nginx").mkdir()
        self._services.enter_context(behind_nginx(self._folder / "nginx", block, port=self._ports[0]))

    def _served(self, step: Step) -> None:
        self._services.enter_context(_kept_running(step.blocks["sh"], self._site, self._environment))

    def _looked_at(self, step: Step) -> None:
        told = self._run(step.blocks["sh"], self._site)
        if "FAIL" in told:
            sys.exit(told)
        print(told)  # noqa: T201

    def _asked(self) -> None:
        chromium = shutil.which("chromium", path=f"{os.environ['PATH']}:/usr/bin")
        with sync_playwright() as playwright:
            arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            page = playwright.chromium.launch(executable_path=chromium, args=arguments).new_page()
            page.set_default_timeout(_PATIENCE_MS)
            page.goto(f"{self._docs}/handbook/")
            page.keyboard.press("Control+i")
            page.locator("pincite-chat textarea").fill(QUESTION)
            page.keyboard.press("Enter")
            page.locator("pincite-chat a.cite").first.click()
            page.wait_for_url(f"**/handbook{ANSWER}")


def _clean(folder: Path) -> dict[str, str]:
    """Return an environment with nothing of this checkout: no virtual environment, a new home."""
    kept = {name: value for name, value in os.environ.items() if not re.match("PYTHON|VIRTUAL_ENV|PINCITE|HF_", name)}
    own = str(Path(sys.prefix) / "bin")
    path = ":".join(part for part in kept["PATH"].split(":") if part not in {own, str(ROOT / ".venv/bin")})
    (folder / "home").mkdir()
    return kept | {"PATH": path, "HOME": str(folder / "home"), "CI": "true"}


def _megabytes(folder: Path) -> float:
    """Return what a folder takes on the disk, without the caches that pip, npm and Pincite keep at home."""
    done = subprocess.run(
        ["du", "-sk", "--exclude=./home", "."], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    return int(done.stdout.split()[0]) * 1024 / 1e6


@contextmanager
def _kept_running(script: str, cwd: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run a command until the walk is over; go on when it says where it listens."""
    command = ["bash", "-euo", "pipefail", "-c", f"exec {script}"]
    with subprocess.Popen(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                sys.exit(f"The page says:\n{script}\nand that ends at once.")
            yield
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
