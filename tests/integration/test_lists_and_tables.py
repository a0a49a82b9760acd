"""Lists and tables as readers see them: in the sidecar's answer, the browser's answer and the text for agents."""

from pathlib import Path

import pytest
from tests.integration.browser_engine import Asked, BrowserEngine, build_files, sidecar_reply
from tests.unit.indexer.one_page import document

from pincite_core.index.read import Index
from pincite_server.answering.section_markdown import join_blocks, section_blocks

LAMPS = """<h1>Lamps</h1>
<h2 id="prices">Prices of lamps</h2><table><thead><tr><th rowspan=2>Lamp</th><th colspan=2>Price in euros</th></tr>
<tr><th>New</th><th>Used</th></tr></thead><tbody><tr><td>Copper</td><td>60</td><td>12</td></tr>
<tr><th colspan=3>Ship lamps</th></tr><tr><td>Brass</td><td>90</td><td>41</td></tr></tbody></table>
<h2 id="trim">Trim the wick</h2><p>To trim the wick of a lamp:</p>
<ol type=a start=3><li>Lift the glass of the lamp.</li>
<li>Cut the wick straight.</li></ol>
<h2 id="countdown">Light the beacon</h2><p>To light the beacon, count down:</p>
<ol reversed><li>Open the valve.</li><li>Turn the key.</li><li value=7>Press the igniter.</li></ol>
<h2 id="tasks">Work on the harbour</h2><p>Work on the harbour this year:</p><ul class="contains-task-list">
<li class="task-list-item"><input type="checkbox" disabled checked> Paint the harbour wall.</li>
<li class="task-list-item"><input type="checkbox" disabled> Replace the harbour chain.</li></ul>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_files({"lamps/index.html": document(LAMPS)}, tmp_path_factory.mktemp("lamps"))


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("price of a used copper lamp", ["- **Copper** – Price in euros / New: 60; Price in euros / Used: 12"]),
        ("price of a used brass lamp", ["- **Ship lamps** – Lamp: Brass; Price in euros / New: 90"]),
        ("trim the wick of a lamp", ["- c. Lift the glass of the lamp.", "- d. Cut the wick straight."]),
        ("light the beacon", ["3. Open the valve.", "2. Turn the key.", "7. Press the igniter."]),
        ("work on the harbour", ["- [x] Paint the harbour wall.", "- [ ] Replace the harbour chain."]),
    ],
)
def test_an_answer_quotes_what_the_page_shows(
    browser: BrowserEngine, folder: Path, query: str, lines: list[str]
) -> None:
    asked = Asked(query)
    text, reply = sidecar_reply(Index.open(folder), asked)
    assert all(line in reply["answer"] for line in lines), reply["answer"]
    assert browser.reply(folder, asked, text)[1]["answer"] == reply["answer"]


def test_the_sections_for_agents_have_the_same_names_marks_and_states(folder: Path) -> None:
    index = Index.open(folder)

    def section(anchor: str) -> str:
        target = index.target_at(f"/lamps/#{anchor}")
        assert target is not None
        chunks = index.chunks_of_target(target.target_id)
        return join_blocks(section_blocks(chunks, index.units_of_chunks(chunk.chunk_id for chunk in chunks)))

    assert "| Copper | 60 | 12 |" in section("prices")
    assert "| Lamp | Price in euros / New | Price in euros / Used |" in section("prices")
    assert section("trim").endswith("- c. Lift the glass of the lamp.\n- d. Cut the wick straight.")
    assert section("countdown").endswith("3. Open the valve.\n2. Turn the key.\n7. Press the igniter.")
    assert section("tasks").endswith("- [x] Paint the harbour wall.\n- [ ] Replace the harbour chain.")
