"""What becomes of stable IDs from one build to the next."""

from pathlib import Path

import pytest
from tests.unit.indexer.builds import LEASE, RETRY, Builds, guide, section, stub

from pincite_core.errors import LostIdError
from pincite_core.index.read import Index

LEASES = section("lease", "How long a lease lasts", LEASE)
RETRIES = section("retry", "When a job fails", RETRY)


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    return Builds(tmp_path)


def test_nothing_changed_moves_and_loses_nothing(builds: Builds) -> None:
    for _ in range(2):
        builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    assert builds.aliases() == {}
    assert (builds.report.moved, builds.report.lost) == ([], [])


def test_a_renamed_heading_is_found_again_by_its_text(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", section("duration", "Duration", LEASE), RETRIES)})
    assert builds.aliases() == {"default/jobs#lease": "default/jobs#duration"}
    assert builds.report.moved == ["default/jobs#lease"]


def test_a_renamed_heading_is_found_again_when_its_text_was_edited_too(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    edited = LEASE.replace("thirty", "sixty")
    builds.add({"docs/jobs.html": guide("Jobs", section("duration", "Duration", edited), RETRIES)})
    assert builds.aliases() == {"default/jobs#lease": "default/jobs#duration"}


def test_a_moved_page_takes_all_its_sections_along(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES, section("empty", "Nothing yet", ""))})
    moved = guide("Jobs", LEASES, RETRIES, section("empty", "Nothing yet", ""), doc_id="guides/work")
    builds.add({"docs/guides/work.html": moved})
    assert builds.aliases() == {
        f"default/jobs{anchor}": f"default/work{anchor}" for anchor in ("", "#lease", "#retry", "#empty")
    }
    assert builds.where("default/jobs#retry") == "/docs/guides/work.html#retry"


def test_a_section_that_moved_to_another_page_is_found_there(builds: Builds) -> None:
    tuning = section("tuning", "Tuning", "Batch acknowledgements when the queue is busy and memory allows it.")
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES), "docs/ops.html": guide("Ops", tuning)})
    builds.add({"docs/jobs.html": guide("Jobs", LEASES), "docs/ops.html": guide("Ops", tuning, RETRIES)})
    assert builds.aliases() == {"default/jobs#retry": "default/ops#retry"}


def test_two_sections_with_one_text_go_to_their_own_pages(builds: Builds) -> None:
    def pages(anchor: str) -> dict[str, str]:
        same = section(anchor, "Leases", LEASE)
        return {"docs/a.html": guide("A", same, RETRIES), "docs/b.html": guide("B", same, section("x", "X", "Y."))}

    builds.add(pages("lease"))
    builds.add(pages("duration"))
    assert builds.aliases() == {"default/a#lease": "default/a#duration", "default/b#lease": "default/b#duration"}


def test_like_sections_never_share_a_likely_successor(builds: Builds) -> None:
    first = section("one", "One", LEASE)
    second = section("two", "Two", LEASE.replace("thirty", "forty"))
    builds.add({"docs/jobs.html": guide("Jobs", first, second)})
    builds.add({"docs/jobs.html": guide("Jobs", section("three", "Three", LEASE.replace("thirty", "fifty")))})
    assert sorted(builds.aliases().values(), key=str) == [None, "default/jobs#three"]


def test_an_alias_is_carried_through_later_moves(builds: Builds) -> None:
    for anchor in ("lease", "duration", "length", "time"):
        builds.add({"docs/jobs.html": guide("Jobs", section(anchor, anchor, LEASE), RETRIES)})
    assert builds.aliases() == {
        "default/jobs#lease": "default/jobs#time",
        "default/jobs#duration": "default/jobs#time",
        "default/jobs#length": "default/jobs#time",
    }


def test_an_id_whose_text_is_gone_is_lost_and_stays_so(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)})
    assert builds.report.lost == ["default/jobs#lease"]
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)})
    assert builds.aliases() == {"default/jobs#lease": None}
    assert builds.report.lost == []


