"""A site in French and one in Persian, from right to left: asked, cited, refused, all in the language."""

import json
import re
from itertools import islice

import pytest
from bench.landing import DESKTOP, PHONE, follow_all
from playwright.sync_api import Browser, Locator, Page, expect
from tests.e2e.conftest import BUILD
from tests.e2e.languages import FRENCH, PERSIAN, Asked, Spoken
from tests.e2e.reader import ask, ask_again, cited_links, open_chat, panel, select_text, visit
from tests.e2e.test_access import AXE, COLOURS, FINDINGS, FLATTEN
from tests.e2e.test_notices import wording

pytestmark = pytest.mark.browser

_SITE = BUILD.parent
_STRINGS = _SITE.parents[1] / "widget" / "dist" / "strings.json"
_FILLED_IN = re.compile(r"\{\w+\}")
_CODE_LIKE = re.compile(r"[\w-]*[._/][\w./-]*")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_ALSO_FRENCH = ("Source", "Sources", "sources", "Conversations", "Pages", "Version")
_LONG_ENOUGH = 4  # letters of an English sentence that no other language has by chance
# All that a reader sees or hears of the chat but code: text that is drawn, and names of what is.
_SHOWN = """() => {
  const shown = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) shown.push(node.textContent.trim());
    else if (node.nodeType === Node.ELEMENT_NODE && node.checkVisibility() && !node.matches('code, pre code')) {
      const names = ['aria-label', 'title', 'placeholder'].map((name) => node.getAttribute(name) ?? '');
      shown.push(...names.map((name) => name.trim()));
      node.childNodes.forEach(walk);
    }
  };
  document.querySelector('pincite-chat').shadowRoot.childNodes.forEach(walk);
  return [...new Set(shown.filter(Boolean))];
}"""
_DIRECTION = "(element) => getComputedStyle(element).direction"


@pytest.fixture(params=[FRENCH, PERSIAN], ids=lambda spoken: spoken.language)
def spoken(request: pytest.FixtureRequest) -> Spoken:
    told: Spoken = request.param
    return told


@pytest.fixture
def address(request: pytest.FixtureRequest, spoken: Spoken) -> str:
    sidecar: str = request.getfixturevalue(spoken.sidecar)
    return sidecar


@pytest.fixture
def start(address: str, spoken: Spoken) -> str:
    return address + spoken.page


def in_english() -> list[str]:
    """Return what the chat says in English, without what it fills in."""
    said: dict[str, str] = json.loads(_STRINGS.read_bytes())
    parts = (part.strip(" :()·…“”.") for text in said.values() for part in _FILLED_IN.split(text))
    return [part for part in parts if len(part) > _LONG_ENOUGH]


def names_in_the_docs() -> set[str]:
    """Return the words in Latin letters that the Persian pages have."""
    pages = (_SITE.parents[1] / "tests/fixtures/sources/harbor-fa/i18n").rglob("*.md*")
    return {word for page in pages for word in _LATIN.findall(page.read_text(encoding="utf-8"))} | {"Harbor", "Queue"}


def check_language(page: Page, spoken: Spoken) -> None:
    """Check that nothing that is seen of the chat is in English but code and names."""
    shown: list[str] = page.evaluate(_SHOWN)
    assert any(re.search(spoken.script, text) for text in shown)
    told = [part for part in in_english() if part not in _ALSO_FRENCH]
    assert [(text, part) for text in shown for part in told if _has(text, part)] == []
    if spoken is PERSIAN:
        names = names_in_the_docs()
        words = {word for text in shown for word in _LATIN.findall(_CODE_LIKE.sub(" ", text))}
        assert words - names == set()


