"""A section as an agent reads it: its text, what is missing, and the sections around it."""

import msgspec

from pincite_server.http.mcp.contract import NamedSection, ReadResult, section_text

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


def test_a_section_is_told_with_the_ids_of_the_sections_around_it():
    assert section_text(SECTION) == (
        "# Install › Docker\nhttps://docs.example/install#docker\nid: kit/install#docker\n\nRun the image.\n\n---\n\n"
        "Parent:\n- Install (id: kit/install)\n\nSiblings:\n- npm (id: kit/install#npm)\n\n"
        "Subsections:\n- Ports (id: kit/install#ports)"
    )


def test_what_is_missing_is_told_before_the_sections_around_it():
    cut = msgspec.structs.replace(
        SECTION, truncated=True, missing="1 of 2 sections is left out.", left_out=SECTION.subsections, siblings=()
    )
    _, _, after = section_text(cut).partition("---\n\n")
    assert after.startswith("1 of 2 sections is left out. Read them by id:\n- Ports (id: kit/install#ports)\n\nParent:")


def test_a_page_alone_has_nothing_below_it():
    alone = msgspec.structs.replace(SECTION, parent=None, siblings=(), subsections=())
    assert section_text(alone).endswith("Run the image.")


def test_a_site_of_a_group_renames_every_id():
    renamed = SECTION.renamed("lantern:{}".format)
    assert renamed.parent == NamedSection("Install", "lantern:kit/install")
    ids = [one.stable_id for one in (*renamed.siblings, *renamed.subsections)]
    assert [renamed.stable_id, *ids] == [
        "lantern:kit/install#docker",
        "lantern:kit/install#npm",
        "lantern:kit/install#ports",
    ]
