"""Whether words are supported by other words: names, quantities, negations, opposites, sentences that say it."""
