"""The games as environments of other libraries: a module for each, named after it."""
