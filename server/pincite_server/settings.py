"""The server's settings, which `pincite serve` reads from command-line options and `PINCITE_*` variables.

Secrets have no command-line option, because every user of a machine can see a process's arguments.
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
from pincite_server.state.link import check_state_address

__all__ = ("ENVIRONMENT_PREFIX", "Secrets", "Settings", "environment_name", "secrets_from_environment")

ENVIRONMENT_PREFIX = "PINCITE_"
_SECRET_BYTES = 32  # the length of a SHA-256 key
_SHORTEST_SECRET = 16  # a shorter secret can be guessed offline from one signed session token


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The sidecar's settings. The environment variable of a field is `PINCITE_` and its name in capitals."""

    index: str | None = None
    """The index to serve: a file, a folder that contains one, or the URL of either. The default is the folder `pincite`
    of `site`."""

    portal: tuple[str, ...] = ()
    """Several sites instead of one, each `NAME=INDEX`. A site is at `/sites/NAME/`; at `/`, the reader's page chooses
    the site."""

    across: tuple[str, ...] = ()
    """Groups of sites that answer together, each `NAME=SITE,SITE`. At `/sites/NAME/`, the site with the best reply
    answers."""

    site: Path | None = None
    """A built site to serve on the same origin, as a static host would."""

    widget: bool = False
    """Whether to add the chat to the pages of `site` that do not have it, to try Pincite on an existing build."""

    host: str = "127.0.0.1"
    """The address to listen on; `0.0.0.0` for all interfaces."""

    port: int = 8765
    """The port to listen on; 0 lets the system choose a free one."""

    cors_origins: tuple[str, ...] = ()
    """Origins (`https://docs.example.com`) whose pages may send requests; `*` allows all. Empty: same origin only."""

    rate_limit: int = 20
    """Questions a reader may ask in a minute; 0 is no limit. Readers without a session token share one limit for each
    address."""

    site_rate_limits: tuple[str, ...] = ()
    """Rate limits of single sites or groups, each `NAME=N`, instead of `rate_limit`; 0 is no limit."""

    address_limit: int = 300
    """Requests a minute from one network address, of all its readers together; 0 is no limit."""

    token: str | None = field(default=None, repr=False)
    """The bearer token that every API request must carry, for private docs. Environment only."""

    reader_secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES), repr=False)
    """The key that signs readers' session tokens. Without a fixed key, a random one is used at each start, and readers
    get new tokens. Environment only. Set it if several processes serve one site."""

    reader_secret_previous: bytes | None = field(default=None, repr=False)
    """A second key, for key rotation: session tokens signed with it are accepted too. Environment only."""

    state: str | None = field(default=None, repr=False)
    """The Valkey or Redis server with the counters that several processes share, `valkey://:PASSWORD@HOST:6379/0`.
    Environment only."""

    trusted_proxies: str = "127.0.0.1,::1"
    """The proxies whose `X-Forwarded-For` is trusted: addresses and networks, separated by commas. A number instead is
    the number of proxies in front, with any addresses."""

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Questions that are answered at the same time; the others wait in a queue. The default is one for each processor
    core."""

    heartbeat_seconds: float = 15.0
    """Idle time after which the event stream carries a comment, so that proxies keep the connection open."""

    request_seconds: float = 20.0
    """Time limit for a request's head, and then for its body; a slower client is disconnected."""

    write_seconds: float = 30.0
    """Time after which a client is disconnected if it reads nothing of the response. A slow client stays connected."""

    address_connections: int = 50
    """Connections of one network address. Beyond the limit, the connection that has waited longest is closed. Trusted
    proxies have no such limit. 0 is no limit."""

    connections: int = 500
    """Connections of all addresses together. Beyond the limit, the address with the most connections loses the one that
    has waited longest. 0 is no limit."""
    work_seconds: float = 5.0
    """Processor time of one request, without waiting time; a request that takes more is refused."""

    poll_seconds: float | None = None
    """Interval of the check for a new build, which is served without a restart; 0 turns the check off. The default is
    five seconds for files and a minute for a URL."""

    cache_dir: Path = field(default_factory=cache_folder)
    """The folder with copies of the last two builds of each site, for restarts and for pages of the previous build."""

    redirect_hosts: tuple[str, ...] = ()
    """Further hosts to which the host of an index may redirect. Empty: redirects must stay on that host."""

    metrics_port: int | None = None
    """The port of `/metrics` for Prometheus. Without it, `/metrics` is on the main port if an access token is set, and
    needs that token. With neither, there are no metrics."""

    metrics_host: str = "127.0.0.1"
    """The address of `metrics_port`."""

    host_names: tuple[str, ...] = ()
    """The host names of the sidecar (`chat.example.com`), which protect a private sidecar from DNS rebinding. This
    machine's own names and addresses are always accepted, because they cannot be rebound. `*` accepts any name. Empty:
    no other name if `host` is a loopback address, else any name, except on `/mcp`."""

    log_format: LogFormat = "text"
    """The format of the server's own log: `text`, or `json` with one line for each request. This log never contains a
    question's words."""

    log_questions: Path | None = None
    """A file to which every question is appended as a JSON line, for `pincite report`; None for no such file."""

    evaluation: Path | None = None
    """The output file of `pincite eval --json`. The metrics show its rates of wrong refusals and answers in selection
    mode."""

    compare: tuple[str, ...] = ()
    """Changes to the policy (`PINCITE_GUARDS=strict`) for half of the readers, to compare two validator configurations
    in the metrics."""

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
    """Return the name of a setting's environment variable."""
    return ENVIRONMENT_PREFIX + field_name.upper()


class Secrets(TypedDict, total=False):
    """The settings that only the environment can set."""

    token: str
    reader_secret: bytes
    reader_secret_previous: bytes
    state: str


def secrets_from_environment(environment: Mapping[str, str]) -> Secrets:
    """Return the secret settings that the environment sets, as arguments of `Settings`.

    Raises:
        InputError: A secret is too short, the address of the state is invalid, or the state has no reader secret.
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
