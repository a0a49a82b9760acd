from dataclasses import replace
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_core.quoting.unit_facts import asks_how, role_of
from pincite_core.rules import PASSAGES
from pincite_core.search.query import parse_query
from pincite_server.answerer import Answerer
from pincite_server.answering.corpus.compose import MAX_PASSAGES, Passage, Statement, compose_extractive
from pincite_server.answering.pipeline import answer, prepare
from pincite_server.answering.retrieve import retrieve_distinct
from pincite_server.question.question import Question
from pincite_server.question.resolve import resolve
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer

LORE = "\n\n".join(f"Sailors of harbour {number} told stories about whales, storms and gulls." for number in range(40))
"""What makes a section too long to be quoted as a whole, and has nothing to do with the questions."""

PAGES = {
    "/docs/cache": f"""# Cache
## Clearing the cache {{#clearing}}
Clear the cache with the command `lantern cache clear`. The cache is rebuilt on the next start. Clearing the cache
takes a second. The cache holds pages. Caches are <b>good</b> and *fast*.

{LORE}

```sh
lantern cache clear --all
```

## Cache options {{#options}}
| Option: cache size; Type: number; Default: 64 MB | {{#cache-size}}
| Option: cache path; Type: string; Default: .cache | {{#cache-path}}

See the cache guide for more about the cache.
""",
    "/docs/retries": """# Retries
## Retry limit {#limit}
The retry limit is three. What is the retry limit? Failed requests are retried with a delay.
""",
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("compose"), PAGES)


def compose(answerer: Answerer, query: str) -> tuple[Statement, ...]:
    return tuple(statement for passage in passages(answerer, query) for statement in passage.statements)


def passages(answerer: Answerer, query: str) -> tuple[Passage, ...]:
    encoded = answerer.encode(query)
    result = retrieve_distinct(answerer, encoded, parse_query(query), choose_scope(answerer.index)[0])
    return compose_extractive(answerer.index, encoded.vector, query, result)


QUESTIONS = ["How do I clear the cache?", "cache size option", "retry limit", "cache and retries", "pages"]


@pytest.mark.parametrize("query", QUESTIONS)
def test_every_statement_is_a_whole_unit_of_the_docs_word_for_word(answerer: Answerer, query: str) -> None:
    statements = compose(answerer, query)
    assert statements
    for statement in statements:
        units = answerer.index.units_of_chunks([statement.chunk.chunk_id])
        assert statement.text in {statement.chunk.text[unit.start : unit.end] for unit in units}


def test_of_a_long_section_two_places_of_three_sentences_are_quoted_and_a_code_block(answerer: Answerer) -> None:
    kinds = [statement.kind for statement in passages(answerer, "How do I clear the cache?")[0].statements]
    assert kinds.count("code") == 1
    assert PASSAGES.sentences <= len(kinds) - kinds.count("code") <= 2 * PASSAGES.sentences


@pytest.mark.parametrize("query", QUESTIONS)
def test_there_are_at_most_five_passages(answerer: Answerer, query: str) -> None:
    assert 0 < len(passages(answerer, query)) <= MAX_PASSAGES


@pytest.mark.parametrize("query", QUESTIONS)
def test_inside_a_passage_statements_are_of_one_section_and_keep_its_order(answerer: Answerer, query: str) -> None:
    for passage in passages(answerer, query):
        places = [(item.chunk.chunk_id, item.start) for item in passage.statements]
        assert places == sorted(places)
        assert {item.chunk.target_id for item in passage.statements} == {passage.section.target_id}


def test_a_question_that_asks_how_gets_the_code(answerer: Answerer) -> None:
    assert [item.kind for item in compose(answerer, "How do I clear the cache?")].count("code") == 1


def test_a_question_that_asks_what_gets_none(answerer: Answerer) -> None:
    assert "code" not in [item.kind for item in compose(answerer, "What clears the cache?")]


def test_a_table_row_answers_as_a_sentence_and_is_cited_itself(answerer: Answerer) -> None:
    first = compose(answerer, "default cache size option")[0]
    assert first.text == "Option: cache size; Type: number; Default: 64 MB"
    assert answerer.index.target(first.target_id).anchor == "cache-size"


