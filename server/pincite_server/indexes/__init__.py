"""Where indexes come from, which are served, and how a new build takes over."""
