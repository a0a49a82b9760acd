"""An evaluation as one JSON object."""

from collections.abc import Sequence
from typing import Any

from pincite_core.types import IndexInfo
from pincite_server.evaluation.compare import Change
from pincite_server.evaluation.evaluate import Evaluation
from pincite_server.evaluation.judge import JudgedQuestion
from pincite_server.evaluation.shares import Share
from pincite_server.evaluation.thresholds import Failure

__all__ = ("evaluation_record", "share_record")


def evaluation_record(
    info: IndexInfo, evaluation: Evaluation, failures: Sequence[Failure], changes: Sequence[Change] | None
) -> dict[str, Any]:
    """Return built-in types: `measures` by name, a row a question, what failed, and what changed if that was asked."""
    record = {
        "index": {"index_id": info.index_id, "title": info.title},
        "measures": {name: share_record(share) for name, share in evaluation.measures.items()},
        "rows": [_row(row) for row in evaluation.rows],
        "failed": [_failure(failure) for failure in failures],
    }
    return record if changes is None else {**record, "changes": [_change(change) for change in changes]}


def share_record(share: Share) -> dict[str, Any]:
    """Return a share with its counts and 95 % interval."""
    return {"hits": share.hits, "total": share.total, "share": share.value, "interval": share.interval}


def _row(row: JudgedQuestion) -> dict[str, Any]:
    asked = row.question
    return {
        "line": asked.line,
        "question": asked.question,
        "expect": asked.expect,
        "version": asked.version,
        "locale": asked.locale,
        "verdict": row.verdict,
        "refused": row.refused,
        "evidence": row.evidence,
        "cited": row.cited,
        "page_rank": row.page_rank,
        "section_rank": row.section_rank,
        "leaks": row.leaks,
    }


def _failure(failure: Failure) -> dict[str, Any]:
    lines = [row.question.line for row in failure.rows]
    return {"measure": failure.measure, "bound": failure.bound, **share_record(failure.share), "lines": lines}


def _change(change: Change) -> dict[str, Any]:
    before, after = change.before, change.after
    return {
        "line": after.question.line,
        "question": after.question.question,
        "change": change.kind,
        "before": {"verdict": before.verdict, "cited": before.cited},
        "after": {"verdict": after.verdict, "cited": after.cited},
    }