def _has(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def check_axe(page: Page) -> None:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(FLATTEN)
    for theme, rules in (("light", None), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found = page.evaluate(FINDINGS, rules)
        assert found["violations"] == [], theme
        assert [one for one in found["incomplete"] if not _is_scrolled_code(one)] == [], theme


def _is_scrolled_code(finding: list[str]) -> bool:
    """Whether axe could not judge a word of code whose line goes on out of sight, beside the button that copies it."""
    rule, html, message = finding[:3]
    return rule == "color-contrast" and html.startswith("<span style=") and "obscured by another element" in message


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def check_directions(turn: Locator, spoken: Spoken) -> None:
    """Check that an answer is written as its language is, and its code from left to right."""
    assert turn.locator(".prose").evaluate(_DIRECTION) == spoken.direction
    for code in turn.locator(".prose code").all():
        assert code.evaluate(_DIRECTION) == "ltr"


def test_launcher_and_panel_are_in_the_language_and_on_its_side(page: Page, start: str, spoken: Spoken) -> None:
    visit(page, start)
    launcher = page.locator("pincite-chat [part=launcher]").bounding_box()
    dialog = open_chat(page).bounding_box()
    assert launcher
    assert dialog
    for box in (launcher, dialog):
        is_at_the_left = box["x"] + box["width"] < 1280 / 2
        assert is_at_the_left == (spoken.direction == "rtl")
    assert panel(page).evaluate(_DIRECTION) == spoken.direction
    check_language(page, spoken)


def test_answers_quote_the_pages_of_the_language(page: Page, start: str, spoken: Spoken) -> None:
    visit(page, start)
    open_chat(page)
    for asked in spoken.asked:
        turn = ask_again(page, asked.question)
        assert asked.words in plain(turn.locator(".prose").inner_text()), asked.of
        assert asked.link in cited_links(turn), asked.of
        check_directions(turn, spoken)
        expect(turn.locator("[part=notice]")).to_have_count(0)
    turn.locator("summary").click()
    turn.locator(".expand").first.click()
    check_language(page, spoken)
    check_axe(page)


@pytest.mark.parametrize(
    ("spoken", "asked"),
    [(spoken, asked) for spoken in (FRENCH, PERSIAN) for asked in spoken.asked],
    ids=[f"{spoken.language}, {asked.of}" for spoken in (FRENCH, PERSIAN) for asked in spoken.asked],
)
def test_citations_land_on_their_headings_with_their_words_in_view(browser: Browser, start: str, asked: Asked) -> None:
    landed = list(islice(follow_all(browser, DESKTOP, start, asked.question), 2))
    assert landed, "the answer has markers"
    assert [one.detail for one in landed if one.words != "exact" or not one.with_heading] == []


def test_citations_land_on_a_phone(browser: Browser, start: str, spoken: Spoken) -> None:
    row = spoken.asked[1]
    landed = list(islice(follow_all(browser, PHONE, start, row.question), 1))
    assert [one.words for one in landed] == ["exact"]
    assert [one.detail for one in landed if not one.in_view] == []


def test_what_the_docs_do_not_hold_is_refused_in_the_language(page: Page, start: str, spoken: Spoken) -> None:
    visit(page, start)
    open_chat(page)
    home = spoken.page.partition("docs/")[0]
    for question in spoken.elsewhere:
        refusal = ask_again(page, question).locator("[part=refusal]")
        expect(refusal.locator("p").first).to_have_text(wording(spoken.language)["no_evidence"])
        offered = cited_links(refusal, "a.citation-title")
        assert offered
        assert [link for link in offered if not link.startswith(home)] == []
        assert all(re.search(spoken.script, link.inner_text()) for link in refusal.locator("a.citation-title").all())
    check_language(page, spoken)
    check_axe(page)


def test_a_highlighted_passage_answers_in_the_language(page: Page, start: str, spoken: Spoken) -> None:
    visit(page, start)
    select_text(page, "article .markdown > p")
    button = page.locator("pincite-chat [part=ask-this]")
    expect(button).to_be_visible()
    check_language(page, spoken)
    button.click()
    turn = ask_again(page, spoken.of_passage.question)
    assert spoken.of_passage.words in plain(turn.locator(".prose").inner_text())
    check_directions(turn, spoken)
    check_language(page, spoken)


def test_a_sidecar_that_is_away_is_told_of_in_the_language(page: Page, start: str, spoken: Spoken) -> None:
    visit(page, start)
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    expect(ask(page, spoken.asked[0].question).locator("[part=failure]")).to_be_visible()
    check_language(page, spoken)
