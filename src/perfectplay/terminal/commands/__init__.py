"""The work behind commands that print an answer: exact values, audits, arenas, pages to read."""
