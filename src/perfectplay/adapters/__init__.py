"""The games as environments of other libraries, with one module per library."""
