"""Pages that their authors keep out of the index: nothing of them is in any of its files."""

import errno
from pathlib import Path

import pytest
from tests.unit.indexer.builds import Builds
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import docs_page, make_site

from pincite_core.errors import PrivateSourceError, SiteError
from pincite_indexer.site.scan import SkippedFile
from pincite_indexer.site.sources import read_sources

PRIVATE = "---\npincite: false\n---\n# Zeppelin\n"
SECRET = document(
    '<h1>Zeppelin</h1><p>The zeppelin leaves at noon. <a href="/guide.html">zeppelin lamp</a></p>'
    '<h2 id="zeppelin-crew">How to board the zeppelin</h2><p>Board it by the mast.'
)
GUIDE = document("<h1>Guide</h1><p>A lamp gives light to those who read at night.")
HOME = document("<h1>Home</h1><p>This is where reading begins.")
META = '<meta name="pincite" content="{}">'


def words_of(folder: Path) -> str:
    """Return all that stands in the files of an index."""
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()).decode("utf-8", "replace")


def site_of(folder: Path, files: dict[str, str], sources: dict[str, str]) -> dict[str, str]:
    """Return why each file is left out."""
    for name, text in sources.items():
        (folder / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "src" / name).write_text(text, encoding="utf-8")
    site = make_site(folder / "build", files, docs=folder / "src")
    return {item.file: item.reason for item in site.skipped}


