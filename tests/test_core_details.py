"""Corners of the core, each with what it is for."""
