"""Lines of a log of questions."""

import datetime

from pincite_server.observe.question_log import LoggedQuestion, LoggedSection, LoggedVote, Vote, VoteReason

DOCKER = LoggedSection("default/install#docker", ("Install", "Docker"), "/kit/install#docker")
PORTS = LoggedSection("default/config#ports", ("Configuration", "Ports"), "/kit/config#ports")
NOON = datetime.datetime(2026, 2, 13, 12, tzinfo=datetime.UTC)


def asked(
    question: str,
    *sections: LoggedSection,
    code: str | None = "no_evidence",
    day: int = 0,
    evidence: float = 0.2,
    message_id: str = "",
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
        message_id=message_id,
    )


def voted(
    message_id: str, vote: Vote, reason: VoteReason | None = None, comment: str | None = None, minute: int = 0
) -> LoggedVote:
    return LoggedVote(NOON + datetime.timedelta(minutes=minute), message_id, vote, reason, comment)
