"""Read the labels of a diagram from its source, which the page's script draws: readers see the labels, not the source.

Mermaid and PlantUML share the forms that are read here.
"""

import re

__all__ = ("diagram_labels",)

_COMMENT = re.compile(
    r"^\s*(?:%%|')[^\n]*$|%%\{.*?\}%%|\A---\n.*?\n---$|^\s*(?:style|classDef|linkStyle|click|@\w+)\b[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
_NAME = r"(\w+(?:[.-]\w+)*)"
_ARROW = r"(?:<?--+>>?|<?-\.+->|<?==+>|---+|->>?\+?)"
_RELATION = r"[|}o*<]?\S?(?:--|\.\.)\S{0,2}"
_PATTERNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r'"([^"\n]+)"',
        r"(?<=[\w\]])(?:[\[({]{1,3}|>)[/\\]?([^\[\](){}|\n]+?)[/\\]?[\])}]{1,3}",  # `id[Text]`, `id((Text))`
        r"[->=]\s*\|([^|\n]+)\|",  # text of an edge
        r"(?:--|==|-\.)\s+([^-=.>|\n][^>|\n]*?)\s+(?:--+>?|==+>?|\.-+>?)",  # text within an edge
        r"^[^:\n]*(?:[-.=)>x]|[|o]\{)[^:\n]*:\s*(.+)$",  # `A->>B: text`
        r"^\s*[Nn]ote\s+(?:over|left|right)[^:\n]*:\s*(.+)$",
        r"^\s*(?:participant|actor|subgraph|section|title|state|class)\s+([^{\n]+)",
        rf"^\s*{_NAME}\s*(?:{_ARROW}|--)",
        rf"{_ARROW}-?\s*(?:\|[^|\n]*\|\s*)?{_NAME}\s*(?=[:;&\n]|$|-)",
        rf"^\s*{_NAME}\s+{_RELATION}\s",
        rf"\s{_RELATION}\s+{_NAME}",
        r"^\s*\w+\s*:\s*[+#~-]?\s*(\w[^\n]*)$",  # member of a class
    )
)
_ENTRIES = re.compile(r"\s*(?:gantt|pie|journey|timeline|quadrantChart)\b")
_ENTRY = re.compile(r"^\s*([^:\n]{2,}?)\s*:\s*\S", re.MULTILINE)  # tasks of a plan, slices of a pie, steps of a journey
_ALIASES = re.compile(r"^\s*(?:participant|actor|state)\s+(?:\"[^\"\n]*\"\s+as\s+(\w+)|(\w+)\s+as\s+)", re.MULTILINE)
_SHAPED = re.compile(r"(\w[\w.-]*)(?=\[|\(|\{(?!\s*\n)|>[^>\s-])")
_ALIAS = re.compile(r"^\w+\s+as\s+|\s+as\s+\w+$")
_LINES, _LINE = 500, 300  # of a source; a longer one, or a longer line, is no diagram that readers could follow
_TAGS = re.compile(r"<[^>]+>|\\n")


def diagram_labels(source: str) -> str:
    """Return the texts of a diagram's nodes and edges in the order of its source, separated by semicolons."""
    lines = source.strip("\n").split("\n")[:_LINES]
    text = _COMMENT.sub("", "\n".join(line[:_LINE] for line in lines))
    patterns = (_ENTRY, *_PATTERNS[:1], *_PATTERNS[6:7]) if _ENTRIES.match(text) else _PATTERNS
    found = sorted((match.start(1), match[1]) for pattern in patterns for match in pattern.finditer(text))
    ids = {match[1] for match in _SHAPED.finditer(text)}
    ids.update(first or second for first, second in _ALIASES.findall(text))
    labels = (_cleaned(label) for _, label in found if label not in ids)
    return "; ".join(dict.fromkeys(filter(None, labels)))


def _cleaned(label: str) -> str:
    return " ".join(_ALIAS.sub("", _TAGS.sub(" ", label).strip()).strip(" \"'`;[](){}/\\|").split())
