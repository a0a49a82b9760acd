"""What a model wants before a question and before a passage: read from its files, known of a family, or given.

Names are chosen as sentence-transformers does (`encode_query`, `encode_document`), with one difference: an empty prompt
for documents that only its own defaults name does not hide one for passages that the model names.
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
"""Models that were trained with prompts, and whose files name none: their pages alone say so."""


@dataclass(frozen=True, slots=True)
class GivenPrompts:
    """What the user wants instead of the model's own prompts; None leaves these as they are."""

    query: str | None = None
    passage: str | None = None

    def over(self, own: Prompts) -> Prompts:
        """Return the prompts to use."""
        query = own.query if self.query is None else self.query
        passage = own.passage if self.passage is None else self.passage
        return Prompts(query, passage)


NO_GIVEN = GivenPrompts()


def folder_prompts(folder: Path, name: str) -> Prompts:
    """Return the prompts of the model in a folder; none where its files cannot be read."""
    try:
        settings = msgspec.json.decode((folder / _SETTINGS).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        settings = {}
    named = settings.get("prompts")
    return prompts_among(named if isinstance(named, dict) else {}, settings.get("default_prompt_name"), name)


def prompts_among(named: Mapping[str, object], default: object, name: str) -> Prompts:
    """Return the prompts for questions and passages among all that a model names.

    Args:
        named: Its prompts by name; models for other tasks as well have a dozen.
        default: The name of the one that goes before every text where nothing else is said; None: none does.
        name: The model's name or the last part of it.
    """
    told = {key: text for key, text in named.items() if isinstance(text, str)}
    passage = next((told[key] for key in _OF_PASSAGES if told.get(key)), "")
    query = told.get("query", "")
    if not told.keys() & {"query", *_OF_PASSAGES}:
        query = passage = told.get(str(default), "")
    if not any(told.values()) and _E5.fullmatch(name.rpartition("/")[2]):
        return Prompts("query: ", "passage: ")
    return Prompts(query, passage)
