import pytest

from pincite_core.errors import InputError
from pincite_server.settings import secrets_from_environment
from pincite_server.state.address import check_state_address

SECRET = "a secret of this test"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("localhost:6379", "is no address"),
        ("http://localhost:6379", "is no address"),
        ("valkey://[half:6379", "is no address"),
        ("valkey://host:port", "is no address"),
        ("valkey://", "names no host"),
        ("redis://:hunter2hunter2@/0", "names no host"),
        ("unix://", "names no host"),
        ("valkey://host/docs", "the number of a database"),
    ],
)
def test_what_is_no_address_ends_the_start_in_one_sentence_without_the_password(given: str, said: str):
    with pytest.raises(InputError, match=said) as raised:
        check_state_address(given)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "given", ["valkey://host", "redis://:hunter2@host:6379/1", "rediss://host/0", "unix:///run/v.sock"]
)
def test_addresses_of_both_names_are_taken(given: str):
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    check_state_address(given)


def test_a_parameter_that_nobody_knows_is_told():
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    with pytest.raises(InputError, match="a parameter that cannot be used"):
        check_state_address("valkey://host/0?socket_timeout=soon")


def test_without_its_client_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.state.address.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'pincite\[serve,state\]'"):
        check_state_address("valkey://host")


def test_sidecars_that_count_together_must_know_the_same_readers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.settings.check_state_address", lambda url: None)
    with pytest.raises(InputError, match="PINCITE_READER_SECRET"):
        secrets_from_environment({"PINCITE_STATE": "valkey://host"})
    found = secrets_from_environment({"PINCITE_STATE": "valkey://host", "PINCITE_READER_SECRET": SECRET})
    assert found == {"state": "valkey://host", "reader_secret": SECRET.encode()}
