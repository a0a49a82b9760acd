"""The HTTP sidecar: routes and agents' tools over replies in the making, admission, and transport."""
