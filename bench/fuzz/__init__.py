"""Send generated requests to a sidecar and open damaged indexes: nothing may fail, hang or grow."""
