"""Builds the site: `python -m tools.site FOLDER`. Each module with a function `build` is a step."""
