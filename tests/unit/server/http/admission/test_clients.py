import pytest

from pincite_server.http.admission.clients import client_of


def test_a_reader_with_a_pass_is_a_client_wherever_the_request_comes_from():
    assert client_of("192.0.2.1", "pass-1") == client_of("2001:db8::1", "pass-1")
    assert client_of("192.0.2.1", "pass-1") != client_of("192.0.2.1", "pass-2")
    assert client_of("192.0.2.1", "192.0.2.1") != client_of("192.0.2.1", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
        ("2001:db8:1:2::1", "2001:0DB8:0001:0002::0001"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_addresses_of_one_network_are_one_client(one: str, other: str):
    assert client_of(one, "") == client_of(other, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "192.0.2.2"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("testclient", ""),
    ],
)
def test_other_addresses_are_other_clients(one: str, other: str):
    assert client_of(one, "") != client_of(other, "")
