"""What each generator's HTML means: tabs, labels, furniture, footnotes, content roots."""

import pytest
from tests.unit.indexer.one_page import Unit, document, read, read_bytes

DOCUSAURUS_TABS = """<h2 id=i>Install</h2><div class="tabs-container"><ul role="tablist" class="tabs">
<li role="tab" class="tabs__item">npm</li><li role="tab">yarn</li></ul><div>
<div role="tabpanel"><h3 id=n>With npm</h3><p>npm install</p></div>
<div role="tabpanel" hidden><h3 id=y>With yarn</h3><p>yarn add</p></div></div></div><p>After.</p>"""

MKDOCS_TABS = """<div class="tabbed-set" data-tabs="1:2"><input type="radio" id="__tabbed_1_1">
<input type="radio" id="__tabbed_1_2"><div class="tabbed-labels"><label for="__tabbed_1_1">npm</label>
<label for="__tabbed_1_2">yarn</label></div><div class="tabbed-content">
<div class="tabbed-block"><p>npm install</p></div><div class="tabbed-block"><p>yarn add</p></div></div></div>"""

# sphinx-inline-tabs, and sphinx-design, whose classes begin with `sd-`: each label stands before its panel.
SPHINX_TABS = """<div class="tab-set docutils"><input checked class="tab-input" id="t-1" type="radio">
<label class="tab-label" for="t-1">npm</label><div class="tab-content docutils"><p>npm install</p></div>
<input class="tab-input" id="t-2" type="radio"><label class="tab-label" for="t-2">yarn</label>
<div class="tab-content docutils"><p>yarn add</p></div></div><p>After.</p>"""

VITEPRESS_CODE_GROUP = """<div class="vp-code-group"><div class="tabs">
<input type="radio" id="t1"><label for="t1">npm</label><input type="radio" id="t2"><label for="t2">yarn</label></div>
<div class="blocks">
<div class="language-sh active"><button></button><span class="lang">sh</span>
<pre><code>npm install</code></pre></div>
<div class="language-sh"><button></button><span class="lang">sh</span>
<pre><code>yarn add</code></pre></div></div></div>"""


BOOTSTRAP_TABS = """<ul class="nav nav-tabs" role="tablist">
<li><button class="nav-link disabled" id="t-0-tab" data-bs-target="#t-0" role="tab">Manager:</button></li>
<li><button class="nav-link" id="t-1-tab" data-bs-target="#t-1" role="tab">npm</button></li>
<li><button class="nav-link" id="t-2-tab" data-bs-target="#t-2" role="tab">yarn</button></li></ul>
<div class="tab-content">
<div class="tab-pane" id="t-1" role="tabpanel" aria-labelledby="t-1-tab"><p>npm install</p></div>
<div class="tab-pane" id="t-2" role="tabpanel" aria-labelledby="t-2-tab"><p>yarn add</p></div></div>"""

ASCIIDOCTOR_TABS = """<div id="_tabs_1" class="openblock tabs is-sync is-loading"><div class="content">
<div class="ulist tablist"><ul><li id="_npm" class="tab"><p>npm</p></li><li id="_yarn" class="tab"><p>yarn</p></li></ul>
</div><div id="_npm--panel" class="tabpanel" aria-labelledby="_npm"><p>npm install</p></div>
<div id="_yarn--panel" class="tabpanel" aria-labelledby="_yarn"><p>yarn add</p></div></div></div>"""


