"""The sidecar's own log, as lines for people or as JSON lines for machines. No line holds a word of a question."""

import datetime
import logging
from contextvars import ContextVar
from typing import Literal

import msgspec

__all__ = ("LogFormat", "request_id", "write_logs")

LogFormat = Literal["text", "json"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; "" outside of one."""

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


_LEVELS = {
    "pincite": logging.INFO,
    "uvicorn": logging.WARNING,
    "mcp": logging.CRITICAL,  # its warnings repeat what a client sent, questions included
}


class _JsonLines(logging.Formatter):
    """One JSON object a record: the time in UTC, level, message, request id, and whatever `extra` named."""

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
    """Let the operator see on standard error what the sidecar itself says, and the HTTP server's warnings.

    Args:
        log_format: `text` leaves out the line that `json` has for each request.
    """
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
