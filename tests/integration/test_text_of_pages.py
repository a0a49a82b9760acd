"""What readers see on a page is what the index, quoted answers, the Markdown for agents and the browser have."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.integration.browser_engine import Asked, BrowserEngine, build_files, sidecar_reply
from tests.unit.indexer.builds import Silence

from pincite_core.embedders import FAKE_MODEL
from pincite_core.index.read import Index
from pincite_indexer.build import BuildOptions, build_index


@dataclass(frozen=True)
class Case:
    """A page's content, a question about it, and what must and must not be in every text made of it."""

    html: str
    question: str
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    markdown: tuple[str, ...] | None = None  # in the Markdown for agents, if it is written otherwise there


KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mfrac><mn>3</mn><mn>4</mn></mfrac>'
    '<annotation encoding="application/x-tex">\\frac{3}{4}</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true">43</span></span>'
)
CASES = {
    "superscripts": Case(
        "<p>The tank holds 10<sup>6</sup> litres.</p>", "How many litres does the tank hold?", ("10⁶",), ("106",)
    ),
    "subscripts": Case(
        "<p>The probe measures CO<sub>2</sub>.</p>", "What does the probe measure?", ("CO₂",), ("CO 2",)
    ),
    "footnote marks": Case(
        '<p>The fuse trips at 16<sup id="r1"><a href="#f1">1</a></sup> amperes.</p><ol><li id="f1">Cold.</li></ol>',
        "At how many amperes does the fuse trip?",
        ("16 amperes",),
        ("161", "16¹", "16 1"),
    ),
    "formulas": Case(
        f"<p>Fill the kettle to {KATEX} of its height.</p>",
        "How high is the kettle filled?",
        ("\\frac{3}{4}",),
        ("43 ",),
    ),
    "MathML": Case(
        "<p>The delay is <math><mfrac><mi>n</mi><mn>2</mn></mfrac></math> seconds.</p>",
        "How long is the delay?",
        ("n/2 seconds",),
    ),
    "struck-out words": Case(
        "<p>The lamp costs <del>9 euros</del> 12 euros.</p>", "What does the lamp cost?", ("~~9 euros~~ 12 euros",)
    ),
    "pictures": Case(
        '<p>Press <img src="m.svg" alt="Mode"> twice to reset the hub.</p>',
        "How is the hub reset?",
        ("Mode",),
        ("m.svg)Mode",),
        ("Mode", "twice"),
    ),
    "icons in cells": Case(
        "<table><tr><th>Model</th><th>Siren</th></tr><tr><td>Basic siren model</td><td>"
        '<svg role="img" aria-label="Not fitted"></svg></td></tr></table>',
        "Is the siren fitted in the basic siren model?",
        ("Not fitted",),
    ),
    "buttons": Case(
        "<p>Click <button>Pair now</button> to pair a remote.</p>", "How is a remote paired?", ("Click Pair now to",)
    ),
    "values of fields": Case(
        '<p>Set the pause to <input value="45"> seconds.</p>',
        "How long is the pause?",
        ("45 seconds",),
        (),
        ("45 seconds",),
    ),
    "soft hyphens": Case(
        "<p>The dehumidi&shy;fica&shy;tion starts at noon.</p>",
        "When does dehumidification start?",
        ("dehumidification",),
    ),
    "adjacent boxes": Case(
        '<p><span class="name">room_id</span><span class="type">uuid</span><span>required</span> names the room.</p>',
        "Is room_id required?",
        ("room_id uuid required",),
        ("uuidrequired",),
        ("uuid", "required"),
    ),
    "line breaks": Case(
        "<p>Mount the bracket<br>below the shelf.</p>",
        "Where is the bracket mounted?",
        ("below the shelf",),
        ("bracketbelow",),
    ),
    "two header rows": Case(
        "<table><thead><tr><th rowspan=2>Plan</th><th colspan=2>Requests</th></tr>"
        "<tr><th>Read</th><th>Write</th></tr></thead>"
        "<tbody><tr><td>Hobby plan</td><td>60</td><td>10</td></tr></tbody></table>",
        "How many write requests does the Hobby plan have?",
        ("Write: 10",),
        (),
        ("Write", "10"),
    ),
    "letters of lists": Case(
        '<p>Steps of the rinse cycle:</p><ol type="a" start="3"><li>Open the rinse valve.</li>'
        "<li>Close the rinse valve.</li></ol>",
        "What are the steps of the rinse cycle?",
        ("c. Open", "d. Close"),
        (),
        ("c. Open", "d. Close"),
    ),
    "line numbers in code": Case(
        '<p>Start the gateway:</p><pre><code><span class="ln">1</span>gateway start\n'
        '<span class="ln">2</span>gateway status\n</code></pre>',
        "How is the gateway started?",
        ("gateway start\ngateway status",),
        ("1gateway",),
    ),
    "hidden words": Case(
        '<p>Renew the seal<span class="sr-only"> (opens a form)</span> in May.</p>',
        "When is the seal renewed?",
        ("seal in May",),
        ("opens",),
    ),
    "what authors keep out": Case(
        "<p>The pump runs at night.</p><p data-pagefind-ignore>The pump runs at dawn.</p>",
        "When does the pump run?",
        ("night",),
        ("dawn",),
    ),
    "parts without snippets": Case(
        "<p>The blower stops at noon.</p><div><span data-nosnippet>The blower stops at teatime.</span></div>",
        "When does the blower stop?",
        ("noon",),
        ("teatime",),
    ),
    "excluded sections": Case(
        "<p>The valve leaks at 4 bar.</p><h2 id=b data-search-exclude>Old valves</h2><p>The valve leaks at 9 bar.</p>",
        "At which pressure does the valve leak?",
        ("4 bar",),
        ("9 bar", "Old valves"),
    ),
    "page furniture": Case(
        "<p>The candle burns for six hours.</p><footer><a href=https://git.example/edit>Edit page</a></footer>"
        "<div><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>"
        '<div><a rel="prev" href="/a.html">Previous: Wicks</a></div>',
        "How long does the candle burn?",
        ("six hours",),
        ("Edit page", "helpful", "Wicks"),
    ),
    "shadow roots": Case(
        '<x-tip><template shadowrootmode="open"><p>Grease the hinge <slot></slot>.</p></template>every spring</x-tip>',
        "When is the hinge greased?",
        ("Grease the hinge every spring",),
    ),
}


