"""Rows that read on their own: with the names of their columns and of the group that they belong to."""

import pytest
from tests.unit.indexer.one_page import read


def rows(table: str) -> list[str]:
    return [unit.text for unit in read(f"<table>{table}</table>").units]


def test_every_row_carries_the_names_of_its_columns() -> None:
    assert rows("<tr><th>Name<th>Default<tr><td>port<td>8080<tr><td>host<td>localhost") == [
        "Name: port; Default: 8080",
        "Name: host; Default: localhost",
    ]


def test_a_table_without_headers_is_its_cells() -> None:
    assert rows("<tr><td>port<td>8080") == ["port; 8080"]


def test_a_header_in_front_of_a_row_is_its_first_cell() -> None:
    assert rows("<tr><th>Name<th>Default<tr><th>port<td>8080") == ["Name: port; Default: 8080"]


def test_a_table_of_headers_alone_loses_nothing() -> None:
    assert rows("<thead><tr><th>Only<th>headers</thead>") == ["Only; headers"]


def test_a_cell_over_two_columns_has_both_names_and_moves_no_other() -> None:
    assert rows("<tr><th>A<th>B<th>C<tr><td colspan=2>wide<td>third") == ["A, B: wide; C: third"]


def test_a_cell_over_two_rows_stands_in_both() -> None:
    assert rows("<tr><th>A<th>B<tr><td rowspan=2>both<td>1<tr><td>2<tr><td>own<td>3") == [
        "A: both; B: 1",
        "A: both; B: 2",
        "A: own; B: 3",
    ]


def test_a_long_cell_over_many_rows_is_not_repeated() -> None:
    long = "word " * 40
    assert rows(f"<tr><th>A<th>B<tr><td rowspan=2>{long}<td>1<tr><td>2")[1] == "B: 2"


@pytest.mark.parametrize("span", ["0", "-3", "²", "x", "", "9" * 5000])
def test_a_span_that_is_no_number_is_one(span: str) -> None:
    assert rows(f'<tr><th>A<th>B<tr><td colspan="{span}" rowspan="{span}">one<td>two')[0].startswith("A: one")


def test_a_table_in_a_cell_is_part_of_that_cell() -> None:
    nested = "one <table><tr><td>x</td><td>y</td></tr></table> tail"
    assert rows(f"<tr><th>A<th>B</tr><tr><td>{nested}</td><td>two</td></tr>") == ["A: one x y tail; B: two"]


def test_blocks_in_a_cell_are_parted_by_blanks() -> None:
    cell = "<p>p1</p><p>p2</p><ul><li>i1<li>i2</ul>a<br>b"
    assert rows(f"<tr><th>A</tr><tr><td>{cell}</td></tr>") == ["A: p1 p2 i1 i2 a b"]


def test_a_caption_stands_before_its_table() -> None:
    assert rows("<caption>Ports</caption><tr><td>8080") == ["Ports", "8080"]


HOURS = "<tr><td>Monday<td>9<td>17<tr><td>Sunday<td>11<td>15"


def test_a_header_over_several_columns_stands_in_front_of_their_own_names() -> None:
    head = (
        "<thead><tr><th rowspan=2>Plan<th colspan=2>Seats<th colspan=2>Storage"
        "<tr><th>Least<th>Most<th>Disk<th>Backup</thead>"
    )
    body = "<tbody><tr><td>Small<td>1<td>5<td>2 GB<td>4 GB<tr><td>Large<td>6<td>90<td>80 GB<td>160 GB</tbody>"
    assert rows(head + body) == [
        "Plan: Small; Seats / Least: 1; Seats / Most: 5; Storage / Disk: 2 GB; Storage / Backup: 4 GB",
        "Plan: Large; Seats / Least: 6; Seats / Most: 90; Storage / Disk: 80 GB; Storage / Backup: 160 GB",
    ]


