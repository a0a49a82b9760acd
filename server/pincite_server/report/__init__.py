"""What readers asked that the docs did not answer: from the log of questions to a page that people read."""
