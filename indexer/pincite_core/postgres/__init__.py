"""Push builds to PostgreSQL and read them. These modules are loaded only for `postgresql://` addresses."""
