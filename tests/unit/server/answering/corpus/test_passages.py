"""Passages as a reader sees them: whole, readable on their own, and nothing but the docs' words."""

import re
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer

LONG_CODE = "\n".join(f"line({number})" for number in range(80))
OTHER_SETTINGS = "".join(
    f"""
:: `other.{number}`

Setting number {number} is about a thing that nobody asks for, and is here to make a long list of what can be set. It
has a second sentence that says no more than the first, as many settings have.
"""
    for number in range(8)
)
SETTINGS = f"""# Settings
## All settings {{#all}}
Everything that can be set stands in the list below, with what it is when nobody sets it.

:: `soot.scrape`

Whether soot is scraped off. One of `never`, `daily` or `weekly`.

With `daily` a chimney has to be cold for an hour.

With `weekly` it is scraped on Sundays, when nobody cooks. Nobody is called for it.

> New in version 2.1.
{OTHER_SETTINGS}
:: `soot.hour`

The hour at which soot is scraped off a chimney.
"""
OPTIONS = f"""# Sweep
## Options {{#options}}
:: `-w` {{#opt-w}}

:: `--wet` {{#opt-wet}}

Sweeps a chimney with wet brushes.

Wet brushes have to dry for a day.
{OTHER_SETTINGS}"""
VALVES = f"""# Valves
## Valve settings {{#valves}}
All that can be set of valves:
{OTHER_SETTINGS}
:: `valve.hour`

The hour at which valves are oiled.
"""
FUNCTION = f"""# Functions
## flue.rise {{#rise}}
:: `flue.rise(height, width)`

Returns how fast smoke rises in a flue. A flue is measured in metres.
{OTHER_SETTINGS}"""
PAGES = {
    "/docs/valves": VALVES,
    "/docs/functions": FUNCTION,
    "/docs/sweep": OPTIONS,
    "/docs/settings": SETTINGS,
    "/docs/lamp": f"""# Lamp
## Light the lamp {{#light}}
A lamp is lit with a match. Hold the match to the wick. Wait for a second. Then let go. Never leave a lamp alone.

## Fill the lamp {{#fill}}
To fill the lamp, take these steps:

- Open the tank.
- Pour oil into the tank.
- Close the tank.

This takes a minute.

## Clean the lamp {{#clean}}
Cleaning keeps a lamp bright. Clean the lamp with this program:

```js
{LONG_CODE}
```

## Lamp guide {{#guide}}
See the wick guide for more.

[wick guide](/docs/wick#trim)

## Lamp options {{#options}}
Options of a lamp.

| Name: `size`; Type: number; Default: 5; Description: How big the lamp is |
| Name: `oil`; Type: string; Default: olive; Description: What the lamp burns |
""",
    "/docs/shade": """# Shade
## Paint the shade {#paint}
A shade is made of paper.

It comes in white.

Painting the shade takes blue paint for the shade.
""",
    "/docs/wick": """# Wick
## Trim the wick {#trim}
A wick is trimmed with scissors once a week.
""",
}


MARKER = re.compile(r" ?(?<!\\)\[(\d)\](?!\()")


def bare(text: str) -> str:
    """Return a text without blanks and the marks of Markdown."""
    return re.sub(r"[\s`*\\>]|\[\d\]", "", text)


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("passages"), PAGES)


def shown(answerer: Answerer, query: str) -> str:
    reply = answer(answerer, Question(query))
    assert isinstance(reply, Answer)
    return reply.text


def first(text: str) -> str:
    return text.split("\n\n### ")[0]


def test_each_passage_stands_under_the_name_of_its_page_and_section(answerer: Answerer) -> None:
    headings = re.findall(r"^### (.*)$", shown(answerer, "light the lamp"), re.MULTILINE)
    assert headings[0] == "Lamp › Light the lamp"
    assert 1 < len(headings) <= 5
    assert len(headings) == len(set(headings))


def test_a_short_section_is_quoted_as_a_whole(answerer: Answerer) -> None:
    text = (
        "A lamp is lit with a match. Hold the match to the wick. Wait for a second. Then let go. "
        "Never leave a lamp alone. [1]"
    )
    assert first(shown(answerer, "light the lamp")).endswith(text)


LINKING = """# A
## Light a lamp {#light}
A lamp is lit at dusk. It burns all night. It goes out at dawn.

Oil is dear.

Read on here:

- Oil guide
- Wick guide

[Oil guide](/b#oil)

[Wick guide](/b#oil)
"""


