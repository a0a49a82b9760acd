"""The HTTP sidecar: routes, the wire format, limits, errors and the event stream."""
