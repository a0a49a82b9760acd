"""Find formulas and write them as text: the TeX that the author wrote, or MathML in one line.

KaTeX and MathJax write a formula several times, for example as MathML for screen readers and as positioned glyphs. The
glyphs alone do not tell a fraction from a sum, so their text is never used.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from lxml import etree

from pincite_indexer.pages.exponents import lowered, raised

__all__ = ("FORMULA_TAGS", "formulas")

_AROUND = re.compile(r"(?:^|\s)(?:katex|katex-display|MathJax|MathJax_Display|MJXc-display|mwe-math-element)(?:\s|$)")
_DISPLAY = re.compile(r"(?:^|\s)(?:katex-display|MathJax_Display|MJXc-display)(?:\s|$)")
_CONTAINER = "mjx-container"  # MathJax 3 and later
_SCRIPT = re.compile(r"math/(tex|asciimath)(?:;\s*(mode=display))?", re.IGNORECASE)  # MathJax 2
FORMULA_TAGS = ("math", _CONTAINER, "script")
"""Tags of elements in which formulas are written."""
_LEVELS = 4  # from the MathML of KaTeX to the element around the whole formula
_SPACED = frozenset("=≠≈≤≥<>+−-±×·÷∈∉⊂⊆→⇒⇔∧∨∪∩≡∼")
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_SIMPLE = re.compile(r"[\w.∞]*")


def formulas(found: Mapping[str, Sequence[etree._Element]]) -> Iterator[tuple[etree._Element, str]]:
    """Yield the element around each formula, and the formula as text: TeX between `$` or `$$`, or linear MathML.

    `found` has the page's elements with the tags in `FORMULA_TAGS`.
    """
    for container in found[_CONTAINER]:
        yield container, _container_text(container)
    for math in found["math"]:
        outer = _outermost(math)
        if outer.tag == _CONTAINER:
            continue
        is_block = math.get("display") == "block" or _DISPLAY.search(outer.get("class") or "") is not None
        yield outer, _formula_text(math, is_block=is_block)
    for script in found["script"]:
        kind = _SCRIPT.match(script.get("type") or "")
        if kind:
            for shown in _shown_before(script):
                shown.tag = "seen"
            yield script, _tex(script.text or "", is_block=bool(kind[2]))


def _shown_before(script: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that MathJax 2 puts before its script: a preview and the formula's glyphs."""
    before = script.getprevious()
    while before is not None and (before.get("class") or "").startswith("MathJax") and not before.tail:
        yield before
        before = before.getprevious()


def _outermost(math: etree._Element) -> etree._Element:
    """Return the outermost element of a formula's markup."""
    outer, parent = math, math.getparent()
    for _ in range(_LEVELS):
        if parent is None:
            break
        if parent.tag == _CONTAINER or _AROUND.search(parent.get("class") or ""):
            outer = parent
        parent = parent.getparent()
    return outer


def _container_text(container: etree._Element) -> str:
    math = next(container.iter("math"), None)
    is_block = container.get("display") == "true"
    if math is None:
        return container.get("aria-label") or container.get("alttext") or ""
    return _formula_text(math, is_block=is_block)


def _formula_text(math: etree._Element, *, is_block: bool) -> str:
    annotations = (note for note in math.iter("annotation") if "tex" in (note.get("encoding") or "").lower())
    tex = next((note.text for note in annotations if note.text), None) or math.get("alttext")
    return _tex(tex, is_block=is_block) if tex else " ".join(_linear(math).split())


def _tex(text: str, *, is_block: bool) -> str:
    text = " ".join(text.split())
    if not text or text.startswith("$"):
        return text
    return f"$${text}$$" if is_block else f"${text}$"


def _linear(element: etree._Element) -> str:
    """Return an element of MathML in one line, for example `x² = (a + b)/2`."""
    if not isinstance(element.tag, str):
        return ""
    tag = element.tag
    if tag in _LEAVES:
        return _leaf(tag, _INVISIBLE.sub("", (element.text or "").strip()))
    if tag == "semantics":
        return _linear(element[0]) if len(element) else ""
    parts = [part for child in element if isinstance(child.tag, str) for part in [_linear(child).strip()]]
    write = _WRITERS.get(tag)
    if write is not None and len(parts) >= 2:
        return write(parts)
    if tag == "msqrt":
        return f"√{_group(''.join(map(_linear, element)))}"
    if tag in {"annotation", "annotation-xml", "mphantom"}:
        return ""
    return _JOINTS.get(tag, "").join(_linear(child) for child in element)


_LEAVES = frozenset({"mi", "mn", "mo", "mtext", "ms", "mspace"})
_JOINTS = {"mtable": "; ", "mtr": ", "}


def _leaf(tag: str, text: str) -> str:
    if tag == "mo" and text in _SPACED and text:
        return f" {text} "
    return " " if tag == "mspace" or (tag == "mtext" and not text) else text


def _group(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _fraction(parts: list[str]) -> str:
    return f"{_group(parts[0])}/{_group(parts[1])}"


def _with_both(parts: list[str]) -> str:
    return parts[0] + lowered(parts[1]) + (raised(parts[2]) if len(parts) > 2 else "")


_WRITERS: Mapping[str, Callable[[list[str]], str]] = {
    "mfrac": _fraction,
    "mover": lambda parts: parts[0] + raised(parts[1]),
    "mroot": lambda parts: f"{_group(parts[0])}^(1/{parts[1]})",
    "msub": lambda parts: parts[0] + lowered(parts[1]),
    "msubsup": _with_both,
    "msup": lambda parts: _power(parts[0], parts[1]),
    "munder": lambda parts: parts[0] + lowered(parts[1]),
    "munderover": _with_both,
}
"""How an element with a fixed number of children is written."""


def _power(base: str, exponent: str) -> str:
    return _group(base) + raised(exponent)
