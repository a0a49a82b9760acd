"""Answers from the whole site: judge the evidence, choose what to quote, cite it."""