@pytest.mark.parametrize("corner", ["<th>", "<td>", "<th></th>", "<td>&nbsp;</td>", "<td class=corner></td>"])
def test_an_empty_corner_leaves_the_other_columns_their_names(corner: str) -> None:
    assert rows(f"<tr>{corner}<th>Opens<th>Closes{HOURS}") == [
        "Monday; Opens: 9; Closes: 17",
        "Sunday; Opens: 11; Closes: 15",
    ]
    assert rows(f"<thead><tr>{corner}<th>Opens<th>Closes</thead>" + HOURS.replace("<tr><td>", "<tr><th>"))[0] == (
        "Monday; Opens: 9; Closes: 17"
    )


def test_a_header_row_in_the_middle_names_the_rows_below_it() -> None:
    assert rows("<tr><th>Lamp<th>Price<tr><td>Oil<td>20<tr><th>Lamp<th>Weight<tr><td>Gas<td>3 kg") == [
        "Lamp: Oil; Price: 20",
        "Lamp: Gas; Weight: 3 kg",
    ]


def test_a_header_row_that_is_repeated_at_the_end_adds_nothing() -> None:
    names = "<tr><th>Lamp<th>Price"
    assert rows(f"<thead>{names}</thead><tbody><tr><td>Oil<td>20</tbody><tfoot>{names}</tfoot>") == [
        "Lamp: Oil; Price: 20"
    ]


def test_a_header_row_without_rows_below_it_is_not_lost() -> None:
    assert rows("<tr><th>Lamp<th>Price<tr><td>Oil<td>20<tr><th>Sum<th>9") == ["Lamp: Oil; Price: 20", "Sum; 9"]


@pytest.mark.parametrize(
    "title",
    ["<th colspan=2>Network", "<td colspan=2><b>Network</b>", "<td><b>Network</b><td>", "<th>Network<th>"],
)
def test_a_row_that_names_the_rows_below_stands_in_front_of_each(title: str) -> None:
    storage = title.replace("Network", "Storage")
    table = (
        f"<thead><tr><th>Option<th>Default</thead><tbody><tr>{title}<tr><td>port<td>80<tr><td>host<td>local"
        f"<tr>{storage}<tr><td>path<td>/data</tbody>"
    )
    assert rows(table) == [
        "Network; Option: port; Default: 80",
        "Network; Option: host; Default: local",
        "Storage; Option: path; Default: /data",
    ]


def test_plain_cells_as_wide_as_the_table_are_titles_if_the_rows_begin_with_one() -> None:
    head = "<tr><th>Option<th>Default"
    assert rows(f"{head}<tr><td colspan=2>Network<tr><td>port<td>80<tr><td colspan=2>Storage<tr><td>path<td>/data") == [
        "Network; Option: port; Default: 80",
        "Storage; Option: path; Default: /data",
    ]
    assert rows(f"{head}<tr><td>port<td>80<tr><td colspan=2>Needs a restart.<tr><td>path<td>/data") == [
        "Option: port; Default: 80",
        "Needs a restart.",
        "Option: path; Default: /data",
    ]


def test_a_bold_row_without_values_is_no_title_among_bold_row_names() -> None:
    table = "<tr><th>Feature<th>Small<tr><td><b>Export</b><td>yes<tr><td><b>Import</b><td><tr><td><b>Sync</b><td>no"
    assert rows(table) == ["Feature: Export; Small: yes", "Feature: Import", "Feature: Sync; Small: no"]
    assert rows(table.replace("<td>yes", "<td>"))[:2] == ["Feature: Export", "Feature: Import"]


def test_a_title_holds_for_its_own_group_of_rows() -> None:
    table = (
        "<thead><tr><th>Item<th>Price</thead><tbody><tr><th colspan=2 scope=rowgroup>Lamps<tr><td>Oil<td>20</tbody>"
        "<tbody><tr><td>Wick<td>2</tbody><tfoot><tr><td>Sum<td>22</tfoot>"
    )
    assert rows(table) == ["Lamps; Item: Oil; Price: 20", "Item: Wick; Price: 2", "Item: Sum; Price: 22"]


def test_titles_in_two_levels_both_stand_in_front() -> None:
    table = "<tr><th>Item<th>Price<tr><td>Rope<td>1<tr><th colspan=2>Lamps<tr><th colspan=2>Oil<tr><td>Small<td>20"
    assert rows(table)[1] == "Lamps; Oil; Item: Small; Price: 20"


