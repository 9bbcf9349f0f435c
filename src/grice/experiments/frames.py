"""Tables as data frames of pandas or polars, where one of them is installed. Neither is a dependency."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from grice.experiments.tables import Column

__all__ = ["pandas_frame", "polars_frame"]

_PANDAS = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}
_POLARS = {"text": "String", "integer": "Int64", "number": "Float64", "boolean": "Boolean"}


def pandas_frame(columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> Any:
    """A `pandas.DataFrame` with nullable types. Raises ImportError, with what to do, without pandas."""
    pandas = _library("pandas")
    return pandas.DataFrame(
        {one.name: pandas.array([row[one.name] for row in rows], dtype=_PANDAS[one.type]) for one in columns}
    )


def polars_frame(columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> Any:
    """A `polars.DataFrame`. Raises ImportError, with what to do, without polars."""
    polars = _library("polars")
    schema = {one.name: getattr(polars, _POLARS[one.type]) for one in columns}
    return polars.DataFrame({one.name: [row[one.name] for row in rows] for one in columns}, schema=schema)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(
            f"data frames of {name} need {name}, which is not installed: pip install {name}", name=name
        ) from None
