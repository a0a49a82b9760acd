"""The answering pipeline: scope, retrieval, composition and checks, ending in an answer or a refusal."""
