"""Pages to rows: boilerplate, shared vectors, IDs and the graph of links."""

from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import docs_page, make_site

from pincite_core.errors import DuplicateIdError
from pincite_indexer.rows.assemble import Rows, assemble
from pincite_indexer.rows.link_graph import inbound_texts, links_of
from pincite_indexer.rows.search_terms import chunk_terms
from pincite_indexer.site.resolved_site import Site

NEWSLETTER = "<div><h3>Subscribe to our newsletter</h3><p>News once a month, never more than that.</p></div>"


def texts(rows: Rows) -> str:
    return "\n".join(chunk.text for chunk in rows.chunks)


def page_files(count: int, extra: str) -> dict[str, str]:
    return {f"p{number}.html": document(f"<h1>P{number}</h1><p>About {number}.</p>{extra}") for number in range(count)}


def test_text_that_stands_on_most_pages_is_left_out_heading_and_all(tmp_path: Path) -> None:
    rows = assemble(make_site(tmp_path, page_files(10, NEWSLETTER)))
    assert "newsletter" not in texts(rows)
    assert "News once" not in texts(rows)
    assert "About 7." in texts(rows)
    assert rows.repeated_blocks == 20


def test_on_a_small_site_repeated_text_is_kept(tmp_path: Path) -> None:
    assert "News once" in texts(assemble(make_site(tmp_path, page_files(5, NEWSLETTER))))


def test_a_page_has_one_id_in_every_locale(tmp_path: Path) -> None:
    def page(locale: str) -> str:
        return document("<h2 id=a>A</h2><p>x", "<title>T</title>", f'lang="{locale}"')

    files = {"index.html": page("en-US"), "b.html": page("en-US")}
    files |= {"fr/index.html": page("fr-FR"), "fr/b.html": page("fr-FR"), "de/index.html": page("en-US")}
    rows = assemble(make_site(tmp_path, files))
    ids = {
        page.url: target.stable_id
        for page in rows.pages
        for target in rows.targets
        if target.page_id == page.page_id and not target.anchor
    }
    assert ids["/"] == ids["/fr/"] == "pages/index"
    assert ids["/b.html"] == ids["/fr/b.html"] == "pages/b"
    assert ids["/de/"] == "pages/de"


def test_text_on_half_of_the_pages_is_kept(tmp_path: Path) -> None:
    files = {**page_files(10, ""), **dict(list(page_files(10, NEWSLETTER).items())[:5])}
    assert "News once" in texts(assemble(make_site(tmp_path, files)))


def test_pages_that_repeat_in_another_version_are_no_boilerplate(tmp_path: Path) -> None:
    files = {
        f"{version}/p{number}.html": docs_page(
            f"<p>About the number {number} at length.", f"p{number}", version=version
        )
        for version in ("1.0", "2.0", "3.0")
        for number in range(9)
    }
    rows = assemble(make_site(tmp_path, files))
    assert rows.repeated_blocks == 0
    assert len(rows.chunks) == 27


def test_the_same_text_under_several_versions_is_embedded_once(tmp_path: Path) -> None:
    files = {f"{v}/a.html": docs_page("<h1>A</h1><p>The very same text.", "a", version=v) for v in ("1.0", "2.0")}
    rows = assemble(make_site(tmp_path, files))
    assert len({chunk.scope_id for chunk in rows.chunks}) == 2
    assert len({chunk.vector_id for chunk in rows.chunks}) == 1
    assert len(rows.texts) == len(set(rows.texts)) == 2  # the chunk and its unit


def test_row_ids_are_dense_and_in_document_order(tmp_path: Path) -> None:
    rows = assemble(make_site(tmp_path, page_files(4, "<h2 id=x>X</h2><p>More.")))
    for records, name in ((rows.pages, "page_id"), (rows.targets, "target_id"), (rows.chunks, "chunk_id")):
        assert [getattr(record, name) for record in records] == list(range(1, len(records) + 1))
    assert [page.url for page in rows.pages] == sorted(page.url for page in rows.pages)
    assert [chunk.page_id for chunk in rows.chunks] == sorted(chunk.page_id for chunk in rows.chunks)


def test_code_has_no_vector_of_its_own(tmp_path: Path) -> None:
    rows = assemble(make_site(tmp_path, {"a.html": document("<p>Run the following command.</p><pre>do it</pre>")}))
    assert {unit.kind: bool(unit.vector_id) for unit in rows.units} == {"prose": True, "code": False}


