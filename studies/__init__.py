"""Studies: programs over the public API of the package, and what they found."""