@pytest.mark.parametrize(
    ("tabs", "npm", "yarn"),
    [
        (BOOTSTRAP_TABS, "npm install", "yarn add"),
        (ASCIIDOCTOR_TABS, "npm install", "yarn add"),
        (DOCUSAURUS_TABS, "npm install", "yarn add"),
        (MKDOCS_TABS, "npm install", "yarn add"),
        (SPHINX_TABS, "npm install", "yarn add"),
        (SPHINX_TABS.replace("tab-", "sd-tab-"), "npm install", "yarn add"),
        (VITEPRESS_CODE_GROUP, "```sh\nnpm install\n```", "```sh\nyarn add\n```"),
    ],
    ids=["bootstrap", "asciidoctor", "docusaurus", "mkdocs", "sphinx-inline-tabs", "sphinx-design", "vitepress"],
)
def test_every_tab_panel_is_read_with_the_label_of_its_tab(tabs: str, npm: str, yarn: str) -> None:
    units = read(tabs).units
    labels = {unit.text: unit.labels for unit in units}
    assert labels[npm] == ("npm",)
    assert labels[yarn] == ("yarn",)
    assert not {"npm", "yarn", "sh"} & {unit.text for unit in units}


def test_what_follows_tabs_without_a_list_of_labels_stands_in_none() -> None:
    labels = {unit.text: unit.labels for unit in read(SPHINX_TABS + MKDOCS_TABS).units[2:]}
    assert labels == {"After.": (), "npm install": ("npm",), "yarn add": ("yarn",)}


def test_a_heading_in_a_tab_ends_with_the_tab() -> None:
    page = read(DOCUSAURUS_TABS)
    assert [page.cited(text) for text in ("npm install", "yarn add", "After.")] == ["n", "y", "i"]


def test_a_heading_in_a_tab_does_not_swallow_another_group_with_the_same_label() -> None:
    group = '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</ul><div role="tabpanel">{}</div></div>'
    page = read("<h2 id=i>I</h2>" + group.format("<h3 id=n>N</h3><p>One.</p>") + group.format("<p>Two.</p>"))
    assert (page.cited("One."), page.cited("Two.")) == ("n", "i")


def test_tabs_in_tabs_are_opened_from_the_outside_in() -> None:
    inner = DOCUSAURUS_TABS.replace("<p>yarn add</p>", MKDOCS_TABS.replace("npm<", "Linux<").replace("yarn<", "macOS<"))
    labels = [unit.labels for unit in read(inner).units if unit.labels]
    assert labels == [("npm",), ("yarn", "Linux"), ("yarn", "macOS")]


@pytest.mark.parametrize(
    "furniture",
    [
        '<nav class="theme-doc-breadcrumbs"><ul><li>Gone</li></ul></nav>',
        '<span class="theme-doc-version-badge badge">Gone</span>',
        '<div class="theme-doc-toc-mobile"><button>Gone</button></div>',
        '<footer class="theme-doc-footer">Gone</footer>',
        '<div class="theme-doc-version-banner">Gone</div>',
        '<ul class="table-of-contents"><li><a href="#a">Gone</a></li></ul>',
        "<button>Gone</button>",
        '<nav class="pagination-nav">Gone</nav>',
        '<section class="tsd-index-panel"><h3>Gone</h3></section>',
        "<script>Gone()</script>",
        "<style>.gone{}</style>",
        "<template>Gone</template>",
        '<a class="headerlink" href="#a">¶</a>',
    ],
)
def test_furniture_is_no_text(furniture: str) -> None:
    assert read(f"<h2 id=a>A</h2>{furniture}<p>Kept.</p>").units == [Unit("prose", "Kept.", "a")]


@pytest.mark.parametrize(
    "admonition",
    [
        '<div class="theme-admonition"><div class="admonitionHeading_G"><span><svg></svg></span>tip</div>'
        '<div class="admonitionContent_B"><p>Do this.</p></div></div>',
        '<div class="admonition tip"><p class="admonition-title">tip</p><p>Do this.</p></div>',
        '<div class="tip custom-block"><p class="custom-block-title">tip</p><p>Do this.</p></div>',
        '<div class="hint-container tip"><p class="hint-container-title">tip</p><p>Do this.</p></div>',
        '<aside aria-label="Tip" class="starlight-aside"><p class="starlight-aside__title" aria-hidden="true">'
        "<svg></svg>tip</p><div><p>Do this.</p></div></aside>",
    ],
    ids=["docusaurus", "mkdocs-sphinx", "vitepress", "vuepress", "starlight"],
)
def test_the_word_on_an_admonition_is_a_label_and_no_sentence(admonition: str) -> None:
    assert read(admonition).units == [Unit("heading", "tip", ""), Unit("prose", "Do this.", "")]


