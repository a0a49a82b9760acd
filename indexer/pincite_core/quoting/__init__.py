"""What a unit of the docs is by itself: how its page shows it, whether it stands alone, what numbers it has."""
