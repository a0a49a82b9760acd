"""Corpus mode: answers from the whole site, with evidence judgement, passage selection and citations."""
