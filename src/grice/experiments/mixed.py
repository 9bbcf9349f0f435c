"""Whether an experiment is several in one."""

from __future__ import annotations

from grice.experiments.comparison.configuration import configuration_of
from grice.experiments.results import ExperimentResults

__all__ = ["why_mixed"]


def why_mixed(results: ExperimentResults) -> str:
    """Why its figures are not those of one agent with one configuration; "" where nothing says so."""
    several = configuration_of(results).several
    return f"it was resumed after changes, and is of {', '.join(several)}" if several else ""
