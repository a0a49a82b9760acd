"""The result of `read_section`: its text, the missing part, and the sections around it."""

from pathlib import Path

import msgspec
import pytest
from tests.factories import make_answerer

from pincite_server.federation.federated_site import FederatedSite
from pincite_server.http.mcp.contract import NamedSection, ReadArguments, ReadResult, section_text
from pincite_server.http.mcp.tools import read_result
from pincite_server.question.question import Question

SECTION = ReadResult(
    title="Docker",
    heading_path=("Install", "Docker"),
    url="https://docs.example/install#docker",
    stable_id="kit/install#docker",
    text="Run the image.",
    truncated=False,
    missing="",
    left_out=(),
    parent=NamedSection("Install", "kit/install"),
    siblings=(NamedSection("npm", "kit/install#npm"),),
    subsections=(NamedSection("Ports", "kit/install#ports"),),
)


def test_the_text_of_a_section_lists_the_ids_of_the_sections_around_it():
    assert section_text(SECTION) == (
        "# Install › Docker\nhttps://docs.example/install#docker\nid: kit/install#docker\n\nRun the image.\n\n---\n\n"
        "Parent:\n- Install (id: kit/install)\n\nSiblings:\n- npm (id: kit/install#npm)\n\n"
        "Subsections:\n- Ports (id: kit/install#ports)"
    )


def test_the_missing_part_is_named_before_the_sections_around_it():
    cut = msgspec.structs.replace(
        SECTION, truncated=True, missing="1 of 2 sections is left out.", left_out=SECTION.subsections, siblings=()
    )
    _, _, after = section_text(cut).partition("---\n\n")
    assert after.startswith("1 of 2 sections is left out. Read them by id:\n- Ports (id: kit/install#ports)\n\nParent:")


def test_the_text_of_a_page_without_sections_ends_with_its_content():
    alone = msgspec.structs.replace(SECTION, parent=None, siblings=(), subsections=())
    assert section_text(alone).endswith("Run the image.")


PAGE = "# Install\nLantern runs on Linux.\n\n## Docker {#docker}\nRun the image.\n\n## npm {#npm}\nRun npm install."


@pytest.mark.parametrize(("url", "titles"), [("/kit/install", ["Docker", "npm"]), ("/kit/install#docker", ["npm"])])
def test_every_id_of_a_section_of_a_group_is_an_id_of_the_group(tmp_path: Path, url: str, titles: list[str]):
    answerer = make_answerer(tmp_path, {"/kit/install": PAGE}, title="Lantern")
    site = FederatedSite("kit", answerer, Question(""))
    own, grouped = (read_result(answerer, ReadArguments(id=url), of) for of in (None, site))
    assert grouped.heading_path == ("Lantern", *own.heading_path)
    named = [[one, *one.siblings, *one.subsections, *([one.parent] if one.parent else [])] for one in (own, grouped)]
    assert [one.title for one in named[1][1 : len(titles) + 1]] == titles
    assert [one.stable_id for one in named[1]] == [f"kit:{one.stable_id}" for one in named[0]]