def test_a_whole_section_is_quoted_without_its_lists_of_links(tmp_path: Path) -> None:
    text = first(
        shown(make_answerer(tmp_path, {"/a": LINKING, "/b": "# B\n## Oil {#oil}\nOil burns."}), "light a lamp")
    )
    assert "Oil is dear." in text
    assert "Read on" not in text
    assert "guide" not in text


def test_a_list_comes_with_the_sentence_that_announces_it(answerer: Answerer) -> None:
    steps = "take these steps:\n\n- Open the tank.\n- Pour oil into the tank.\n- Close the tank."
    assert steps in first(shown(answerer, "fill the lamp"))


def test_code_too_long_to_show_is_left_out_with_what_announces_it(answerer: Answerer) -> None:
    passage = first(shown(answerer, "clean the lamp"))
    assert "Cleaning keeps a lamp bright." in passage
    assert "with this program" not in passage
    assert "line(" not in passage


def test_what_is_nearer_to_the_question_further_on_in_the_section_comes_along(answerer: Answerer) -> None:
    passage = first(shown(answerer, "blue paint for a shade"))
    assert "A shade is made of paper." in passage
    assert "Painting the shade takes blue paint for the shade." in passage


def test_a_row_reads_as_name_type_default_and_description(answerer: Answerer) -> None:
    passage = first(shown(answerer, "lamp options size"))
    assert "- `size` (Type: number; Default: 5) – How big the lamp is" in passage
    assert "Name:" not in passage


@pytest.mark.parametrize("query", ["light the lamp", "fill the lamp", "lamp options size", "lamp guide"])
def test_a_marker_stands_at_the_claims_that_name_it(answerer: Answerer, query: str) -> None:
    reply = answer(answerer, Question(query))
    assert isinstance(reply, Answer)
    markers = list(MARKER.finditer(reply.text))
    named = {place for claim in reply.claims for place in claim.markers}
    assert named == set(range(len(markers)))
    for place, marker in enumerate(markers):
        own = [claim for claim in reply.claims if place in claim.markers]
        assert {claim.citations for claim in own} == {(int(marker[1]),)}
        before = bare(reply.text[: marker.start()])
        assert all(word in before for claim in own for word in map(bare, claim.quote.split("\t")))
        if own[-1].quote == own[-1].text:
            assert before.endswith(bare(own[-1].quote))


def test_a_passage_that_only_points_elsewhere_gives_its_place_to_what_it_points_to(answerer: Answerer) -> None:
    assert "A wick is trimmed with scissors once a week." in first(shown(answerer, "lamp guide"))


@pytest.mark.parametrize(
    "query", ["light the lamp", "fill the lamp", "lamp options size", "trim the wick", "lamp guide"]
)
def test_every_claim_is_quoted_word_for_word_and_cites_what_holds_it(answerer: Answerer, query: str) -> None:
    reply = answer(answerer, Question(query))
    assert isinstance(reply, Answer)
    assert reply.claims
    chunks = {chunk.chunk_id: chunk for chunk in answerer.index.chunks()}
    by_number = {citation.n: citation for citation in reply.citations if citation.used}
    for claim in reply.claims:
        assert claim.support == "quoted"
        (number,) = claim.citations
        chunk_id = by_number[number].chunk_id
        assert chunk_id is not None
        page = chunks[chunk_id].page_id
        assert any(claim.text in chunk.text for chunk in chunks.values() if chunk.page_id == page)


TABS = """# Start
## Install the lamp {#install}
Install the lamp:

=== npm

```sh
npm install lamp
```

=== Yarn

```sh
yarn add lamp
```
"""


@pytest.mark.parametrize(
    ("query", "command"), [("install the lamp", "npm install lamp"), ("install the lamp with yarn", "yarn add lamp")]
)
def test_of_tabs_the_first_is_quoted_or_the_one_asked_about(tmp_path: Path, query: str, command: str) -> None:
    text = shown(make_answerer(tmp_path, {"/start": TABS}), query)
    assert re.findall(r"(?:npm install|yarn add) lamp", text) == [command]


WARNED = """# Lamp
## Turn the lamp {#turn}
The lamp is turned by hand. It takes a second.

> **danger**

> A lamp that is turned too fast breaks.

> **tip**

> A glove is of help.

""" + "\n\n".join(f"Lighthouse keeper {number} wrote letters about fog and ships." for number in range(50))


