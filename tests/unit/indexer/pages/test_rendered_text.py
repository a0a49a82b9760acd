"""The text of a content is what a sighted reader sees, with the alternatives of pictures."""

import pytest
from tests.unit.indexer.one_page import Unit, read


def texts(content: str) -> list[str]:
    return [unit.text for unit in read(content).units]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("A tank holds 10<sup>6</sup> litres.", "A tank holds 10⁶ litres."),
        ("A tank holds 10<sup>-6</sup> litres.", "A tank holds 10⁻⁶ litres."),
        ("It has 2<sup>n+1</sup> states.", "It has 2ⁿ⁺¹ states."),
        ("It has 2<sup>10+k</sup> states.", "It has 2^(10+k) states."),
        ("It grows with e<sup>kt</sup>.", "It grows with e^kt."),
        ("A plate of 4 m<sup>2</sup>.", "A plate of 4 m²."),
        ("It measures CO<sub>2</sub> at V<sub>max</sub>.", "It measures CO₂ at V_max."),
        ("Add <sup>1</sup>/<sub>2</sub> litre.", "Add ¹/₂ litre."),
        ("The 2<sup>nd</sup> valve of Kettle<sup>TM</sup>.", "The 2nd valve of KettleTM."),
        ("The remote<sup>beta</sup> is new.", "The remote beta is new."),
        ("It weighs 12 kg<sup>*</sup>.", "It weighs 12 kg*."),
        ("The fuse trips at 16<sup>[3]</sup> amperes.", "The fuse trips at 16 [3] amperes."),
    ],
)
def test_raised_and_lowered_text_keeps_its_meaning(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


@pytest.mark.parametrize(
    "mark",
    [
        '<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote" role="doc-noteref">1</a></sup>',
        '<sup class="footnote-reference"><a href="#1">1</a></sup>',
        '<sup class="footnote">[<a id="_ref_1" class="footnote" href="#_def_1">1</a>]</sup>',
        '<sup><a href="#fn-1" data-footnote-ref>1</a></sup>',
        '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
        '<a href="#ftn.1" class="footnote"><sup>[1]</sup></a>',
        '<sup><a href="#fn1">1</a>, <a href="#fn2">2</a></sup>',
        '<a class="footnote-reference brackets" href="#id2" id="id1"><span>[</span>1<span>]</span></a>',
    ],
)
def test_the_mark_of_a_footnote_does_not_join_a_number(mark: str) -> None:
    assert texts(f"<p>The fuse trips at 16{mark} amperes.</p>") == ["The fuse trips at 16 amperes."]


def test_a_paragraph_is_not_cited_by_the_id_of_a_footnote_mark() -> None:
    page = read('<h2 id="fuse">Fuse</h2><p>It trips at 16<sup id="fnref:1"><a href="#fn:1">1</a></sup> A.</p>')
    assert page.cited("It trips at 16 A.") == "fuse"
    assert "fnref:1" in page.anchors


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("It costs <del>9 euros</del> <ins>12 euros</ins>.", "It costs ~~9 euros~~ 12 euros."),
        ("<s>It is on port 41.</s> It is on port 42.", "~~It is on port 41~~. It is on port 42."),
        ('It <span style="text-decoration: line-through">melts</span> holds.', "It ~~melts~~ holds."),
        ('It <span class="line-through">melts</span> holds.', "It ~~melts~~ holds."),
        ("<s>It <b>melts. It</b> is hot.</s>", "~~It melts~~. ~~It is hot~~."),
        ("<del>Use A.</del><ins>Use B.</ins>", "~~Use A~~. Use B."),
        ("It <strike>melts</strike> holds.", "It ~~melts~~ holds."),
        ("It <del></del>holds.", "It holds."),
        ("It <del>melts <s>at</s> noon</del> holds.", "It ~~melts at noon~~ holds."),
        ("It <s>melts <del>at</del> noon</s> holds.", "It ~~melts at noon~~ holds."),
        ('It <span class="line-through">melts <s>at</s> noon</span> holds.', "It ~~melts at noon~~ holds."),
        ("Run <s><code>a. b</code></s> now.", "Run ~~`a. b`~~ now."),
    ],
)
def test_struck_out_text_is_marked(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


def test_each_block_that_is_struck_out_is_marked() -> None:
    assert texts("<del><p>One.</p><ul><li>Two.</li></ul></del><p>Three.</p>") == ["~~One~~.", "- ~~Two~~.", "Three."]


TEX = r"\frac{3 \times n}{4}"
MATHML = "<mfrac><mrow><mn>3</mn><mo>×</mo><mi>n</mi></mrow><mn>4</mn></mfrac>"
ANNOTATED = f'<semantics><mrow>{MATHML}</mrow><annotation encoding="application/x-tex">{TEX}</annotation></semantics>'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            f'<span class="katex"><span class="katex-mathml"><math>{ANNOTATED}</math></span>'
            '<span class="katex-html" aria-hidden="true">43×n</span></span>',
            f"${TEX}$",
        ),
        (
            f'<span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block">'
            f'{ANNOTATED}</math></span><span class="katex-html" aria-hidden="true">43×n</span></span></span>',
            f"$${TEX}$$",
        ),
        (f"<math>{MATHML}</math>", "(3 × n)/4"),
        (f'<math alttext="{TEX}">{MATHML}</math>', f"${TEX}$"),
        (f'<math display="block" alttext="{TEX}">{MATHML}</math>', f"$${TEX}$$"),
        (
            '<mjx-container class="MathJax" jax="SVG"><svg><text>43n</text></svg>'
            f"<mjx-assistive-mml><math>{MATHML}</math></mjx-assistive-mml></mjx-container>",
            "(3 × n)/4",
        ),
        (f'<script type="math/tex">{TEX}</script>', f"${TEX}$"),
        (
            '<span class="MathJax_Preview">43n</span><span class="MathJax" id="m"><span>43n</span></span>'
            f'<script type="math/tex">{TEX}</script>',
            f"${TEX}$",
        ),
        ("<math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>y</mi></msqrt></math>", "x² + √y"),
        ("<math><msub><mi>t</mi><mi>max</mi></msub><mo>≤</mo><mn>4</mn></math>", "t_max ≤ 4"),
        (
            "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover></math>",
            "∑_(i = 1)ⁿ",
        ),
        ("<math><mi>f</mi><mo>&#x2061;</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></math>", "f(x)"),
    ],
)
def test_a_formula_is_its_tex_or_one_line(html: str, text: str) -> None:
    assert texts(f"<p>Use {html} bytes.</p>") == [f"Use {text} bytes."]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('Press <img alt="Mode" src="m.svg"> twice.', "Press Mode twice."),
        ('Press<img alt="Mode" src="m.svg">twice.', "Press Mode twice."),
        ('Press <svg role="img" aria-label="Mode"><path/></svg> twice.', "Press Mode twice."),
        ("Press <svg><title>Mode</title><path/></svg> twice.", "Press Mode twice."),
        ('Press <i class="icon-m" aria-label="Mode"></i> twice.', "Press Mode twice."),
        ('Press <i class="icon-m" title="Mode"></i> twice.', "Press Mode twice."),
        ('Press <span><i class="icon-m"></i><span class="sr-only">Mode</span></span> twice.', "Press Mode twice."),
        ('Press <span><b class="fa"></b><span class="sr-only">Mode</span></span> twice.', "Press Mode twice."),
        ('Press <picture><source srcset="d.svg"><img alt="Mode" src="m.svg"></picture> twice.', "Press Mode twice."),
        ('Press <svg aria-hidden="true"><title>Mode</title></svg> twice.', "Press twice."),
        ('Press <img alt="m.svg" src="m.svg"> twice.', "Press twice."),
        ('Press <img alt="" src="m.svg"> twice.', "Press twice."),
        ('Press <a href="/m"><img alt="mode" src="m.svg"> Mode</a> twice.', "Press Mode twice."),
        ('See <a href="/m">Mode<svg aria-label="(opens in new tab)"><path/></svg></a>.', "See Mode."),
        ('See <a href="/m">Mode<span class="visually-hidden"> (opens)</span></a>.', "See Mode."),
        ('See <a href="/m">Mode<span class="lyt-visually-hidden"> (opens)</span></a>.', "See Mode."),
    ],
)
def test_a_picture_is_its_alternative_text(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Click the <button>Save</button> button.", "Click the Save button."),
        ("Click <button>Save</button> or <b><button>Send</button></b>.", "Click Save or Send."),
        ('Set the delay to <input type="number" value="30"> seconds.', "Set the delay to 30 seconds."),
        ("Choose <select><option>slow<option selected>fast</select> mode.", "Choose fast mode."),
        ('The <input type="hidden" value="x">value.', "The value."),
        ("He calls it <q>the hub</q>.", "He calls it “the hub”."),
        ("<ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt></ruby>を読む", "漢字(かんじ)を読む"),
        ("Daten&shy;sicherung in<wbr>side", "Datensicherung inside"),
        ("<span>room_id</span><span>uuid</span><em>required</em>", "room_id uuid required"),
        ("un<b>happy</b> <code>valve</code>s <span>get</span><wbr><span>Name</span>", "unhappy `valve`s getName"),
        ("<code><span>10</span><span>px</span></code>", "`10px`"),
        ('Cloud<span class="badge">beta</span>', "Cloud beta"),
        ('<span class="group"><span class="tsd-flag">optional</span></span>schema', "optional schema"),
        ('statistic<span class="classifier">float</span>', "statistic float"),
        ("one<br>two", "one two"),
        ("one</br>two", "one two"),
        ('C<a href="/c#">#</a> and <a href="/d">D</a>', "C# and D"),
    ],
)
def test_a_sentence_reads_as_it_is_shown(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id="a">Install<a class="anchor" href="#a">#</a></h2>',
        '<h2 id="a"><a class="doc-anchor" href="#a">§</a>Install</h2>',
        '<h2 id="a"><span class="permalink"><a href="#a">&#9670;&#160;</a></span>Install</h2>',
        '<h2 id="a">Install<a class="x" href="#a">Direct link to Install</a></h2>',
        '<h2><a class="header" href="#a" id="a">Install</a></h2>',
        '<section id="a"><h2>Install<a href="#a">link</a></h2></section>',
        '<h2>Install <a href="#a"><span id="a"></span><i class="icon"></i></a></h2>',
        '<div><h2 id="a">Install</h2><a href="#a"><svg><path/></svg><b class="sr-only">Section A</b></a></div>',
        '<h2 id="a"><button type="button">Install</button></h2>',
        '<h2 id="a"><div>Install</div></h2>',
        '<h2 id="a">Install<span class="visually-hidden">, open this</span></h2>',
        '<div id="a" role="heading" aria-level="2">Install</div>',
    ],
)
def test_a_title_is_only_the_words_of_the_heading(heading: str) -> None:
    page = read(f"<h1>Hub</h1>{heading}<p>Run it.</p>")
    assert page.target("a").title == "Install"
    assert [unit.text for unit in page.units] == ["Run it."]
    assert page.cited("Run it.") == "a"