@dataclass(frozen=True)
class Built:
    folder: Path
    index: Index
    browser: BrowserEngine


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, browser: BrowserEngine) -> Built:
    site = tmp_path_factory.mktemp("site")
    for place, (name, case) in enumerate(CASES.items()):
        body = f'<main><h1>{name.capitalize()}</h1><h2 id="a">Notes on {name}</h2>{case.html}</main>'
        head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title></head>'
        (site / f"page-{place}.html").write_text(f"{head}<body>{body}</body></html>", encoding="utf-8")
    options = BuildOptions(site, model=FAKE_MODEL, cache=False, browser_answers=True, llms=True)
    build_index(options, None, Silence())
    return Built(site / "pincite", Index.open(site / "pincite"), browser)


def check(text: str, case: Case, has: tuple[str, ...]) -> None:
    assert [part for part in has if part not in text] == [], text
    assert [part for part in case.lacks if part in text] == [], text


def plain(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.replace("\\_", "_") for part in parts)


@pytest.mark.parametrize("name", CASES)
def test_the_index_has_what_readers_see(built: Built, name: str) -> None:
    page = next(page for page in built.index.pages() if page.title.lower() == name.lower())
    check(
        "\n".join(chunk.text for chunk in built.index.chunks_of_page(page.page_id)), CASES[name], plain(CASES[name].has)
    )


