"""Find the prompts of a model: the prefixes of queries and passages.

Prompts come from the user, the model's files, or a list of known model families. They are selected by name as in
sentence-transformers (`encode_query`, `encode_document`), with one difference. sentence-transformers adds an empty
`document` prompt by default, and this prompt does not override a non-empty `passage` prompt of the model.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pincite_core.types import Prompts

__all__ = ("NO_GIVEN", "GivenPrompts", "folder_prompts", "prompts_among")

_SETTINGS = "config_sentence_transformers.json"
_OF_PASSAGES = ("document", "passage", "corpus")
_E5 = re.compile(r"(?:multilingual-)?e5-(?:small|base|large)(?:-v2|-unsupervised)?")
"""Names of models that were trained with prompts but have none in their files. Only their model cards list them."""


@dataclass(frozen=True, slots=True)
class GivenPrompts:
    """Prompts from the user, which override the model's own prompts. None keeps the model's prompt."""

    query: str | None = None
    passage: str | None = None

    def over(self, own: Prompts) -> Prompts:
        """Return the model's prompts with the user's prompts applied."""
        query = own.query if self.query is None else self.query
        passage = own.passage if self.passage is None else self.passage
        return Prompts(query, passage)


NO_GIVEN = GivenPrompts()


def folder_prompts(folder: Path, name: str) -> Prompts:
    """Return the prompts of the model in a folder. Unreadable settings are treated as empty."""
    try:
        settings = msgspec.json.decode((folder / _SETTINGS).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        settings = {}
    named = settings.get("prompts")
    return prompts_among(named if isinstance(named, dict) else {}, settings.get("default_prompt_name"), name)


def prompts_among(named: Mapping[str, object], default: object, name: str) -> Prompts:
    """Select the query and passage prompts from the named prompts of a model.

    Args:
        named: The model's prompts by name. Models with several tasks have about a dozen.
        default: The name of the model's default prompt, or None.
        name: The model's name, or the last part of the name.
    """
    told = {key: text for key, text in named.items() if isinstance(text, str)}
    passage = next((told[key] for key in _OF_PASSAGES if told.get(key)), "")
    query = told.get("query", "")
    if not told.keys() & {"query", *_OF_PASSAGES}:
        query = passage = told.get(str(default), "")
    if not any(told.values()) and _E5.fullmatch(name.rpartition("/")[2]):
        return Prompts("query: ", "passage: ")
    return Prompts(query, passage)