def test_a_private_page_is_nowhere_in_the_index(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    files = {"index.html": HOME, "guide.html": GUIDE, "zeppelin.html": SECRET}
    builds.add(files, sources={})
    assert "eppelin" in words_of(builds.previous)
    builds.add(files, sources={"zeppelin.md": PRIVATE, "guide.md": "# Guide\n"})
    assert "eppelin" not in words_of(builds.previous)
    assert builds.report.left_out == {"pincite: false": 1}


def test_a_page_that_leads_to_a_private_one_outside_of_its_content_does_not_tell_its_name(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    next_page = '</article><nav><a href="/zeppelin.html">Next: Zeppelin</a></nav></main>'
    guide = GUIDE.replace("<h1>", "<article><h1>").replace("</main>", next_page)
    files = {"index.html": HOME, "guide.html": guide, "zeppelin.html": SECRET}
    builds.add(files, sources={})
    assert "nextzeppelin" in words_of(builds.previous)
    builds.add(files, sources={"zeppelin.md": PRIVATE, "guide.md": "# Guide\n"})
    assert "eppelin" not in words_of(builds.previous)


def test_its_earlier_ids_are_neither_carried_on_nor_lost(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    files = {"index.html": HOME, "guide.html": GUIDE, "zeppelin.html": SECRET}
    builds.add({**files, "zeppelin.html": SECRET.replace("zeppelin-crew", "zeppelin-team")}, sources={})
    builds.add(files, sources={})
    assert builds.aliases() == {"pages/zeppelin#zeppelin-team": "pages/zeppelin#zeppelin-crew"}
    builds.add(files, sources={"zeppelin.md": PRIVATE}, on_lost_id="fail")
    assert (builds.aliases(), builds.report.lost) == ({}, [])
    assert "eppelin" not in words_of(builds.previous)


def test_ids_that_were_lost_before_the_page_was_named_private_go_too(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    files = {"index.html": HOME, "guide.html": GUIDE}
    builds.add({**files, "zeppelin.html": SECRET})
    builds.add(files)
    assert "pages/zeppelin#zeppelin-crew" in builds.aliases()
    builds.add({**files, "zeppelin.html": SECRET}, sources={"zeppelin.md": PRIVATE})
    assert builds.aliases() == {}


def test_what_moved_to_a_page_before_it_was_private_is_not_carried_on_either(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    files = {"index.html": HOME, "guide.html": GUIDE}
    builds.add({**files, "airship.html": SECRET})
    builds.add({**files, "zeppelin.html": SECRET})
    assert builds.aliases()["pages/airship"] == "pages/zeppelin"
    builds.add({**files, "zeppelin.html": SECRET}, sources={"zeppelin.md": PRIVATE})
    assert builds.aliases() == {}


def test_an_id_that_another_version_still_has_is_carried_on(tmp_path: Path) -> None:
    def files(anchor: str) -> dict[str, str]:
        text = (
            f'<h1>A</h1><p>Of lamps.</p><h2 id="{anchor}">Light</h2><p>A lamp gives light to those who read at night.'
        )
        pages = {"a.html": docs_page(text, "a"), "1.0/a.html": docs_page(text, "a", version="1.0")}
        return {"index.html": docs_page("<p>Home.", "home"), **pages}

    builds = Builds(tmp_path)
    builds.add(files("dark"))
    builds.add(files("light"))
    builds.add(files("light"), sources={"docs/a.md": "# A\n", "versioned_docs/version-1.0/a.md": PRIVATE})
    assert builds.aliases() == {"default/a#dark": "default/a#light"}
    assert builds.report.left_out == {"pincite: false": 1}


def test_an_id_that_a_public_page_bears_too_lives_on(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    shared = "---\nmodule_id: kit\nchapter_id: {}\n---\n"
    files = {"index.html": HOME, "guide.html": GUIDE, "old.html": SECRET}
    builds.add(files, sources={"guide.md": shared.format("guide"), "old.md": shared.format("old")})
    private = shared.format("old").replace("---\n", "---\npincite: false\n", 1)
    builds.add(files, sources={"guide.md": shared.format("old"), "old.md": private})
    assert builds.where("kit/old") == "/guide.html"


def test_what_a_private_page_calls_others_is_no_name_of_theirs(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    files = {"index.html": HOME, "guide.html": GUIDE, "secret.html": SECRET}
    index = builds.add(files, sources={"secret.md": PRIVATE})
    assert index.links_to([target.target_id for target in index.targets()]) == []


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ('<ul><li><a href="/z.html">Zeppelin</a></li><li><a href="/guide.html">Guide</a></li></ul>', ["- Guide"]),
        (
            '<ul><li><a href="z.html">Zeppelin</a><ul><li><a href="z.html#crew">Zeppelin crew</a></ul></ul><p>End.',
            ["End."],
        ),
        (
            '<a class="card" href="/z.html"><h2>🎈 Zeppelin</h2><p>Leaves at noon.</p></a>'
            '<a class="card" href="/guide.html"><h2>Guide</h2><p>Lamps.</p></a>',
            ["Guide", "Lamps."],
        ),
        (
            '<h2><a href="/z.html">Zeppelin</a></h2><p>It leaves.</p><h3 id=crew>Zeppelin crew</h3><p>Few.</p>'
            '<h2><a href="/guide.html">Guide</a></h2><p>Lamps.</p>',
            ["Guide", "Lamps."],
        ),
        (
            '<h2><a href="/z.html">Zeppelin</a></h2><p>It leaves.</p><h2 id=crew>How to board the zeppelin</h2>'
            "<p>By the mast.</p><h2>Guide</h2><p>Lamps.</p>",
            ["Guide", "Lamps."],
        ),
        ('<ul><li><a href="/z.html">Zeppelin</a><p>Of flying.</p><li>Lamps</ul>', ["- Lamps"]),
    ],
    ids=["contents", "nested-contents", "card", "post", "post-with-headings", "description"],
)
def test_traces_of_a_private_page_are_removed_from_other_pages(tmp_path: Path, told: str, kept: list[str]) -> None:
    files = {"index.html": document(f"<h1>Home</h1>{told}"), "guide.html": GUIDE, "z.html": SECRET}
    said = META.format("false") + '<meta name="description" content="Of flying."><title>'
    site = make_site(tmp_path, {**files, "z.html": SECRET.replace("<title>", said)})
    home = next(page for page in site.pages if page.url == "/")
    assert [piece.text for piece in home.draft.pieces] == ["Home", *kept]


def test_a_sentence_that_links_to_a_private_page_is_kept(tmp_path: Path) -> None:
    home = document('<h1>Home</h1><p>Ask for the <a href="/z.html">flight plan</a> at the desk.')
    files = {"index.html": home, "z.html": SECRET.replace("<title>", META.format("false") + "<title>")}
    site = make_site(tmp_path, files)
    assert [piece.text for piece in site.pages[0].draft.pieces][1:] == ["Ask for the flight plan at the desk."]


def test_a_redirect_to_a_private_page_leads_nowhere(tmp_path: Path) -> None:
    stub = '<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/z.html"></head></html>'
    files = {"index.html": HOME, "old.html": stub, "z.html": SECRET.replace("<title>", META.format("no") + "<title>")}
    assert make_site(tmp_path, files).redirects == []


@pytest.mark.parametrize(("value", "is_left_out"), [("false", True), ("No", True), ("true", False), ("", False)])
def test_a_meta_tag_withholds_a_page(tmp_path: Path, value: str, is_left_out: bool) -> None:
    site = make_site(tmp_path, {"a.html": document("<p>x", META.format(value)), "b.html": document("<p>y")})
    assert site.skipped == ([SkippedFile("a.html", "pincite: false")] if is_left_out else [])


@pytest.mark.parametrize(
    "text",
    [
        "---\npincite: false\n---\n",
        "---\npincite: no\n---\n",
        "---\npincite: 'False'\n---\n",
        "---\ntitle: [broken\npincite: false\n---\n",
        "+++\npincite = false\n+++\n",
        "+++\ntitle = broken\npincite = false\n+++\n",
        '{\n"pincite": false\n}\n',
        '{\n  "pincite": false,\n  broken\n}\n',
    ],
    ids=["yaml", "yaml-no", "text", "broken-yaml", "toml", "broken-toml", "json", "broken-json"],
)
def test_invalid_front_matter_can_withhold_a_page(tmp_path: Path, text: str) -> None:
    files = {"a.html": document("<p>x"), "b.html": document("<p>y")}
    assert site_of(tmp_path, files, {"a.md": text + "\n# A\n"}) == {"a.html": "pincite: false"}


@pytest.mark.parametrize(
    "text",
    [
        ":pincite: false\n\nA\n=\n",
        ".. comment\n\n:orphan:\n:pincite: no\n\nA\n=\n",
        ".. _label:\n\n=====\nTitle\n=====\n\n:pincite: false\n\nText.\n",
    ],
)
def test_fields_of_a_sphinx_source_can_withhold_a_page(tmp_path: Path, text: str) -> None:
    files = {"a.html": document("<p>x"), "b.html": document("<p>y")}
    shown = f"B\n=\n\nA paragraph.\n\n{text}"
    assert site_of(tmp_path, files, {"a.rst": text, "b.rst": shown}) == {"a.html": "pincite: false"}


def test_a_page_with_a_private_source_among_two_is_withheld_and_reported(tmp_path: Path) -> None:
    (tmp_path / "src/docs").mkdir(parents=True)
    (tmp_path / "src/README.md").write_text("# Read me\n")
    (tmp_path / "src/docs/index.md").write_text(PRIVATE)
    site = make_site(tmp_path / "build", {"index.html": HOME, "guide.html": GUIDE}, docs=tmp_path / "src")
    assert [page.draft.file for page in site.withheld] == ["index.html"]
    assert site.uncertain_matches == ["index.html: perhaps from README.md"]


@pytest.mark.parametrize("private", ["linked.md", "page.md"])
def test_a_page_whose_edit_link_and_path_name_two_sources_is_private_if_either_is(tmp_path: Path, private: str) -> None:
    link = '<a href="https://git.example/x/edit/main/docs/linked.md">Edit</a>'
    files = {"page.html": document(f"<p>x</p>{link}"), "guide.html": GUIDE}
    sources = {"linked.md": "# Public\n", "page.md": "# Public\n", private: PRIVATE}
    assert site_of(tmp_path, files, sources) == {"page.html": "pincite: false"}


def test_a_page_with_a_source_of_its_own_is_not_taken_for_a_copy_of_its_namesake(tmp_path: Path) -> None:
    names = ("guide", "install", "z")
    files = {f"{folder}{name}.html": document(f"<p>{folder}{name}") for name in names for folder in ("", "tool/")}
    sources = {f"{folder}{name}.md": "# Public\n" for name in names for folder in ("", "tool/")}
    assert site_of(tmp_path, files, {**sources, "z.md": PRIVATE}) == {"z.html": "pincite: false"}


def test_a_version_without_sources_of_its_own_follows_the_private_one_of_the_document(tmp_path: Path) -> None:
    files = {
        "docs/a.html": docs_page("<p>x", "a"),
        "docs/1.0/a.html": docs_page("<p>y", "a", version="1.0"),
        "docs/1.0/b.html": docs_page("<p>z", "b", version="1.0"),
        "docs/b.html": docs_page("<p>w", "b"),
    }
    sources = {"docs/a.md": PRIVATE, "docs/b.md": "---\nchapter_id: own\n---\n# B\n"}
    assert site_of(tmp_path, files, sources) == dict.fromkeys(("docs/a.html", "docs/1.0/a.html"), "pincite: false")
    site = make_site(tmp_path / "build", files, docs=tmp_path / "src")
    assert {page.url: page.source for page in site.pages} == {"/docs/b.html": "docs/b.md", "/docs/1.0/b.html": ""}


def test_every_version_of_a_private_page_is_withheld_and_reported(tmp_path: Path) -> None:
    names = ("guide", "install", "z")
    files = {f"{version}/{name}/index.html": document(f"<p>{name}") for name in names for version in ("1.0", "2.0")}
    sources = {"z.md": PRIVATE, "guide.md": "# G\n", "install.md": "# I\n"}
    assert site_of(tmp_path, files, sources) == dict.fromkeys(
        ("1.0/z/index.html", "2.0/z/index.html"), "pincite: false"
    )
    site = make_site(tmp_path / "build", files, docs=tmp_path / "src")
    assert site.uncertain_matches == ["z.md: 1.0/z/index.html, 2.0/z/index.html"]


def test_a_docusaurus_page_with_two_sources_of_one_key_is_withheld_if_one_is_private(tmp_path: Path) -> None:
    files = {"docs/a.html": docs_page("<p>x", "a"), "docs/b.html": docs_page("<p>y", "b")}
    assert site_of(tmp_path, files, {"docs/01-a.md": PRIVATE, "docs/a.md": "# A\n"}) == {
        "docs/a.html": "pincite: false"
    }


def test_a_private_source_without_a_page_stops_the_build(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    told = (
        r"Some sources in .* have `pincite: false`, but their pages in .* be identified \(1\): plans/z\.md\. Add `draft"
    )
    with pytest.raises(PrivateSourceError, match=told) as caught:
        builds.add({"index.html": HOME, "flights/noon.html": SECRET}, sources={"plans/z.md": PRIVATE})
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    "source",
    [
        {"z.md": "---\npincite: false\ndraft: true\n---\n"},
        {"z.md": "---\npincite: false\npublished: false\n---\n"},
        {"docs/a.md": "# A\n", "i18n/fr/docusaurus-plugin-content-docs/current/z.md": PRIVATE},
        {"docs/a.md": "# A\n", "versioned_docs/version-0.9/z.md": PRIVATE},
        {"hidden.md": PRIVATE},
    ],
    ids=["draft", "unpublished", "language-not-built", "version-not-built", "noindex"],
)
def test_a_private_source_that_this_build_leaves_out_anyway_ends_nothing(
    tmp_path: Path, source: dict[str, str]
) -> None:
    for name, text in source.items():
        (tmp_path / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / name).write_text(text)
    hidden = document("<p>x", '<meta name="robots" content="noindex">')
    files = {"docs/a.html": docs_page("<p>x", "a"), "hidden.html": hidden}
    assert make_site(tmp_path / "build", files, docs=tmp_path / "src").unmatched_sources == []


@pytest.mark.parametrize(
    "source",
    ["i18n/fr/docusaurus-plugin-content-docs/current/z.md", "versioned_docs/version-0.9/z.md", "src/pages/z.mdx"],
)
def test_a_private_source_in_another_folder_counts_if_pages_declare_no_scope(tmp_path: Path, source: str) -> None:
    (tmp_path / "src" / source).parent.mkdir(parents=True)
    (tmp_path / "src" / source).write_text(PRIVATE)
    site = make_site(tmp_path / "build", {"index.html": HOME, "guide.html": GUIDE}, docs=tmp_path / "src")
    assert site.unmatched_sources == [source]


def test_a_private_source_in_a_linked_folder_is_read_as_generators_read_it(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/z.MD").write_text(PRIVATE)
    (tmp_path / "shared/loop").symlink_to(tmp_path / "shared")
    (tmp_path / "src").mkdir()
    for name in ("more", "again"):
        (tmp_path / "src" / name).symlink_to(tmp_path / "shared")
    files = {"index.html": HOME, "more/z.html": SECRET, "again/z.html": SECRET}
    site = make_site(tmp_path / "build", files, docs=tmp_path / "src")
    assert [page.url for page in site.withheld] == ["/again/z.html", "/more/z.html"]


def test_a_source_that_cannot_be_read_ends_the_build_as_it_may_be_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "z.md").write_text(PRIVATE)

    def refuse(self: Path, **_: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(SiteError, match=r"z\.md cannot be read \(Permission denied\)\. Change its permissions"):
        read_sources(tmp_path)


def test_a_private_partial_without_a_page_is_reported(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/_z.md").write_text(PRIVATE)
    site = make_site(tmp_path / "build", {"index.html": HOME}, docs=tmp_path / "src")
    assert site.unmatched_sources == ["_z.md"]
    site = make_site(tmp_path / "build", {"_z.html": SECRET}, docs=tmp_path / "src")
    assert (site.unmatched_sources, [page.url for page in site.withheld]) == ([], ["/_z.html"])
