"""Code in answers on the real site: coloured by the site's own highlighter, in the theme that the page has."""

from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.e2e.reader import ask, visit

pytestmark = pytest.mark.browser

PAGE = "/docs/guides/tls"
QUESTION = "How do I set up TLS?"
LEGIBLE = 4.5
# Docusaurus puts a line break element where the chat has a line feed: what is not seen is not compared.
LETTERS = """(block) => {
  const colors = [];
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const {color, fontStyle} = getComputedStyle(texts.currentNode.parentElement);
    colors.push(...[...texts.currentNode.data.replace(/\\s/g, '')].map((letter) => [letter, color, fontStyle]));
  }
  return colors;
}"""
GROUND = "(block) => getComputedStyle(block).backgroundColor"


class Letter(NamedTuple):
    """A letter as it is drawn."""

    letter: str
    color: str
    style: str


def letters(block: Locator) -> list[Letter]:
    return [Letter(*drawn) for drawn in block.evaluate(LETTERS)]


def rgb(color: str) -> tuple[int, ...]:
    return tuple(int(number) for number in color.removeprefix("rgb(").removesuffix(")").split(","))


def luminance(color: str) -> float:
    parts = (value / 255 for value in rgb(color))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, ground: str) -> float:
    darker, lighter = sorted((luminance(color), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def test_code_has_the_colours_of_the_page_in_light_and_dark_each_of_them_legible(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, QUESTION)
    quoted = turn.locator("pre.coloured").first
    expect(quoted).to_be_visible()
    own = page.locator("article pre.language-toml").filter(has_text="tls_cert").first
    grounds = set()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        ground = own.evaluate(GROUND)
        expect(quoted).to_have_css("background-color", ground)
        grounds.add(ground)
        shown, meant = letters(quoted.locator("code")), letters(own.locator("code"))
        assert [letter.letter for letter in shown] == [letter.letter for letter in meant]
        for one, other in zip(shown, meant, strict=True):
            assert one.style == other.style
            assert one.color == other.color or contrast(other.color, ground) < LEGIBLE
            assert contrast(one.color, ground) >= LEGIBLE
        assert len({letter.color for letter in shown}) > 1
    assert len(grounds) == 2
    assert page.locator("body pre[aria-hidden]").count() == 0


def test_code_of_a_conversation_that_is_taken_up_again_is_coloured_too(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    expect(ask(page, QUESTION).locator("pre.coloured").first).to_be_visible()
    visit(page, f"{sidecar}/docs/concepts/jobs")
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat pre.coloured").first).to_be_visible()
