"""Ask the example site's own questions as `pincite eval` does, with calibrated evidence and with a fixed cosine."""

import tempfile
from pathlib import Path

from bench.quality.tables import print_table, share_cell

from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.evaluate import MEASURES, evaluate, require_places
from pincite_server.evaluation.questions import read_questions
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy

__all__ = ("EXAMPLE", "report_example")

EXAMPLE = Path(__file__).parents[2] / "examples" / "site"
POLICIES = {"Pincite": Policy(), "cosine 0.35": Policy(evidence_mode="cosine")}


def report_example(*, misses: bool) -> dict[str, object]:
    """Print the shares under both policies, and return them for JSON; `misses` names failures of the first policy."""
    questions = read_questions(EXAMPLE / "questions.yml")
    evaluations = {}
    for name, policy in POLICIES.items():
        with tempfile.TemporaryDirectory() as folder:
            indexes = IndexSource(EXAMPLE / "build", policy, Path(folder)).open()
            require_places(indexes, questions)
            with SyncAnswerer() as asker:
                evaluations[name] = evaluate(indexes, questions, asker)
    cells = {
        measure.label: [share_cell(evaluation.measures[name]) for evaluation in evaluations.values()]
        for name, measure in MEASURES.items()
    }
    print_table("the example site", list(evaluations), cells)
    for row in evaluations["Pincite"].rows if misses else ():
        if row.verdict != "right":
            print(f"  {row.verdict:12} line {row.question.line}: {row.question.question}")
    return {
        system: {name: share_record(share) for name, share in evaluation.measures.items()}
        for system, evaluation in evaluations.items()
    }
