"""Reports the questions that the docs did not answer, from the question log to an HTML page."""
