"""What an operator sets to let a language model write or judge the answers; all of it from the environment alone."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

import msgspec

from pincite_core.errors import InputError
from pincite_core.urls import parse_url

__all__ = ("LLM_PREFIX", "LlmSettings", "Role", "Verify")

LLM_PREFIX = "PINCITE_LLM_"
Role = Literal["write", "judge"]
Verify = Literal["off", "doubtful", "all"]
_AS_THEY_ARE = frozenset({"base_url", "model", "plan_model", "api_key", "role", "verify"})
_DEFAULT_OPTIONS: Mapping[str, Any] = {"max_tokens": 800, "temperature": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """The endpoint and its limits; the variable of a field is `PINCITE_LLM_` and its name in capitals."""

    base_url: str
    """The address of an OpenAI-compatible API, with its version: `https://api.example.com/v1`. Unset: no model."""

    model: str
    """The model's name, as the endpoint knows it."""

    plan_model: str = ""
    """A cheaper model at the same endpoint for the search queries; empty: `model` writes them too."""

    api_key: str = field(default="", repr=False)
    """Sent as `Authorization: Bearer`; local servers mostly need none."""

    role: Role = "write"
    """Whether it is to `write` the answers, or to `judge` those that are quoted, and not one word is its own."""

    options: Mapping[str, Any] = field(default_factory=lambda: dict(_DEFAULT_OPTIONS))
    """Further fields of the request, a JSON object: some models want `max_completion_tokens`, or no temperature."""

    evidence_tokens: int = 6000
    """How much of the docs the model reads for one answer, in estimated tokens; at most twelve sections."""

    answer_tokens: int = 16_000
    """Tokens that all requests of one answer may read and write together; 0 is no limit."""

    plan_seconds: float = 4.0
    """How long an answer waits for the search queries before it goes on with the reader's own words."""

    connect_seconds: float = 5.0
    """After how long without a connection the endpoint counts as unreachable."""

    first_token_seconds: float = 20.0
    """How long a reader waits for the first token, attempts together, and for each next one, before it has failed."""

    total_seconds: float = 90.0
    """How long one request may take in all."""

    retries: int = 2
    """How often a request is repeated after 429, a 5xx or a lost connection, before the first token only."""

    daily_calls: int = 2000
    """Requests a day (UTC) until answers are extractive again; 0 is no limit."""

    daily_tokens: int = 0
    """Tokens a day (UTC), read and written, until answers are extractive again; 0 is no limit."""

    verify: Verify = "doubtful"
    """Which sentences of its answer the model checks again: none (`off`), the `doubtful` ones, or `all`."""

    def __post_init__(self) -> None:
        parts = parse_url(self.base_url)
        if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
            message = f"{LLM_PREFIX}BASE_URL is no address of an API. Write it as https://api.example.com/v1."
            raise InputError(message)
        if not self.model:
            message = f"{LLM_PREFIX}MODEL is missing. Name the model that the endpoint is to use."
            raise InputError(message)
        _require("role", self.role in get_args(Role), f"one of {', '.join(get_args(Role))}")
        _require("verify", self.verify in get_args(Verify), f"one of {', '.join(get_args(Verify))}")
        for name in ("retries", "daily_calls", "daily_tokens", "answer_tokens"):
            _require(name, getattr(self, name) >= 0, "0 or more")
        for name in ("evidence_tokens", "plan_seconds", "connect_seconds", "first_token_seconds", "total_seconds"):
            value = getattr(self, name)
            _require(name, value > 0 and math.isfinite(value), "more than 0")

    @property
    def host(self) -> str:
        """The endpoint's host; empty when `base_url` is no URL."""
        parts = parse_url(self.base_url)
        return (parts.hostname if parts else None) or ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self | None:
        """Return the settings, or None when no endpoint is named.

        Raises:
            InputError: A variable has a value that cannot be used. The message never shows the key.
        """
        given = {
            name: value.strip()
            for name in cls.__dataclass_fields__
            if (value := environment.get(f"{LLM_PREFIX}{name.upper()}", "")).strip()
        }
        if "base_url" not in given:
            return None
        values: dict[str, Any] = {"model": "", **given}
        for name in given.keys() - _AS_THEY_ARE:
            values[name] = _parsed(name, given[name], cls.__dataclass_fields__[name].type)
        return cls(**values)


def _parsed(name: str, text: str, wanted: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=wanted)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        kind = {int: "a whole number", float: "a number"}.get(wanted, "a JSON object")
        message = f"{LLM_PREFIX}{name.upper()} must be {kind}."
        raise InputError(message) from error


def _require(name: str, holds: bool, what: str) -> None:
    if not holds:
        message = f"{LLM_PREFIX}{name.upper()} must be {what}."
        raise InputError(message)
