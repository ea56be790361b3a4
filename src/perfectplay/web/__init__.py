"""Tables on the web, for two players and any number of spectators. See docs/serving.md."""
