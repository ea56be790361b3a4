"""The work of `perfectplay audit-env` and `replay-env`."""
