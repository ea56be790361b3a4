"""Kernels of games that no table can hold, each in a module named after its game."""
