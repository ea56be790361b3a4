"""The screens: what each shows, and what its keys do."""
