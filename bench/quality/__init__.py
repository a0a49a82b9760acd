"""Measure search, answers, refusals and grounding: `python -m bench.quality`."""
