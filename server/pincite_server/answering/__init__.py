"""From a question to an answer or an honest refusal: scope, retrieve, compose, guard."""
