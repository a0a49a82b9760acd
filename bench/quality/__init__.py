"""How good search, answers, refusals and grounding are: `python -m bench.quality`."""
