"""How many files a reader has to know to follow what Grice does, by tools/journey.py."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "journey.py"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["say", "simulated", "golden"])
def test_a_journey_enters_no_more_files_than_its_bar(name):
    made = subprocess.run([sys.executable, TOOL, name], capture_output=True, text=True, check=False)

    assert made.returncode == 0, made.stdout + made.stderr
