"""Read deployed indexes from a local folder or a web host, and keep local copies of them.

`origin` defines a deploy, `local` and `web` read a deploy, `fetch` copies its files, and `build_cache` stores copies.
"""
