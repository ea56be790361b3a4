"""Learners, and an exact measure of what they have learned. Needs NumPy; the learner itself needs JAX."""