def test_a_footnote_is_an_item_of_its_own_and_its_marks_are_no_text() -> None:
    page = read(
        '<h2 id=a>A</h2><p>Said<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="true">1</a></sup> here.</p>'
        '<section class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol><li id="fn-1">'
        '<p>The note. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>'
    )
    assert Unit("prose", "Said here.", "a") in page.units
    assert Unit("item", "1. The note.", "fn-1") in page.units
    assert page.target("fn-1").title == "The note."
    assert "fnref-1" in page.anchors


def test_a_sphinx_sections_id_is_its_headings() -> None:
    page = read(
        '<section id="intro"><h1>Intro<a class="headerlink" href="#intro">¶</a></h1><p>Hi.</p>'
        '<section id="sub"><span id="label"></span><h2>Sub<a class="headerlink" href="#sub">¶</a></h2><p>Text.</p>'
        '<dl class="py"><dt id="mod.f">f(x)<a class="headerlink" href="#mod.f">¶</a></dt><dd><p>Does.</p></dd></dl>'
        "</section></section>"
    )
    assert page.targets[0].title == "Intro"
    assert [page.cited(text) for text in ("Hi.", "Text.", "f(x)", "Does.")] == ["intro", "sub", "mod.f", "mod.f"]
    assert page.target("sub").kind == "heading"
    assert "label" in page.anchors


MEMBERS = (
    '<section id="api"><h1>API</h1><p>All of it.</p>'
    '<dl class="py class"><dt class="sig sig-object py" id="m.Lamp">class m.Lamp(oil, wick=None)</dt>'
    '<dd><p>A lamp.</p><div class="admonition note" id="care"><p>With care.</p></div>'
    '<dl class="py method"><dt class="sig py" id="m.Lamp.light">light(day)</dt>'
    '<dt class="sig py" id="m.Lamp.lit">lit()</dt>'
    "<dd><p>Lights it.</p><ul><li>At night.</li></ul></dd></dl><p>Lamps last.</p></dd></dl>"
    '<dl class="std option"><dt class="sig sig-object std" id="cmd-dim">--dim</dt><dd><p>Dims it.</p></dd></dl>'
    '<p>That is all.</p><section id="more"><h2>More</h2><p>More.</p></section></section>'
)


def test_a_member_of_an_interface_is_a_section_that_ends_with_its_definition() -> None:
    page = read(MEMBERS)
    texts = {target.anchor: [item.block.text for item in target.blocks] for target in page.targets if target.blocks}
    assert texts == {
        "api": ["All of it.", "--dim", "Dims it.", "That is all."],
        "m.Lamp": ["class m.Lamp(oil, wick=None)", "A lamp.", "With care.", "Lamps last."],
        "m.Lamp.light": ["light(day)", "lit()", "Lights it.", "- At night."],
        "more": ["More."],
    }
    assert page.target("m.Lamp.light").heading_path == ("API", "class m.Lamp", "light")
    assert [page.target(anchor).kind for anchor in ("m.Lamp", "m.Lamp.light", "cmd-dim")] == [
        "member",
        "member",
        "term",
    ]
    assert [page.cited(text) for text in ("With care.", "Dims it.")] == ["care", "cmd-dim"]


def test_a_class_without_a_description_has_members() -> None:
    page = read(
        '<h1>API</h1><dl class="py class"><dt class="sig py" id="m.Oil">class m.Oil</dt><dd><dl class="py method">'
        '<dt class="sig py" id="m.Oil.fill">fill()</dt><dd><p>Fills it.</p></dd></dl></dd></dl>'
        '<dl class="py function"><dt class="sig py" id="m.wick">wick()</dt><dd></dd></dl>'
        '<dl class="py function"><dt class="sig py" id="m.trim">trim()</dt><dd><p>Trims it.</p></dd></dl>'
    )
    texts = {target.anchor: [item.block.text for item in target.blocks] for target in page.targets if target.blocks}
    assert texts == {
        "m.Oil": ["class m.Oil"],
        "m.Oil.fill": ["fill()", "Fills it."],
        "m.wick": ["wick()"],
        "m.trim": ["trim()", "Trims it."],
    }


