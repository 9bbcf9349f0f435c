"""Old runs give their transcripts up; their sums stay, and so does what baselines were made of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from grice.experiments.baselines import save_baseline
from grice.experiments.loading import results_in
from grice.store.errors import StoreError
from grice.store.pruning import age_in, baseline_runs, prune
from grice.store.syncing import sync_folder
from journals import rows, run_row, write_run


def december() -> datetime:
    return datetime(2026, 12, 1, tzinfo=UTC)


def test_what_is_old_goes_and_is_not_brought_back(engine: Engine, tmp_path: Path) -> None:
    for day in (1, 2, 25):
        write_run(tmp_path / "runs", f"exp_{day}", "+-", day=day)
    save_baseline("main", results_in(tmp_path / "runs" / "exp_2"), tmp_path / "baselines")
    list(sync_folder(engine, tmp_path / "runs", "bot"))
    kept = baseline_runs(tmp_path / "baselines")
    assert kept == {"exp_2"}
    before = run_row(engine, "exp_1")
    assert prune(engine, "bot", timedelta(days=14), kept, clock=december) == ["exp_1"]
    assert prune(engine, "bot", timedelta(days=14), kept, clock=december) == []
    found = rows(engine)
    for table in ("conversations", "verdicts", "topic_visits", "findings", "test_results", "run_heads"):
        assert not [one for one in found[table] if "exp_1/" in str(one.values())], table
    assert run_row(engine, "exp_1") == {**before, "pruned_at": december()}
    for anew in (False, True):
        told = list(sync_folder(engine, tmp_path / "runs", "bot", anew=anew))
        assert [one.pruned for one in told] == [True, False, False]
        assert rows(engine) == found


def test_runs_of_other_projects_stay(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path, "exp_1", "+-", day=1)
    list(sync_folder(engine, tmp_path, "bot"))
    assert prune(engine, "another", timedelta(days=1), (), clock=december) == []


@pytest.mark.parametrize(("text", "days"), [("90d", 90), ("2w", 14)])
def test_ages(text: str, days: int) -> None:
    assert age_in(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "0d", "90", "d", "1y", "-1d"])
def test_what_is_no_age(text: str) -> None:
    with pytest.raises(StoreError, match="expected days or weeks, as in 90d or 12w"):
        age_in(text)
