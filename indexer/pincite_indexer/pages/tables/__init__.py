"""Read tables by the table model of HTML, as rows of named cells."""