def test_another_name_of_a_member_is_a_target_and_no_section_of_its_own() -> None:
    page = read(MEMBERS)
    assert page.target("m.Lamp.lit").title == "lit()"
    assert not page.target("m.Lamp.lit").blocks


def test_terms_of_a_glossary_are_no_members() -> None:
    page = read('<h1>G</h1><dl class="glossary"><dt id="term-wick">wick</dt><dd><p>Draws oil.</p></dd></dl>')
    assert page.target("term-wick").kind == "term"
    assert [item.block.text for item in page.targets[0].blocks] == ["wick", "Draws oil."]


@pytest.mark.parametrize(
    "wrapper",
    [
        '<article><div class="theme-doc-markdown markdown">{}</div></article>',
        '<article><div id="__blog-post-container" class="markdown">{}</div></article>',
        '<div class="vp-doc _docs">{}</div>',
        '<article class="md-content__inner md-typeset">{}</article>',
        '<div class="body" role="main">{}</div>',
        "<main>{}</main>",
        "<article>{}</article>",
        "{}",
    ],
    ids=["docusaurus", "docusaurus-blog", "vitepress", "mkdocs", "sphinx", "main", "article", "body"],
)
def test_the_content_is_found_in_each_generators_page(wrapper: str) -> None:
    content = wrapper.format("<h2 id=a>A</h2><p>Text.</p>")
    outside = "" if wrapper == "{}" else "<div>Outside</div>"
    page = read_bytes(f"<!doctype html><html><body>{outside}{content}</body></html>".encode())
    assert page.units == [Unit("prose", "Text.", "a")]


def test_a_landing_page_is_more_than_the_video_in_it() -> None:
    video = '<article class="yt-lite">Play</article>'
    body = f'<nav>Menu</nav><div class="theme-layout-main main-wrapper"><h2>Fast</h2><p>Text.</p>{video}</div>'
    page = read_bytes(f"<!doctype html><html><body>{body}<footer>Foot</footer></body></html>".encode())
    assert [unit.text for unit in page.units] == ["Fast", "Text.", "Play"]


def test_a_page_of_several_articles_is_read_whole() -> None:
    page = read_bytes(b"<!doctype html><body><article><p>One.</p></article><article><p>Two.</p></article></body>")
    assert [unit.text for unit in page.units] == ["One.", "Two."]


def test_a_page_without_a_canonical_link_has_the_link_of_its_menu() -> None:
    menu = '<a href="/kit/">Home</a><a href="/kit/deep/page.html">Deep</a><a href="/kit/page.html#a">This</a>'
    assert read(menu).draft.facts.own_link == "/kit/page.html"
    assert read(menu, head='<link rel="canonical" href="https://x.example/page">').draft.facts.own_link == ""
    assert read('<a href="//x.example/page.html">x</a><a href="page.html">y</a>').draft.facts.own_link == ""


VITEPRESS_HOME = """<div class="VPNav"><a href="/">Nav</a></div><div class="VPHome"><div class="VPHero"><h1>
<span class="name clip">Lantern</span><span class="text">Light</span></h1><p class="tagline">Newest first.</p></div>
<div class="VPFeatures"><article><h2>Fast</h2><p>Reads quickly.</p></article></div>
<div class="vp-doc container"><h2 id=why>Why</h2><p>Because.</p></div></div><footer>Foot</footer>"""


def test_a_vitepress_home_page_is_its_hero_its_features_and_its_text() -> None:
    page = read_bytes(f"<!doctype html><html><body>{VITEPRESS_HOME}</body></html>".encode())
    assert [unit.text for unit in page.units] == ["Newest first.", "Fast", "Reads quickly.", "Because."]
    assert (page.targets[0].title, page.cited("Because.")) == ("Lantern Light", "why")


