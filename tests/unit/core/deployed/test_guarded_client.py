import pytest

from pincite_core.deployed.guarded_client import is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "100.100.100.200",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "::",
        "::1",
        "::127.0.0.1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::10.0.0.1",
        "2002:7f00:1::",
        "2001:db8::1",
    ],
)
def test_local_and_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "185.199.108.153", "2606:50c0:8000::153", "::ffff:1.1.1.1", "64:ff9b::185.199.108.153"]
)
def test_internet_addresses_are_public(address: str) -> None:
    assert is_public(address)
