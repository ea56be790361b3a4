"""Learners in self-play, in JAX. They are measured exactly as they learn."""