def test_a_badge_on_a_vitepress_heading_is_no_part_of_its_name() -> None:
    badge = '<span class="VPBadge tip">since 2.1</span>'
    page = read(f"<h2 id=a>Socket {badge} <a class=header-anchor href=#a>#</a></h2><p>Ready {badge}.</p>")
    assert page.target("a").title == "Socket"
    assert page.units[0].text == "Ready since 2.1."


PYGMENTS = """<div class="highlight"><table class="highlighttable"><tr><th colspan=2 class="filename">
<span class="filename">run.py</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>
<td class="code"><div><pre><code class="language-py">import a\n\na.run()\n</code></pre></div></td></tr></table></div>"""
CHROMA = """<table class="lntable"><tr><td class="lntd"><pre><code>
<span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td>
<td class="lntd"><pre><code class="language-py">import a\n\na.run()\n</code></pre></td></tr></table>"""
ROUGE = """<table class="rouge-table"><tr><td class="rouge-gutter gl"><pre>1\n2</pre></td><td class="rouge-code">
<pre><code class="language-py">import a\n\na.run()\n</code></pre></td></tr></table>"""


@pytest.mark.parametrize("table", [PYGMENTS, CHROMA, ROUGE], ids=["mkdocs-sphinx", "hugo", "jekyll"])
def test_a_table_that_only_numbers_lines_of_code_is_no_table(table: str) -> None:
    page = read(f"<h2 id=a>A</h2>{table}<p>After.</p>")
    assert [unit for unit in page.units if unit.kind != "heading"] == [
        Unit("code", "```py\nimport a\n\na.run()\n```", "a"),
        Unit("prose", "After.", "a"),
    ]


def test_the_name_of_a_file_on_its_code_is_a_label() -> None:
    assert read(PYGMENTS).units[0] == Unit("heading", "run.py", "")


def test_code_with_numbered_lines_in_a_cell_is_part_of_the_cell() -> None:
    row = f"<tr><td>run</td><td>{PYGMENTS}</td><td>last</td></tr>"
    page = read(f"<table><tr><th>A</th><th>B</th><th>C</th></tr>{row}</table>")
    assert page.units[0].text == "A: run; B: run.py `import a` `a.run()`; C: last"


def test_a_sphinx_footnote_is_named_by_its_text() -> None:
    mark = '<a class="footnote-reference brackets" href="#f" id="id3" role="doc-noteref">1</a>'
    back = '<span class="fn-bracket">[</span><a role="doc-backlink" href="#id3">1</a><span class="fn-bracket">]</span>'
    note = f'<aside class="footnote brackets" id="f"><span class="label">{back}</span><p>Unless set.</p></aside>'
    page = read(f"<p>On port 4180 {mark}. And on.</p>{note}")
    assert [(unit.text, unit.anchor) for unit in page.units] == [("On port 4180. And on.", ""), ("Unless set.", "f")]
    assert page.target("f").title == "Unless set."


def test_material_tags_are_the_pages() -> None:
    tags = (
        '<nav class="md-tags"><a href="/tags/#x" class="md-tag">First steps</a><span class="md-tag">Ports</span></nav>'
    )
    page = read_bytes(f'<body><article class="md-content__inner">{tags}<p>Text.</p></article></body>'.encode())
    assert page.draft.facts.tags == ("First steps", "Ports")
    assert [unit.text for unit in page.units] == ["Text."]


@pytest.mark.parametrize(
    ("title", "page", "site"),
    [
        ("API &#8212; Lantern 2.1.0 documentation", "API", "Lantern"),
        ("API &#8212; Lantern v2.1 documentation", "API", "Lantern"),
        ("API &#8212; Lantern documentation", "API", "Lantern"),
        ("API | The documentation", "API", "The documentation"),
    ],
)
def test_a_sphinx_sites_title_is_its_projects_name(title: str, page: str, site: str) -> None:
    sphinx = '<script src="_static/documentation_options.js?v=1"></script>' if "&" in title else ""
    facts = read("<p>x", head=f"<title>{title}</title>{sphinx}").draft.facts
    assert (facts.title, facts.site_title) == (page, site)


