"""One question across two sites: a reader of the one follows a citation to the other, on another origin."""

import re
from pathlib import Path

import pytest
from bench.page_cost import served
from playwright.sync_api import Browser, expect
from tests.commands import run_command
from tests.e2e.reader import ask
from tests.e2e.test_other_origin import visit
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

SITES = {
    "lantern": ("Lantern manual", "port", "The port", "The Lantern image listens on port 8080 by default."),
    "harbor": ("Harbor handbook", "lease", "How long a lease lasts", "A lease of a Harbor job lasts thirty seconds."),
}


def write(folder: Path, name: str, site_url: str) -> None:
    """Write a built site of two pages with its index."""
    title, anchor, heading, text = SITES[name]
    folder.mkdir()
    chat = (
        f'<script type="module" src="/pincite/pincite.js"></script><pincite-chat site-title="{title}"></pincite-chat>'
    )
    for page, told in (("index", "Welcome."), ("guide", text)):
        filler = "All of it, part by part. " * 40
        body = f'<h1>{title}, {page}</h1><p>{filler}</p><h2 id="{anchor}">{heading}</h2><p>{told}</p>'
        html = f"<!doctype html><html lang=en><title>{title}</title><main>{body}</main>{chat}</html>"
        (folder / f"{page}.html").write_text(html, encoding="utf-8")
    assert run_command("index", folder, "--site-url", site_url).returncode == 0


def test_a_citation_of_a_site_on_another_origin_says_its_site_and_leads_there(browser: Browser, tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in SITES}
    with served(folders["lantern"]) as lantern, served(folders["harbor"]) as harbor:
        for name, at in (("lantern", lantern), ("harbor", harbor)):
            write(folders[name], name, at)
        given = [word for name in SITES for word in ("--site-index", f"{name}={folders[name] / 'pincite'}")]
        with serve(*given, "--site-group", "all=lantern,harbor", PINCITE_CORS_ORIGINS=lantern) as sidecar:
            page = browser.new_page()
            visit(page, f"{lantern}/guide.html", f"{str(sidecar.base_url).rstrip('/')}/sites/all")
            turn = ask(page, "How long does the lease of a Harbor job last?")
            expect(turn).to_contain_text("thirty seconds")
            expect(turn.locator("[part=badge]")).to_contain_text("Based on harbor")
            expect(turn.locator("[part=badge]")).not_to_contain_text("Lantern")
            turn.locator("a.cite").first.click()
            page.wait_for_url(re.compile(re.escape(f"{harbor}/guide.html#lease")))
            page.close()
