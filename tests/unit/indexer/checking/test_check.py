"""What `pincite check` finds, and what it must not cry out about."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.unit.indexer.builds import LEASE, RETRY, Builds, Silence, guide, section, stub
from tests.unit.indexer.one_page import document

from pincite_core.errors import SiteError
from pincite_indexer.checking.check import CheckOptions, check
from pincite_indexer.checking.check_report import Changes, CheckReport, Finding, Moved, check_summary, show_report

LEASES = section("lease", "Leases", LEASE)
CANONICAL = '<link rel="canonical" href="https://x.example/kit/{}">'


def checked(folder: Path, files: Mapping[str, str], **options: object) -> CheckReport:
    """Write a site and check it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return check(CheckOptions(str(folder), **options), Silence())  # type: ignore[arg-type]


def errors(report: CheckReport) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity == "error"]


def link(href: str) -> str:
    return section("see", "See also", f'Read <a href="{href}">the other page</a>.')


def page(href: str, **facts: str) -> str:
    return guide("Jobs", link(href), **facts)


def test_a_link_to_a_missing_page_is_found_with_its_section(tmp_path: Path) -> None:
    report = checked(tmp_path, {"docs/jobs.html": page("/docs/queus.html"), "docs/queues.html": guide("Queues")})
    assert errors(report) == [
        Finding(
            "error",
            "dead_link",
            "/docs/queus.html is not in the build",
            "/docs/jobs.html",
            "docs/jobs.html",
            ("Jobs", "See also"),
            "/docs/queus.html",
            "the other page",
            "/docs/queues.html",
        )
    ]
    assert (report.pages, report.links) == (2, 1)


def test_a_private_source_whose_page_is_not_known_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/plans.md").write_text("---\npincite: false\n---\n# Plans\n")
    site = {"a.html": guide("A"), "b.html": guide("B")}
    report = checked(tmp_path / "site", site, docs=tmp_path / "src")
    assert [(finding.code, finding.file) for finding in errors(report)] == [("private_source", "plans.md")]
    report = checked(tmp_path / "site", {**site, "plans.html": document("<p>x")}, docs=tmp_path / "src")
    assert errors(report) == []


def test_a_fragment_that_is_not_on_its_page_is_found_with_the_nearest_one(tmp_path: Path) -> None:
    report = checked(tmp_path, {"a.html": page("b.html#leases"), "b.html": guide("B", LEASES)})
    found = errors(report)[0]
    assert (found.code, found.message, found.suggestion) == ("dead_fragment", "/b.html has no #leases", "/b.html#lease")


def test_a_fragment_that_moved_to_another_page_is_suggested_there(tmp_path: Path) -> None:
    files = {"a.html": page("/b.html#lease"), "b.html": guide("B"), "c.html": guide("C", LEASES)}
    assert errors(checked(tmp_path, files))[0].suggestion == "/c.html#lease"


def test_a_page_that_moved_to_another_folder_is_suggested_there(tmp_path: Path) -> None:
    files = {"a.html": page("/guide/queues.html"), "concepts/deep/queues.html": guide("Queues")}
    assert errors(checked(tmp_path, files))[0].suggestion == "/concepts/deep/queues.html"


def test_a_link_without_similar_targets_has_no_suggestion(tmp_path: Path) -> None:
    files = {"a.html": page("/xyzzy"), "b.html": guide("B", LEASES)}
    assert errors(checked(tmp_path, files))[0].suggestion is None


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#",
        "#top",
        "#see",
        "b.html",
        "./b.html?x=1#lease",
        "/b",
        "/b/",
        "b.html#:~:text=thirty%20seconds",
        "b.html#lease:~:text=thirty",
        "b.html#caf%C3%A9",
        "b.html#café",
        "b.html#old-name",
        "files/manual%20v2.pdf",
        "/img/logo.png",
        "hidden.html#anything-there",
        "mailto:someone@x.example",
        "javascript:void(0)",
        "https://elsewhere.example/gone",
        "//elsewhere.example/gone",
        "http://[",
        "app.html#/users/1",
        "old.html#lease",
    ],
)
def test_a_valid_link_has_no_finding(tmp_path: Path, href: str) -> None:
    files = {
        "a.html": page(href),
        "b.html": guide("B", LEASES, section("café", "Café", "Coffee."), '<p><a name="old-name"></a>Old.</p>'),
        "app.html": guide("App"),
        "old.html": stub("/b.html"),
        "hidden.html": guide(
            "Hidden", section("anything-there", "T", "T."), head='<meta name="robots" content="noindex">'
        ),
        "files/manual v2.pdf": "",
        "img/logo.png": "",
    }
    assert errors(checked(tmp_path, files)) == []


