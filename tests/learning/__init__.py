"""Tests of learners."""
