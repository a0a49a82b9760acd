"""The gate of written answers on answers of ours, true and falsified."""