def test_links_of_a_site_under_a_base_path_are_checked_below_it_alone(tmp_path: Path) -> None:
    other = section("more", "More", '<a href="/other/app">App</a> <a href="/kit/gone">Gone</a>')
    absolute = section("abs", "Abs", '<a href="https://x.example/kit/b#lease">B</a> <a href="/kit/b/#no">B</a>')
    files = {
        "a/index.html": guide("A", other, absolute, head=CANONICAL.format("a")),
        "b/index.html": guide("B", LEASES, head=CANONICAL.format("b")),
    }
    found = errors(checked(tmp_path, files))
    assert [(finding.code, finding.href) for finding in found] == [
        ("dead_link", "/kit/gone"),
        ("dead_fragment", "/kit/b/#no"),
    ]


@pytest.mark.parametrize("href", ["../b", "../b/", "b"])
def test_a_relative_link_is_good_when_either_spelling_of_its_page_makes_it_so(tmp_path: Path, href: str) -> None:
    files = {
        "docs/a/index.html": page(href, head=CANONICAL.format("docs/a")),
        "docs/b/index.html": guide("B", head=CANONICAL.format("docs/b")),
    }
    assert errors(checked(tmp_path, files)) == []


def test_a_link_to_source_code_that_is_not_indexed_is_good(tmp_path: Path) -> None:
    sphinx = '<title>T</title><script src="_static/documentation_options.js"></script>'
    source = '<h1>Source code for kit</h1><pre><div id="Kit"><a href="/gone.html">[docs]</a>class Kit</div></pre>'
    files = {"a.html": page("_modules/kit.html#Kit"), "_modules/kit.html": document(source, sphinx)}
    report = checked(tmp_path, files)
    assert (report.pages, errors(report)) == (1, [])


def test_a_page_that_forwards_to_nowhere_is_found(tmp_path: Path) -> None:
    files = {"a.html": guide("A"), "old.html": stub("/guide.html"), "fine.html": stub("/a.html")}
    found = errors(checked(tmp_path, files))
    assert [(finding.code, finding.page, finding.href) for finding in found] == [
        ("dead_redirect", "/old.html", "/guide.html")
    ]


def test_a_link_through_redirects_is_held_to_the_page_it_ends_on(tmp_path: Path) -> None:
    files = {"a.html": page("/old.html#no"), "b.html": guide("B", LEASES), "old.html": stub("/b.html")}
    assert [finding.code for finding in errors(checked(tmp_path, files))] == ["dead_fragment"]


def test_an_id_that_two_elements_bear_is_a_warning_and_parts_of_drawings_are_none(tmp_path: Path) -> None:
    drawing = '<svg><g id="g"></g></svg><svg><g id="g"></g></svg>'
    named = '<p><a id="own" name="own"></a>One place, two attributes.</p>'
    report = checked(tmp_path, {"a.html": guide("A", LEASES, LEASES, drawing, named)})
    assert [(finding.severity, finding.code) for finding in report.findings if finding.severity != "info"] == [
        ("warning", "duplicate_id")
    ]
    assert "'lease'" in report.findings[0].message


def test_pages_with_a_generated_id_are_reported(tmp_path: Path) -> None:
    docs = tmp_path / "sources"
    (docs / "docs").mkdir(parents=True)
    (docs / "docs/jobs.md").write_text("---\nid: jobs\n---\n# Jobs\n")
    (docs / "docs/ops.md").write_text("# Ops\n")
    site = {"docs/jobs.html": guide("Jobs"), "docs/ops.html": guide("Ops")}
    report = checked(tmp_path / "site", site, docs=docs)
    assert [(f.severity, f.code, f.page) for f in report.findings] == [("info", "no_author_id", "/docs/ops.html")]


def test_a_stable_id_claimed_twice_is_an_error_and_the_rest_is_still_checked(tmp_path: Path) -> None:
    docs = tmp_path / "sources"
    (docs / "docs").mkdir(parents=True)
    for name in ("jobs", "ops"):
        (docs / f"docs/{name}.md").write_text("---\nmodule_id: m\nchapter_id: c\n---\n")
    site = {"docs/jobs.html": page("/gone"), "docs/ops.html": guide("Ops")}
    found = errors(checked(tmp_path / "site", site, docs=docs))
    assert [finding.code for finding in found] == ["dead_link", "duplicate_stable_id"]
    assert "docs/jobs.md and docs/ops.md" in found[1].message


