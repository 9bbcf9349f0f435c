"""Whatever is killed at any moment loses and doubles nothing; `make test-long` kills more often."""

import subprocess
import sys
from pathlib import Path

import pytest
from postgres import missing

STUDY = Path(__file__).parent.parent.parent / "benchmarks" / "kill_store.py"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_ten_kills_of_each_command(request: pytest.FixtureRequest, database: str) -> None:
    postgres = database == "postgresql"
    if postgres and (why := missing()):
        if request.config.getoption("--postgres", default=False):
            pytest.fail(why)
        pytest.skip(why)
    command = [sys.executable, str(STUDY), "--kills", "10", *(["--postgres"] if postgres else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("10 kills, all is well") == 3
