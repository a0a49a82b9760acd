"""Generated requests for the sidecar, and damaged indexes: nothing may fail, hang or grow."""