def test_an_id_that_returns_is_lost_no_longer(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    assert builds.aliases() == {}


def test_a_heading_renamed_back_ends_its_alias_and_leaves_the_other(builds: Builds) -> None:
    for anchor in ("lease", "duration", "lease"):
        builds.add({"docs/jobs.html": guide("Jobs", section(anchor, anchor, LEASE), RETRIES)})
    assert builds.aliases() == {"default/jobs#duration": "default/jobs#lease"}


def test_an_alias_of_a_lost_id_is_lost_with_it(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", section("duration", "Duration", LEASE), RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)})
    assert builds.aliases() == {"default/jobs#lease": None, "default/jobs#duration": None}
    assert builds.report.lost == ["default/jobs#duration"]


def test_a_redirect_moves_a_page_and_its_anchors_though_every_word_changed(builds: Builds) -> None:
    builds.add({"docs/old.html": guide("Old", LEASES, RETRIES)})
    new = guide("New", section("lease", "Leases", "Nothing of it is left."), section("more", "More", "New words."))
    builds.add({"docs/new.html": new, "docs/old.html": stub("/docs/new.html")})
    assert builds.aliases() == {
        "default/old": "default/new",
        "default/old#lease": "default/new#lease",
        "default/old#retry": None,
    }


def test_a_redirect_to_a_section_moves_the_page_to_that_section(builds: Builds) -> None:
    builds.add({"docs/old.html": guide("Old", LEASES), "docs/new.html": guide("New", RETRIES)})
    gone = {"docs/old.html": stub("/docs/older.html"), "docs/older.html": stub("/docs/new.html#retry")}
    builds.add({"docs/new.html": guide("New", RETRIES), **gone})
    assert builds.aliases()["default/old"] == "default/new#retry"


def test_short_text_on_an_unrelated_page_is_no_successor(builds: Builds) -> None:
    see = "See the API."
    builds.add({"docs/a.html": guide("A", section("api", "Interface", see)), "docs/b.html": guide("B", RETRIES)})
    builds.add({"docs/b.html": guide("B", RETRIES, section("other", "Elsewhere", see))})
    assert builds.aliases() == {"default/a": None, "default/a#api": None}


def test_a_neighbour_that_was_always_there_is_no_successor_for_its_few_words(builds: Builds) -> None:
    first, second = section("errors", "Errors", "None."), section("limits", "Limits", "None.")
    builds.add({"docs/jobs.html": guide("Jobs", first, second, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", second, RETRIES)})
    assert builds.aliases() == {"default/jobs#errors": None}


def test_a_table_row_whose_id_changed_is_found_by_its_cells(builds: Builds) -> None:
    def page(anchor: str) -> str:
        row = f'<tr id="{anchor}"><td>port</td><td>The port that the server listens on</td></tr>'
        return guide("Options", f"<table><tr><th>Name</th><th>Meaning</th></tr>{row}</table>")

    builds.add({"docs/options.html": page("opt-port")})
    builds.add({"docs/options.html": page("option-port")})
    assert builds.aliases() == {"default/options#opt-port": "default/options#option-port"}


def test_an_id_that_moved_in_one_version_keeps_an_alias_for_that_version(builds: Builds) -> None:
    old = {"docs/1.0/jobs.html": guide("Jobs", LEASES, RETRIES, version="1.0")}
    builds.add({**old, "docs/jobs.html": guide("Jobs", LEASES, RETRIES, version="2.0")})
    renamed = guide("Jobs", section("duration", "Duration", LEASE), RETRIES, version="2.0")
    builds.add({**old, "docs/jobs.html": renamed})
    assert builds.aliases() == {"default/jobs#lease": "default/jobs#duration"}
    builds.add({**old, "docs/jobs.html": renamed})
    assert builds.aliases() == {"default/jobs#lease": "default/jobs#duration"}


def test_a_dropped_version_loses_only_ids_that_no_other_version_has(builds: Builds) -> None:
    new = {"docs/jobs.html": guide("Jobs", LEASES, version="2.0")}
    builds.add({**new, "docs/1.0/jobs.html": guide("Jobs", LEASES, RETRIES, version="1.0")})
    builds.add(new)
    assert builds.aliases() == {"default/jobs#retry": None}


def test_text_in_another_language_is_no_successor(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    french = guide("Jobs", section("bail", "Bail", LEASE), locale="fr")
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES), "fr/docs/jobs.html": french})
    assert builds.aliases() == {"default/jobs#lease": None}


def test_an_id_of_two_languages_goes_where_the_default_language_has_it_now(builds: Builds) -> None:
    bail = "Un bail dure trente secondes, sauf si le worker le prolonge avant la fin de ce temps."

    def pages(english: str, french: str) -> dict[str, str]:
        return {
            "docs/jobs.html": guide("Jobs", section(english, "RefCount", LEASE), RETRIES),
            "fr/docs/jobs.html": guide("Jobs", section(french, "Bail", bail), locale="fr"),
        }

    builds.add(pages("lease", "lease"))
    builds.add(pages("duration", "bail"))
    assert builds.aliases() == {"default/jobs#lease": "default/jobs#duration"}


def test_a_whole_reorganised_site_keeps_every_page_and_section(builds: Builds) -> None:
    subjects = [f"Subject {number}" for number in range(30)]

    def pages(folder: str) -> dict[str, str]:
        return {
            f"{folder}/{name.replace(' ', '-')}.html": guide(
                name,
                section("why", "Why", f"{name} is told of here, and of nothing else than {name}."),
                section("options", "Options", "The same options stand on every page of this reference."),
                doc_id=f"{folder}/{name.replace(' ', '-')}-{folder}",
            )
            for name in subjects
        }

    builds.add(pages("docs"))
    builds.add(pages("manual"))
    expected = {old.stable_id for old in Index.open(builds.folder / "index-1").targets()}
    assert builds.aliases() == {stable_id: stable_id.replace("-docs", "-manual") for stable_id in expected}


def test_on_lost_id_fail_names_the_lost_ids_and_writes_nothing(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    with pytest.raises(LostIdError, match=r"lead nowhere any more \(1\): default/jobs#lease\."):
        builds.add({"docs/jobs.html": guide("Jobs", RETRIES)}, on_lost_id="fail")
    assert not (builds.folder / "index-2").exists()


def test_a_loss_that_was_accepted_fails_no_later_build(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", LEASES, RETRIES)})
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)}, on_lost_id="ignore")
    assert builds.report.lost == []
    builds.add({"docs/jobs.html": guide("Jobs", RETRIES)}, on_lost_id="fail")
    assert builds.aliases() == {"default/jobs#lease": None}


def test_a_heading_followed_by_headings_alone_is_known_by_the_text_below_them(builds: Builds) -> None:
    below = f'<h3 id="wait">Waiting</h3><p>{RETRY}</p><h3 id="hold">Holding</h3><p>{LEASE}</p>'
    builds.add({"docs/jobs.html": guide("Jobs", f'<h2 id="retries">Retries</h2>{below}')})
    builds.add({"docs/jobs.html": guide("Jobs", f'<h2 id="failures">When it fails</h2>{below}')})
    assert builds.aliases()["default/jobs#retries"] == "default/jobs#failures"


def test_sections_without_a_word_are_not_taken_for_each_other(builds: Builds) -> None:
    builds.add({"docs/jobs.html": guide("Jobs", section("lease", "RefCount", LEASE), '<h2 id="one">One</h2>')})
    builds.add({"docs/jobs.html": guide("Jobs", section("lease", "RefCount", LEASE), '<h2 id="two">Two</h2>')})
    assert builds.aliases()["default/jobs#one"] is None
