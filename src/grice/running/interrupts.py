"""Which exceptions out of an agent are no failure of the agent."""

from __future__ import annotations

import sys

__all__ = ["stops_the_run"]


def stops_the_run(error: BaseException) -> bool:
    """Whether the exception is for who runs the agent: Ctrl-C, and pytest's skip, fail and exit.

    Everything else that an agent raises is its failure, whether it derives from Exception or not. What is
    pytest's only exists when pytest has been imported.
    """
    if isinstance(error, KeyboardInterrupt):
        return True
    outcomes = sys.modules.get("_pytest.outcomes")
    return outcomes is not None and isinstance(error, (outcomes.OutcomeException, outcomes.Exit))
