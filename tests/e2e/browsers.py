"""The browsers that the tests run in: Chromium, or, with PINCITE_BROWSER=firefox, the Firefox that is installed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright
from tests.e2e.sites import NAME

__all__ = ("IN_FIREFOX", "installed", "launch", "playing")

IN_FIREFOX = os.environ.get("PINCITE_BROWSER") == "firefox"
# The headless one first: the same pages in a quarter of the time, without windows, menus and an address bar.
_CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FIREFOXES = ("firefox-esr", "firefox")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# WebAssembly is compiled function by function as it is called, and once: most of the encoder's runtime never is.
_FLAGS += ["--js-flags=--liftoff-only --wasm-lazy-compilation"]
_FLAGS += [f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
# The popups of the address bar are pages of their own, which Chromium loads for every window: half of what a test would
# cost. Playwright's list of features to do without is replaced by this one and so repeated after them.
_WITHOUT = """
    WebUIOmniboxPopup WebUIOmniboxAimPopup AimEnabled AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
    HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning
    AvoidCorsURLLoaderRestartOnRedirect OptimizationHints NetworkTimeServiceQuerying PreconnectToSearch
"""
_FLAGS += [f"--disable-features={','.join(_WITHOUT.split())}"]
# What Playwright cannot tell a Firefox of its distribution by itself.
_PREFERENCES: dict[str, str | float | bool] = {"ui.prefersReducedMotion": 1, "network.dns.localDomains": NAME}
_DRIVER = Path(__file__).with_name("firefox_driver.cjs")


@contextmanager
def playing() -> Iterator[Playwright]:
    """Start Playwright, whose driver is made to get on with the Firefox of a distribution."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODE_OPTIONS", f"--require {_DRIVER}")
        with sync_playwright() as playwright:
            yield playwright


def installed(*, firefox: bool = IN_FIREFOX) -> str | None:
    """Return the path of a browser on this machine."""
    variable, names = ("PINCITE_FIREFOX", _FIREFOXES) if firefox else ("PINCITE_CHROMIUM", _CHROMIUMS)
    return os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)


def launch(playwright: Playwright, executable: str, *, firefox: bool = IN_FIREFOX) -> Browser:
    """Start a browser that no test has used before."""
    if not firefox:
        return playwright.chromium.launch(executable_path=executable, args=_FLAGS)
    return playwright.firefox.launch(executable_path=executable, channel="moz-firefox", firefox_user_prefs=_PREFERENCES)
