"""A score that can be published: fixed questions, one headline, and a table of models."""
