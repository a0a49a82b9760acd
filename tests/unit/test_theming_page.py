"""docs/theming.md names what a site can set of the chat's looks, all of it and nothing else, and shows what it says."""

import re
from pathlib import Path

from bench.themes import PAGE, Theme, read_themes

ROOT = Path(__file__).parents[2]
SOURCES = [file.read_text(encoding="utf-8") for file in (ROOT / "widget" / "src").rglob("*.js")]
TEXT = PAGE.read_text(encoding="utf-8")
THEMES = read_themes(TEXT)


def test_every_custom_property_that_the_chat_reads_is_documented_and_no_other() -> None:
    read = {name for text in SOURCES for name in re.findall(r"var\((--pincite-[\w-]+)", text)}
    rows = re.findall(r"^\| (`--pincite-.*?) \|", TEXT, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"--pincite-[\w-]+", row)} == read
    assert {name for theme in THEMES for name in re.findall(r"--pincite-[\w-]+", theme.styles)} <= read


def test_every_part_of_the_chat_is_documented_and_no_other() -> None:
    made = {name for text in SOURCES for name in re.findall(r"part(?:: |=)['\"]([\w-]+)", text)}
    section = TEXT.partition("## Parts")[2].partition(".\n")[0].partition(". `")[0]
    assert set(re.findall(r"`([a-z-]+)`", section)) == made
    assert {name for theme in THEMES for name in re.findall(r"::part\(([\w-]+)\)", theme.styles)} <= made


def test_every_theme_is_shown_in_light_and_dark_and_no_picture_is_left_of_others() -> None:
    assert len(THEMES) >= 4
    pictures = [theme.picture(scheme) for theme in THEMES for scheme in ("light", "dark")]
    assert [str(picture.relative_to(PAGE.parent)) for picture in pictures] == re.findall(r"!\[.+?\]\((.+?)\)", TEXT)
    assert sorted(pictures) == sorted(pictures[0].parent.iterdir())
    assert all(picture.read_bytes()[8:12] == b"WEBP" for picture in pictures)
    assert sum(picture.stat().st_size for picture in pictures) < 400_000


def test_themes_are_the_headings_that_a_style_sheet_follows() -> None:
    page = "## Themes\n\n### One theme\n\n```css\n:root { --a: 1; }\n```\n\n### No theme\n\nWords.\n"
    assert read_themes(page) == [Theme("One theme", ":root { --a: 1; }\n")]