def test_a_list_of_posts_is_read_whole() -> None:
    post = (
        '<article><header><h2>{0}</h2></header><div class="markdown"><h3 id="{0}">Part</h3><p>{0}.</p></div></article>'
    )
    main = f"<main>{post.format('one')}{post.format('two')}</main>"
    page = read_bytes(f"<!doctype html><body><aside>Recent posts</aside>{main}</body>".encode())
    assert set(page.anchors) == {"one", "two"}
    assert "Recent posts" not in {unit.text for unit in page.units}


MINIFIED = """<!doctype html><html lang=en><title>P | S</title><main>
<h2 class="anchor x" id=a>A<a href=#a class=hash-link>&#8203;</a></h2>
<p>One <code>x > y</code> two<p>Three<ul><li>i<li id=b>j</ul><table><tr><th>N<th>V<tr id=r><td>n<td>v</table><p>End"""

TERSE = """<!DOCTYPE html><html lang="en"><head><title>P | S</title></head><body><main>
<h2 id="a" class="anchor x">A<a class="hash-link" href="#a">\u200b</a></h2><p>One <code>x &gt; y</code> two</p>
<p>Three</p><ul><li>i</li><li id="b">j</li></ul><table><tbody><tr><th>N</th><th>V</th></tr>
<tr id="r"><td>n</td><td>v</td></tr></tbody></table><p>End</p></main></body></html>"""


def test_omitted_end_tags_and_quotes_change_nothing() -> None:
    minified, terse = read_bytes(MINIFIED.encode()), read_bytes(TERSE.encode())
    assert minified.draft.pieces == terse.draft.pieces
    assert minified.targets == terse.targets
    assert [unit.text for unit in minified.units] == ["One `x > y` two", "Three", "- i", "- j", "N: n; V: v", "End"]


def test_lists_keep_their_numbers_and_depth() -> None:
    units = read("<ol start=3><li>three<ol><li>nested</ol><li>four</ol><ul><li>bullet</ul>").units
    assert [unit.text for unit in units] == ["3. three", "  1. nested", "4. four", "- bullet"]


@pytest.mark.parametrize("start", ["²", "--5", "x", "9" * 5000])
def test_a_list_that_starts_at_no_number_starts_at_one(start: str) -> None:
    assert read(f"<ol start='{start}'><li>one</ol>").units[0].text == "1. one"


def test_a_line_break_and_an_image_part_words() -> None:
    assert read("<p>one<br>two<img src=x>three").units == [Unit("prose", "one two three", "")]


def test_comments_are_no_text_and_split_no_word() -> None:
    assert read("<p>state<!-- -->ful <!-- x --> text").units == [Unit("prose", "stateful text", "")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<!doctype html><main><p>before \xff middle \xc3 after</p><p>caf\xc3\xa9</p>", "café"),
        (b"<!doctype html><main><p>one</p>\x00<p>t\x00wo</p>", "two"),
        (b"\xef\xbb\xbf<!doctype html><main><p>marked</p>", "marked"),
    ],
    ids=["invalid-utf-8", "null-bytes", "byte-order-mark"],
)
def test_bad_bytes_lose_no_text_after_them(data: bytes, text: str) -> None:
    assert read_bytes(data).units[-1].text == text


@pytest.mark.parametrize("data", [b"", b" \n", b"google-site-verification: google1.html", b"just text"])
def test_a_file_that_is_no_document_has_no_content(data: bytes) -> None:
    assert read_bytes(data).draft.has_root is False


def test_a_page_without_a_heading_is_named_by_its_title_element() -> None:
    assert read("<p>Text.").targets[0].title == "Page"