def test_a_heading_that_links_back_to_a_table_of_contents_keeps_its_words() -> None:
    page = read('<h2 id="a"><a class="toc-backref" href="#id1" role="doc-backlink">Install</a></h2><p>Run it.</p>')
    assert page.target("a").title == "Install"


def test_the_name_of_a_source_stays_before_it() -> None:
    label = '<span class="label">[<a role="doc-backlink" href="#id1">Frie09</a>]</span>'
    assert texts(f'<div role="doc-biblioentry">{label}<p>A book.</p></div>') == ["[Frie09]", "A book."]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ('pub fn <a href="#method.open" class="fn">open</a>(&amp;self) -&gt; bool', "pub fn open(&self) -> bool"),
        ('type <a href="#associatedtype.Item">Item</a>', "type Item"),
        ('fn <a href="../trait.Lid.html#method.open">open</a>(&amp;self)', "fn open(&self)"),
    ],
)
def test_a_name_that_links_to_its_own_heading_stays_in_the_title(heading: str, title: str) -> None:
    anchor = "associatedtype.Item" if "Item" in title else "method.open"
    page = read(f'<section id="{anchor}"><h4 class="code-header">{heading}</h4></section><p>Opens it.</p>')
    assert page.target(anchor).title == title


def test_an_accordion_is_labels_and_their_text() -> None:
    page = read(
        '<h2 id="faq">Questions</h2><button id="q1" aria-expanded="false" aria-controls="p1">Can I cancel?</button>'
        '<div id="p1" hidden><p>Yes, at once.</p></div>'
    )
    assert page.target("q1").title == "Can I cancel?"
    assert page.units == [Unit("prose", "Yes, at once.", "p1")]