def test_a_sentence_that_only_asks_is_passed_over_for_one_that_tells(answerer: Answerer) -> None:
    texts = [item.text for item in compose(answerer, "What is the retry limit?")]
    assert "The retry limit is three." in texts
    assert "What is the retry limit?" not in texts


def test_each_statement_carries_the_marker_of_its_own_target(answerer: Answerer) -> None:
    outcome = prepare(resolve(answerer, Question("cache size and cache path options"))).outcome
    reply = outcome.reply
    assert isinstance(reply, Answer)
    by_number = {citation.n: citation.anchor for citation in reply.citations if citation.used}
    for delta in reply.text.splitlines():
        if not delta.endswith("]"):
            continue
        number = int(delta.rstrip("]").rsplit("[", 1)[1])
        if "cache size" in delta:
            assert by_number[number] == "cache-size"
        if "cache path" in delta:
            assert by_number[number] == "cache-path"


def test_numbers_count_up_in_the_order_they_are_read(answerer: Answerer) -> None:
    reply = answer(answerer, Question("How do I clear the cache and what is the retry limit?"))
    assert isinstance(reply, Answer)
    used = [citation.n for citation in reply.citations if citation.used]
    assert used == list(range(1, len(used) + 1))
    assert [citation.used for citation in reply.citations] == sorted(
        (citation.used for citation in reply.citations), reverse=True
    )


def test_what_two_pages_say_in_the_same_words_is_said_once(tmp_path: Path) -> None:
    text = "# Page\n## Timeout {#t}\nThe timeout is thirty seconds."
    answerer = make_answerer(tmp_path, {"/a": text, "/b": text})
    assert [item.text for item in compose(answerer, "timeout seconds")] == ["The timeout is thirty seconds."]


LEASES = """# Leases
## Lease {#lease}
Version 3 renamed the lease. A lease lasts 60 seconds. A lease has 2 owners. A lease file may take 4 KB.
"""


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("How long is a lease?", "A lease lasts 60 seconds."),
        ("How big is a lease?", "A lease file may take 4 KB."),
    ],
)
def test_a_number_of_the_kind_that_was_asked_for_answers(tmp_path: Path, query: str, text: str) -> None:
    assert text in [item.text for item in compose(make_answerer(tmp_path, {"/leases": LEASES}), query)]


def test_a_row_about_another_case_does_not_answer(tmp_path: Path) -> None:
    cases = "\n".join(f"| Case: shell {number}; Lease: {number} s |" for number in range(10, 18))
    rows = f"# Guide\n## Table {{#t}}\nNames of it.\n\n{cases}\n| Lease: 60 s; At: night |"
    texts = [item.text for item in compose(make_answerer(tmp_path, {"/leases": rows}), "How long is a lease?")]
    assert "Lease: 60 s; At: night" in texts
    assert not [text for text in texts if text.startswith("Case")]


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("How do I mock a module?", "en"),
        ("example of a reducer", "en"),
        ("Wie leere ich den Cache?", "de"),
        ("如何清除缓存", "zh"),
        ("Làm sao xóa cache?", "vi"),
    ],
)
def test_asking_how_is_understood_in_several_languages(query: str, language: str) -> None:
    assert asks_how(query, language)


def test_asking_what_is_not_asking_how() -> None:
    assert not asks_how("What is a reducer?")


@pytest.mark.parametrize("query", ["How long does a lease last?", "how many retries are there"])
def test_asking_for_a_number_is_not_asking_how(query: str) -> None:
    assert not asks_how(query)


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("The cache is rebuilt.", "stands"),
        ("It is rebuilt on the next start.", "leans"),
        ("Now the cache is rebuilt.", "leans"),
        ("See the cache guide for more.", "refers"),
        ("Run one of these commands:", "announces"),
        ("Yes.", "fragment"),
        ("Is the cache rebuilt?", "asks"),
    ],
)
def test_what_a_sentence_is_without_its_neighbours(text: str, stance: str) -> None:
    assert role_of(text, "prose") == stance


