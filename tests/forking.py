"""The program that `tests.commands` starts: imports all of Pincite once, then runs each command in a fork of itself.

It is handed to Python as `-c`, as commands are: neither does it stand in the way of what a command imports, nor is it
run again by processes that a command starts.
"""

import array
import gc
import importlib
import json
import os
import signal
import socket
import sys
from typing import Any

_MODULES = """
    pincite_core.cli pincite_indexer.command_line pincite_indexer.build pincite_indexer.build_report
    pincite_indexer.publish pincite_server.cli.ask_commands pincite_server.cli.eval_command
    pincite_server.cli.serve_command pincite_server.http.app pincite_server.http.sidecar uvicorn
    uvicorn.protocols.http.auto uvicorn.lifespan.on uvicorn.loops.auto rich.console rich.progress rich.table
"""
_LARGEST = 1 << 20
_OUTSIDE = 3  # file descriptors that a command has


def _next_command(requests: socket.socket) -> dict[str, Any]:
    """Fork for each command that is asked for; return it in the fork, and never anywhere else."""
    while True:
        # Ended ones are reaped here as well, so that what they cost is counted.
        _reap()
        message, files = _receive(requests)
        if not message:
            _wait_for_all()
            os._exit(0)
        if not os.fork():
            requests.close()
            return _watched(json.loads(message), files)
        for file in files:
            os.close(file)


def _receive(requests: socket.socket) -> tuple[bytes, list[int]]:
    files = array.array("i")
    space = socket.CMSG_SPACE(4 * files.itemsize)
    message, ancillary, _, _ = requests.recvmsg(_LARGEST, space)
    for _, _, data in ancillary:
        files.frombytes(data)
    return message, list(files)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _wait_for_all() -> None:
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def _watched(command: dict[str, Any], files: list[int]) -> dict[str, Any]:
    """Fork once more: the one tells how the other, in which this returns, has ended."""
    *streams, told = files
    child = os.fork()
    if not child:
        os.close(told)
        _take(streams)
        return command
    for stream in streams:
        os.close(stream)
    with socket.socket(fileno=told) as telling:
        try:
            telling.send(str(child).encode())
            _, status = os.waitpid(child, 0)
            telling.send(str(os.waitstatus_to_exitcode(status)).encode())
        finally:
            os._exit(0)


def _take(streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)


def _become(command: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(command["environment"])
    os.chdir(command["folder"])
    sys.argv = ["-c", *command["arguments"]]


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks for commands hears of it too, and ends them
    for name in _MODULES.split():
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    command = _next_command(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _become(command)
    importlib.import_module("pincite_core.cli").main()


if __name__ == "__main__":
    _main()
