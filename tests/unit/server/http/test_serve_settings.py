import pytest

from pincite_core.errors import InputError
from pincite_server.settings import Settings, environment_name, secrets_from_environment


@pytest.mark.parametrize(
    "origin",
    [
        "docs.example.com",
        "https://docs.example.com/",
        "https://a.example/path",
        "ftp://a",
        "",
        "http://[::1",
        "http://a:99999",
    ],
)
def test_an_invalid_origin_is_refused_with_an_example(origin: str):
    with pytest.raises(InputError, match=r"https://docs\.example\.com"):
        Settings(cors_origins=(origin,))


def test_origins_with_ports_and_the_star_are_accepted():
    assert Settings(cors_origins=("http://localhost:3000", "*")).cors_origins == ("http://localhost:3000", "*")


@pytest.mark.parametrize("name", ["rate_limit", "address_limit", "address_connections", "connections"])
def test_a_negative_limit_is_refused_by_its_variables_name(name: str):
    with pytest.raises(InputError, match=environment_name(name)):
        Settings(**{name: -1})


@pytest.mark.parametrize(
    ("name", "value"), [("threads", 0), ("heartbeat_seconds", 0.0), ("write_seconds", 0.0), ("poll_seconds", -1.0)]
)
def test_settings_that_would_stop_the_server_from_answering_are_refused(name: str, value: float):
    with pytest.raises(InputError, match="PINCITE_"):
        Settings(**{name: value})


def test_secrets_come_from_the_environment():
    environment = {"PINCITE_TOKEN": "t" * 20, "PINCITE_READER_SECRET": "s" * 32}
    assert secrets_from_environment(environment) == {"token": "t" * 20, "reader_secret": b"s" * 32}


def test_unset_and_empty_secrets_are_left_to_their_defaults():
    assert secrets_from_environment({"PINCITE_TOKEN": ""}) == {}


def test_a_secret_that_can_be_guessed_is_refused_without_being_shown():
    with pytest.raises(InputError, match="PINCITE_TOKEN must have at least 16 characters") as caught:
        secrets_from_environment({"PINCITE_TOKEN": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_secrets_are_not_printed_with_the_settings():
    shown = repr(Settings(token="very-secret-token", reader_secret=b"very-secret-key"))
    assert "very-secret" not in shown


def test_readers_are_signed_with_another_secret_at_each_start():
    assert Settings().reader_secret != Settings().reader_secret


@pytest.mark.parametrize("name", ["https://chat.example.com", "chat.example.com:443", "localhost:*", "a b", ""])
def test_an_invalid_host_name_is_refused_with_an_example(name: str):
    with pytest.raises(InputError, match=r"such as chat\.example\.com"):
        Settings(host_names=(name,))
