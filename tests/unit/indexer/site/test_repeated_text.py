"""Pages that hold what other pages hold."""

from pathlib import Path

from tests.unit.indexer.sites import docs_page, make_site

CHAPTERS = 5
SECTIONS = 10


def chapter(number: int) -> str:
    says = "<h2 id='s{0}-{1}'>Section {1}</h2><p>What chapter {0} says of the matter {1} at some length.</p>"
    return "".join(says.format(number, at) for at in range(SECTIONS))


def book() -> dict[str, str]:
    chapters = [chapter(number) for number in range(CHAPTERS)]
    pages = {f"docs/{number}.html": docs_page(text, str(number)) for number, text in enumerate(chapters)}
    return {**pages, "docs/all.html": docs_page("".join(chapters), "all")}


def listings(folder: Path, files: dict[str, str]) -> list[str]:
    return [page.url for page in make_site(folder, files).pages if page.listing]


def test_the_whole_manual_on_one_page_is_a_list_of_its_pages(tmp_path: Path) -> None:
    assert listings(tmp_path, book()) == ["/docs/all.html"]


def test_a_manual_with_a_preface_is_one_as_well(tmp_path: Path) -> None:
    preface = "<p>How this manual is to be read, in a few words.</p>"
    whole = preface + "".join(map(chapter, range(CHAPTERS)))
    assert listings(tmp_path, {**book(), "docs/all.html": docs_page(whole, "all")}) == ["/docs/all.html"]


def test_a_page_with_much_text_of_its_own_is_no_compilation(tmp_path: Path) -> None:
    own = chapter(CHAPTERS)
    whole = own + "".join(map(chapter, range(CHAPTERS)))
    assert listings(tmp_path, {**book(), "docs/all.html": docs_page(whole, "all")}) == []


def test_a_page_and_its_copies_are_all_wanted(tmp_path: Path) -> None:
    long = "".join(map(chapter, range(CHAPTERS)))
    assert listings(tmp_path, {f"docs/{name}.html": docs_page(long, name) for name in "abcde"}) == []


def test_short_pages_are_no_manuals(tmp_path: Path) -> None:
    few = {
        f"docs/{number}.html": docs_page(f"<p>What page {number} says of it.</p>", str(number)) for number in range(5)
    }
    whole = "".join(f"<p>What page {number} says of it.</p>" for number in range(5))
    assert listings(tmp_path, {**few, "docs/all.html": docs_page(whole, "all")}) == []
