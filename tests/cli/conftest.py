"""The command line, in this process."""

import pytest
from grice_command import Grice, Run

from grice.cli.app import app


@pytest.fixture
def grice(capsys: pytest.CaptureFixture[str]) -> Grice:
    """The command, in this process."""

    def run(*args: object) -> Run:
        try:
            app([str(arg) for arg in args], standalone_mode=True)
        except SystemExit as left:
            code = left.code
        captured = capsys.readouterr()
        assert isinstance(code, int)
        return Run(code, captured.out, captured.err)

    return run
