"""The files for agents: where they stand, what they list, what they leave out, and whose files they leave alone."""

from pathlib import Path

import pytest
from tests.unit.indexer.builds import LEASE, RETRY, Silence, guide, section
from tests.unit.indexer.one_page import document

from pincite_core.embedders import FAKE_MODEL
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.build_report import BuildReport
from pincite_indexer.markdown.llms import FULL_NAME, LIST_NAME, WRITTEN_NAME, markdown_file

SITE = "https://docs.example.com"
HOME = '<meta name="description" content="Queues that wait.">'
PAGES = {
    "index.html": guide("Home", section("hello", "Hello", "Welcome to the queue."), doc_id="home", head=HOME),
    "docs/leases/index.html": guide("Leases", section("length", "Length", LEASE)),
    "docs/retries.html": guide("Retries", section("when", "When", RETRY)),
}
PRIVATE = '<meta name="pincite" content="false"><meta name="description" content="Nobody may know of the vault.">'


def build(site: Path, files: dict[str, str], *, llms: bool = True) -> BuildReport:
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    options = BuildOptions(site, model=FAKE_MODEL, cache=False, site_url=SITE, llms=llms)
    return build_index(options, None, Silence())


@pytest.mark.parametrize(
    ("page", "markdown"),
    [
        ("index.html", "index.md"),
        ("docs/leases/index.html", "docs/leases.md"),
        ("docs/leases.html", "docs/leases.md"),
        ("docs/index-of-all.html", "docs/index-of-all.md"),
    ],
)
def test_the_markdown_file_has_the_pages_address(page: str, markdown: str) -> None:
    assert markdown_file(page) == markdown


def test_the_list_names_the_site_and_its_pages_by_the_addresses_of_their_markdown(tmp_path: Path) -> None:
    report = build(tmp_path, PAGES)
    assert report.markdown_pages == 3
    assert (tmp_path / LIST_NAME).read_text(encoding="utf-8") == (
        "# S\n\n> Queues that wait.\n\n## Docs\n\n"
        f"- [Home]({SITE}/index.md): Queues that wait.\n"
        f"- [Leases]({SITE}/docs/leases.md)\n"
        f"- [Retries]({SITE}/docs/retries.md)\n"
    )
    for name in ("index.md", "docs/leases.md", "docs/retries.md"):
        assert (tmp_path / name).is_file()


def test_the_full_text_holds_each_page_with_its_address(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    full = (tmp_path / FULL_NAME).read_text(encoding="utf-8")
    page = (tmp_path / "docs/leases.md").read_text(encoding="utf-8")
    assert page == f"# Leases\n\n## Length\n\n{LEASE}\n"
    assert f"Source: {SITE}/docs/leases/\n\n{page}" in full


def test_no_file_contains_a_private_page_or_its_traces(tmp_path: Path) -> None:
    vault = guide("Vault", section("door", "Door", "The code is nine."), doc_id="vault", head=PRIVATE)
    link = '<ul><li><a href="/docs/vault/">Vault</a></li><li><a href="/docs/leases/">Leases</a></li></ul>'
    pages = PAGES | {"docs/vault/index.html": vault, "docs/retries.html": guide("Retries", link + f"<p>{RETRY}</p>")}
    build(tmp_path, pages)
    texts = [file.read_text(encoding="utf-8") for file in (*tmp_path.rglob("*.md"), *tmp_path.glob("*.txt"))]
    assert not (tmp_path / "docs/vault.md").exists()
    assert not [text for text in texts if "vault" in text.lower() or "nine" in text]
    assert any(RETRY in text for text in texts)


def test_without_the_option_earlier_files_are_removed(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    build(tmp_path, PAGES, llms=False)
    assert list(tmp_path.rglob("*.md")) == []
    assert not (tmp_path / LIST_NAME).exists()
    assert not (tmp_path / "pincite" / WRITTEN_NAME).exists()


def test_a_page_that_became_private_loses_its_markdown(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    build(tmp_path, {"docs/leases/index.html": guide("Leases", section("length", "Length", LEASE), head=PRIVATE)})
    assert not (tmp_path / "docs/leases.md").exists()
    assert (tmp_path / "docs/retries.md").is_file()


def test_an_authors_file_is_kept_and_reported(tmp_path: Path) -> None:
    (tmp_path / LIST_NAME).write_text("# Mine\n", encoding="utf-8")
    report = build(tmp_path, PAGES)
    assert (tmp_path / LIST_NAME).read_text(encoding="utf-8") == "# Mine\n"
    assert report.markdown_kept == (LIST_NAME,)
    assert (tmp_path / "docs/leases.md").is_file()


def test_a_file_that_was_changed_since_is_its_authors(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    (tmp_path / LIST_NAME).write_text("# Mine now\n", encoding="utf-8")
    report = build(tmp_path, PAGES)
    assert (tmp_path / LIST_NAME).read_text(encoding="utf-8") == "# Mine now\n"
    assert report.markdown_kept == (LIST_NAME,)


def test_other_versions_have_their_markdown_and_are_not_listed(tmp_path: Path) -> None:
    old = guide("Leases", section("length", "Length", RETRY), version="1.0")
    build(tmp_path, PAGES | {"docs/1.0/leases.html": old})
    assert (tmp_path / "docs/1.0/leases.md").is_file()
    listed = (tmp_path / LIST_NAME).read_text(encoding="utf-8")
    assert ("/docs/1.0/leases.md" in listed) != ("/docs/leases.md" in listed)


def test_a_record_that_names_files_elsewhere_removes_none_of_them(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, PAGES)
    outside = tmp_path / "outside.md"
    outside.write_text("", encoding="utf-8")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    (site / "pincite" / WRITTEN_NAME).write_text(f'{{"../outside.md": "{empty}"}}', encoding="utf-8")
    build(site, PAGES)
    assert outside.is_file()


def test_elements_around_the_text_of_most_pages_are_left_out(tmp_path: Path) -> None:
    asked = '<div class="feedback"><h3>Feedback</h3><p>Did this page answer your question?</p></div>'
    content = f"<article>{section('a', 'Leases', LEASE)}</article>{asked}"
    build(tmp_path, {f"p{number}.html": document(f"<h1>Page {number}</h1>{content}") for number in range(3)})
    assert (tmp_path / "p1.md").read_text(encoding="utf-8") == f"# Page 1\n\n## Leases\n\n{LEASE}\n"
