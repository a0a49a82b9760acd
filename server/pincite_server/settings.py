"""Everything an operator can set: one record, filled by `pincite serve` from flags and `PINCITE_*` variables.

Secrets have no flag, since a process's arguments are visible to everybody on its machine.
"""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from pincite_core.errors import InputError
from pincite_core.urls import origin_of
from pincite_core.user_cache import cache_folder
from pincite_server.http.transport.addresses import TrustedProxies
from pincite_server.observe.logs import LogFormat
from pincite_server.state.address import check_state_address

__all__ = ("ENVIRONMENT_PREFIX", "Secrets", "Settings", "environment_name", "secrets_from_environment")

ENVIRONMENT_PREFIX = "PINCITE_"
_SECRET_BYTES = 32  # as long as the SHA-256 that it keys
_SHORTEST_SECRET = 16  # shorter ones can be guessed offline from one signed pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The sidecar's configuration; the variable of a field is `PINCITE_` and its name in capitals."""

    index: str | None = None
    """The index to serve: a file, a folder that holds one, or the URL of either. Without it, the folder `pincite` of
    `site`."""

    portal: tuple[str, ...] = ()
    """Several sites in place of one, each `NAME=INDEX`: at `/sites/NAME/`, and by the page that a question is from."""

    across: tuple[str, ...] = ()
    """Sites of the portal that are asked at once, each `NAME=SITE,SITE`: at `/sites/NAME/` the best of them answers."""

    site: Path | None = None
    """A built site to serve on the same origin, as a static host would."""

    widget: bool = False
    """Put the chat on those pages of `site` that do not have it, to try Pincite on a site as it was built."""

    host: str = "127.0.0.1"
    """The address to listen on; `0.0.0.0` for every interface."""

    port: int = 8765
    """The port to listen on; 0 lets the system choose a free one."""

    cors_origins: tuple[str, ...] = ()
    """Origins (`https://docs.example.com`) whose pages may ask; `*` allows all. Empty: the same origin alone."""

    rate_limit: int = 20
    """Questions a reader may ask in a minute; 0 is no limit. Readers without a pass yet share one such allowance per
    address."""

    site_rate_limits: tuple[str, ...] = ()
    """Limits of single sites of the portal, or groups, in place of `rate_limit`, each `NAME=N`; 0 is no limit."""

    address_limit: int = 300
    """Requests that one network address may make in a minute, all its readers together; 0 is no limit."""

    token: str | None = field(default=None, repr=False)
    """The access token that every API request must carry as its bearer token, for private docs. Environment only."""

    reader_secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES), repr=False)
    """Signs readers' passes. Random at each start unless set, which only makes readers get new ones. Environment
    only; set it when several processes serve one site."""

    reader_secret_previous: bytes | None = field(default=None, repr=False)
    """Signed passes before, or is to sign them next: those are accepted as well. Environment only."""

    state: str | None = field(default=None, repr=False)
    """The Valkey or Redis by which several processes count together, `valkey://:PASSWORD@HOST:6379/0`. Environment
    only."""

    trusted_proxies: str = "127.0.0.1,::1"
    """The proxies whose `X-Forwarded-For` is believed: addresses and networks, separated by commas, or how many
    proxies are in front, whatever their addresses."""

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Questions that are answered at the same time; the others wait in line. One a core is right."""

    heartbeat_seconds: float = 15.0
    """After how long a silence the event stream carries a comment, so that proxies keep the connection."""

    request_seconds: float = 20.0
    """How long a request's head may take to arrive, and then its body; who is slower is hung up on."""

    write_seconds: float = 30.0
    """How long a client may take nothing of what is sent to it, before it is hung up on; a slow one is not."""

    address_connections: int = 50
    """Connections that one network address may hold; one more, and that which waits longest is closed. Proxies that are
    trusted have no such limit. 0 is no limit."""

    connections: int = 500
    """Connections of all addresses together; one more, and the longest waiting of the address with the most is closed.
    0 is no limit."""
    work_seconds: float = 5.0
    """How much processor time one request may take, waiting not counted; what takes more is refused."""

    poll_seconds: float | None = None
    """How often a new build is looked for, so that it is served without a restart; 0 is never. Five seconds for files,
    a minute for a URL unless set."""

    cache_dir: Path = field(default_factory=cache_folder)
    """The folder that keeps copies of the last two builds of each site, for restarts and for pages of the build
    before."""

    redirect_hosts: tuple[str, ...] = ()
    """Further hosts to which the host of an index may redirect. Empty: redirects stay on that host."""

    metrics_port: int | None = None
    """The port on which Prometheus finds `/metrics`. Without it, `/metrics` is on the main port, but only behind the
    token; with neither there are no metrics to read."""

    metrics_host: str = "127.0.0.1"
    """The address to listen on for `metrics_port`."""

    host_names: tuple[str, ...] = ()
    """The names by which readers call the sidecar (`chat.example.com`), so that no web page can reach a private one by
    DNS rebinding: this machine's own names and addresses (which cannot be rebound) always pass; `*` is any name. Empty:
    no other name where `host` is this machine alone, any where it is not, except on `/mcp`."""

    log_format: LogFormat = "text"
    """The server's own log: `text`, or `json` with one line for each request. Neither holds a question's words."""

    log_questions: Path | None = None
    """A file to which every question is appended as a JSON line, for `pincite report`; none unless it is set."""

    evaluation: Path | None = None
    """What `pincite eval --json` printed: its rates of wrong refusals and answers from passages are in the metrics."""

    compare: tuple[str, ...] = ()
    """Changes to the policy (`PINCITE_GUARDS=strict`) under which half of the readers are answered, so that the metrics
    show two configurations of the validators side by side."""

    def __post_init__(self) -> None:
        for origin in self.cors_origins:
            _check_origin(origin)
        TrustedProxies.parse(self.trusted_proxies)
        for host in self.host_names:
            _check_host_name(host)
        for name in ("rate_limit", "address_limit", "address_connections", "connections"):
            if getattr(self, name) < 0:
                message = f"{environment_name(name)} must be 0 (no limit) or more; it is {getattr(self, name)}."
                raise InputError(message)
        if self.portal and (self.index is not None or self.site is not None or self.widget):
            message = "--portal names all indexes that are served: leave out INDEX, --site and --widget."
            raise InputError(message)
        if self.across and not self.portal:
            message = "--across names sites of --portal: name those as well, each NAME=INDEX."
            raise InputError(message)
        if self.site_rate_limits and not self.portal:
            message = "--site-rate-limit names sites of --portal: name those as well, each NAME=INDEX."
            raise InputError(message)
        shortest = min(self.heartbeat_seconds, self.request_seconds, self.write_seconds, self.work_seconds)
        if self.threads < 1 or shortest <= 0 or (self.poll_seconds or 0) < 0:
            message = (
                "PINCITE_THREADS must be 1 or more, PINCITE_HEARTBEAT_SECONDS, PINCITE_REQUEST_SECONDS, "
                "PINCITE_WRITE_SECONDS and PINCITE_WORK_SECONDS more than 0, PINCITE_POLL_SECONDS 0 (never) or more."
            )
            raise InputError(message)