def test_titles_that_no_rows_follow_are_a_list_and_none_is_lost() -> None:
    titles = "".join(f"<tr><th colspan=2>Rule {number}" for number in range(6))
    found = rows(f"<tr><td>a<td>b{titles}<tr><td>Oil<td>9")
    assert found == ["a; b", "Rule 0", "Rule 1", "Rule 2; Rule 3; Rule 4; Rule 5; Oil; 9"]


def test_a_title_that_is_too_long_to_be_repeated_is_a_row_of_its_own() -> None:
    long = "word " * 40
    head = "<tr><th>Item<th>Price<tr><th colspan=2>Lamps<tr><td>Oil<td>9"
    assert rows(f"{head}<tr><th colspan=2>{long}<tr><td>Gas<td>4") == [
        "Lamps; Item: Oil; Price: 9",
        long.strip(),
        "Item: Gas; Price: 4",
    ]


def test_a_long_column_name_is_kept() -> None:
    name = "Requests per minute " * 6
    assert rows(f"<tr><th>Plan<th>{name}<tr><td>Small<td>9") == [f"Plan: Small; {name.strip()}: 9"]


@pytest.mark.timeout(20)
def test_many_headers_and_titles_cost_no_more_than_their_number() -> None:
    headers = "<tr><th colspan=100>Wide<th>Name" * 500
    titles = "".join(f"<tr><th colspan=2>Rule {number}" for number in range(500))
    assert len(rows(f"{headers}{titles}{'<tr><td>Oil<td>9' * 500}")) == 500 + 500 - 4


def test_a_header_beside_its_rows_stands_in_front_of_each() -> None:
    table = (
        "<tr><th>Area<th>Option<th>Default<tbody><tr><th rowspan=2 scope=rowgroup>Network<td>port<td>80"
        "<tr><td>host<td>local</tbody><tbody><tr><th rowspan=0>Storage<td>path<td>/data<tr><td>size<td>4</tbody>"
    )
    assert rows(table) == [
        "Area: Network; Option: port; Default: 80",
        "Area: Network; Option: host; Default: local",
        "Area: Storage; Option: path; Default: /data",
        "Area: Storage; Option: size; Default: 4",
    ]


def test_a_row_header_stands_first_wherever_its_column_is() -> None:
    assert rows("<tr><th>No.<th>Option<th>Default<tr><td>1<th scope=row>port<td>80") == [
        "Option: port; No.: 1; Default: 80"
    ]


def test_the_attribute_headers_decides_before_the_place_of_a_cell() -> None:
    table = (
        "<tr><th id=o>Option<th id=d>Default<th id=m>Most<tr><th id=n colspan=3>Network"
        "<tr><td headers=o>port<td headers='n m'>80<td headers='n d'>90"
    )
    assert rows(table) == ["Network; Option: port; Most: 80; Default: 90"]


def test_a_header_of_a_column_group_names_all_its_columns() -> None:
    table = (
        "<colgroup><col><colgroup span=2></colgroup><tr><td><th scope=colgroup>Limits<td><tr><td><th>Least<th>Most"
        "<tr><td>Seats<td>1<td>5"
    )
    assert rows(table) == ["Seats; Limits / Least: 1; Limits / Most: 5"]


@pytest.mark.parametrize(
    "first",
    [
        "<td><strong>Lamp</strong><td><strong>Price</strong>",
        "<td><p><b>Lamp</b></p><td><b>Price</b>",
        "<td role=columnheader>Lamp<td role=columnheader>Price",
        "<td style='font-weight: 700'>Lamp<td><span style='font-weight:bold'>Price</span>",
    ],
)
def test_a_first_row_in_bold_names_the_columns(first: str) -> None:
    assert rows(f"<tr>{first}<tr><td>Oil<td>20<tr><td>Gas<td>30") == ["Lamp: Oil; Price: 20", "Lamp: Gas; Price: 30"]


def test_the_head_of_a_table_without_header_cells_names_the_columns() -> None:
    assert rows("<thead><tr><td>Lamp<td>Price</thead><tbody><tr><td>Oil<td>20</tbody>") == ["Lamp: Oil; Price: 20"]


