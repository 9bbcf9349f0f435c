"""The time of an experiment, and the state of its code, in words: alike in all reports."""

import pytest
from comparisons import SEED
from run_reports import run_markdown
from run_results import HEAD

from grice.experiments.results import ExperimentResults
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.identity_text import git_text, moment_text
from grice.running.journal.experiment import Experiment


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"git_commit": "1a2b3c4d5e6f7", "git_branch": "main", "git_dirty": False}, "1a2b3c4d5 (main)"),
        (
            {"git_commit": "1a2b3c4d5", "git_branch": "main", "git_dirty": True},
            "1a2b3c4d5 (main), with changes",
        ),
        ({"git_commit": "1a2b3c4d5"}, "1a2b3c4d5"),
        ({"git_branch": "main"}, "no commit (main)"),
        ({"git_branch": "a\n\x1b[2Jb"}, "no commit (a\\n\\x1b[2Jb)"),
        ({"git_dirty": True}, ""),
        ({}, ""),
    ],
)
def test_the_state_of_the_code(fields: dict[str, object], said: str) -> None:
    head = Experiment("exp_1", "", **fields)  # type: ignore[arg-type]
    assert git_text(head) == said


@pytest.mark.parametrize(
    ("timestamp", "said"),
    [
        ("2025-01-16T14:30:00.123Z", "2025-01-16 14:30:00 UTC"),
        ("2025-01-16T14:30:00Z", "2025-01-16 14:30:00 UTC"),
        ("yesterday\n", "yesterday\\n"),
        ("", ""),
    ],
)
def test_the_time(timestamp: str, said: str) -> None:
    assert moment_text(timestamp) == said


def test_one_experiment_is_told_the_same_in_the_report_of_one_and_of_two() -> None:
    moment, code = "2025-01-16 14:30:00 UTC", "abc123def (feature/grounding)"
    shown = comparison_document(SEED).about[1].words
    assert shown == f'Current:  exp_def456 "Prompt v2.3", {moment}, {code}, with changes'
    assert (
        f'Experiment: `exp_def456` "Prompt v2.3"  \nTimestamp:  {moment}  \nGit:        {code}  \n'
    ) in run_markdown(ExperimentResults((HEAD,), ()))
