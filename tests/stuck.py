"""Stands in for the process that thinks: it takes questions and answers none."""

import sys

for _ in sys.stdin:
    pass
