"""The whole site: which files are pages, their URLs, versions, locales, sources and stable IDs."""
