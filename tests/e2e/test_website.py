"""Pincite's own documentation as a site, with Pincite on it: found, asked, cited, and readable by everyone."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import ask_again, cited_links, finished, highlighted, open_chat, visit
from tests.e2e.test_access import AXE, FLATTEN
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

WEBSITE = Path(__file__).parents[2] / "website"
BUILD = WEBSITE / "build"
QUESTION = "Where does the sidecar listen for Prometheus metrics?"
ANSWER = "/pincite/docs/deploy#prometheus-metrics"
# What docs/numbers.md says of these questions, less what two or three of them weigh.
BARS = ("--min-page-recall=0.92", "--min-section-cited=0.9", "--max-false-refusals=0.06", "--min-refused=0.9")
# Of the whole page, not of the chat alone: both are ours here.
FINDINGS = """async () => (await axe.run()).violations.flatMap(({id, nodes}) => nodes.map(({html, any}) => (
  [id, html, ...any.map(({message}) => message)])))"""
LINK = """
import repositoryLinks from './repository-links.mjs';
const node = {type: 'link', url: process.argv[1]};
repositoryLinks({root: process.cwd() + '/..', host: 'https://host.example'})(node, {path: '../docs/install.md'});
console.log(node.url);
"""


@pytest.fixture(scope="module")
def website() -> Iterator[str]:
    """Serve the built documentation; yield the address of its home page, with a slash."""
    if not (BUILD / "pincite" / "index.json").is_file():
        pytest.fail("The documentation is not built as a site. Run `make website` first.")
    with serve("--site", BUILD) as client:
        yield str(client.base_url.join("/pincite/"))


def test_from_the_home_page_a_question_leads_to_the_cited_words(page: Page, website: str) -> None:
    visit(page, website)
    page.get_by_role("button", name="Ask these docs").click()
    turn = ask_again(page, QUESTION)
    links = cited_links(turn)
    assert ANSWER in links
    turn.locator(f"a.cite[href$='{ANSWER}']").first.click()
    page.wait_for_url(f"**{ANSWER}")
    page.wait_for_function("() => CSS.highlights.get('pincite-cited')?.size")
    assert "9765" in highlighted(page, "cited")


def test_the_search_of_the_site_is_pincite(page: Page, website: str) -> None:
    visit(page, f"{website}docs/install")
    page.get_by_role("button", name="Search or ask").click()
    expect(page.locator("pincite-chat textarea")).to_be_focused()


@pytest.mark.parametrize("path", ["", "docs/install", "docs/http-api"])
def test_axe_finds_nothing_on_a_page_in_light_or_dark(page: Page, website: str, path: str) -> None:
    visit(page, f"{website}{path}")
    check_in_both_themes(page)


def test_a_table_too_wide_for_a_phone_can_be_scrolled_by_keyboard(new_page: NewPage, website: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    visit(page, f"{website}docs/http-api")
    settings = page.locator("#settings ~ table").first
    expect(settings).to_have_attribute("tabindex", "0")
    settings.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def test_axe_finds_nothing_beside_an_answer_in_light_or_dark(page: Page, website: str) -> None:
    visit(page, f"{website}docs/deploy")
    open_chat(page)
    ask_again(page, QUESTION)
    finished(page)
    page.evaluate(FLATTEN)
    check_in_both_themes(page)


def check_in_both_themes(page: Page) -> None:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(FINDINGS) == [], theme


def test_its_own_questions_are_answered_from_the_right_section_or_refused() -> None:
    command = [sys.executable, "-m", "pincite_indexer", "eval", str(BUILD), str(WEBSITE / "questions.yml"), "--json"]
    done = subprocess.run([*command, *BARS], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert sum(bool(row["expect"]) for row in rows) >= 40
    assert sum(not row["expect"] for row in rows) >= 10


@pytest.mark.parametrize(
    ("link", "leads_to"),
    [
        ("deploy.md#cors", "deploy.md#cors"),
        ("../widget/README.md", "../widget/README.md"),
        ("../deploy/nginx.conf", "https://host.example/deploy/nginx.conf"),
        ("../bench/questions/README.md#grades", "https://host.example/bench/questions/README.md#grades"),
        ("#which-extras-to-install", "#which-extras-to-install"),
        ("https://llmstxt.org", "https://llmstxt.org"),
    ],
)
def test_a_link_to_a_file_that_is_no_page_leads_to_the_code_host(link: str, leads_to: str) -> None:
    assert resolved(link).stdout.strip() == leads_to


def test_a_link_to_a_file_that_is_not_there_ends_the_build() -> None:
    done = resolved("../deploy/gone.conf")
    assert done.returncode == 1
    assert "install.md links to ../deploy/gone.conf, and there is no such file" in done.stderr


def resolved(link: str) -> "subprocess.CompletedProcess[str]":
    command = ["node", "--input-type=module", "--eval", LINK, link]
    return subprocess.run(command, cwd=WEBSITE, capture_output=True, text=True)
