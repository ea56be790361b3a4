"""The laws that every game keeps, and the check of them."""
