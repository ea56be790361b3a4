"""Stands in for the process that thinks: it takes questions and answers none."""

import sys

if __name__ == "__main__":
    for _ in sys.stdin:
        pass
