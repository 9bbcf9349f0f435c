"""Data that stand beside the repository, not in it: in the folder GRICE_DATA, else in ../shared/data."""

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).parents[2] / "shared" / "data"

AIRLINE = Path(os.environ.get("GRICE_DATA", _BESIDE)) / "airline_agent_runs.jsonl"
"""156 conversations of a real agent, of which tests/data has two."""

needs_airline_runs = pytest.mark.skipif(
    not AIRLINE.exists(), reason=f"there is no {AIRLINE.name} beside the repository"
)
