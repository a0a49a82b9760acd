"""onnxruntime, kept from reporting home.

From 1.29 on its official builds tell Microsoft of each session (the hashes of the model, the kind of machine) under an
identifier that they write into the home folder. The variable is read once, when the library is first imported.
"""

import os
from types import ModuleType

__all__ = ("import_onnxruntime",)

_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"


def import_onnxruntime() -> ModuleType:
    """Return the module `onnxruntime`, its telemetry off unless the environment says otherwise.

    Raises:
        ImportError: It is not installed.
    """
    os.environ.setdefault(_NO_TELEMETRY, "1")
    import onnxruntime

    if os.environ[_NO_TELEMETRY] == "1":
        onnxruntime.disable_telemetry_events()  # on Windows the variable is not read
    return onnxruntime  # type: ignore[no-any-return]
