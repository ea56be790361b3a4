"""Corners of the rules that no numbered rule is about."""
