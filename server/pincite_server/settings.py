"""The server's settings, which `pincite serve` reads from command-line options and `PINCITE_*` variables.

Secrets have no command-line option, because every user of a machine can see a process's arguments.
"""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import InputError
from pincite_core.urls import origin_of
from pincite_core.user_cache import cache_folder
from pincite_server.http.transport.addresses import TrustedProxies
from pincite_server.observe.logs import LogFormat
from pincite_server.state.link import check_state_address

__all__ = ("ENVIRONMENT_PREFIX", "Settings", "environment_name", "secrets_from_environment")

ENVIRONMENT_PREFIX = "PINCITE_"
_SECRET_BYTES = 32  # the length of a SHA-256 key
_SHORTEST_SECRET = 16  # a shorter secret can be guessed offline from one signed session token
_HOST_NAME = re.compile(r"[A-Za-z0-9._-]+|\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The sidecar's settings. The environment variable of a field is `PINCITE_` and its name in capitals.

    The help of `pincite serve` describes each field that has an option.
    """

    index: str | None = None
    """The index to serve: a file, a folder that contains one, or the URL of either. The default is the folder `pincite`
    of `site`."""

    site: Path | None = None
    site_indexes: tuple[str, ...] = ()
    site_groups: tuple[str, ...] = ()
    widget: bool = False
    host: str = "127.0.0.1"
    port: int = 8765
    cors_origins: tuple[str, ...] = ()
    rate_limit: int = 20
    site_rate_limits: tuple[str, ...] = ()
    address_limit: int = 300
    trusted_proxies: str = "127.0.0.1,::1"
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    heartbeat_seconds: float = 15.0
    request_seconds: float = 20.0
    write_seconds: float = 30.0
    address_connections: int = 50
    connections: int = 500
    work_seconds: float = 5.0
    poll_seconds: float | None = None
    cache_dir: Path = field(default_factory=cache_folder)
    redirect_hosts: tuple[str, ...] = ()
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"
    host_names: tuple[str, ...] = ()
    log_format: LogFormat = "text"
    log_questions: Path | None = None
    evaluation: Path | None = None
    compare: tuple[str, ...] = ()

    token: str | None = field(default=None, repr=False)
    """The bearer token that every API request must carry, for private docs."""

    reader_secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES), repr=False)
    """The key that signs readers' session tokens. Without a fixed key, a random one is used at each start, and readers
    get new tokens. Set it if several processes serve one site."""

    reader_secret_previous: bytes | None = field(default=None, repr=False)
    """A second key, for key rotation: session tokens signed with it are accepted too."""

    state: str | None = field(default=None, repr=False)
    """The Valkey or Redis server with the counters that several processes share,
    `valkey://:PASSWORD@HOST:6379/0`."""

    def __post_init__(self) -> None:
        for origin in self.cors_origins:
            _check_origin(origin)
        TrustedProxies.parse(self.trusted_proxies)
        for host in self.host_names:
            if not _HOST_NAME.fullmatch(host):
                message = f"{host!r} is no host name. Write a name without scheme and port, such as chat.example.com."
                raise InputError(message)
        for name in ("rate_limit", "address_limit", "address_connections", "connections"):
            if getattr(self, name) < 0:
                message = f"{environment_name(name)} must be 0 (no limit) or more; it is {getattr(self, name)}."
                raise InputError(message)
        if self.site_indexes and (self.index is not None or self.site is not None or self.widget):
            message = "--site-index names all indexes that are served: leave out INDEX, --site and --widget."
            raise InputError(message)
        for option, given in (("--site-group", self.site_groups), ("--site-rate-limit", self.site_rate_limits)):
            if given and not self.site_indexes:
                message = f"{option} names sites of --site-index: name those as well, each NAME=INDEX."
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


def secrets_from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the secret settings that the environment sets, as arguments of `Settings`.

    Raises:
        InputError: A secret is too short, the address of the state is invalid, or the state has no reader secret.
    """
    found: dict[str, Any] = {}
    for name in ("token", "reader_secret", "reader_secret_previous"):
        value = environment.get(environment_name(name), "")
        if value and len(value) < _SHORTEST_SECRET:
            message = f"{environment_name(name)} must have at least {_SHORTEST_SECRET} characters."
            raise InputError(message)
        if value:
            found[name] = value if name == "token" else value.encode()
    if state := environment.get(environment_name("state"), "").strip():
        check_state_address(state)
        if "reader_secret" not in found:
            message = "PINCITE_STATE is for several processes: set PINCITE_READER_SECRET to the same value in each."
            raise InputError(message)
        found["state"] = state
    return found


def _check_origin(origin: str) -> None:
    is_origin = origin == origin_of(origin) and origin.startswith(("http://", "https://"))
    if origin != "*" and not is_origin:
        message = f"{origin!r} is no origin. Write scheme and host alone, such as https://docs.example.com."
        raise InputError(message)