@pytest.mark.parametrize("panel", ['hidden=""', 'style="display: none"'])
def test_a_button_opens_the_hidden_text_after_it(panel: str) -> None:
    page = read(f'<h2 id="faq">Questions</h2><button onclick="open()">Can I cancel?</button><div {panel}>Yes.</div>')
    assert [unit.text for unit in page.units] == ["Can I cancel?", "Yes."]


@pytest.mark.parametrize(
    "control",
    [
        "<button>Run</button>",
        '<button class="copy-btn">Copy</button>',
        '<nav><button aria-expanded="false" aria-controls="m">Menu</button></nav>',
        '<form><input type="search" placeholder="Search"><button>Go</button></form>',
    ],
)
def test_a_control_of_the_page_is_no_text(control: str) -> None:
    assert texts(f"<p>Turn it on.</p><div>{control}</div>") == ["Turn it on."]


def test_a_shadow_root_is_read_with_the_content_in_its_slots() -> None:
    page = (
        '<x-note><template shadowrootmode="open"><p><slot name="title">None</slot></p><p><slot></slot></p></template>'
        '<b slot="title">Caution</b>Let it cool.</x-note>'
    )
    assert texts(page) == ["Caution", "Let it cool."]
    assert texts('<x-note><template shadowrootmode="closed"><p>Unseen</p></template></x-note><p>A.</p>') == ["A."]
