"""What several sidecars of one site know together: a Valkey or Redis, and how to do without it."""
