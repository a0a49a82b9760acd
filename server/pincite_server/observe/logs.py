"""Writes the sidecar's log as text or as JSON lines. No line contains words of a question."""

import datetime
import logging
from contextvars import ContextVar
from typing import Literal

import msgspec

__all__ = ("LogFormat", "request_id", "write_logs")

LogFormat = Literal["text", "json"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request; "" outside of a request."""

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


_LEVELS = {
    "pincite": logging.INFO,
    "uvicorn": logging.WARNING,
    "mcp": logging.CRITICAL,  # its warnings repeat client input, questions included
}


class _JsonLines(logging.Formatter):
    """Formats a record as one JSON object: UTC time, level, message, request id and the fields of `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        row: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if current := request_id.get():
            row["request_id"] = current
        row |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            row["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(row, enc_hook=str).decode()


def write_logs(log_format: LogFormat) -> None:
    """Write the sidecar's log and the HTTP server's warnings to standard error; `json` has a line for each request."""
    handler = logging.StreamHandler()
    if log_format == "json":
        handler.setFormatter(_JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    for name, level in _LEVELS.items():
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
    logging.getLogger("pincite.requests").setLevel(logging.INFO if log_format == "json" else logging.WARNING)
