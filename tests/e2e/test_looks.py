"""The chat in the clothes of the real site: its colours and fonts, its own switch to dark, phones, paper."""

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import open_chat, panel, send, visit
from tests.e2e.wire import Wire

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# A custom property holds what was written, not a colour; an element's own colour is comparable.
DRESS = """() => {
  const probe = (value) => {
    const element = document.body.appendChild(document.createElement('i'));
    element.style.color = value;
    const {color} = getComputedStyle(element);
    element.remove();
    return color;
  };
  const root = document.querySelector('pincite-chat').shadowRoot;
  const panel = getComputedStyle(root.querySelector('dialog'));
  return {
    text: panel.color,
    font: panel.fontFamily,
    ground: panel.backgroundImage + panel.backgroundColor,
    accent: getComputedStyle(root.querySelector('.launcher')).backgroundColor,
    siteText: probe('var(--ifm-font-color-base)'),
    siteSurface: probe('var(--ifm-background-surface-color)'),
    siteFont: getComputedStyle(document.body).fontFamily,
  };
}"""
COVERS = """() => {
  const {x, y, width, height} = document.querySelector('pincite-chat').shadowRoot.querySelector('dialog')
    .getBoundingClientRect();
  return [[x + 5, y + 5], [x + width / 2, y + 5], [x + width - 5, y + height - 5]].every(([left, top]) =>
    document.elementFromPoint(left, top)?.localName === 'pincite-chat');
}"""
ANIMATIONS = "() => document.querySelector('pincite-chat').shadowRoot.getAnimations().length"


def test_the_chat_follows_the_sites_own_switch_between_light_and_dark(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    open_chat(page)
    switch = page.get_by_role("button", name="Switch between dark and light mode")
    seen = {}
    for theme in ("light", "dark"):
        while page.locator("html").get_attribute("data-theme-choice") != theme:
            switch.click()
        assert page.locator("html").get_attribute("data-theme") == theme
        seen[theme] = page.evaluate(DRESS)
        assert seen[theme]["text"] == seen[theme]["siteText"]
        assert seen[theme]["siteSurface"] in seen[theme]["ground"]
        assert seen[theme]["font"] == seen[theme]["siteFont"]
    for what in ("text", "ground", "accent"):
        assert seen["light"][what] != seen["dark"][what]


def test_a_site_can_set_colours_and_shapes_of_its_own(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    open_chat(page)
    before = page.evaluate(DRESS)["accent"]
    page.add_style_tag(
        content=":root { --pincite-primary: #a00; --pincite-text: rgb(1 2 3); --pincite-radius: 1px; }"
        " pincite-chat::part(panel) { border-width: 7px; }"
    )
    after = page.evaluate(DRESS)
    assert after["accent"] != before
    assert after["text"] == "rgb(1, 2, 3)"
    expect(panel(page)).to_have_css("border-top-width", "7px")


def test_nothing_of_the_site_lies_over_the_chat(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    launcher = page.locator("pincite-chat [part=launcher]")
    launcher.click(trial=True)
    open_chat(page)
    assert page.evaluate(COVERS)


def test_on_a_phone_the_chat_is_a_sheet_over_the_whole_window(new_page: NewPage, sidecar: str) -> None:
    page = new_page(**PHONE)
    visit(page, f"{sidecar}{PAGE}")
    dialog = open_chat(page)
    assert dialog.bounding_box() == {"x": 0, "y": 0, **PHONE["viewport"]}
    assert dialog.evaluate("(dialog) => dialog.matches(':modal')")
    assert page.evaluate(COVERS)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator("pincite-chat").get_by_role("button", name="Close", exact=True).tap()
    expect(dialog).to_be_hidden()


def test_nothing_moves_by_itself_for_readers_who_asked_for_that(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    wire.hold_before("event: answer_start")
    turn = send(page, "How long does a lease last by default?")
    expect(turn.locator(".waiting")).to_be_visible()
    assert page.evaluate(ANIMATIONS) == 0
    page.emulate_media(reduced_motion="no-preference")
    page.wait_for_function(f"() => ({ANIMATIONS})() > 0")


def test_on_paper_there_is_the_page_alone(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    open_chat(page)
    page.emulate_media(media="print")
    expect(panel(page)).to_be_hidden()
    expect(page.locator("pincite-chat [part=launcher]")).to_be_hidden()
    expect(page.locator("article h1")).to_be_visible()


def test_a_french_page_has_the_chat_in_french(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}/fr{PAGE}")
    open_chat(page)
    expect(page.locator("pincite-chat").get_by_role("button", name="Envoyer")).to_be_visible()
    expect(page.locator("pincite-chat h2")).to_contain_text("Harbor Queue")
