import pytest
from tests.factories import PageSource, build_index

from pincite_core.index.read import Index
from pincite_core.search.priors import priors
from pincite_core.search.query import parse_query

LONG = (
    "The lantern keeps its light by means of a wick that draws oil from the can below, which has to be filled each day."
)
PAGES = {
    "/docs/guide": PageSource(
        f"# Guide\n## Task-queue timeouts {{#timeouts}}\n{LONG}\n## Further reading {{#further}}\n{LONG}\n"
        f"## Wick {{#wick}}\n{LONG}\n## Brief {{#brief}}\nSee below."
    ),
    "/docs/changelog": PageSource(f"# Changes\n## Oil {{#oil}}\n{LONG}"),
    "/docs/upgrading-to-2": PageSource(f"# Version 2\n## Can {{#can}}\n{LONG}"),
    "/docs/changes.html": PageSource(f"# Lantern 2.2\n## Glass {{#glass}}\n{LONG}"),
    "/docs/undoing-changes.html": PageSource(f"# Undo\n## Undo it {{#undo}}\n{LONG}"),
    "/docs/lantern": PageSource(
        f"# Lantern\n## 2.1.0 (2013-12-05) {{#v210}}\n{LONG}\n## Lantern 2.0, released May 2012 {{#v200}}\n{LONG}\n"
        f"## Release 1.9 {{#v19}}\n{LONG}\n## What's new {{#new}}\n{LONG}\n## Node 18 is needed {{#needs}}\n{LONG}\n"
        f"## 2.5 litres of oil {{#litres}}\n{LONG}"
    ),
    "/docs/newsletter": PageSource(f"# Newsletter\n## Post {{#post}}\n{LONG}"),
    "/blog/light": PageSource(f"# Light\n## Day {{#day}}\n{LONG}", source_type="blog"),
    "/docs/wicks": PageSource(f"# Wicks\n## Wick.trim {{#trim}}\n{LONG}", members=frozenset({"trim"})),
    "/api/lantern": PageSource(f"# Lantern\n## Lantern.fill {{#fill}}\n{LONG}", source_type="api"),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(tmp_path_factory.mktemp("priors"), PAGES)


def worth(index: Index, anchor: str, question: str) -> float:
    anchors = {target.target_id: target.anchor for target in index.targets()}
    chunks = [chunk for chunk in index.chunks() if anchors[chunk.target_id] == anchor]
    return float(priors(index, chunks, parse_query(question))[0])


def test_a_section_like_any_other_is_worth_what_it_says(index: Index) -> None:
    assert worth(index, "wick", "How long does the oil last?") == 1.0
    assert worth(index, "post", "How long does the oil last?") == 1.0
    assert worth(index, "undo", "How long does the oil last?") == 1.0
    assert worth(index, "needs", "How long does the oil last?") == 1.0
    assert worth(index, "litres", "How long does the oil last?") == 1.0


@pytest.mark.parametrize("anchor", ["oil", "glass", "v210", "v200", "v19", "new"])
def test_a_list_of_changes_yields_to_everything_else(index: Index, anchor: str) -> None:
    assert worth(index, anchor, "How long does the light last?") == 0.6
    assert worth(index, anchor, "How do I remove old oil?") == 0.6
    assert worth(index, anchor, "How do I upgrade the lantern?") == 0.6


@pytest.mark.parametrize("anchor", ["can", "day"])
def test_what_tells_of_the_past_yields_to_the_guide(index: Index, anchor: str) -> None:
    assert worth(index, anchor, "How long does the light last?") == 0.9


@pytest.mark.parametrize(
    "question",
    ["How do I upgrade to v2?", "what was removed in 2.0", "Which versions are there?", "When was the wick added?"],
)
def test_who_asks_of_versions_finds_release_notes_and_migration_guides(index: Index, question: str) -> None:
    assert worth(index, "oil", question) == worth(index, "v210", question) == 1.0


@pytest.mark.parametrize("question", ["How do I upgrade to v2?", "Are old lanterns supported?"])
def test_who_may_ask_of_the_past_finds_migration_guides(index: Index, question: str) -> None:
    assert worth(index, "can", question) == 1.0


def test_a_list_of_where_to_read_on_yields_to_what_it_leads_to(index: Index) -> None:
    assert worth(index, "further", "How long does the light last?") == 0.85


def test_a_reference_yields_unless_the_question_names_code(index: Index) -> None:
    assert worth(index, "fill", "How do I fill it?") == worth(index, "trim", "How do I fill it?") == 0.9
    asked = "What does Lantern.close return?"
    assert worth(index, "fill", asked) == worth(index, "trim", asked) == 1.0


def test_a_line_under_a_heading_yields(index: Index) -> None:
    assert worth(index, "brief", "How long does the light last?") == 0.9


def test_a_heading_that_says_the_question_wins_whatever_hyphens_case_and_small_words(index: Index) -> None:
    assert worth(index, "timeouts", "what are the timeouts of a task queue?") == pytest.approx(1.1)
    assert worth(index, "timeouts", "How do I raise task queue timeouts on Windows machines?") == pytest.approx(1.05)
    assert worth(index, "timeouts", "How do I raise a timeout?") == 1.0


def test_a_heading_of_one_word_gains_nothing(index: Index) -> None:
    assert worth(index, "wick", "wick") == 1.0


def test_no_chunks_have_no_priors(index: Index) -> None:
    assert priors(index, [], parse_query("wick")).shape == (0,)
