"""Content-Security-Policy, as far as the chat needs it."""

import pytest

from pincite_server.doctor.site_check import allows, needed_policy, policies_of

SITE, API = "https://docs.example.com", "https://chat.example.com"


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        ("connect-src https://chat.example.com", True),
        ("connect-src https://chat.example.com:443", True),
        ("connect-src chat.example.com", True),
        ("connect-src https:", True),
        ("connect-src *", True),
        ("connect-src https://*.example.com", True),
        ("default-src https://chat.example.com", True),
        ("script-src 'self'", True),
        ("default-src *; connect-src 'self'", False),
        ("connect-src 'self' https://other.example.com", False),
        ("connect-src https://chat.example.com:8443", False),
        ("connect-src http://chat.example.com", False),
        ("connect-src https://*.chat.example.com", False),
        ("default-src 'none'", False),
        ("connect-src", False),
    ],
)
def test_a_policy_is_read_as_a_browser_reads_it(policy: str, allowed: bool):
    (parsed,) = policies_of([policy], "")
    assert allows(parsed, "connect-src", API, SITE) is allowed


def test_a_port_other_than_the_schemes_own_must_be_named():
    (parsed,) = policies_of(["connect-src http://127.0.0.1:8765 http://localhost:*"], "")
    assert allows(parsed, "connect-src", "http://127.0.0.1:8765", SITE)
    assert allows(parsed, "connect-src", "http://localhost:9", SITE)
    assert not allows(parsed, "connect-src", "http://127.0.0.1:9", SITE)


def test_self_is_the_pages_own_origin():
    (parsed,) = policies_of(["default-src 'self'"], "")
    assert allows(parsed, "script-src", SITE, SITE)
    assert not allows(parsed, "connect-src", API, SITE)


def test_headers_and_meta_tags_all_count():
    page = """<meta charset="utf-8"><META content="connect-src &#39;self&#39;" http-equiv=Content-Security-Policy>"""
    policies = list(policies_of(["script-src 'self', img-src *"], page))
    assert policies == [{"script-src": ["'self'"]}, {"img-src": ["*"]}, {"connect-src": ["'self'"]}]


def test_the_needed_policy_names_the_sidecar_unless_it_shares_the_origin():
    assert needed_policy(SITE, API) == "script-src 'self'; connect-src 'self' https://chat.example.com"
    assert needed_policy(SITE, SITE) == "script-src 'self'; connect-src 'self'"
