"""The guard around the library for Parquet, which few need."""

from typing import Any

from perfectplay.core.errors import needs


def import_pyarrow() -> Any:
    """The library for Parquet. Raises MissingExtraError if it is not installed."""
    with needs("pyarrow", "parquet"):
        import pyarrow.parquet
    return pyarrow
