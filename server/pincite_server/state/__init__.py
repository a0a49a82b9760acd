"""State that several sidecars of a site share through Valkey or Redis, with a local fallback."""
