import pytest

from pincite_core.errors import InputError
from pincite_server.policy import Policy


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Policy.from_environment({}) == Policy()


def test_every_variable_is_read() -> None:
    policy = Policy.from_environment(
        {
            "PINCITE_EVIDENCE_THRESHOLD": "0.6",
            "PINCITE_GUARDS": "strict",
            "ENABLE_VALIDATORS": "False",
            "VALIDATOR_EVIDENCE_THRESHOLD": "0.2",
            "PINCITE_GROUNDING": "adr-003",
            "PINCITE_BLOCKED_TOPICS": "blockchain, crypto currency,",
        }
    )
    assert policy == Policy(
        evidence_threshold=0.6,
        strictness="strict",
        validators_enabled=False,
        overlap_threshold=0.2,
        grounding_mode="adr-003",
        blocked_topics=("blockchain", "crypto currency"),
    )


def test_setting_the_specifications_threshold_chooses_its_mode() -> None:
    policy = Policy.from_environment({"CHAT_EVIDENCE_THRESHOLD": "0.4"})
    assert (policy.evidence_mode, policy.cosine_threshold) == ("cosine", 0.4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PINCITE_GUARDS", "loose"),
        ("PINCITE_EVIDENCE_THRESHOLD", "high"),
        ("CHAT_EVIDENCE_THRESHOLD", "1.5"),
        ("VALIDATOR_EVIDENCE_THRESHOLD", "nan"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, value: str) -> None:
    with pytest.raises(InputError, match=name):
        Policy.from_environment({name: value})
