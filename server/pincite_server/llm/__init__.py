"""The optional language model: its endpoint, what it is asked, and how what it writes is taken apart.

Nothing here knows the index. Modules are imported only when a model is configured or a part of one is asked for.
"""