FACTS_HEAD = """<title>Guide | Harbor</title>
<meta name="docusaurus_locale" content="fr"><meta name="docusaurus_version" content="2.0">
<meta name="description" content="About."><meta name="generator" content="Docusaurus v3.10.2">
<link rel="canonical" href="https://x.example/kit/docs/guide"><meta name="robots" content="noindex, nofollow">"""
FACTS_HTML = 'lang="fr" class="plugin-docs plugin-id-sdk docs-version-2.0 docs-doc-page docs-doc-id-a/guide"'


def test_facts_are_read_from_a_page() -> None:
    facts = read_bytes(document("<p>x", FACTS_HEAD, FACTS_HTML).encode()).draft.facts
    assert (facts.plugin, facts.plugin_id, facts.version, facts.doc_id) == ("docs", "sdk", "2.0", "a/guide")
    assert (facts.locale, facts.title, facts.site_title, facts.description) == ("fr", "Guide", "Harbor", "About.")
    assert (facts.page_kind, facts.noindex) == ("docs-doc-page", "noindex")
    assert (facts.canonical, facts.generator) == ("https://x.example/kit/docs/guide", "Docusaurus v3.10.2")


def test_a_page_of_sphinx_is_known_by_its_script_wherever_the_theme_puts_it() -> None:
    script = '<script src="../_static/documentation_options.js?v=1"></script>'
    title = "<title>Wicks - Lantern 2.1 documentation</title>"
    for page in (document("<p>x", title + script), document("<p>x", title).replace("</body>", f"{script}</body>")):
        facts = read_bytes(page.encode()).draft.facts
        assert (facts.generator, facts.title, facts.site_title) == ("Sphinx", "Wicks", "Lantern")
    assert read("<p>x", head=title).draft.facts.generator == ""


@pytest.mark.parametrize("content", ["0;url=/new", "0; URL='/new'", '3, url="/new"'])
def test_a_redirect_stub_has_its_target(content: str) -> None:
    head = (
        f"<meta http-equiv=refresh content='{content}'>"
        if "'" not in content
        else f'<meta http-equiv=refresh content="{content}">'
    )
    assert read("", head=head).draft.facts.forwards_to == "/new"


def test_a_page_that_reloads_itself_is_no_redirect() -> None:
    assert read("<p>x", head='<meta http-equiv="refresh" content="30">').draft.facts.forwards_to == ""


@pytest.mark.parametrize("href", ["https://x.example/kit/page", "HTTP://x.example/", "/kit/page", "//x.example/page"])
def test_a_canonical_link_from_an_origin_or_its_root_is_the_pages(href: str) -> None:
    assert read("<p>x", head=f'<link rel="canonical" href="{href}">').draft.facts.canonical == href


@pytest.mark.parametrize(
    "href",
    [
        "https://[x/y",
        "../../https://x.example/kit/page/",
        "page.html",
        "x.example/kit/page",
        "?page",
        "https:///page.html",
        "file:///home/docs/page.html",
        "",
    ],
)
def test_a_canonical_link_that_does_not_say_where_the_page_is_is_none(href: str) -> None:
    menu = '<a href="/kit/page.html">This</a>'
    facts = read(menu, head=f'<link rel="canonical" href="{href}">').draft.facts
    assert (facts.canonical, facts.own_link) == ("", "/kit/page.html")


@pytest.mark.parametrize(
    "markup",
    [
        '<div class="theme-admonition theme-admonition-danger"><p>Do not.</p></div>',
        '<div class="admonition warning"><p>Do not.</p></div>',
        '<div class="custom-block danger"><p>Do not.</p></div>',
        '<div class="deprecated"><p>Do not.</p></div>',
        "<blockquote><p>Do not.</p></blockquote>",
    ],
    ids=["docusaurus", "sphinx", "vitepress", "sphinx-deprecated", "quotation"],
)
def test_what_is_set_apart_is_known_from_the_text_around_it(markup: str) -> None:
    page = read(f"<p>Before.</p>{markup}<p>After.</p>")
    notes = {item.block.text: item.block.note for target in page.targets for item in target.blocks}
    assert notes == {"Before.": False, "Do not.": True, "After.": False}