def test_a_row_is_embedded_for_itself_and_cited_for_itself(tmp_path: Path) -> None:
    table = (
        "<h2 id=o>O</h2><table><tr><th>Name<th>Meaning<tr id=r><td>retries<td>how often jobs are tried again</table>"
    )
    rows = assemble(make_site(tmp_path, {"a.html": document(table)}))
    (unit,) = rows.units
    assert rows.targets[unit.target_id - 1].anchor == "r"
    assert rows.targets[rows.chunks[0].target_id - 1].anchor == "o"


def test_two_pages_with_the_same_authors_id_stop_the_build_and_are_named(tmp_path: Path) -> None:
    docs = tmp_path / "src"
    (docs / "docs").mkdir(parents=True)
    for name in ("a", "b"):
        (docs / f"docs/{name}.md").write_text("---\nmodule_id: kit\nchapter_id: one\n---\n")
    files = {f"{name}.html": docs_page("<p>x", name) for name in ("a", "b")}
    with pytest.raises(DuplicateIdError, match=r"docs/a\.md and docs/b\.md"):
        assemble(make_site(tmp_path / "build", files, docs=docs))


def test_pages_that_would_share_an_id_are_named(tmp_path: Path) -> None:
    rows = assemble(make_site(tmp_path, {"a/x.html": docs_page("<p>1", "a/x"), "b/x.html": docs_page("<p>2", "b/x")}))
    assert [target.stable_id for target in rows.targets] == ["default/x", "default/b/x"]
    assert rows.collided_pages == ["b/x.html"]


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Site, Rows]:
    files = {
        "a.html": document(
            '<h1>A</h1><p><a href="b.html#two">second part</a> <a href="b.html#none">lost</a> '
            '<a href="c.html">gone</a></p>'
            '<h2 id=h>H</h2><p><a href="b.html#two">again</a> <a href="#h">self</a> <a href="old.html">moved</a> '
            '<a href="https://elsewhere.example/">out</a> <a href="/a.html">top</a></p>'
        ),
        "b.html": document("<h1>B</h1><p>x</p><h2 id=two>Two</h2><p>y</p>"),
        "old.html": '<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/b.html"></head></html>',
    }
    site = make_site(tmp_path, files)
    return site, assemble(site)


def test_links_lead_from_their_section_to_the_place_they_name(linked: tuple[Site, Rows]) -> None:
    site, rows = linked
    names = {target.target_id: (rows.pages[target.page_id - 1].url, target.anchor) for target in rows.targets}
    found = [
        (*names[link.from_target_id], *names[link.to_target_id], link.text, link.to_anchor_found)
        for link in links_of(site, rows).inside
    ]
    assert found == [
        ("/a.html", "", "/b.html", "two", "second part", True),
        ("/a.html", "", "/b.html", "", "lost", False),
        ("/a.html", "h", "/b.html", "two", "again", True),
        ("/a.html", "h", "/b.html", "", "moved", True),
        ("/a.html", "h", "/a.html", "", "top", True),
    ]


def test_a_link_has_its_words_in_a_unit_and_leads_to_a_target_or_another_site(linked: tuple[Site, Rows]) -> None:
    site, rows = linked
    names = {target.target_id: (rows.pages[target.page_id - 1].url, target.anchor) for target in rows.targets}
    found = {}
    for at, links in links_of(site, rows).of_units.items():
        unit = rows.units[at]
        text = rows.chunks[unit.chunk_id - 1].text[unit.start : unit.end]
        found |= {text[one.start : one.end]: names[one.to] if isinstance(one.to, int) else one.to for one in links}
    assert found == {
        "second part": ("/b.html", "two"),
        "lost": ("/b.html", ""),
        "again": ("/b.html", "two"),
        "moved": ("/b.html", ""),
        "out": "https://elsewhere.example/",
        "top": ("/a.html", ""),
    }


def test_a_section_is_found_by_what_others_call_it(linked: tuple[Site, Rows]) -> None:
    site, rows = linked
    links = links_of(site, rows).inside
    two = next(target for target in rows.targets if target.anchor == "two")
    assert inbound_texts(links)[two.target_id] == "second part\nagain"
    terms = {row.chunk_id: row for row in chunk_terms(rows, links)}
    chunk = next(chunk for chunk in rows.chunks if chunk.target_id == two.target_id)
    assert terms[chunk.chunk_id].links == "second part again"
    assert terms[chunk.chunk_id].headings == "two"
    assert terms[chunk.chunk_id].page == "b"
