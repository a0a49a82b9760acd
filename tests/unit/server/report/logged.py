"""Lines of a log of questions."""

import datetime

from pincite_server.observe.question_log import LoggedQuestion, LoggedSection

DOCKER = LoggedSection("default/install#docker", ("Install", "Docker"), "/kit/install#docker")
PORTS = LoggedSection("default/config#ports", ("Configuration", "Ports"), "/kit/config#ports")
NOON = datetime.datetime(2026, 2, 13, 12, tzinfo=datetime.UTC)


def asked(
    question: str, *sections: LoggedSection, code: str | None = "no_evidence", day: int = 0, evidence: float = 0.2
) -> LoggedQuestion:
    return LoggedQuestion(
        at=NOON + datetime.timedelta(days=day),
        question=question,
        answered=code is None,
        code=code,
        mode="corpus",
        locale="en",
        version=None,
        page=None,
        evidence=evidence,
        passed=None,
        sections=sections,
        index_id="index-1",
    )