def environment_name(field_name: str) -> str:
    """Return the environment variable of a setting."""
    return ENVIRONMENT_PREFIX + field_name.upper()


class Secrets(TypedDict, total=False):
    """The settings that only the environment can set."""

    token: str
    reader_secret: bytes
    reader_secret_previous: bytes
    state: str


def secrets_from_environment(environment: Mapping[str, str]) -> Secrets:
    """Return those settings that only the environment can set, where it does, as arguments of `Settings`.

    Raises:
        InputError: A secret is set and too short to be one; the address of the state is none, or nothing is known by
            which readers are the same to all.
    """
    found = Secrets()
    if token := _secret(environment, "token"):
        found["token"] = token
    if reader_secret := _secret(environment, "reader_secret"):
        found["reader_secret"] = reader_secret.encode()
    if previous := _secret(environment, "reader_secret_previous"):
        found["reader_secret_previous"] = previous.encode()
    if state := environment.get(environment_name("state"), "").strip():
        check_state_address(state)
        if not reader_secret:
            message = "PINCITE_STATE is for several processes: set PINCITE_READER_SECRET to the same value in each."
            raise InputError(message)
        found["state"] = state
    return found


def _secret(environment: Mapping[str, str], field_name: str) -> str:
    value = environment.get(environment_name(field_name), "")
    if value and len(value) < _SHORTEST_SECRET:
        message = f"{environment_name(field_name)} must have at least {_SHORTEST_SECRET} characters."
        raise InputError(message)
    return value


def _check_origin(origin: str) -> None:
    is_origin = origin == origin_of(origin) and origin.startswith(("http://", "https://"))
    if origin != "*" and not is_origin:
        message = f"{origin!r} is no origin. Write scheme and host alone, such as https://docs.example.com."
        raise InputError(message)


_HOST_NAME = re.compile(r"[A-Za-z0-9._-]+|\*")


def _check_host_name(host: str) -> None:
    if not _HOST_NAME.fullmatch(host):
        message = f"{host!r} is no host's name. Write a name without scheme and port, such as chat.example.com."
        raise InputError(message)
