"""Code as its reader types it: in the sidecar's answer, the browser's answer and the texts for agents."""

from pathlib import Path

import pytest
from tests.integration.browser_engine import Asked, BrowserEngine, build_files, sidecar_reply
from tests.unit.indexer.one_page import document

from pincite_core.index.read import Index
from pincite_indexer.markdown.page_text import PageText, page_text
from pincite_server.answering.section_markdown import join_blocks, section_blocks

KETTLE = """<h1>Kettle</h1>
<h2 id="boil">Boil water</h2><p>To boil water in the kettle, run these commands:</p>
<pre class="chroma"><code class="language-sh"><span class="line"><span class="ln">1</span><span class="cl">kettle fill
</span></span><span class="line"><span class="ln">2</span><span class="cl">kettle boil
</span></span></code><button>Copy</button></pre>
<h2 id="port">Set the port of the kettle</h2><p>The port of the kettle is set in its file:</p>
<pre><code class="language-toml"><span class="line diff remove">port = 4100</span>
<span class="line diff add">port = 4200</span></code></pre>
<h2 id="lid">Open the lid of the kettle</h2><p>The lid of the kettle opens by a function:</p>
<div class="highlight-pycon"><pre><span class="gp">&gt;&gt;&gt; </span>open_lid()
<span class="go">True</span></pre></div>
<h2 id="parts">Clean the kettle</h2><table><tr><th>Part of the kettle<th>Command</tr><tr><td>Spout of the kettle
<td><pre>kettle rinse\nkettle dry</pre></table>
<h2 id="states">States of the kettle</h2><p>The states of the kettle are these:</p>
<pre class="mermaid">graph LR\n  A[Cold kettle] -->|boil| B[Hot kettle]</pre>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_files({"kettle/index.html": document(KETTLE)}, tmp_path_factory.mktemp("kettle"))


@pytest.mark.parametrize(
    ("query", "quoted"),
    [
        ("boil water in the kettle", "```sh\nkettle fill\nkettle boil\n```"),
        ("set the port of the kettle", "```toml\nport = 4200\n```"),
        ("open the lid of the kettle", "\nopen_lid()\n```"),
        ("command for the spout of the kettle", "`kettle rinse` `kettle dry`"),
        ("states of the kettle", "Cold kettle; boil; Hot kettle"),
    ],
)
def test_an_answer_quotes_code_as_its_reader_types_it(
    browser: BrowserEngine, folder: Path, query: str, quoted: str
) -> None:
    asked = Asked(query)
    text, reply = sidecar_reply(Index.open(folder), asked)
    assert quoted in reply["answer"]
    assert "4100" not in reply["answer"]
    assert browser.reply(folder, asked, text)[1]["answer"] == reply["answer"]


def test_the_sections_for_agents_have_the_same_code(folder: Path) -> None:
    index = Index.open(folder)

    def section(anchor: str) -> str:
        target = index.target_at(f"/kettle/#{anchor}")
        assert target is not None
        chunks = index.chunks_of_target(target.target_id)
        return join_blocks(section_blocks(chunks, index.units_of_chunks(chunk.chunk_id for chunk in chunks)))

    assert section("boil").endswith("```sh\nkettle fill\nkettle boil\n```")
    assert section("port").endswith("```toml\nport = 4200\n```")
    assert section("lid").endswith("\nopen_lid()\n```\n\n```\nTrue\n```")
    assert section("states").endswith("Cold kettle; boil; Hot kettle")


def test_the_markdown_of_a_page_has_the_same_code(tmp_path: Path) -> None:
    (tmp_path / "kettle.html").write_text(document(KETTLE), encoding="utf-8")
    text = page_text(tmp_path, PageText("kettle.html", "/kettle", "https://docs.test/kettle", "Kettle"))
    assert "```sh\nkettle fill\nkettle boil\n```" in text
    assert "```toml\nport = 4200\n```" in text
    assert "open_lid()\n```\n\n```\nTrue\n```" in text
    assert "`kettle rinse` `kettle dry`" in text
    assert "Cold kettle; boil; Hot kettle" in text
    assert "4100" not in text
