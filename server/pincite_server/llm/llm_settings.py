"""The operator's settings of the language model, read from the environment alone."""

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
_TEXTS = frozenset({"base_url", "model", "plan_model", "api_key", "role", "verify"})
_DEFAULT_OPTIONS: Mapping[str, Any] = {"max_tokens": 800, "temperature": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """The endpoint and its limits. A field's variable is `PINCITE_LLM_` with the field's name in capitals."""

    base_url: str  # URL of an OpenAI-compatible API, with its version: `https://api.example.com/v1`; unset: no model
    model: str  # the model's name at the endpoint
    plan_model: str = ""  # a cheaper model at the same endpoint for the search queries; empty: `model` writes them
    api_key: str = field(default="", repr=False)  # sent as `Authorization: Bearer`; most local servers need none
    role: Role = "write"  # whether the model is to `write` answers, or only to `judge` quoted answers
    options: Mapping[str, Any] = field(default_factory=lambda: dict(_DEFAULT_OPTIONS))  # further fields of the request
    evidence_tokens: int = 6000  # docs text in the prompt of an answer, in estimated tokens; at most twelve sections
    answer_tokens: int = 16_000  # prompt and completion tokens of all requests for one answer; 0 is no limit
    plan_seconds: float = 4.0  # wait for the search queries; after that, the answer uses the reader's own words
    connect_seconds: float = 5.0  # without a connection after this time, the endpoint counts as unreachable
    first_token_seconds: float = 20.0  # wait for the first token, all attempts together, and for each further token
    total_seconds: float = 90.0  # time of one request in total
    retries: int = 2  # after 429, a 5xx or a lost connection; only before the first token
    daily_calls: int = 2000  # requests a day (UTC); after that, answers are extractive again; 0 is no limit
    daily_tokens: int = 0  # prompt and completion tokens a day (UTC), as for `daily_calls`
    verify: Verify = "doubtful"  # which sentences of its answer the model verifies: none, the doubtful ones, or all

    def __post_init__(self) -> None:
        parts = parse_url(self.base_url)
        if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
            message = f"{LLM_PREFIX}BASE_URL is no address of an API. Write it as https://api.example.com/v1."
            raise InputError(message)
        if not self.model:
            message = f"{LLM_PREFIX}MODEL is missing. Name the model that the endpoint is to use."
            raise InputError(message)
        for name, choices in (("role", get_args(Role)), ("verify", get_args(Verify))):
            _require(name, getattr(self, name) in choices, f"one of {', '.join(choices)}")
        for name in ("retries", "daily_calls", "daily_tokens", "answer_tokens"):
            _require(name, getattr(self, name) >= 0, "0 or more")
        for name in ("evidence_tokens", "plan_seconds", "connect_seconds", "first_token_seconds", "total_seconds"):
            value = getattr(self, name)
            _require(name, value > 0 and math.isfinite(value), "more than 0")

    @property
    def host(self) -> str:
        """The endpoint's host; "" if `base_url` has none."""
        parts = parse_url(self.base_url)
        return (parts.hostname if parts else None) or ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self | None:
        """Return the settings, or None if no endpoint is set.

        Raises:
            InputError: A variable has an invalid value. The message never shows the key.
        """
        given = {
            name: value.strip()
            for name in cls.__dataclass_fields__
            if (value := environment.get(f"{LLM_PREFIX}{name.upper()}", "")).strip()
        }
        if "base_url" not in given:
            return None
        values: dict[str, Any] = {"model": "", **given}
        for name in given.keys() - _TEXTS:
            kind: Any = cls.__dataclass_fields__[name].type
            try:
                values[name] = msgspec.json.decode(given[name], type=kind)
            except (msgspec.MsgspecError, UnicodeEncodeError) as error:
                described = {int: "a whole number", float: "a number"}.get(kind, "a JSON object")
                message = f"{LLM_PREFIX}{name.upper()} must be {described}."
                raise InputError(message) from error
        return cls(**values)


def _require(name: str, holds: bool, requirement: str) -> None:
    if not holds:
        message = f"{LLM_PREFIX}{name.upper()} must be {requirement}."
        raise InputError(message)
