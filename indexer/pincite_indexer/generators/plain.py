"""Describe any other HTML: HTML's own landmarks, and code from highlighters (Pygments, Hugo, Jekyll)."""

from pincite_indexer.generators.generator import Generator

__all__ = ("PLAIN",)

PLAIN = Generator(
    content=('.//div[@role="main"]', ".//main"),
    content_otherwise=(".//article[count(//article) = 1]",),  # if there are several articles, none is the content
    furniture=frozenset({"linenos", "linenodiv", "lnt", "rouge-gutter"}),  # columns of line numbers
    code_tables=frozenset({"lntable", "rouge-table"}),
)
