"""Items with the marks that their page shows, and terms with their definitions."""

import pytest
from tests.unit.indexer.one_page import Unit, read


def items(content: str) -> list[str]:
    return [unit.text for unit in read(content).units if unit.kind == "item"]


@pytest.mark.parametrize(
    ("attributes", "marks"),
    [
        ("", "1. 2. 3."),
        ("type=a", "a. b. c."),
        ("type=A", "A. B. C."),
        ("type=i", "i. ii. iii."),
        ("type=I start=9", "IX. X. XI."),
        ("type=a start=26", "z. aa. ab."),
        ("type=a start=0", "0. a. b."),
        ("type=x", "1. 2. 3."),
        ("start=-1", "-1. 0. 1."),
        ("reversed", "3. 2. 1."),
        ("reversed start=10 type=I", "X. IX. VIII."),
        ("style='list-style-type: lower-roman'", "i. ii. iii."),
        ("style='margin:0;list-style:inside upper-latin !important' type=i", "A. B. C."),
        ("style='list-style-type:decimal-leading-zero'", "01. 02. 03."),
        ("style='list-style-type:lower-greek'", "α. β. γ."),
        ("style='list-style: none'", "- - -"),
        ("class='loweralpha simple'", "a. b. c."),
        ("class='upperroman' start=4", "IV. V. VI."),
        ("class='arabic simple'", "1. 2. 3."),
        ("class=lowergreek", "α. β. γ."),
        ("class='list-[upper-roman] pl-4'", "I. II. III."),
        ("class=list-unstyled", "- - -"),
    ],
)
def test_items_have_the_marks_that_the_page_shows(attributes: str, marks: str) -> None:
    expected = [f"{mark} {word}" for mark, word in zip(marks.split(), ("Fill", "Light", "Trim"), strict=True)]
    assert items(f"<ol {attributes}><li>Fill<li>Light<li>Trim</ol>") == expected


def test_an_item_may_have_its_own_number_or_style() -> None:
    assert items("<ol><li>Fill<li value=7>Light<li>Trim<li type=A>Lift<li style='list-style:none'>Carry</ol>") == [
        "1. Fill",
        "7. Light",
        "8. Trim",
        "I. Lift",
        "- Carry",
    ]


def test_a_nested_list_is_numbered_by_itself() -> None:
    content = "<ol type=A><li>Lamp<ol type=i start=3><li>Fill<li>Light</ol><li>Stove<ul><li>Clean</ul></ol>"
    assert items(content) == ["A. Lamp", "  iii. Fill", "  iv. Light", "B. Stove", "  - Clean"]


def test_only_the_first_block_of_an_item_has_its_mark() -> None:
    assert items("<ol type=a><li><p>Fill.</p><p>No. Wait.</p></ol>") == ["a. Fill.", "No. Wait."]


def test_a_sentence_that_begins_like_a_mark_stays_whole() -> None:
    page = read("<ul><li id=x>No. 5 is red.</ul>")
    assert [(unit.text, page.target("x").title) for unit in page.units] == [("- No. 5 is red.", "No. 5 is red.")]


def test_a_list_of_divs_with_roles_is_a_list() -> None:
    content = "<div role=list><div role=listitem>Oil</div><div role=listitem><p>Gas</p></div></div><p>After.</p>"
    assert read(content).units == [
        Unit("item", "- Oil", ""),
        Unit("item", "- Gas", ""),
        Unit("prose", "After.", ""),
    ]


@pytest.mark.parametrize(
    ("done", "to_do"),
    [
        ("<input type=checkbox checked disabled> ", "<input type=checkbox disabled> "),
        ("<p><input checked type=checkbox class=task-list-item-checkbox> ", "<p><input type=checkbox> "),
        (
            '<label class="task-list-control"><input type="checkbox" disabled checked/>'
            '<span class="task-list-indicator"></span></label> ',
            '<label class="task-list-control"><input type="checkbox" disabled/>'
            '<span class="task-list-indicator"></span></label> ',
        ),
        (
            '<span role="checkbox" aria-checked="true"></span> ',
            '<span role="checkbox" aria-checked="false"></span> ',
        ),
        ('<p><i class="fa fa-check-square-o"></i> ', '<p><i class="fa fa-square-o"></i> '),
    ],
)
def test_an_item_of_a_task_list_has_its_state(done: str, to_do: str) -> None:
    assert items(f"<ul><li>{done}Fill the lamp<li>{to_do}Trim the wick</ul>") == [
        "- [x] Fill the lamp",
        "- [ ] Trim the wick",
    ]


def test_signs_in_place_of_checkboxes_are_states_in_a_checklist_alone() -> None:
    content = "<ul{}><li><p>&#10003; Fill</p></li><li><p>&#10063; Trim</p></li></ul>"
    assert items(content.format(" class=checklist")) == ["- [x] Fill", "- [ ] Trim"]
    assert items(content.format("")) == ["- ✓ Fill", "- ❏ Trim"]


def test_a_checkbox_elsewhere_is_no_state() -> None:
    content = "<p><input type=checkbox> Show all</p><ul><li>Press <input type=checkbox checked> now</ul>"
    assert [unit.text for unit in read(content).units] == ["Show all", "- Press now"]
    assert items("<ul><li><input type=checkbox role=switch> Night<li><input type=checkbox hidden> Day</ul>") == [
        "- Night",
        "- Day",
    ]


def test_terms_in_groups_have_their_own_definitions() -> None:
    content = (
        "<dl><div><dt id=oil>Oil</dt><dt>Kerosene</dt><dd>Burns.</dd><dd>Smells.</dd></div>"
        "<div><dt id=gas>Gas</dt></div><div><dt id=wick>Wick</dt><dd><p>Soaks.</p><p>Glows.</p></dd></div></dl>"
    )
    assert read(content).units == [
        Unit("term", "Oil", "oil"),
        Unit("term", "Kerosene", "oil"),
        Unit("prose", "Burns.", "oil"),
        Unit("prose", "Smells.", "oil"),
        Unit("term", "Gas", "gas"),
        Unit("term", "Wick", "wick"),
        Unit("prose", "Soaks.", "wick"),
        Unit("prose", "Glows.", "wick"),
    ]