def test_words_above_columns_of_numbers_or_code_name_them() -> None:
    table = "<tr><td>Option<td>Default<td>Meaning<tr><td>port<td><code>80</code><td>Listens<tr><td>wait<td>9 s<td>Waits"
    assert rows(table)[0] == "Option: port; Default: `80`; Meaning: Listens"


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td>Port<td>80<tr><td>Host<td>local",
        "<tr><td><b>Port</b><td>80<tr><td><b>Host</b><td>local",
        "<tr><td><b>Port</b><td><b>80</b><tr><td><b>Host</b><td><b>local</b>",
        "<tr><td>Name<td>Harbor<tr><td>Port<td>80<tr><td>Wait<td>30",
        "<tr><td>Oil<td>yes<td>warm<tr><td>Gas<td>no<td>cold<tr><td>Tea<td>no<td>hot",
    ],
)
def test_no_column_gets_a_name_that_is_a_value(table: str) -> None:
    assert not any(":" in row for row in rows(table))


def test_rows_of_a_table_of_header_cells_keep_their_values() -> None:
    assert rows("<tr><th>Lamp<th>Price<tr><th>Oil<th>20<tr><th>Gas<th>30") == [
        "Lamp: Oil; Price: 20",
        "Lamp: Gas; Price: 30",
    ]


def test_a_table_of_divs_with_roles_is_a_table() -> None:
    def row(*cells: str, role: str = "cell") -> str:
        return "<div role=row>" + "".join(f"<div role={role}>{cell}</div>" for cell in cells) + "</div>"

    table = row("Lamp", "Price", role="columnheader") + row("Oil", "<p>20</p>") + row("Gas", "30")
    page = read(f"<div role=table><div role=rowgroup>{table}</div></div><p>After.</p>")
    assert [(unit.kind, unit.text) for unit in page.units] == [
        ("row", "Lamp: Oil; Price: 20"),
        ("row", "Lamp: Gas; Price: 30"),
        ("prose", "After."),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<table role=presentation><tr><td>{}<td>{}</table>",
        "<table><tr><td>{}{}</table>",
        "<table><tr><td><h3>Left</h3>{}<td><h3>Right</h3>{}</table>",
        "<table><tr><td>{}<ul><li>one</ul><td>{}</table>",
    ],
)
def test_a_table_that_only_places_its_content_has_no_rows(table: str) -> None:
    content = "<p>First.</p><table><tr><th>Lamp<th>Price<tr><td>Oil<td>20</table>", "<p>Last.</p>"
    units = read(table.format(*content)).units
    assert [(unit.kind, unit.text) for unit in units if unit.kind in {"prose", "row"}] == [
        ("prose", "First."),
        ("row", "Lamp: Oil; Price: 20"),
        ("prose", "Last."),
    ]


def test_a_row_outside_of_any_table_leaves_the_next_table_its_rows() -> None:
    page = read("<div role=row><div role=cell>alone</div></div><table><tr><th>A<tr><td>1</table>")
    assert [unit.text for unit in page.units] == ["alone", "A: 1"]


def test_the_title_of_a_row_in_a_group_is_its_own_first_cell() -> None:
    page = read("<table><tr><th>Option<th>Default<tr><th colspan=2>Network<tr id=port><td>port<td>80</table>")
    assert (page.target("port").title, page.cited("Network; Option: port; Default: 80")) == ("port", "port")


def test_a_row_that_is_a_heading_begins_a_section_of_the_table() -> None:
    page = read(
        "<table><tr><td colspan=2><h2 id=public>Public Functions</h2><tr><td>void<td>open ()<tr><td>int<td>size ()"
        "<tr><td colspan=2><h2 id=friends>Friends</h2><tr><td>void<td>swap ()</table>"
    )
    assert [unit.text for unit in page.units] == ["void; open ()", "int; size ()", "void; swap ()"]
    assert [target.heading_path[-1] for target in page.targets if target.blocks] == ["Public Functions", "Friends"]


