"""Generate the small faults of a module: an inverted comparison, a removed condition, a number off by one."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ("Mutant", "mutants_of")

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. `start` and `end` are bytes of the module's source; `old` and `new` are code on one line."""

    line: int
    start: int
    end: int
    place: str
    old: str
    new: str

    @property
    def change(self) -> str:
        """Return the change of the code, in one line."""
        return f"{self.old} -> {self.new}"

    def applied(self, source: bytes) -> bytes:
        """Return the module's source with this fault."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants_of(source: bytes) -> list[Mutant]:
    """Return every possible fault of a module, in the order of its code."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = {
        Mutant(
            node.lineno,
            starts[node.lineno - 1] + node.col_offset,
            starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
            place,
            _code(node),
            new,
        )
        for node, place in _nodes(ast.parse(source))
        for new in _changed(node)
    }
    return sorted(found, key=lambda one: (one.start, one.end, one.new))


def _nodes(node: ast.AST, place: str = "") -> Iterator[tuple[Any, str]]:
    """Yield nodes with their function; skip annotations and messages, because no answer depends on them."""
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return
    yield node, place
    inner: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        place, inner = f"{place}.{node.name}".lstrip("."), [*node.body]
        if not isinstance(node, ast.ClassDef):
            inner += filter(None, (*node.args.defaults, *node.args.kw_defaults))
    elif isinstance(node, ast.AnnAssign):
        inner = [node.value] if node.value else []
    for child in inner:
        yield from _nodes(child, place)


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the replacements of a node."""
    yield from _other_value(node)
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
            yield _in_parentheses(ast.Compare(left, [_COMPARISONS[type(operator)]()], [right]))
        case ast.BoolOp(operator, values):
            yield _in_parentheses(ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values))
            yield from map(_in_parentheses, values)
        case ast.UnaryOp(ast.Not(), operand):
            yield _in_parentheses(operand)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield _in_parentheses(ast.BinOp(left, _OPERATORS[type(operator)](), right))
        case ast.IfExp(_, body, other):
            yield from map(_in_parentheses, (body, other))
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return None"
        case ast.Expr(ast.Call() | ast.Await()):
            yield "pass"


def _other_value(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(bool() as value):
            yield str(not value)
        case ast.Constant(int() | float() as value):
            yield str(value + 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in _CALLS:
            yield _in_parentheses(ast.Call(ast.Name(_CALLS[name]), arguments, keywords))
        case ast.Subscript(value, ast.Slice()):
            yield _in_parentheses(value)


def _code(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split())


def _in_parentheses(node: ast.expr) -> str:
    return f"({_code(node)})"
