"""gg-bench, audited whole and scored again: see docs/studies/gg-bench.md."""
