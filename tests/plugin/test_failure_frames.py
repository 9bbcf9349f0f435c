"""What a failed test shows of the way to its agent."""

from typing import Any

from grice.pytest_plugin.failures import users_frames

CODE = """
import contextlib

@contextlib.contextmanager
def sent():
    raise ValueError
    yield

def post():
    with sent():
        pass
"""


def test_the_frames_of_the_standard_library_between_those_of_grice_are_not_shown() -> None:
    scope: dict[str, Any] = {"__name__": "grice.wire.http"}
    exec(CODE, scope)
    try:
        scope["post"]()
    except ValueError as error:
        trace = error.__traceback__
    assert trace is not None
    assert trace.tb_next is not None
    assert users_frames(trace.tb_next) is None
