"""Tables in memory: who is there, what is added, and what happens by itself."""
