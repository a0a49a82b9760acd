"""Print plain tables: a name, then one cell for each column."""

from collections.abc import Mapping, Sequence

from pincite_server.evaluation.shares import Share

__all__ = ("print_table", "share_cell")

_NAME, _CELL = 36, 26


def print_table(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
    """Print rows of cells under a title."""
    print(f"\n{title:{_NAME}}" + "".join(f"  {column:>{_CELL}}" for column in columns))
    for name, cells in rows.items():
        print(f"{name:{_NAME}}" + "".join(f"  {cell:>{_CELL}}" for cell in cells), flush=True)


def share_cell(share: Share) -> str:
    """Return a share with its counts and 95 % interval: ` .84  38/45   [.71, .92]`."""
    if share.value is None:
        return "-"
    low, high = share.interval
    return f"{_short(share.value)} {share.hits:4}/{share.total:<4} [{_short(low)}, {_short(high)}]"


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else "1.0"