def test_a_danger_of_the_section_comes_along_and_a_tip_does_not(tmp_path: Path) -> None:
    text = shown(make_answerer(tmp_path, {"/lamp": WARNED}), "turn the lamp")
    assert "> **Danger** A lamp that is turned too fast breaks." in text
    assert "glove" not in text


def test_words_that_the_docs_link_within_the_site_are_links(tmp_path: Path) -> None:
    pages = {
        "/a": "# A\n## Lamp oil {#oil}\nLamp oil is kept with the wick guide on the shelf.\n\n[wick guide](/b#trim)",
        "/b": "# B\n## Trim {#trim}\nA wick is trimmed.",
    }
    text = shown(make_answerer(tmp_path, pages), "lamp oil")
    assert "kept with the [wick guide](/b#trim) on the shelf" in text


def test_the_row_that_was_asked_about_is_quoted_without_the_others_and_cited_itself(tmp_path: Path) -> None:
    rows = "\n".join(f"| Name: `{name}`; Default: {name}s; Description: What {name} is | {{#{name}}}" for name in NAMES)
    answerer = make_answerer(
        tmp_path, {"/lamp": f"# Lamp\n## Settings {{#settings}}\nWhat a lamp is made of.\n\n{rows}"}
    )
    reply = answer(answerer, Question("what is tallow"))
    assert isinstance(reply, Answer)
    assert re.findall(r"^- `(\w+)`", reply.text, re.MULTILINE) == ["tallow"]
    assert "tallow" in [citation.anchor for citation in reply.citations if citation.used]


NAMES = ("wick", "tallow", "glass")


def test_a_list_inside_of_an_item_stands_below_it_whatever_its_number(tmp_path: Path) -> None:
    steps = "- Open the tap.\n- Wait:\n  - an hour in summer,\n  - two in winter."
    oil = f"# Oil\n## Drain the oil {{#drain}}\nTo drain the oil:\n\n{steps}"
    answerer = make_answerer(tmp_path, {"/docs/oil": oil})
    assert "- Wait:\n    - an hour in summer,\n    - two in winter. [1]" in shown(answerer, "How do I drain the oil?")


def test_units_that_the_docs_do_not_part_are_not_parted(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, {"/docs/oil": "# Oil\n## Fill the oil {#fill}\nPass oil as os.PathLike. Done."})
    assert "os.PathLike" in shown(answerer, "fill the oil")


def test_a_setting_of_a_list_is_quoted_with_all_that_is_said_of_it_and_without_its_versions(answerer: Answerer) -> None:
    text = shown(answerer, "Whether soot is scraped off, one of never, daily or weekly")
    assert "**`soot.scrape`**" in text
    assert "With `weekly` it is scraped on Sundays, when nobody cooks. Nobody is called for it." in text
    assert "New in version" not in text


def test_the_next_nearest_setting_of_a_list_is_quoted_with_the_nearest(answerer: Answerer) -> None:
    text = shown(answerer, "Whether soot is scraped off, one of never, daily or weekly")
    assert "The hour at which soot is scraped off a chimney." in text
    assert "nobody asks for" not in text


def test_a_term_its_other_names_and_all_that_is_said_of_it_cite_one_place(answerer: Answerer) -> None:
    reply = answer(answerer, Question("Which option sweeps a chimney with wet brushes?"))
    assert isinstance(reply, Answer)
    passage = reply.text.partition("\n\n### ")[0]
    assert (
        "**`-w`**\n\n**`--wet`**\n\nSweeps a chimney with wet brushes.\n\nWet brushes have to dry for a day. [1]"
        in passage
    )
    assert reply.citations[0].anchor == "opt-wet"


def test_a_long_list_of_settings_begins_with_none_more_than_with_another(answerer: Answerer) -> None:
    passage = shown(answerer, "What can be set of valves?").partition("\n\n### ")[0]
    assert passage.count("**`") <= 2
    assert "All that can be set of valves" not in passage


def test_a_function_begins_with_its_signature_however_many_parameters_it_has(answerer: Answerer) -> None:
    passage = shown(answerer, "flue.rise settings that nobody asks for").partition("\n\n### ")[0]
    assert "**`flue.rise(height, width)`**\n\nReturns how fast smoke rises in a flue." in passage
