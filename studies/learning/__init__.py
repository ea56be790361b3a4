"""Exact learning curves: three learners on the games of this package, at up to three sizes each, with
ten seeds."""
