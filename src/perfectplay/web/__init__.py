"""A table on the web: two people, each with a browser, and whoever watches. docs/serving.md tells more."""
