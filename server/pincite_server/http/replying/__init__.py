"""Replies in the making: begun, followed by any number of readers, kept for repetitions, streamed."""
