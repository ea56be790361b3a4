"""Boards as pictures, and the pages, tables and charts of reports."""
