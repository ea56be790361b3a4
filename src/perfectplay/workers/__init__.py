"""Slow work in processes of their own: computer players, and exact answers."""
