"""What the doctor says of a sidecar by its replies alone."""

import httpx

from pincite_server.doctor.sidecar_check import examine_health, examine_mcp


def refusing(*paths: str) -> httpx.Client:
    """Return a client of a sidecar that does not answer to its name on some paths."""
    refuse = {path: httpx.Response(421, json={"code": "unknown_host"}) for path in paths}
    transport = httpx.MockTransport(lambda request: refuse.get(request.url.path, httpx.Response(404)))
    return httpx.Client(base_url="https://chat.example.com:8443", transport=transport)


def test_a_sidecar_that_was_not_told_its_name_is_told_with_the_option():
    with refusing("/health", "/mcp") as client:
        health, agents = examine_health(client), examine_mcp(client)
    assert (health.status, health.fix) == ("fail", "Start it with --host-name chat.example.com.")
    assert (agents.status, agents.fix) == ("warn", "For agents, add --host-name chat.example.com.")
