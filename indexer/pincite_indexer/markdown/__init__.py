"""Convert pages to Markdown for agents: `reduced` cleans the HTML, `writer` converts it, `llms` writes the files."""
