"""How long tests wait for what must come."""

PATIENCE = 240.0  # seconds, less than pytest's own time-out: only a hang takes so long
