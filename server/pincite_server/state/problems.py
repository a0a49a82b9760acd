"""Explains errors of the shared state in one sentence with a fix, without addresses or passwords."""

import socket
import ssl

__all__ = ("why",)

_SAID = (
    ("Authentication required", "wants a password. Write it into PINCITE_STATE: valkey://:PASSWORD@HOST:6379"),
    ("NOAUTH", "wants a password. Write it into PINCITE_STATE: valkey://:PASSWORD@HOST:6379"),
    ("HELLO must be called", "wants a password. Write it into PINCITE_STATE: valkey://:PASSWORD@HOST:6379"),
    ("WRONGPASS", "refuses the user or the password of PINCITE_STATE. Correct them."),
    ("without any password configured", "has no password, but PINCITE_STATE gives one. Remove it, or set it there."),
    ("invalid password", "refuses the password of PINCITE_STATE. Correct it."),
    ("NOPERM", "does not let the user of PINCITE_STATE do what is needed. Grant it ~pincite:* and +@all."),
    ("AuthenticationError", "refuses the user or the password of PINCITE_STATE. Correct them."),
    ("NoPermission", "does not let the user of PINCITE_STATE do what is needed. Grant it ~pincite:* and +@all."),
    ("OOM", "is full. Give it more memory (maxmemory), or let it drop what is oldest (maxmemory-policy)."),
    ("READONLY", "can only be read. Name the primary in PINCITE_STATE."),
    ("ReadOnly", "can only be read. Name the primary in PINCITE_STATE."),
    ("MISCONF", "cannot write to its disk. Give that room, or let it keep nothing there (save '')."),
    ("OutOfMemory", "is full. Give it more memory (maxmemory), or let it drop what is oldest (maxmemory-policy)."),
    ("BusyLoading", "is still reading its data. Wait until it has."),
    ("LOADING", "is still reading its data. Wait until it has."),
    ("WRONGTYPE", "has something else under a key of Pincite. Give Pincite a database of its own: valkey://HOST/1"),
    ("Moved", "is a cluster. Name a server that is none in PINCITE_STATE."),
    ("MOVED", "is a cluster. Name a server that is none in PINCITE_STATE."),
    ("CROSSSLOT", "is a cluster. Name a server that is none in PINCITE_STATE."),
    ("max number of clients", "takes no more connections. Raise its maxclients."),
    ("DB index", "has no database of the number that PINCITE_STATE ends in. Name one that it has."),
)
_AWAY = "does not answer. Start it, or correct PINCITE_STATE."


def why(error: BaseException) -> str:
    """Return the message for the operator about an error of the store."""
    said = f"{type(error).__name__} {error}"  # the client may show only its own type, without the server's error code
    for marker, sentence in _SAID:
        if marker in said:
            return f"The shared state {sentence}"
    causes = _causes(error)
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "The shared state's host is not known by its name. Correct PINCITE_STATE."
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return (
            "The shared state's TLS cannot be used. Look at its certificate, and whether it is valkey:// or valkeys://."
        )
    if type(error).__name__ in {"InvalidResponse", "ResponseError"} or "Protocol Error" in said:
        return "What PINCITE_STATE names is no Valkey or Redis that can be used. Correct it."
    return f"The shared state {_AWAY}"


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found
