"""Written answers: a language model writes them, and each sentence is checked before a reader sees it."""
