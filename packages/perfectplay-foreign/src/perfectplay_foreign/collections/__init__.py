"""Collections of environments: audited as one, and those of gg-bench that can be trusted."""
