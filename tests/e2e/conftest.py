"""The whole product: the built example site, the real sidecar with the real model, a real browser."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from tests.e2e.browsers import IN_FIREFOX, installed, launch, playing
from tests.e2e.sites import DOCUSAURUS, NAME, VITEPRESS, Docs, Site
from tests.e2e.wire import Wire, wire_to
from tests.integration.generators.conftest import GeneratedSite, mkdocs, persian, plain_html, sphinx, vitepress
from tests.integration.serving import serve

__all__ = (
    "mkdocs",
    "persian",
    "plain_html",
    "sphinx",
    "vitepress",
)  # fixtures, found by their names; each site is built once

BUILD = Path(__file__).parents[2] / "examples" / "site" / "build"
_TIMEOUT_MS = 60_000  # a hang; a busy machine may take many seconds for one frame
_DESKTOP = {"width": 1280, "height": 800}
# What the browser itself says of a reply that did not come, and of the icon that Firefox wants of every page; no page
# can keep it from saying so.
_UNAVOIDABLE = re.compile("^Failed to load resource|/favicon\\.ico")

NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def metrics() -> str:
    """The address of the sidecar's metrics."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/metrics"


@pytest.fixture(scope="session")
def sidecar(metrics: str) -> Iterator[str]:
    """Run `pincite serve --site` over the built example site; yield its address without a slash."""
    if not (BUILD / "pincite" / "index.json").is_file():
        pytest.fail("The example site is not built. Run `make site` first.")
    command = [sys.executable, "-m", "pincite_indexer", "serve", "--site", str(BUILD), "--port", "0"]
    command += ["--host-name", NAME, "--metrics-port", metrics.rpartition(":")[2].partition("/")[0]]
    environment = os.environ | {"PINCITE_RATE_LIMIT": "0", "PINCITE_ADDRESS_LIMIT": "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            announced = re.search(r"http://\S+", process.stdout.readline())
            assert announced, "the sidecar did not start"
            yield announced.group().rstrip("/")
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def vitepress_sidecar(vitepress: GeneratedSite) -> Iterator[str]:
    """The sidecar of a VitePress site, which it puts the chat on; its address without a slash."""
    with serve("--site", vitepress.folder, "--widget", "--host-name", NAME) as client:
        yield str(client.base_url).rstrip("/")


@pytest.fixture(scope="session")
def persian_sidecar(persian: GeneratedSite) -> Iterator[str]:
    """The sidecar of a site that is written from right to left; its address without a slash."""
    with serve("--site", persian.folder, "--host-name", NAME) as client:
        yield str(client.base_url).rstrip("/")


@pytest.fixture(params=[DOCUSAURUS, VITEPRESS], ids=lambda docs: docs.generator)
def site(request: pytest.FixtureRequest) -> Site:
    """One site after the other, so that what a test finds holds for more than one generator."""
    docs: Docs = request.param
    sidecars = {DOCUSAURUS: "sidecar", VITEPRESS: "vitepress_sidecar"}
    return Site(request.getfixturevalue(sidecars[docs]), docs)


@pytest.fixture(scope="session")
def _wire(sidecar: str) -> Iterator[Wire]:
    with wire_to(sidecar) as wire:
        yield wire


@pytest.fixture
def wire(_wire: Wire) -> Iterator[Wire]:
    """The site and its sidecar behind a proxy that can hold a reply or cut it off."""
    yield _wire
    _wire.reset()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = installed()
    if executable is None:
        name = "Firefox" if IN_FIREFOX else "Chromium"
        message = f"No {name} found. Install it, or name one in PINCITE_{name.upper()}."
        (pytest.fail if os.environ.get("PINCITE_REQUIRE_BROWSER") else pytest.skip)(message)
    expect.set_options(timeout=_TIMEOUT_MS)
    with playing() as playwright:
        browser = launch(playwright, executable)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens a tab of a new profile with the settings given. What pages complain of fails the test that caused it."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def heed(text: str) -> None:
        if not _UNAVOIDABLE.search(text):
            complaints.append(text)

    def heed_message(message: ConsoleMessage) -> None:
        if message.type == "error":
            heed(message.text)

    def open_page(*, saves_data: bool = True, **settings: Any) -> Page:
        usual: dict[str, Any] = {"viewport": _DESKTOP, "reduced_motion": "reduce", "locale": "en-GB"}
        context = browser.new_context(**(usual | settings))
        context.set_default_timeout(_TIMEOUT_MS)
        contexts.append(context)
        context.on("weberror", lambda error: heed(str(error.error)))
        context.on("console", heed_message)
        page = context.new_page()
        if saves_data and not IN_FIREFOX:  # so that sites do not fetch all pages that links in view lead to
            context.new_cdp_session(page).send("Emulation.setDataSaverOverride", {"dataSaverEnabled": True})
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A tab of a new profile, on a desktop."""
    return new_page()
