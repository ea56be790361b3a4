"""Requests, pages and sockets, and the checks on them."""
