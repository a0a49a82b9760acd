"""What the operator can see: metrics, logs, and the questions when they are to be kept. Nothing says who asked."""
