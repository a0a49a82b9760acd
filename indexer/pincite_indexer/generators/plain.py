"""Any other HTML: the landmarks that HTML itself has, and what highlighters make of code (Pygments, Hugo, Jekyll)."""

from pincite_indexer.generators.generator import Generator

__all__ = ("PLAIN",)

PLAIN = Generator(
    content=('.//div[@role="main"]', ".//main"),
    content_otherwise=(".//article[count(//article) = 1]",),  # of several articles none alone is the content
    furniture=frozenset({"linenos", "linenodiv", "lnt", "rouge-gutter"}),  # columns of line numbers
    code_tables=frozenset({"lntable", "rouge-table"}),
)
