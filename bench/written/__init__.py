"""Test the checks of written answers on recorded answers, true and falsified."""
