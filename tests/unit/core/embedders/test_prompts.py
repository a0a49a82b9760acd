"""What goes before a question and before a passage is what the model's files say, or what the user gives instead."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pincite_core.embedders import GivenPrompts, ModelInfo
from pincite_core.embedders.base import folder_prompts, select_prompts
from pincite_core.types import NO_PROMPTS, Prompts

ARCTIC = {"query": "query: "}
GEMMA = {
    "query": "task: search result | query: ",
    "document": "title: none | text: ",
    "BitextMining": "task: search result | query: ",
    "Retrieval-document": "title: none | text: ",
}
NOMIC = {"query": "search_query: ", "document": "search_document: ", "clustering": "clustering: "}
QWEN = {"query": "Instruct: Given a web search query, retrieve passages\nQuery:", "document": ""}


@pytest.mark.parametrize(
    ("named", "query", "passage"),
    [
        ({}, "", ""),
        (ARCTIC, "query: ", ""),
        (GEMMA, "task: search result | query: ", "title: none | text: "),
        (NOMIC, "search_query: ", "search_document: "),
        (QWEN, QWEN["query"], ""),
        ({"query": "query: ", "passage": "passage: "}, "query: ", "passage: "),
        ({"query": "query: ", "passage": "passage: ", "document": ""}, "query: ", "passage: "),
        ({"query": "q", "corpus": "c"}, "q", "c"),
        ({"query": None, "document": 3}, "", ""),
    ],
)
def test_the_prompts_of_each_family_are_found_by_their_names(
    named: dict[str, object], query: str, passage: str
) -> None:
    assert select_prompts(named, None, "a-model") == Prompts(query, passage)


@pytest.mark.parametrize(
    ("named", "default", "expected"),
    [
        ({"retrieval": "find: "}, "retrieval", Prompts("find: ", "find: ")),  # all that it has, for every text
        ({"query": "q: "}, "query", Prompts("q: ", "")),  # it says which texts are questions
        ({"query": "Query: ", "document": "Document: "}, "document", Prompts("Query: ", "Document: ")),
        ({"retrieval": "find: "}, None, NO_PROMPTS),
        ({"retrieval": "find: "}, "gone", NO_PROMPTS),
    ],
)
def test_a_default_prompt_goes_before_every_text_of_a_model_that_tells_none_apart(
    named: dict[str, object], default: str | None, expected: Prompts
) -> None:
    assert select_prompts(named, default, "a-model") == expected


@pytest.mark.parametrize("name", ["intfloat/multilingual-e5-small", "multilingual-e5-base", "e5-large-v2"])
def test_e5_has_the_prompts_that_its_files_do_not_name(name: str, tmp_path: Path) -> None:
    assert folder_prompts(tmp_path, name) == Prompts("query: ", "passage: ")
    assert select_prompts({"query": "other: "}, None, name) == Prompts("other: ", "")


@pytest.mark.parametrize("name", ["intfloat/multilingual-e5-large-instruct", "my-e5-small-of-cats", "bge-m3"])
def test_no_other_models_name_says_anything(name: str, tmp_path: Path) -> None:
    assert folder_prompts(tmp_path, name) == NO_PROMPTS


@pytest.mark.parametrize("written", ["{", "[]", '{"prompts": ["query: "]}', '{"default_prompt_name": "query"}', "{}"])
def test_unreadable_prompts_of_a_model_are_ignored(tmp_path: Path, written: str) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text(written)
    assert folder_prompts(tmp_path, "a-model") == NO_PROMPTS


def test_given_prompts_override_the_prompts_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": NOMIC}))
    own = folder_prompts(tmp_path, "a-model")
    assert GivenPrompts().over(own) == Prompts("search_query: ", "search_document: ")
    assert GivenPrompts(query="ask: ").over(own) == Prompts("ask: ", "search_document: ")
    assert GivenPrompts(query="", passage="").over(own) == NO_PROMPTS


def test_vectors_of_other_prompts_are_kept_apart() -> None:
    model = ModelInfo("m", "1" * 64, 8, 128)
    others = [replace(model, prompts=prompts) for prompts in (Prompts("a", "b"), Prompts("a", ""), Prompts("", "a"))]
    assert len({one.vectors_key for one in (model, *others)}) == 4
