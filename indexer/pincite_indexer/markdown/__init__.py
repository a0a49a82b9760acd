"""Convert pages to Markdown for agents: `page_text` reduces the HTML, `writer` converts it, `llms` writes the files."""
