"""Measures agents against exact values: language models, bots and learners."""
