"""The visible text of a page as one run of letters, and the targets and chunks of its parts."""

from pathlib import Path

from tests.factories import PageSource, build_index

from pincite_core.index.read import Index
from pincite_server.answering.passage.provenance import PageText, read_page_text

PAGE = """# Guide
Read this before anything else.
## Ports {#ports}
The image listens on port 8080.

| Option: host; Default: localhost | {#opt-host}
"""
SHOWN = """Home Guide Read this before anything else. Ports Note The image listens on port 8080.
Option Default host localhost Next"""


def page_text(folder: Path, source: PageSource) -> tuple[Index, PageText]:
    index = build_index(folder, {"/guide": source})
    page = index.page_at("/guide")
    assert page is not None
    return index, read_page_text(index, page)


def anchors(index: Index, text: PageText, words: str) -> list[str]:
    start = text.letters.index(words)
    return [index.target(target_id).anchor for target_id in text.targets_between(start, start + len(words))[0]]


def test_the_page_text_is_all_visible_text_of_the_page(tmp_path: Path) -> None:
    _, text = page_text(tmp_path, PageSource(PAGE, shown=SHOWN))
    assert (
        text.letters
        == "homeguidereadthisbeforeanythingelseportsnotetheimagelistensonport8080optiondefaulthostlocalhostnext"
    )


def test_the_page_text_is_headings_and_chunks_if_the_index_has_no_visible_text(tmp_path: Path) -> None:
    _, text = page_text(tmp_path, PageSource(PAGE))
    assert text.letters == "guidereadthisbeforeanythingelseportstheimagelistensonport8080optionhostdefaultlocalhost"


def test_letters_have_the_target_that_contains_them_and_menus_have_none(tmp_path: Path) -> None:
    index, text = page_text(tmp_path, PageSource(PAGE, shown=SHOWN))
    assert anchors(index, text, "theimagelistens") == ["ports"]
    assert anchors(index, text, "readthisbeforeanythingelseportsnotetheimage") == ["", "ports"]
    assert anchors(index, text, "home") == []
