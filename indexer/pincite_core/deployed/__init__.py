"""Indexes where they are deployed, in a folder or on the web, and the copies of them that are worked with.

`origin` says what a deploy is, `local` and `web` look at one, `fetch` copies it, and `library` keeps the copies.
"""
