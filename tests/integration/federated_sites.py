"""Small sites that are asked at once: each says one thing, and all have a page and stable IDs of the same names."""

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
from tests.factories import build_index, make_scope
from tests.integration.hosting import write_facts
from tests.integration.serving import question

__all__ = ("HARBOR", "LANTERN", "LEASE", "PORT", "TEXTS", "arguments", "chat", "place")

LANTERN, HARBOR = "https://lantern.example", "https://harbor.example"
TEXTS = {
    "lantern": "The Lantern image listens on port 8080.",
    "harbor": "A lease of a Harbor job lasts thirty seconds.",
    "tide": "The moon moves the tide table of Tide twice.",
}
LEASE = "How long does the lease of a Harbor job last?"
PORT = "Which port does the Lantern image listen on?"


def place(root: Path, name: str, text: str = "", *, pages: dict[str, str] | None = None) -> Path:
    """Write a site that says one thing, and return where its index is; every site has the same page and stable IDs."""
    out = root / name / "pincite"
    body = f"# Guide\n## Docker {{#docker}}\n{text or TEXTS[name]}\n"
    texts = {"/guide": body, f"/{name}": f"# About {name}\n## Owner {{#owner}}\nThe {name} team owns {name}.\n"}
    build_index(
        out,
        texts | (pages or {}),
        scopes=(make_scope(),),
        title=name.capitalize(),
        site_url=f"https://{name}.example",
    )
    with closing(apsw.Connection(str(out / "index.db"))) as connection:
        connection.execute("INSERT INTO ids VALUES (?, NULL)", (f"default/{name}#gone",))
    write_facts(out, len(name), "/", build_id=f"b-{name}")
    return out


def arguments(*sites: str, group: str) -> list[str]:
    return [*(argument for site in sites for argument in ("--site-index", site)), "--site-group", group]


def chat(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    reply = client.post("/sites/all/api/chat", json=question(query, **fields))
    assert reply.status_code == 200, reply.text
    return dict(reply.json())
