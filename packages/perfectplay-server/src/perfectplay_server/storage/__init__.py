"""The database: reading, and one thread that writes."""
