"""Time a reader's wait while a language model plans, reads and writes: first status, first words, whole reply.

    python -m bench.first_words [--index PATH] [--questions N] [--delay SECONDS] [--rate TOKENS]

A real sidecar asks a scripted endpoint in this process. The endpoint sends its first token after `--delay` seconds and
then `--rate` tokens a second, as hosted models do. It plans three queries that a model might write. It answers with
sentences of the first excerpt, so that the checks have real text. Questions are headings of the index, one after
another. If the first excerpt of a question has no sentence, the endpoint declines, and the question is not counted.
Prints seconds (median and p95), tokens by the usual estimate, and the sidecar's CPU time for each question.
"""

import argparse
import json
import os
import re
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import httpx
from bench.leaks import titles_of
from bench.running import Sidecar, run_sidecar
from bench.sites import EXAMPLE
from httpx_sse import connect_sse

from pincite_core.index.read import Index
from pincite_core.units import estimate_tokens

_PLANS, _CHECKS = "You plan a search", "You check statements"
_FIRST_EXCERPT = re.compile(r"<excerpt ([a-z]{5})-1>\n[^\n]*\n\n(.*?)\n</excerpt", re.DOTALL)
_SENTENCE = re.compile(r"(?<![`\w])[A-Z][^.\n|`]{40,200}\.(?=\s|$)")
_TOKEN = re.compile(r"\s*\S{1,4}")  # about four characters, as English text has
_SENTENCES = 4
_WARM_UP = 2  # questions that load the encoder's kernels and open connections


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds from a question to the first status, the first words and the end of its reply."""

    status: float
    words: float
    end: float


class Endpoint(BaseHTTPRequestHandler):
    """An endpoint that streams a plan, an answer from the first excerpt, or verdicts."""

    protocol_version = "HTTP/1.1"
    delay, rate = 0.5, 60.0
    tokens: list[int] = []  # noqa: RUF012 - token counts of prompts, shared by all requests

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rules, material = (message["content"] for message in asked["messages"])
        self.tokens.append(estimate_tokens(rules) + estimate_tokens(material))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        time.sleep(self.delay)
        for token in _TOKEN.findall(_reply(rules, material)):
            self._send({"delta": {"content": token}, "finish_reason": None})
            time.sleep(1 / self.rate)
        self._send({"delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _send(self, choice: dict[str, object]) -> None:
        self.wfile.write(b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n\n")


def _reply(rules: str, material: str) -> str:
    if rules.startswith(_PLANS):
        question = material.rpartition("<question")[2].split("\n")[1]
        words = question.split()
        return f"{' '.join(words[:6])}\n{' '.join(words[-4:])} options\nconfigure {' '.join(words[:3])}\n"
    if rules.startswith(_CHECKS):
        return "\n".join(f"{number}: yes" for number in range(1, material.count("<statement ") + 1))
    excerpt = _FIRST_EXCERPT.search(material)
    assert excerpt is not None
    nonce, text = excerpt.groups()
    sentences = _SENTENCE.findall(text)[:_SENTENCES]
    return " ".join(f"{sentence} [{nonce}-1]" for sentence in sentences) or f"[{nonce}-0]"


def main() -> None:
    options = _arguments()
    Endpoint.delay, Endpoint.rate = options.delay, options.rate
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["PINCITE_LLM_BASE_URL"] = f"http://127.0.0.1:{server.server_port}/v1"
    os.environ["PINCITE_LLM_MODEL"] = "scripted"
    queries = titles_of(Index.open(options.index), options.questions + _WARM_UP)
    with run_sidecar(options.index) as sidecar, httpx.Client(base_url=sidecar.url, timeout=60) as client:
        waits, cpu = _ask_all(client, sidecar, queries)
    _print_waits(waits, cpu)


def _ask_all(client: httpx.Client, sidecar: Sidecar, queries: Sequence[str]) -> tuple[list[Waits], float]:
    """Return the waits for the answers, and the sidecar's CPU seconds for each."""
    list(_asked(client, queries[:_WARM_UP]))
    Endpoint.tokens.clear()
    before = sidecar.cpu_seconds()
    waits = list(_asked(client, queries[_WARM_UP:]))
    return waits, (sidecar.cpu_seconds() - before) / max(1, len(waits))


def _asked(client: httpx.Client, queries: Sequence[str]) -> Iterator[Waits]:
    for query in queries:
        body = {"message_id": str(uuid4()), "session_id": "bench", "query": query, "mode": "corpus"}
        started, seen = time.perf_counter(), dict[str, float]()
        with connect_sse(client, "POST", "/api/chat", json=body, headers={"accept": "text/event-stream"}) as source:
            for event in source.iter_sse():
                seen.setdefault(event.event, time.perf_counter() - started)
        if "answer_delta" in seen and "answer_end" in seen:
            yield Waits(seen["status"], seen["answer_delta"], seen["answer_end"])


def _print_waits(waits: Sequence[Waits], cpu: float) -> None:
    print(f"{len(waits)} written answers; first token after {Endpoint.delay} s, {Endpoint.rate:.0f} tokens a second")
    for name in Waits.__dataclass_fields__:
        seconds = sorted(getattr(one, name) for one in waits)
        p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
        print(f"  {name:8}{statistics.median(seconds):6.2f} s median {p95:6.2f} s p95")
    print(
        f"  {statistics.median(Endpoint.tokens):,.0f} tokens a prompt (median), {cpu * 1000:.0f} ms of CPU a question"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, default=EXAMPLE)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds to the first token of each reply")
    parser.add_argument("--rate", type=float, default=60.0, help="tokens a second after it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