def test_a_sentence_of_a_script_without_blanks_is_not_brief_on_a_page_in_another_language() -> None:
    assert role_of("租约持续30秒。", "prose", "en") == "stands"
    assert role_of("リースは三十秒続く。", "prose", "de") == "stands"


FAQ = {
    "/faq": f"""# Questions
## May a job run for hours? {{#long}}
Yes. Heartbeats renew the lease of a long job. Only silence is limited.
## How is a token replaced? {{#token}}
A token is replaced with `lantern token rotate`. It stays valid for an hour. Tokens are long. Lamps burn oil.

{LORE}

## How do I start a lamp? {{#start}}
Start it like this:

```sh
lantern start
```
""",
    "/schedule": "# Schedules\n## Hours {#hours}\nA job that is scheduled runs at the hour. Hours are counted in UTC.",
}


@pytest.fixture(scope="module")
def faq(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("faq"), FAQ)


def test_a_section_titled_like_the_question_answers_with_its_opening_and_the_yes_before_it(faq: Answerer) -> None:
    texts = [item.text for item in compose(faq, "May a job run for hours?")]
    assert texts[:2] == ["Yes.", "Heartbeats renew the lease of a long job."]


def test_a_sections_opening_is_read_for_three_sentences(faq: Answerer) -> None:
    texts = [item.text for item in passages(faq, "token replaced")[0].statements]
    assert texts[:3] == [
        "A token is replaced with `lantern token rotate`.",
        "It stays valid for an hour.",
        "Tokens are long.",
    ]


def test_what_a_sentence_announces_is_shown_with_it(faq: Answerer) -> None:
    assert [item.kind for item in passages(faq, "start a lamp")[0].statements] == ["prose", "code"]


@pytest.mark.parametrize("query", ["hour it stays valid", "token valid hour", "what stays valid"])
def test_a_sentence_that_leans_back_is_never_first(faq: Answerer, query: str) -> None:
    statements = compose(faq, query)
    assert role_of(statements[0].text, statements[0].kind) != "leans"


SENDING = {
    "/cloud": """# Cloud
## Lamps {#lamps}
A lamp in the cloud is paid by the hour. See the wick guide for wicks.

[wick guide](/wicks)
""",
    "/wicks": """# Wicks
This page tells of cotton and of gardens.

## Trimming {#trimming}
Scissors trim it once a week.

## Soaking a wick {#soaking}
Before its first use a wick is soaked in vinegar.
""",
}


def compose_from(answerer: Answerer, query: str, url: str) -> list[str]:
    """Return the sections that passages are of when the search found the one at `url` alone."""
    encoded = answerer.encode(query)
    result = retrieve_distinct(answerer, encoded, parse_query(query), choose_scope(answerer.index)[0])
    target = answerer.index.target_at(url)
    assert target is not None
    found = replace(result, sections=tuple(one for one in result.sections if one.target_id == target.target_id))
    composed = compose_extractive(answerer.index, encoded.vector, query, found)
    return [answerer.index.target(passage.section.target_id).title for passage in composed]


def test_what_a_section_sends_the_reader_to_follows_it_when_that_is_nearer_to_the_question(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, SENDING)
    assert compose_from(answerer, "soaking a wick in vinegar before its first use", "/cloud#lamps") == [
        "Lamps",
        "Soaking a wick",
    ]


def test_what_a_section_sends_the_reader_to_stays_away_when_it_is_farther_from_the_question(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, SENDING)
    assert compose_from(answerer, "a lamp in the cloud is paid by the hour", "/cloud#lamps") == ["Lamps"]


def test_a_section_that_only_sends_the_reader_to_a_page_gives_its_place_to_the_nearest_section_there(
    tmp_path: Path,
) -> None:
    only = {**SENDING, "/cloud": "# Cloud\n## Lamps {#lamps}\nSee the wick guide.\n\n[wick guide](/wicks)\n"}
    answerer = make_answerer(tmp_path, only)
    assert compose_from(answerer, "soaking a wick for lamps", "/cloud#lamps") == ["Soaking a wick"]
