import dataclasses

import pytest

from pincite_core.errors import InputError
from pincite_server.llm.llm_settings import LlmSettings

BASE = {"PINCITE_LLM_BASE_URL": "https://api.example.com/v1", "PINCITE_LLM_MODEL": "small"}


def test_without_an_address_there_is_no_model():
    assert LlmSettings.from_environment({"PINCITE_LLM_MODEL": "small", "PINCITE_LLM_API_KEY": "k"}) is None
    assert LlmSettings.from_environment({**BASE, "PINCITE_LLM_BASE_URL": " "}) is None


@pytest.mark.parametrize("url", ["http://[::1/v1", "api.example.com", "ftp://a/v1", "http://a:99999/v1", "http:///v1"])
def test_an_address_that_is_none_is_refused_with_an_example(url: str):
    with pytest.raises(InputError, match=r"PINCITE_LLM_BASE_URL is no address.*https://api\.example\.com/v1"):
        LlmSettings.from_environment({**BASE, "PINCITE_LLM_BASE_URL": url})


def test_everything_can_be_set_by_the_environment():
    given = {
        "API_KEY": "sk-1",
        "OPTIONS": '{"max_completion_tokens": 800}',
        "PLAN_MODEL": "tiny",
        "PLAN_SECONDS": "2.5",
        "EVIDENCE_TOKENS": "1500",
        "ANSWER_TOKENS": "9000",
        "CONNECT_SECONDS": "1.5",
        "FIRST_TOKEN_SECONDS": "7",
        "TOTAL_SECONDS": "30",
        "RETRIES": "0",
        "DAILY_CALLS": "10",
        "DAILY_TOKENS": "5000",
        "ROLE": "write",
        "VERIFY": "doubtful",
    }
    settings = LlmSettings.from_environment({**BASE, **{f"PINCITE_LLM_{name}": value for name, value in given.items()}})
    assert settings == LlmSettings(
        base_url="https://api.example.com/v1",
        model="small",
        api_key="sk-1",
        options={"max_completion_tokens": 800},
        plan_model="tiny",
        plan_seconds=2.5,
        evidence_tokens=1500,
        answer_tokens=9000,
        connect_seconds=1.5,
        first_token_seconds=7.0,
        total_seconds=30.0,
        retries=0,
        daily_calls=10,
        daily_tokens=5000,
        role="write",
        verify="doubtful",
    )
    assert len(given) + 2 == len(dataclasses.fields(LlmSettings))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASE_URL", "api.example.com"),
        ("BASE_URL", "file:///etc/passwd"),
        ("MODEL", ""),
        ("OPTIONS", "max_tokens=5"),
        ("OPTIONS", "[1]"),
        ("EVIDENCE_TOKENS", "many"),
        ("EVIDENCE_TOKENS", "0"),
        ("PLAN_SECONDS", "0"),
        ("ANSWER_TOKENS", "-1"),
        ("RETRIES", "-1"),
        ("RETRIES", "1.5"),
        ("TOTAL_SECONDS", "0"),
        ("TOTAL_SECONDS", "NaN"),
        ("DAILY_CALLS", "-5"),
        ("ROLE", "read"),
        ("VERIFY", "some"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_its_variables_name(name: str, value: str):
    with pytest.raises(InputError, match=f"PINCITE_LLM_{name}"):
        LlmSettings.from_environment({**BASE, f"PINCITE_LLM_{name}": value})


def test_a_judge_may_leave_the_second_look_as_it_is():
    judge = LlmSettings.from_environment({**BASE, "PINCITE_LLM_ROLE": "judge"})
    assert judge is not None
    assert (judge.role, judge.verify) == ("judge", "doubtful")


def test_the_key_is_never_shown():
    settings = LlmSettings.from_environment({**BASE, "PINCITE_LLM_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(settings)
    with pytest.raises(InputError) as caught:
        LlmSettings.from_environment({**BASE, "PINCITE_LLM_API_KEY": "sk-secret", "PINCITE_LLM_RETRIES": "x"})
    assert "sk-secret" not in str(caught.value)
