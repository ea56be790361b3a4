"""An adapter for each library; a module here is found by itself."""
