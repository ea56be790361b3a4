"""Games and answers in a terminal."""
