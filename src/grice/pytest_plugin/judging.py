"""The judge of each test: its LLM, its criteria, its cassette."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grice.files.settings_files import SettingsError
from grice.pytest_plugin.criteria import criteria_of
from grice.pytest_plugin.item_identity import marker_options, path_of
from grice.pytest_plugin.projects import llms_of, settings_of
from grice.pytest_plugin.repeats import own_name, repeat_of

if TYPE_CHECKING:
    from grice.judging.judge import Judge
    from grice.matching.protocols import BoundLLM
    from grice.running.assistance import Assistance
    from grice.running.project_llms import Role
    from grice.wire.cassettes import Cassette


_LOCK = threading.RLock()  # checks are made from threads too
_ASSISTANCE = pytest.StashKey["Assistance"]()
_ENDING = pytest.StashKey[bool]()
_BESIDE = pytest.StashKey[dict[Path, bool]]()
"""Whether there is a folder of cassettes beside a file of tests."""
RECORDED = pytest.StashKey[str]()
"""What was recorded for a test, in words."""


def configured_llm(item: pytest.Item, role: Role) -> BoundLLM:
    """The LLM that the settings name; a wrong setting fails the test without a traceback."""
    try:
        return llms_of(item.config).llm(item.path, role)
    except SettingsError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def assistance_of(item: pytest.Item) -> Assistance:
    """A test's judge and cassette; the LLM of the judge is what the fixture `judge_llm` gives."""
    with _LOCK:
        if _ASSISTANCE not in item.stash:
            made = item.stash[_ASSISTANCE] = make_assistance(item, partial(judge_llm_of, item))
            if item.stash.get(_ENDING, False):
                made.end()
        return item.stash[_ASSISTANCE]


def make_assistance(item: pytest.Item, find_judge_llm: Callable[[], object]) -> Assistance:
    """The same for a test that is not running yet, with the LLM that is found for it."""
    from grice.running.assistance import Assistance

    return Assistance(
        item.path,
        _cassette_name(item),
        settings_of(item.config, item.path),
        test=path_of(item),
        mode=item.config.getoption("--grice-record") or "",
        marked=marker_options(item).get("record", ""),
        update=bool(item.config.getoption("--grice-update")),
        find_judge_llm=find_judge_llm,
        find_criteria=partial(criteria_of, item),
    )


def keep_assistance(item: pytest.Item, made: Assistance) -> None:
    """Have the test go on with what was made for it before."""
    item.stash[_ASSISTANCE] = made


def judge_of_test(item: pytest.Item) -> Judge:
    """The judge of a test's checks, made when the first one wants it."""
    return assistance_of(item).judge()


def judge_llm_of(item: pytest.Item) -> Any:
    """What the fixture `judge_llm` gives. Raises LLMConfigError where it would fail the test."""
    return llm_of(item, "judge_llm")


def llm_of(item: pytest.Item, role: Role) -> Any:
    """What the fixture of that name gives. Raises LLMConfigError where it would fail the test."""
    request = getattr(item, "_request", None)
    if request is None:
        return llms_of(item.config).llm(item.path, role)
    try:
        if not item.stash.get(_ENDING, False) or role in getattr(item, "fixturenames", ()):
            return request.getfixturevalue(role)
        problem = f"the test is being torn down: have the fixture that checks there request {role}"
    except pytest.fail.Exception as error:  # a soft check must not fail the test
        problem = str(error)
    except pytest.FixtureLookupError as error:
        problem = f"fixture {error.argname!r} not found, which the fixture {role} requests"
    except RuntimeError as error:
        if "loop" not in str(error):  # not what an event loop says that is to run again
            raise
        problem = (
            f"{role} raised {error}; an asynchronous fixture cannot be set up while the test's event loop "
            f"runs: request {role} in the test's arguments"
        )
    from grice.llm import LLMConfigError

    raise LLMConfigError(problem)


def cassette_of(item: pytest.Item) -> Cassette:
    """The cassette of a test, opened at first use. Raises CassetteError and SettingsError."""
    return assistance_of(item).cassette


def close_cassette(item: pytest.Item, *, passed: bool) -> str:
    """Write what was recorded for the test, and say what is wrong with its cassette, "" when nothing is.

    A test that passed has to have asked for everything in it; also for one that it has not opened at all.
    """
    if _ASSISTANCE not in item.stash and not (passed and _has_cassette(item)):
        return ""
    notes, wrong = assistance_of(item).close(passed=passed)
    if notes:
        item.stash[RECORDED] = "\n".join(notes)
    return wrong


def unused_answers(item: pytest.Item) -> str:
    """Which answers of a judge that was scripted for this test alone nobody asked for, "" when all were."""
    made = item.stash.get(_ASSISTANCE, None)
    llm = made.judge_llm if made is not None else None
    fixtures = getattr(getattr(item, "_request", None), "_fixture_defs", {})
    fixture = fixtures.get("judge_llm")
    if llm is None or fixture is None or fixture.scope != "function":
        return ""
    from grice.llm import ScriptedLLM
    from grice.matching.protocols import LLMError

    try:
        if isinstance(llm, ScriptedLLM):
            llm.verify()
    except LLMError as error:
        return f"judge_llm: {error}"
    return ""


def _has_cassette(item: pytest.Item) -> bool:
    """Whether a cassette of the test lies there; scenarios look after theirs themselves."""
    if not isinstance(item, pytest.Function):
        return False
    known = item.config.stash.setdefault(_BESIDE, {})
    if item.path not in known:
        known[item.path] = (item.path.parent / settings_of(item.config, item.path).cassettes).is_dir()
    return known[item.path] and cassette_place(item).exists()


def cassette_place(item: pytest.Item) -> Path:
    """Where the cassette of a test or scenario lies, if it has one."""
    from grice.running.assistance import cassette_path

    return cassette_path(item.path, settings_of(item.config, item.path).cassettes, _cassette_name(item))


def _cassette_name(item: pytest.Item) -> str:
    from grice.running.assistance import cassette_name

    return cassette_name(own_name(item), repeat=repeat_of(item))


def begin_teardown(item: pytest.Item) -> None:
    """Have no judge made any more: pytest sets up no fixtures in a teardown."""
    item.stash[_ENDING] = True
    if _ASSISTANCE in item.stash:
        item.stash[_ASSISTANCE].end()


def forget_judge(item: pytest.Item) -> None:
    """Have the next run of the test begin with a judge and a cassette of its own."""
    if _ASSISTANCE in item.stash:
        del item.stash[_ASSISTANCE]
    item.stash[_ENDING] = False