def test_a_signature_in_a_table_is_one_text() -> None:
    cells = "<td class=memname>void open <td>(<td>const char * <td><em>path</em>, <tr><td><td><td>int<td>mode <td>) "
    page = read(f"<div class=memproto><table class=memname><tr>{cells}</table></div><div>Opens.</div>")
    assert [(unit.kind, unit.text) for unit in page.units] == [
        ("prose", "void open ( const char * path, int mode )"),
        ("prose", "Opens."),
    ]


def test_a_grid_of_divs_with_header_cells_is_a_table() -> None:
    cells = (
        '<div class="table-header col-first">Type</div><div class="table-header col-last">Method</div>'
        '<div class="col-first even-row-color"><code>int</code></div><div class="col-last even-row-color">'
        '<code>size()</code><div class="block">Counts.</div></div><div class="col-first">void</div>'
    )
    page = read(f'<div class="summary-table two-column-summary">{cells}</div><p>After.</p>')
    assert [(unit.kind, unit.text) for unit in page.units] == [
        ("row", "Type: `int`; Method: `size()` Counts."),
        ("row", "Type: void"),
        ("prose", "After."),
    ]


@pytest.mark.parametrize("icon", ["<div class=title>Note</div>", '<i class="fa icon-note" title="Note"></i>'])
def test_an_admonition_that_is_a_table_has_its_label(icon: str) -> None:
    page = read(
        f"<div class='admonitionblock note'><table><tr><td class=icon>{icon}</td>"
        "<td class=content><p>Mind the lamp.</p></td></tr></table></div>"
    )
    blocks = [item.block for target in page.targets for item in target.blocks]
    assert [(block.kind, block.text, block.note) for block in blocks] == [
        ("heading", "Note", True),
        ("prose", "Mind the lamp.", True),
    ]


def test_a_cell_over_two_rows_stands_in_a_shorter_row_as_well() -> None:
    assert rows("<tr><th>A<th>B<th>C<tr><td>1<td>2<td rowspan=2>both<tr><td>3") == [
        "A: 1; B: 2; C: both",
        "A: 3; C: both",
    ]


@pytest.mark.parametrize("sign", ["^-^", ".", "—", "…"])
def test_a_header_without_a_letter_is_no_name(sign: str) -> None:
    assert rows(f"<tr><th>{sign}<th>Price<tr><td>Oil<td>20") == ["Oil; Price: 20"]


def test_words_beside_an_empty_corner_name_the_columns() -> None:
    assert rows("<tr><td><td>Oil<td>Gas<tr><td>Light<td>warm<td>cold<tr><td>Smell<td>yes<td>no") == [
        "Light; Oil: warm; Gas: cold",
        "Smell; Oil: yes; Gas: no",
    ]
    assert rows("<tr><td><td>Oil<td>Gas<tr><td><td>warm<td>cold")[0] == "Oil; Gas"


def test_a_first_row_with_such_a_class_names_the_columns() -> None:
    for name in ("header", "table-header-row", "thead bg"):
        assert rows(f"<tr class='{name}'><td>Lamp<td>Price<tr><td>Oil<td>20") == ["Lamp: Oil; Price: 20"]
    assert rows("<tr class=overhead><td>Lamp<td>Price") == ["Lamp; Price"]


def test_a_bold_row_below_the_header_row_goes_on_with_it() -> None:
    table = "<tr><th>Lamp<th>Price<th><tr><td><td><b>New</b><td><b>Used</b><tr><td>Oil<td>9<td>4"
    assert rows(table) == ["Lamp: Oil; Price / New: 9; Used: 4"]


def test_a_bold_row_of_values_is_no_header_row() -> None:
    table = "<tr><th>Lamp<th>Price<tr><td><b>Oil</b><td><b>9</b><tr><td>Gas<td>4"
    assert rows(table) == ["Lamp: Oil; Price: 9", "Lamp: Gas; Price: 4"]


def test_a_row_as_wide_as_a_table_without_names_is_no_title() -> None:
    assert rows("<tr><td colspan=2>Any wick<tr><td>void<td>trim<tr><td colspan=2>Any lamp<tr><td>int<td>fill") == [
        "Any wick",
        "void; trim",
        "Any lamp",
        "int; fill",
    ]
