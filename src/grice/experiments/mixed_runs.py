"""Whether a run went on in another configuration, so that it is several runs in one."""

from __future__ import annotations

from collections.abc import Iterator

from grice.experiments.comparison.configuration import JudgedBy, configuration_of, judged_by
from grice.experiments.comparison.side_texts import listed
from grice.experiments.results import ExperimentResults

_WAYS: tuple[tuple[str, JudgedBy, bool], ...] = (
    ("judged by {} models", lambda how: how.model, True),
    ("judged with {} prompts", lambda how: f"{how.prompt} {how.version}", True),
    ("asked in {} wordings", lambda how: how.fingerprint, False),
)
"""What judges may differ in, how that is read, and whether its values say anything to a reader."""


def why_mixed(results: ExperimentResults) -> str:
    """Why its figures are not those of one agent with one configuration, judged alike; "" where they are."""
    several = configuration_of(results).several
    resumed = [f"it was resumed after changes, and is of {', '.join(several)}"] if several else []
    return "; ".join((*resumed, *_judged_in_several_ways(results)))


def _judged_in_several_ways(results: ExperimentResults) -> Iterator[str]:
    """What was judged in one way in some attempts, and in another in others.

    Where all attempts ask the same two judges, that is how the test is meant; so are two criteria with a
    judge each. Ways that were not recorded are left out.
    """
    for words, read, shown in _WAYS:
        found = judged_by(results.counted, read)
        mixed: dict[frozenset[str], list[str]] = {}
        for subject, ways in found.items():
            known = [way for way in ways if "" not in way]
            if len(known) > 1:
                mixed.setdefault(frozenset().union(*known), []).append(subject)
        for values, subjects in mixed.items():
            told = f" ({listed(values)})" if shown else ""
            yield f"{listed(subjects)}: {words.format(len(values))}{told}"
