"""The variables of this shell, when it is the one that the sidecar is started from."""

import dataclasses
import difflib
from collections.abc import Iterator, Mapping

from pincite_core.errors import InputError
from pincite_server.doctor.findings import Finding, fail, ok, warn
from pincite_server.llm.settings import LLM_PREFIX, LlmSettings
from pincite_server.policy import POLICY_VARIABLES, Policy
from pincite_server.settings import ENVIRONMENT_PREFIX, Settings, environment_name, secrets_from_environment

__all__ = ("KNOWN_VARIABLES", "examine_environment")

_CHECK = "configuration"
_ELSEWHERE = ("PINCITE_BUILD_ID", "PINCITE_CACHE_DIR", "PINCITE_CHROMIUM", "PINCITE_COMMAND", "PINCITE_SKIP")
"""Read by the indexer, the Docusaurus plugin and the tests."""

KNOWN_VARIABLES = frozenset(
    (
        *(environment_name(field.name) for field in dataclasses.fields(Settings)),
        *(LLM_PREFIX + field.name.upper() for field in dataclasses.fields(LlmSettings)),
        *POLICY_VARIABLES,
        *_ELSEWHERE,
    )
)


def examine_environment(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what is wrong with the variables: names that nobody reads, values that cannot be used."""
    own = [name for name in environment if name.startswith(ENVIRONMENT_PREFIX)]
    unknown = [name for name in own if name not in KNOWN_VARIABLES]
    for name in unknown:
        near = difflib.get_close_matches(name, KNOWN_VARIABLES, n=1)
        fix = f"Did you mean {near[0]}?" if near else "Remove it, or look for its name in docs/deploy.md."
        yield warn(_CHECK, f"{name} is set here, but nothing reads it.", fix)
    try:
        Policy.from_environment(environment)
        secrets_from_environment(environment)
        LlmSettings.from_environment(environment)
    except InputError as error:
        yield fail(_CHECK, "A variable that is set here cannot be used.", str(error))
        return
    if not unknown:
        yield ok(_CHECK, f"{', '.join(own) or 'No variable of Pincite'} set in this shell.")
