import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.errors import InputError
from pincite_server.http.transport.addresses import ReaderAddress, TrustedProxies, network_of
from pincite_server.settings import Settings

READER, FORGED = "203.0.113.7", "198.51.100.66"


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "reader"),
    [
        ("127.0.0.1", "127.0.0.1", READER, READER),
        ("127.0.0.1", "127.0.0.1", f"{FORGED}, {READER}", READER),
        ("127.0.0.1", "192.0.2.9", READER, "192.0.2.9"),
        ("", "127.0.0.1", READER, "127.0.0.1"),
        ("0", "127.0.0.1", READER, "127.0.0.1"),
        ("10.0.0.0/8", "10.1.2.3", f"{FORGED}, {READER}, 10.9.9.9", READER),
        ("10.1.2.3/8, 127.0.0.1", "127.0.0.1", f"{FORGED},{READER} , 10.9.9.9", READER),
        ("10.0.0.0/8", "10.1.2.3", "10.4.4.4, 10.9.9.9", "10.4.4.4"),
        ("2001:db8::/32", "2001:db8::1", "2001:0DB8:0:0::2, 2a00::1", "2a00::1"),
        ("127.0.0.1", "::ffff:127.0.0.1", READER, READER),
        ("::ffff:127.0.0.1", "127.0.0.1", READER, READER),
        ("1", "172.17.0.1", f"{FORGED}, {READER}", READER),
        ("2", "172.17.0.1", f"{FORGED}, {READER}, 192.0.2.50", READER),
        ("2", "172.17.0.1", READER, READER),
        ("1", "172.17.0.1", "", "172.17.0.1"),
        ("127.0.0.1", "127.0.0.1", "[2a00::1]:4711", "2a00::1"),
        ("127.0.0.1", "127.0.0.1", f"{READER}:4711", READER),
        ("127.0.0.1", "127.0.0.1", f"{READER}, unknown", "127.0.0.1"),
        ("1", "127.0.0.1", "not an address", "127.0.0.1"),
        ("1", "127.0.0.1", ",,", "127.0.0.1"),
    ],
)
def test_the_reader_is_the_client_of_the_outermost_trusted_proxy(trusted: str, peer: str, forwarded: str, reader: str):
    assert TrustedProxies.parse(trusted).reader(peer, [forwarded] if forwarded else []) == reader


def test_several_forwarded_headers_are_read_as_one_list():
    assert TrustedProxies.parse("1").reader("127.0.0.1", [FORGED, READER]) == READER


@given(st.lists(st.text(max_size=30)), st.sampled_from(["127.0.0.1", "1", "2", "10.0.0.0/8", "::/1"]))
def test_any_header_yields_an_address_no_further_than_the_first_untrusted_hop(forwarded: list[str], trusted: str):
    proxies = TrustedProxies.parse(trusted)
    assert network_of(proxies.reader("10.0.0.1", forwarded))
    assert TrustedProxies.parse("127.0.0.1").reader("192.0.2.1", forwarded) == "192.0.2.1"
    assert TrustedProxies.parse("127.0.0.1").reader("127.0.0.1", [*forwarded, READER]) == READER


@pytest.mark.parametrize("everybody", ["*", "127.0.0.1,*", "0.0.0.0/0", "::/0"])
def test_trusting_every_address_is_refused_with_a_fix(everybody: str):
    with pytest.raises(InputError, match=r"PINCITE_TRUSTED_PROXIES.*number of proxies in front, such as 1"):
        Settings(trusted_proxies=everybody)


@pytest.mark.parametrize("wrong", ["caddy", "10.0.0.0/33", "-1", "1.5", "1,127.0.0.1", "127.0.0.1;::1", "99", "1\n2"])
def test_an_invalid_proxy_is_refused_and_named(wrong: str):
    with pytest.raises(InputError, match=r"PINCITE_TRUSTED_PROXIES.*Write"):
        Settings(trusted_proxies=wrong)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2a00:1:2:3::1", "2a00:1:2:3:ffff:ffff:ffff:ffff", True),
        ("2a00:1:2:3::1", "2a00:1:2:4::1", False),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("::1", "::2", True),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_an_ipv6_reader_is_identified_by_the_64_bit_network(one: str, other: str, same: bool):
    assert (network_of(one) == network_of(other)) is same


def received(trusted: str, peer: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """Return the scope of a request as the application receives it."""
    seen: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    scope = {"type": "http", "client": (peer, 5), "scheme": "http", "headers": list(headers)}
    asyncio.run(ReaderAddress(app, TrustedProxies.parse(trusted))(scope, None, None))  # type: ignore[arg-type]
    return seen


def test_a_trusted_proxy_sets_address_and_scheme():
    headers = (b"x-forwarded-for", READER.encode()), (b"x-forwarded-proto", b"https")
    scope = received("127.0.0.1", "127.0.0.1", *headers)
    assert (scope["client"][0], scope["scheme"]) == (READER, "https")


def test_other_clients_and_the_header_forwarded_are_ignored():
    headers = (b"x-forwarded-for", READER.encode()), (b"x-forwarded-proto", b"https")
    scope = received("127.0.0.1", "192.0.2.1", *headers)
    assert (scope["client"][0], scope["scheme"]) == ("192.0.2.1", "http")
    scope = received("127.0.0.1", "127.0.0.1", (b"forwarded", b"for=203.0.113.7;proto=https"))
    assert (scope["client"][0], scope["scheme"]) == ("127.0.0.1", "http")


def test_an_unknown_scheme_is_ignored():
    scope = received("1", "127.0.0.1", (b"x-forwarded-proto", b"javascript"))
    assert scope["scheme"] == "http"
