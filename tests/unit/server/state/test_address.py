import pytest

from pincite_core.errors import InputError
from pincite_server.settings import secrets_from_environment
from pincite_server.state.link import check_state_address

SECRET = "a secret of this test"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("localhost:6379", "is not an address"),
        ("http://localhost:6379", "is not an address"),
        ("valkey://[half:6379", "is not an address"),
        ("valkey://host:port", "is not an address"),
        ("valkey://", "has no host"),
        ("redis://:hunter2hunter2@/0", "has no host"),
        ("unix://", "has no host"),
        ("valkey://host/docs", "a database number"),
    ],
)
def test_an_invalid_address_is_refused_without_showing_the_password(given: str, said: str):
    with pytest.raises(InputError, match=said) as raised:
        check_state_address(given)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "given", ["valkey://host", "redis://:hunter2@host:6379/1", "rediss://host/0", "unix:///run/v.sock"]
)
def test_addresses_of_valkey_and_redis_are_accepted(given: str):
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    check_state_address(given)


def test_an_invalid_parameter_is_reported():
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    with pytest.raises(InputError, match="an invalid parameter"):
        check_state_address("valkey://host/0?socket_timeout=soon")


def test_without_the_client_the_message_names_the_command_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.state.link.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'pincite\[serve,state\]'"):
        check_state_address("valkey://host")


def test_a_shared_state_needs_a_reader_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.settings.check_state_address", lambda url: None)
    with pytest.raises(InputError, match="PINCITE_READER_SECRET"):
        secrets_from_environment({"PINCITE_STATE": "valkey://host"})
    found = secrets_from_environment({"PINCITE_STATE": "valkey://host", "PINCITE_READER_SECRET": SECRET})
    assert found == {"state": "valkey://host", "reader_secret": SECRET.encode()}
