"""A face for each library; a module here is found by itself."""
