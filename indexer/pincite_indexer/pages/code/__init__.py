"""Read code as its reader would type it, and diagrams as their labels."""
