"""Describe code as highlighters write it, whichever generator runs them: lines, prompts, and parts that nobody types.

Line numbers with a class like `line-number` need no entry: `pages.code.code_text` finds them by their text.
"""

from pincite_indexer.generators.generator import Generator

__all__ = ("HIGHLIGHTERS",)

HIGHLIGHTERS = Generator(
    furniture=frozenset(  # copy buttons beside the code that are no `button` elements
        "copy-button copy-btn copy-code copy-code-button copybtn copybutton btn-copy btn-clipboard code-copy "
        "clip-button clipboard-button copy-to-clipboard copy-to-clipboard-button copy-label "
        "zeroclipboard-container".split()
    ),
    code_tables=frozenset({"highlighttable", "lntable", "rouge-table"}),
    code_lines=frozenset(
        "line token-line code-line view-line ec-line highlight-line highlighted-line chroma-line fmt-newline".split()
    ),
    code_asides=frozenset(
        "linenos linenodiv lineno lnt ln lnlinks rouge-gutter gutter line-numbers-rows hljs-ln-numbers "  # numbers
        "boring "  # mdBook hides these lines until a reader clicks
        "md-annotation conum "
        "vp-copy-ignore twoslash-popup-container twoslash-error-line twoslash-meta-line twoslash-completion-list "
        "ttc "  # tooltips of Doxygen
        "sr-only visually-hidden toolbar code-lang buttons tooltip".split()
    ),
    code_prompts=frozenset(  # of Pygments, Rouge and Chroma, of highlight.js, of Prism, and of hand-written terminals
        "gp prompt_ shell-symbol prompt command-prompt shell-prompt code-prompt".split()
    ),
    code_blocks=frozenset({"fragment"}),  # Doxygen
    diagrams=frozenset({"mermaid", "plantuml"}),
)
