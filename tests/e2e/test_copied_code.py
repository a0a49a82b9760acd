"""Code in the index against what a real browser copies, on a page with the markup of each kind of highlighter."""

import re
from pathlib import Path

import pytest
from bench.clipboard import compared, copied_texts, indexed_code
from playwright.sync_api import Browser
from tests.unit.indexer.one_page import document

pytestmark = pytest.mark.browser

_FIXTURE = Path(__file__).parents[1] / "fixtures" / "code-kinds.html"
_KINDS = dict(re.findall(r"<!-- kind: (\S+) -->\n(.*?)\n(?=<!-- kind|\Z)", _FIXTURE.read_text(), re.DOTALL))
_EXPLAINED = {"asciidoctor-callouts", "session", "fold-button"}  # copied with comment signs, prompts, or folded
_TYPED = "kettle fill\nkettle boil"
_STYLES = """
  .linenos, .ln, .lineno, .linenumber, [class*=line-number], [class*=LineNumber], .hljs-ln-numbers, .count, .gp, b,
  .gutter, .select-none, [aria-hidden], [data-nosnippet], summary, button, pre > table td:first-child {
    user-select: none;
  }
  .line { display: block; }
  .boring, .conum + b, .copybtn { display: none; }
  .fragment .line { white-space: pre; }
"""
_BUTTONS = """
<div><pre>kettle fill\nkettle boil</pre><button class="copy-code">Copy</button></div>
<figure><pre><code><div class="ec-line"><div class="code">kettle fill</div></div><div class="ec-line"><div class="code">
</div></div><div class="ec-line"><div class="code">kettle boil</div></div></code></pre><div class="copy"><button
title="Copy to clipboard" data-code="kettle fill\x7f\x7fkettle boil"></button></div></figure>
<script>
  for (const button of document.querySelectorAll('button[data-code], .copy-code')) {
    const code = button.dataset.code?.replaceAll('\x7f', '\\n') ?? button.previousElementSibling.textContent;
    button.addEventListener('click', () => navigator.clipboard.writeText(code));
  }
</script>
"""


def test_code_in_the_index_is_what_a_reader_copies(browser: Browser, tmp_path: Path) -> None:
    kinds = {kind: markup for kind, markup in _KINDS.items() if kind not in _EXPLAINED}
    content = "".join(f"<section><h2 id={kind}>{kind}</h2>{markup}</section>" for kind, markup in kinds.items())
    page = document(content + _BUTTONS, head=f"<title>Code</title><style>{_STYLES}</style>")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    copied = copied_texts(browser, tmp_path, "/", "page.html")
    texts = [text for text, _ in copied]
    code, others = indexed_code(tmp_path, "page.html")
    results = zip(compared(texts, code, others), texts, strict=True)
    assert [(kind, text) for kind, text in results if kind not in {"equal", "blanks"}] == []
    assert code == [*[_TYPED] * (len(kinds) + 1), "kettle fill\n\nkettle boil"]
    assert sum(has_button for _, has_button in copied) == 2
