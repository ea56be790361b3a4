"""Tables on the web: two players, each in a browser, and any spectators. See docs/serving.md."""
