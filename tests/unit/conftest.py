"""What spares processor time where thousands of short tests run in one process."""

import gc
import os

os.environ["OMP_WAIT_POLICY"] = "passive"  # a thread of torch's that waits leaves its core to who has work


def pytest_collection_finish() -> None:
    """Leave what was imported and collected, which stays to the end, out of every later search for garbage."""
    gc.collect()
    gc.freeze()
