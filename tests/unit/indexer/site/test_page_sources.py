"""Which sources a page is made from, outside the generator that says so: edit links, and the rules of paths."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import make_site

from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Facts
from pincite_indexer.rows.assemble import assemble
from pincite_indexer.site.page_sources import PageSources, page_route, source_routes
from pincite_indexer.site.sources import Source


def write(folder: Path, sources: dict[str, str]) -> Path:
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def matched(tmp_path: Path, source: str, page: str, text: str = "# A\n") -> str:
    """Return the source of a page of a site that has these two, beside a page that was made from nothing."""
    docs = write(tmp_path / "src", {source: text})
    site = make_site(tmp_path / "build", {page: document("<p>x"), "zz/other.html": document("<p>y")}, docs=docs)
    return next(found.source for found in site.pages if found.draft.file == page)


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("guide.md", "guide/index.html"),
        ("guide.md", "guide.html"),
        ("index.md", "index.html"),
        ("README.md", "index.html"),
        ("README.rst", "README.html"),
        ("_index.md", "index.html"),
        ("start/index.md", "start/index.html"),
        ("start/index.md", "start.html"),
        ("start/readme.markdown", "start/index.html"),
        ("Reference/Command Line.md", "reference/command-line/index.html"),
        ("api.rst", "api.html"),
        ("docs/guide.md", "guide/index.html"),
        ("src/SUMMARY/intro.md", "SUMMARY/intro.html"),
        ("content/guide.md", "guide/index.html"),
        ("guide.fr.md", "fr/guide/index.html"),
        ("guide.en.md", "guide/index.html"),
        ("_posts/2024-01-02-post.md", "2024/01/02/post.html"),
        ("über.md", "über/index.html"),
    ],
)
def test_a_page_is_matched_by_the_rules_of_its_generators_paths(tmp_path: Path, source: str, page: str) -> None:
    assert matched(tmp_path, source, page) == source


@pytest.mark.parametrize(
    ("matter", "page"),
    [
        ("slug: first-steps", "docs/first-steps/index.html"),
        ("slug: /first", "first/index.html"),
        ("permalink: /help/first.html", "help/first.html"),
        ("url: /help/first/", "help/first/index.html"),
    ],
)
def test_a_page_is_matched_by_the_address_that_its_source_gives_it(tmp_path: Path, matter: str, page: str) -> None:
    assert matched(tmp_path, "docs/start.md", page, f"---\n{matter}\n---\n# Start\n") == "docs/start.md"


@pytest.mark.parametrize(
    "link",
    [
        '<a href="https://git.example/x/edit/main/docs/deep/plan.md" class="md-content__button">',
        '<a href="https://git.example/x/-/edit/main/docs/deep/plan.md?ref_type=heads">',
        '<a class="edit-link-button" href="https://git.example/x/raw/docs/deep/plan.md">',
        '<a class="fa fa-github" href="https://git.example/x/blob/main/docs/deep/plan.md">',
        '<a rel="edit" href="https://git.example/x/src/docs/deep/plan.md">',
        '<a href="../_sources/deep/plan.md.txt" rel="nofollow">',
    ],
    ids=["material", "gitlab", "vitepress", "read-the-docs", "rel", "sphinx"],
)
def test_a_page_is_matched_by_its_edit_link_wherever_it_came_out(tmp_path: Path, link: str) -> None:
    docs = write(tmp_path / "src", {"deep/plan.md": "# P\n", "plan.md": "# Q\n", "other.md": "# O\n"})
    site = make_site(tmp_path / "build", {"2026/x.html": document(f"<p>x</p>{link}edit</a>")}, docs=docs)
    assert [page.source for page in site.pages] == ["deep/plan.md"]


def test_edit_links_are_found_by_the_processes_that_read_many_pages(tmp_path: Path) -> None:
    docs = write(tmp_path / "src", {"plan.md": "# P\n"})
    link = '<a href="https://git.example/x/edit/main/docs/plan.md">edit</a>'
    files = {f"{number}.html": document(f"<p>{number}</p>{link if number == 7 else ''}") for number in range(45)}
    site = make_site(tmp_path / "build", files, docs=docs)
    assert [page.url for page in site.pages if page.source == "plan.md"] == ["/7.html"]


def test_a_link_in_the_text_to_a_source_is_no_edit_link(tmp_path: Path) -> None:
    docs = write(tmp_path / "src", {"plan.md": "# P\n"})
    link = '<a href="https://git.example/x/blob/main/docs/plan.md">the plan</a>'
    site = make_site(tmp_path / "build", {"guide.html": document(f"<p>See {link}.")}, docs=docs)
    assert [page.source for page in site.pages] == [""]


def test_front_matter_gives_pages_of_any_generator_their_ids(tmp_path: Path) -> None:
    docs = write(
        tmp_path / "src",
        {
            "guide.md": "---\nmodule_id: kit\nchapter_id: first\n---\n## Own {#own}\n",
            "deep/old.md": "---\nid: kept\n---\n",
        },
    )
    files = {"guide/index.html": document("<h2 id=own>Own</h2><p>x"), "deep/old/index.html": document("<p>y")}
    site = make_site(tmp_path / "build", files, docs=docs)
    ids = {target.stable_id: target.id_kind for target in assemble(site).targets}
    assert ids == {"kit/first": "author", "kit/first#own": "author", "pages/kept": "author"}


def test_of_the_copies_of_a_page_in_one_scope_one_alone_bears_its_authors_ids(tmp_path: Path) -> None:
    names = ("guide", "install", "usage")
    docs = write(tmp_path / "src", {f"{name}.md": f"---\nmodule_id: m\nchapter_id: {name}\n---\n" for name in names})
    files = {f"{folder}{name}/index.html": document("<p>x") for name in names for folder in ("", "2.1/")}
    site = make_site(tmp_path / "build", files, docs=docs)
    assert {page.url: page.front_matter.get("chapter_id") for page in site.pages} == {
        **{f"/{name}/": name for name in names},
        **{f"/2.1/{name}/": None for name in names},
    }


names = st.text(st.sampled_from("abcdefgh XYZéß_-.1"), min_size=1, max_size=6).filter(
    lambda name: name.strip(" .") == name and not name.startswith("_")
)
folders = st.lists(names, max_size=3)


def _files(folder: list[str], name: str) -> list[str]:
    """Return where generators put the page of a source, by their documented rules."""
    written = [f"{name}.html", f"{name}/index.html"]
    hugo = [file.lower().replace(" ", "-") for file in written]
    lower = [part.lower().replace(" ", "-") for part in folder]
    return ["/".join([*folder, file]) for file in written] + ["/".join([*lower, file]) for file in hugo]


@given(folders, names)
def test_every_page_that_the_rules_make_of_a_source_is_matched_to_it(folder: list[str], name: str) -> None:
    source = Source("/".join([*folder, f"{name}.md"]), {}, frozenset())
    for file in _files(folder, name):
        assert page_route(file) in source_routes(source)
        assert source in PageSources([source], []).of(PageDraft(file, Facts()), [])


@given(folders, st.sampled_from(["index", "README", "readme", "_index"]))
def test_a_source_that_stands_for_its_folder_is_the_folders_page(folder: list[str], name: str) -> None:
    source = Source("/".join([*folder, f"{name}.md"]), {}, frozenset())
    for file in ("/".join([*folder, "index.html"]), *(["/".join(folder) + ".html"] if folder else [])):
        assert source in PageSources([source], []).of(PageDraft(file, Facts()), [])


@given(st.lists(st.tuples(folders, names), min_size=1, max_size=8), names)
def test_a_source_is_never_matched_to_a_page_of_another_name(sources: list[tuple[list[str], str]], other: str) -> None:
    listed = [Source("/".join([*folder, f"{name}.md"]), {}, frozenset()) for folder, name in sources]
    draft = PageDraft(f"zz/{other}/zz.html", Facts())
    assert PageSources(listed, [draft]).of(draft, []) == ()
