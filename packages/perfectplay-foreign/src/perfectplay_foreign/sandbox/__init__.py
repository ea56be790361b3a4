"""The sandbox in which foreign code runs. docs/sandbox.md says what it promises and what not."""