@pytest.mark.parametrize("name", CASES)
def test_a_quoted_answer_has_what_readers_see(built: Built, name: str) -> None:
    _, reply = sidecar_reply(built.index, Asked(CASES[name].question))
    check(str(reply["answer"]).replace("\\\\", "\\"), CASES[name], CASES[name].has)


@pytest.mark.parametrize("name", CASES)
def test_the_browser_answers_with_the_same_words(built: Built, name: str) -> None:
    asked = Asked(CASES[name].question)
    text, in_sidecar = sidecar_reply(built.index, asked)
    _, reply = built.browser.reply(built.folder, asked, text)
    assert reply["answer"] == in_sidecar["answer"]
    check(str(reply["answer"]).replace("\\\\", "\\"), CASES[name], CASES[name].has)


@pytest.mark.parametrize("name", CASES)
def test_the_browser_finds_the_page_by_its_words(built: Built, name: str) -> None:
    place = list(CASES).index(name)
    found, _ = built.browser.search_by_words(built.folder, CASES[name].question, "en")
    assert f"/page-{place}#a" in {url.replace(".html", "") for url in found}, found


@pytest.mark.parametrize("name", CASES)
def test_the_markdown_for_agents_has_what_readers_see(built: Built, name: str) -> None:
    case, place = CASES[name], list(CASES).index(name)
    text = (built.folder.parent / f"page-{place}.md").read_text(encoding="utf-8")
    check(text.replace("\\\\", "\\").replace("\\_", "_"), case, plain(case.markdown or case.has))


def test_a_page_called_search_is_content_and_two_pages_of_one_route_are_told_apart(tmp_path: Path) -> None:
    pages = {
        "docs/search.html": "Put a minus before a word.",
        "docs/search/index.html": "It returns at most 250 lamps.",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"<!doctype html><main><h1>Search</h1><p>{text}</p></main>", encoding="utf-8")
    build_index(BuildOptions(tmp_path, model=FAKE_MODEL, cache=False), None, Silence())
    index = Index.open(tmp_path / "pincite")
    assert {page.url for page in index.pages()} == {"/docs/search.html", "/docs/search/"}
    for page in index.pages():
        assert index.page_at(page.url) == page
    _, reply = sidecar_reply(index, Asked("How many lamps does it return at most?"))
    assert "250 lamps" in reply["answer"]


def index_of(folder: Path, content: str) -> Index:
    """Return the index of a site of one page."""
    return Index.open(build_files({"index.html": f"<!doctype html><main>{content}</main>"}, folder))


def test_a_sentence_that_is_struck_out_is_never_quoted_alone(tmp_path: Path) -> None:
    ports = "<h1>Ports</h1><p><s>The relay listens on port 4100.</s> The relay listens on port 4200.</p>"
    index = index_of(tmp_path, ports)
    struck, valid = index.units()
    assert (struck.role, struck.has("navigation")) == ("fragment", True)
    assert valid.passage == (0, 0)
    _, reply = sidecar_reply(index, Asked("On which port does the relay listen?"))
    assert "The relay listens on port 4200." in reply["answer"]
    assert "4100" not in reply["answer"]


def test_the_description_of_a_picture_is_quoted_only_for_itself(tmp_path: Path) -> None:
    before = "Loosen both screws of the cover before you touch a wire."
    picture = '<img src="w.png" alt="The red wire goes to terminal 7">'
    after = "Tighten both screws of the cover when all the wires are fixed."
    index = index_of(tmp_path, f"<h1>Wiring</h1><p>{before}</p><p>{picture}</p><p>{after}</p>")
    assert [unit.has("picture") for unit in index.units()] == [False, True, False]
    _, screws = sidecar_reply(index, Asked("Which screws must be loosened before a wire is touched?"))
    assert "Loosen both screws" in screws["answer"]
    assert "terminal 7" not in screws["answer"]
    _, wire = sidecar_reply(index, Asked("To which terminal does the red wire go?"))
    assert "The red wire goes to terminal 7" in wire["answer"]
