"""The optional language model: its endpoint, its prompts' message types, its limits and its errors.

This package does not depend on the index. Its modules are imported only when a model is configured.
"""
