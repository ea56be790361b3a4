"""Games with rules on arrays: solved ply by ply or in sweeps, and kept as a table base."""
