"""Exact answers in words: hints, reasons, reviews and puzzles."""
