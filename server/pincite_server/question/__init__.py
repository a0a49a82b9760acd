"""What a reader asks, and everything that is settled about it before it is answered."""