def test_what_unfolds_is_not_set_apart() -> None:
    page = read('<details class="alert"><summary>More</summary><p>Inside.</p></details>')
    assert not any(item.block.note for target in page.targets for item in target.blocks)


@pytest.mark.parametrize(
    "main",
    [
        '<main><div class="bar">Edit</div><article class="bd-article">{}</article><div>next</div></main>',
        '<main><div>{}<h2 class="feedback--title">Feedback</h2></div><div class="td-page-meta">m</div></main>',
        '<div role="main"><section>{}</section><div class="search-results"><h1>results matching ""</h1></div></div>',
        '<main><header class="book-header"><h3>A</h3></header><article class="book-article">{}</article></main>',
        "<main><div>Menu</div><article>{}</article><div>Made.</div></main>",
        '<div id="yui-main">{}</div><div id="sidebar"><h3>Last update:</h3><p>Nov 11</p></div>',
    ],
    ids=["pydata", "docsy", "honkit", "hugo-book", "article", "django"],
)
def test_the_content_is_found_among_other_parts_of_main(main: str) -> None:
    content = main.format("<h1 id=a>A</h1><p>Text.</p>")
    page = read_bytes(f"<!doctype html><html><body><div>Outside</div>{content}</body></html>".encode())
    assert [piece.text for piece in page.draft.pieces] == ["A", "Text."]


def test_text_beside_a_card_is_content() -> None:
    page = read("<h1>A</h1><p>Text.</p><article><h2>Card</h2><p>More.</p></article>")
    assert [piece.text for piece in page.draft.pieces] == ["A", "Text.", "Card", "More."]


def test_a_heading_that_is_a_link_to_itself_keeps_its_words() -> None:
    page = read('<h2 id="a"><a class="header-anchor" href="#a"><span>Socket</span></a></h2><p>Ready.</p>')
    assert page.target("a").title == "Socket"


RADIO_TABS = """<div class="book-tabs"><input type="radio" class="toggle" name="t" id="t-0" checked="checked"/>
<label for="t-0">npm</label><div class="book-tabs-content"><p>npm install</p></div>
<input type="radio" class="toggle" name="t" id="t-1"/><label for="t-1">yarn</label>
<div class="book-tabs-content"><p>yarn add</p></div></div>"""


def test_the_labels_of_radio_buttons_before_panels_are_tabs() -> None:
    labels = {unit.text: unit.labels for unit in read(RADIO_TABS).units}
    assert labels == {"npm install": ("npm",), "yarn add": ("yarn",)}


@pytest.mark.parametrize(
    "frame",
    [
        '<details open><summary class="hideme"><span>Expand description</span></summary></details>',
        '<span class="rightside"><span class="since">1.2.0</span> · <a class="srclink">source</a></span>',
        '<div><span class="notable-traits">ⓘ<span>Notable traits for Lid</span></span></div>',
        '<a class="test-arrow" href="https://play.example/">Run</a>',
        '<p class="feedback--question">Was this page helpful?</p><p class="feedback--response">Glad to hear it!</p>',
        '<header class="book-header hidden"><label><img src="menu.svg" alt="Menu"></label></header>',
        '<div class="header"><span class="title"></span><span class="sr-only">Terminal window</span></div>',
        '<div class="search-results"><h1>results matching ""</h1></div>',
        '<div class="navheader"><table><tr><td>Prev</td><th>Lids</th><td>Next</td></tr></table></div>',
    ],
    ids="summary since traits run feedback menu window results navigation".split(),
)
def test_the_frame_that_a_generator_puts_into_the_content_is_no_text(frame: str) -> None:
    assert [unit.text for unit in read(f"<p>It opens.</p>{frame}<p>It closes.</p>").units] == [
        "It opens.",
        "It closes.",
    ]


def test_the_hidden_name_of_a_terminal_is_no_text() -> None:
    header = '<figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span>'
    page = read(f'<figure class="frame is-terminal">{header}</figcaption><pre><code>lamp --dim</code></pre></figure>')
    assert [piece.text for piece in page.draft.pieces] == ["```\nlamp --dim\n```"]
