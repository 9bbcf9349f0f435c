"""A project with a matcher of its own, for tests of the doors to it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grice._catalogue import MODULES
from grice.matching.matcher import REGISTRY

NAME = "toNameItsSource"

MATCHERS = """
import re
from grice import Reply
from grice.matchers import matcher

@matcher("toNameItsSource")
def name_its_source(reply: Reply, ctx, *sources: str, at_least: int = 1):
    '''The reply says where it knows it from.

    As in [house rules].
    '''
    named = re.findall(r"\\[([^]]+)\\]", reply.text)
    return len(set(named) & set(sources) if sources else named) >= at_least
"""

APP = """
def agent(text):
    return "From nine to five [house rules]."

def other(text):
    return "From nine to five."
"""

CHECKED = f"""
scenarios:
  - id: hours
    say: When are you open?
    expect:
      - {{matcher: {NAME}}}
      - {{matcher: {NAME}, expected: [menu], not: true}}
"""


def write_project(folder: Path, *, settings: str = "", package: str = "own_project") -> None:
    """A package with an agent and a matcher, each in a module of its own, and settings."""
    own = folder / package
    own.mkdir(parents=True)
    own.joinpath("__init__.py").touch()
    own.joinpath("matchers.py").write_text(MATCHERS)
    own.joinpath("app.py").write_text(APP)
    folder.joinpath("pyproject.toml").write_text(f'[tool.grice]\nagent = "{package}.app:agent"\n{settings}')


def write_suite(path: Path, head: str = "", text: str = CHECKED) -> Path:
    """A suite file, by default with checks by the matcher of the project."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}{text}", "utf-8")
    return path


@contextmanager
def forgotten(package: str = "own_project") -> Iterator[None]:
    """What is imported and registered in the block is forgotten after it."""
    path, registered = list(sys.path), set(REGISTRY)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in REGISTRY.keys() - registered - MODULES.keys():
            del REGISTRY[name]
        for name in [one for one in sys.modules if re.match(rf"{package}(\.|$)", one)]:
            del sys.modules[name]
