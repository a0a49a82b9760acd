"""Pages as Markdown, for agents: `reduced` leaves a page's content, `writer` writes it down, `llms` makes the files."""