def test_an_index_is_checked_from_its_links(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    builds.add({"a.html": page("/b.html#leases"), "b.html": guide("B", LEASES)})
    for place in (builds.previous, builds.previous / "index.db"):
        report = check(CheckOptions(str(place)), Silence())
        found = errors(report)
        assert [(f.code, f.page, f.heading_path, f.text, f.suggestion) for f in found] == [
            ("dead_fragment", "/a.html", ("Jobs", "See also"), "the other page", "/b.html")
        ]


def test_since_the_last_deploy_ids_were_added_changed_moved_and_lost(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    same = section("same", "Same", "Nothing here has changed at all, and so nothing is said of it.")
    gone = section("gone", "Gone", "Only here was it ever told what a worker does in a storm.")
    old = guide("Jobs", same, LEASES, section("retry", "Retries", RETRY), gone, doc_id="jobs")
    builds.add({"docs/jobs.html": old})
    new = guide("Jobs", same, section("time", "Time", LEASE), section("retry", "Retries", "Never."), doc_id="jobs")
    site = {"docs/work.html": new, "docs/new.html": guide("New", section("n", "New", "Quite new."))}
    report = checked(tmp_path / "site", site, previous=str(builds.previous))
    assert report.changes is not None
    assert report.changes.added == ["default/new", "default/new#n"]
    assert report.changes.changed == ["default/jobs#retry"]
    assert report.changes.lost == ["default/jobs#gone"]
    assert report.changes.moved == [
        Moved("default/jobs", "default/jobs", "/docs/work.html"),
        Moved("default/jobs#lease", "default/jobs#time", "/docs/work.html#time"),
        Moved("default/jobs#retry", "default/jobs#retry", "/docs/work.html#retry"),
        Moved("default/jobs#same", "default/jobs#same", "/docs/work.html#same"),
    ]


def test_a_page_that_asks_not_to_be_indexed_is_no_addition(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    site = {
        "docs/jobs.html": guide("Jobs", LEASES),
        "docs/hidden.html": guide("Hidden", head='<meta name="robots" content="noindex">'),
    }
    builds.add(site)
    report = checked(tmp_path / "site", site, previous=str(builds.previous))
    assert report.changes == Changes([], [], [], [])


@pytest.mark.parametrize(("choice", "severities"), [("ignore", []), ("warn", ["warning"]), ("fail", ["error"])])
def test_the_severity_of_a_lost_id_follows_the_option(tmp_path: Path, choice: str, severities: list[str]) -> None:
    builds = Builds(tmp_path)
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, section("retry", "Retries", RETRY))})
    site = {"docs/jobs.html": guide("Jobs", LEASES)}
    report = checked(tmp_path / "site", site, previous=str(builds.previous), on_lost_id=choice)
    assert [finding.severity for finding in report.findings if finding.code == "lost_id"] == severities


def test_two_indexes_are_compared_without_their_sites(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    builds.add({"docs/jobs.html": guide("Jobs", LEASES)})
    earlier = str(builds.previous)
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, section("retry", "Retries", RETRY))})
    report = check(CheckOptions(str(builds.previous), previous=earlier), Silence())
    assert report.changes is not None
    assert report.changes.added == ["default/jobs#retry"]


def test_a_place_that_is_neither_site_nor_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="is not a folder"):
        check(CheckOptions(str(tmp_path / "nowhere")), Silence())
    with pytest.raises(SiteError, match="contains no HTML"):
        check(CheckOptions(str(tmp_path)), Silence())


def test_what_a_broken_page_hides_is_an_error(tmp_path: Path) -> None:
    files = {"a.html": guide("A"), "deep.html": document("<div>" * 5000 + "deep")}
    assert [(finding.code, finding.file) for finding in errors(checked(tmp_path, files))] == [
        ("unreadable_page", "deep.html")
    ]


def test_pages_with_parts_that_cannot_be_read_are_listed_with_their_number(tmp_path: Path) -> None:
    picture = section("a", "Wiring", "<img src=one.png><img src=two.png><iframe src=demo.html></iframe>")
    report = checked(tmp_path, {"a.html": guide("A", picture), "b.html": guide("B", LEASES)})
    found = [finding for finding in report.findings if finding.code == "unread_parts"]
    assert [(finding.severity, finding.page, finding.message) for finding in found] == [
        ("info", "/a.html", "parts whose text is not in the index: image without alt (2), iframe (1)")
    ]
    console = Console(record=True, width=200, file=StringIO())
    show_report(report, console)
    assert "Parts whose text cannot be read\n  /a.html: image without alt (2), iframe (1)" in console.export_text()
    assert "image without alt (2)" in check_summary(report)


def test_a_page_with_bytes_that_are_not_in_its_charset_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(document("<p>Nine days at \xb0C.", "<meta charset=utf-8>").encode("latin-1"))
    report = checked(tmp_path, {"a.html": guide("A", LEASES)})
    found = [(one.severity, one.file, one.message) for one in report.findings if one.code == "bad_characters"]
    assert found == [("warning", "b.html", "it contains 1 bytes or characters that are not valid utf-8")]
