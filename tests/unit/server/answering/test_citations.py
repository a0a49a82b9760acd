from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_server.answerer import Answerer
from pincite_server.answering.citations import MAX_CITATIONS, cite_all, excerpt_of
from pincite_server.answering.corpus.compose import compose_extractive
from pincite_server.question.scope import choose_scope

LONG = "# Cache\n" + "\n".join(
    f"## Cache part {n} {{#part-{n}}}\nThe cache part {n} is cleared by hand.\n" for n in range(7)
)


def cited_pages(answerer: Answerer, query: str) -> list[str]:
    vector = answerer.encode(query).vector
    result = search(answerer.index, vector, parse_query(query), choose_scope(answerer.index)[0].scope_ids, 12)
    passages = compose_extractive(answerer.index, vector, query, result)
    statements = [statement for passage in passages for statement in passage.statements]
    _, citations = cite_all(answerer.index, statements, result.sections)
    return [(citation.url or "").partition("#")[0] for citation in citations]


def test_a_page_that_could_fill_all_five_citations_leaves_one_to_another_page(tmp_path: Path) -> None:
    pages = cited_pages(
        make_answerer(tmp_path, {"/cache": LONG, "/other": "# Other\nA cache exists."}), "clear the cache"
    )
    assert sorted(pages) == ["/cache"] * 4 + ["/other"]


def test_what_is_shown_of_a_place_is_nearest_to_the_question(tmp_path: Path) -> None:
    text = (
        "# Lamp\n## Lamp {#lamp}\nA lamp stands on the table. Colours need a screen. The oil of a lamp costs a penny."
    )
    answerer = make_answerer(tmp_path, {"/lamp": text})
    query = "oil costs a penny"
    vector = answerer.encode(query).vector
    result = search(answerer.index, vector, parse_query(query), choose_scope(answerer.index)[0].scope_ids, 12)
    passages = compose_extractive(answerer.index, vector, query, result)
    statements = [statement for passage in passages for statement in passage.statements]
    assert statements[0].text == "A lamp stands on the table."
    _, citations = cite_all(answerer.index, statements, result.sections)
    assert citations[0].excerpt == "The oil of a lamp costs a penny."


def test_a_page_that_is_all_there_is_fills_all_five(tmp_path: Path) -> None:
    pages = cited_pages(make_answerer(tmp_path, {"/cache": LONG}), "clear the cache")
    assert pages == ["/cache"] * MAX_CITATIONS


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("Run it:\n\n```bash\nhq start\n```", "Run it: hq start"),
        ("````md\n```js\nrun()\n```\n````", "run()"),
        ("Write `hq start`, or ```hq``` alone.", "Write `hq start`, or ```hq``` alone."),
        ("word " * 60, f"{('word ' * 40)[:-1]}…"),
    ],
)
def test_an_excerpt_is_a_line_without_the_fences_of_code(text: str, excerpt: str) -> None:
    assert excerpt_of(text) == excerpt
