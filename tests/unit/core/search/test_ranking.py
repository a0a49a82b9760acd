import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.factories import PageSource, build_index, make_scope

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.candidates import gather_candidates
from pincite_core.search.fusion import FIRST_PLACE, OTHER_PLACES, FusionWeights
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import SearchResult, search

PAGES = {
    "/docs/install": """# Install
Lantern runs on Linux and macOS.

## Requirements {#requirements}
Lantern needs Python 3.11 or newer. It uses 200 MB of memory.

## Proxies {#proxies}
Set the proxy with the flag `--no-cache` off.
""",
    "/docs/config": """# Configuration
## Options {#options}
Options are read from lantern.toml.

| Option: timeout; Type: number; Default: 30 | {#opt-timeout}
| Option: colour; Type: string; Default: amber | {#opt-colour}
""",
    "/zh/docs/intro": """# 介绍
## 安装指南 {#an-zhuang}
灯笼需要网络连接才能下载模型文件。
""",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(tmp_path_factory.mktemp("search"), PAGES)


def find(index: Index, query: str, scope_ids: tuple[int, ...] = (1,), k: int = 5) -> SearchResult:
    (asked,) = FakeEmbedder().encode_with_tokens([query])
    return search(index, asked.vector, parse_query(query), scope_ids, k, query_tokens=asked.tokens)


def landing(index: Index, result: SearchResult) -> str:
    return index.target(result.sections[0].landing_id).anchor


def test_the_section_that_speaks_of_the_question_comes_first(index: Index) -> None:
    assert landing(index, find(index, "Which Python does Lantern need?")) == "requirements"


def test_a_row_that_matched_is_where_the_reader_lands(index: Index) -> None:
    result = find(index, "default timeout option")
    assert landing(index, result) == "opt-timeout"
    assert index.target(result.sections[0].target_id).anchor == "options"


def test_a_flag_finds_its_section_by_its_exact_spelling(index: Index) -> None:
    assert landing(index, find(index, "--no-cache")) == "proxies"


def test_a_chinese_question_finds_chinese_text_without_a_segmenter(index: Index) -> None:
    assert landing(index, find(index, "下载模型")) == "an-zhuang"


def test_a_misspelled_word_finds_what_the_site_spells_otherwise(index: Index) -> None:
    assert landing(index, find(index, "which pythno is needed")) == "requirements"
    written, meant = (find(index, query).signals for query in ("which pythno", "which python"))
    assert (written.coverage, meant.coverage) == (0.0, 1.0)
    assert written.bm25 == 0.0 < meant.bm25


@pytest.mark.parametrize(
    ("query", "found"),
    [("which pythno", True), ("is the Pythno interpreter there", False), ("set pythno.timeout", False)],
)
def test_names_and_code_are_never_respelled(index: Index, query: str, found: bool) -> None:
    by_words = FusionWeights(**{**dict.fromkeys(FusionWeights.__slots__, 0.0), "body": 1.0})
    best = search(index, FakeEmbedder().encode([query])[0], parse_query(query), (1,), 1, by_words).sections[0]
    assert ("Python" in best.chunk.text) == found


def test_the_best_share_is_the_most_that_one_text_of_the_scopes_holds(index: Index) -> None:
    weighted = {"python": 3.0, "amber": 1.0}  # in two sections, never together
    assert index.max_matched_share(weighted, (1,)) == pytest.approx(0.75)
    assert index.max_matched_share({"lantern": 1.0}, (1,)) == 1.0
    assert index.max_matched_share({"zeppelin": 1.0}, (1,)) == index.max_matched_share({}, (1,)) == 0.0
    assert index.max_matched_share(weighted, (99,)) == 0.0


@given(st.lists(st.floats(0.01, 12), min_size=1, max_size=9), st.randoms(use_true_random=False))
@example([0.1, 0.2, 0.3], random.Random(0))
def test_a_share_of_the_query_is_the_same_for_any_order_of_its_terms(
    index: Index, weights: list[float], order: random.Random
) -> None:
    # Terms come from sets, whose order is another in each process: what ties in one must tie in all of them.
    result = replace(find(index, "amber"), idf={str(number): weight for number, weight in enumerate(weights)})
    terms = list(result.idf)[:-1]
    share = result.share_of_query(dict.fromkeys(terms).keys())
    for _ in range(4):
        order.shuffle(terms)
        assert result.share_of_query(dict.fromkeys(terms).keys()) == share


def test_each_chunks_tokens_are_compared_with_the_questions(index: Index) -> None:
    (asked,) = FakeEmbedder().encode_with_tokens(["Python memory"])
    candidates = gather_candidates(index, asked.vector, parse_query("Python memory"), (1,), asked.tokens)
    near = dict(zip((chunk.text for chunk in candidates.chunks), candidates.scores["tokens"], strict=True))
    best = max(near, key=lambda text: near[text])
    assert "200 MB of memory" in best
    assert near[best] > 0.9 > sorted(near.values())[-2]


def test_a_title_that_says_what_was_asked_scores_in_every_section_of_that_title(index: Index) -> None:
    query = parse_query("Requirements")
    candidates = gather_candidates(index, FakeEmbedder().encode([query.text])[0], query, (1,))
    titles = index.titles_by_id(chunk.target_id for chunk in candidates.chunks)
    near = {
        titles[chunk.target_id].text: score
        for chunk, score in zip(candidates.chunks, candidates.scores["title"], strict=True)
    }
    assert near["Requirements"] == pytest.approx(1.0, abs=0.01)
    assert sorted(near.values())[-2] < 0.9


def test_an_index_or_a_question_without_tokens_is_searched_without_that_ranker(index: Index) -> None:
    query = "Which Python does Lantern need?"
    alone = search(index, FakeEmbedder().encode([query])[0], parse_query(query), (1,), 5)
    assert landing(index, alone) == "requirements"
    assert alone.sections[0].score <= 1


def test_scores_fall_from_first_to_last_and_stay_between_0_and_1(index: Index) -> None:
    scores = [section.score for section in find(index, "Lantern options").sections]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_section_is_listed_once(index: Index) -> None:
    found = [section.target_id for section in find(index, "Lantern Python memory option", k=20).sections]
    assert len(found) == len(set(found))


def test_a_scope_without_chunks_finds_nothing(index: Index) -> None:
    result = find(index, "Python", scope_ids=(99,))
    assert result.sections == ()
    assert result.signals.best_chunk == 0.0


def test_a_question_of_blanks_and_marks_still_gets_an_answer_of_some_kind(index: Index) -> None:
    assert find(index, "???").signals.coverage == 0.0


def test_words_that_the_site_lacks_lower_the_coverage(index: Index) -> None:
    known = find(index, "Python memory").signals.coverage
    foreign = find(index, "Python zeppelin").signals.coverage
    assert known == 1.0
    assert foreign < 0.6


def test_quotes_and_operators_in_a_question_are_only_words(index: Index) -> None:
    assert find(index, 'Python" OR body:* NEAR(a b) -"').sections


def test_the_same_words_in_another_version_are_not_found(tmp_path: Path) -> None:
    scopes = (make_scope(1, version="2.0"), make_scope(2, version="1.0", is_last=False))
    pages = {
        "/docs/cache": "# Cache\nThe cache keeps pages for an hour.",
        "/docs/1.0/cache": "# Cache\nThe cache keeps pages for an hour.",
    }
    sources = {url: PageSource(text, 2 if "1.0" in url else 1) for url, text in pages.items()}
    index = build_index(tmp_path, sources, scopes=scopes)
    found = find(index, "cache pages hour", scope_ids=(2,))
    assert {section.chunk.scope_id for section in found.sections} == {2}


def test_an_error_code_finds_the_place_that_names_it_before_any_that_is_only_near(tmp_path: Path) -> None:
    pages = {
        "/a": "# Errors\n## Errors of Lantern {#near}\nLantern errors, and what each of the Lantern errors can mean.",
        "/b": "# Lamps\n## Oil {#oil}\nThe oil is out: LN-1202. Fill it up before the night.",
        "/c": "# Numbers\n## Others {#others}\nLN-1203 and LN-1301 mean errors of Lantern.",
    }
    index = build_index(tmp_path, pages)
    assert landing(index, find(index, "Lantern oil error LN-1202")) == "oil"
    assert landing(index, find(index, "Lantern oil errors")) != "oil"


def test_a_name_that_the_best_sections_do_not_hold_weakens_the_evidence(index: Index) -> None:
    assert find(index, "which version of Gradle does the server need").signals.unknown_name == 1.0
    assert find(index, "which version of Python does the server need").signals.unknown_name == 0.0
    assert find(index, "which version of gradle does the server need").signals.unknown_name == 0.0


def test_every_chunk_of_a_page_is_scored_by_its_page_title_however_many_there_are(tmp_path: Path) -> None:
    sections = "\n".join(f"## Part {number} {{#part-{number}}}\nText number {number}.\n" for number in range(150))
    others = {f"/docs/{number}": f"# Other {number}\nSomething else." for number in range(160)}
    index = build_index(tmp_path, {"/docs/lantern": f"# Lantern\n{sections}", **others})
    vector = FakeEmbedder().encode(["lantern number 149"])[0]
    candidates = gather_candidates(index, vector, parse_query("lantern number 149"), (1,))
    of_page = np.array([index.page(chunk.page_id).title == "Lantern" for chunk in candidates.chunks])
    assert of_page.sum() > 100
    assert not np.isnan(candidates.scores["page"][of_page]).any()


def test_a_line_under_a_heading_yields_to_the_section_that_explains(tmp_path: Path) -> None:
    full = "Wicks are trimmed before they are lit. " + "Trim wicks slowly with sharp scissors. " * 6
    brief = "# Care\n## Trimming wicks {#brief}\nSee the manual.\n"
    pages = {"/docs/a": brief, "/docs/b": f"# Use\n## Trimming wicks {{#full}}\n{full}\n"}
    index = build_index(tmp_path, pages)
    assert landing(index, find(index, "trimming wicks")) == "full"


def test_a_question_in_plain_words_finds_the_guide_and_one_that_names_a_member_the_reference(tmp_path: Path) -> None:
    text = "The wick of a lantern is trimmed by trimWick, before the lantern is lit, so that it burns evenly and long."
    sources = {
        "/api/lantern": PageSource(f"# Lantern\n## Wick {{#member}}\n{text}", source_type="api"),
        "/docs/lantern": PageSource(f"# Lantern\n## Wick {{#guide}}\n{text}"),
    }
    index = build_index(tmp_path, sources)
    assert landing(index, find(index, "how is the wick of a lantern trimmed")) == "guide"
    assert landing(index, find(index, "what does trimWick do to the wick of a lantern")) == "member"


def test_a_candidate_is_worth_more_for_what_else_of_its_page_is_near(index: Index) -> None:
    asked = FakeEmbedder().encode(["Lantern needs Python"])[0]
    found = gather_candidates(index, asked, parse_query("Lantern needs Python"), (1,))
    for chunk, around in zip(found.chunks, found.scores["around"], strict=True):
        near = sorted(
            (
                cosine
                for other, cosine in zip(found.chunks, found.scores["dense"], strict=True)
                if other.page_id == chunk.page_id
            ),
            reverse=True,
        )
        assert around == pytest.approx(float(np.mean(near[:3])))


def test_names_choose_the_first_section_and_symptoms_the_others(tmp_path: Path) -> None:
    pages: dict[str, PageSource] = {
        "/docs/update": "# Update\n## Update {#update}\nIt brings what is new.\n",
        "/docs/network": "# Network\n## Connections {#connections}\nWork behind a proxy: set http.proxy and update.\n",
        "/docs/proxy": "# Proxy\n## Proxy server {#server}\n"
        "It stands between two networks and forwards what it is told.\n",
        "/docs/time": "# Time\n## Clocks {#clocks}\n"
        "When a clock is slow, set the time again and wait for the update.\n",
        "/docs/other": "# Other\n## Colours {#colours}\nAmber and green are the colours of lanterns.\n",
    }
    index, query = build_index(tmp_path, pages), parse_query("set the proxy")
    vector = FakeEmbedder().encode([query.text])[0]
    both = search(index, vector, query, (1,), 4).sections
    first, others = (search(index, vector, query, (1,), 4, weights).sections for weights in (FIRST_PLACE, OTHER_PLACES))
    assert first[0].target_id != others[0].target_id
    assert both[0].target_id == first[0].target_id
    rest = [section.target_id for section in others if section.target_id != first[0].target_id]
    assert [section.target_id for section in both[1:]] == rest
    assert both[0].score == others[0].score
