"""How good the answers are: a docs team's own questions, asked and judged."""
