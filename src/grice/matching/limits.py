"""How large assertions, patterns, texts and results may get, and how long one assertion may take."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from threading import get_ident
from typing import Self

import msgspec

FLAGS = "imsu"


class LimitsError(ValueError):
    """A limit is not usable."""

    __module__ = "grice"


class Limits(msgspec.Struct, frozen=True):
    """Limits on matching.

    - `max_assertion_json_bytes`: the assertions of one case as JSON.
    - `max_test_result_details_bytes`: all results of one case as JSON, messages included.
    - `regex_max_source_len`, `regex_max_test_str_len`: characters of a pattern, and of a text it is tested
      on; a longer text is cut, and the verdict says so.
    - `regex_allowed_flags`: any of i, m, s and u.
    - `max_samples`: values shown in a result.
    - `assertion_budget_ms`: milliseconds of the thread's CPU time for one assertion, from where its path is
      resolved; looked at while resolving and between values. `clock` measures it, in seconds.
    """

    max_assertion_json_bytes: int = 65_536
    max_test_result_details_bytes: int = 524_288
    regex_max_source_len: int = 1_024
    regex_max_test_str_len: int = 100_000
    regex_allowed_flags: str = FLAGS
    max_samples: int = 20
    assertion_budget_ms: float = 50
    clock: Callable[[], float] = time.thread_time

    def __post_init__(self) -> None:
        for name in _NUMBERS:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < _SMALLEST.get(name, 1):
                raise LimitsError(
                    f"{name}: expected a whole number of at least {_SMALLEST.get(name, 1)}, found {value!r}"
                )
        flags, budget = self.regex_allowed_flags, self.assertion_budget_ms
        unknown = sorted(set(flags) - set(FLAGS)) if isinstance(flags, str) else [flags]
        if unknown:
            where = f" in {flags!r}" if isinstance(flags, str) else ""
            raise LimitsError(
                f"regex_allowed_flags: expected any of {', '.join(FLAGS)}, found {unknown[0]!r}{where}"
            )
        if isinstance(budget, bool) or not isinstance(budget, int | float) or not budget > 0:
            raise LimitsError(f"assertion_budget_ms: expected a number above 0, found {budget!r}")
        if not callable(self.clock):
            raise LimitsError(f"clock: expected a function that returns seconds, found {self.clock!r}")

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Limits:
        """The defaults changed by the settings of an environment, that of the process unless given.

        Each is read as `GRICE_MAX_ASSERTION_JSON_BYTES`, `GRICE_MAX_TEST_RESULT_DETAILS_BYTES`,
        `GRICE_REGEX_MAX_SOURCE_LEN`, `GRICE_REGEX_MAX_TEST_STR_LEN`, `GRICE_REGEX_ALLOWED_FLAGS` and
        `GRICE_ASSERTION_BUDGET_MS`, the first five with `PK_` in front instead, too; `GRICE_` wins. Raises
        LimitsError that names the variable.
        """
        environ = os.environ if environ is None else environ
        fields: dict[str, float | str] = {}
        for name, variables in _VARIABLES.items():
            for variable in variables:
                if variable in environ:
                    fields[name] = _read(variable, environ[variable], name)
                    break
        return cls(**fields) if fields else DEFAULT_LIMITS  # type: ignore[arg-type]


class Deadline:
    """When an assertion has used up its time, which runs from `begin` on.

    Reading the subject is not in it; nor is, while it is entered as a context, what the garbage collector
    takes, for which an assertion can do nothing: after a large output was read that is most of the time.
    CPU time is slow to ask for, and never more than what went by on the wall: it is asked when that is over.
    """

    __slots__ = ("_clock", "_collecting", "_end", "_thread", "_wall_end", "milliseconds")

    def __init__(self, limits: Limits) -> None:
        self.milliseconds = limits.assertion_budget_ms
        self._clock = limits.clock
        self._end = self._wall_end = 0.0
        self._collecting: float | None = None
        self._thread = get_ident()

    def begin(self) -> None:
        """Let the time run."""
        self._end = self._clock() + self.milliseconds / 1_000
        if self._clock is time.thread_time:
            self._wall_end = time.perf_counter() + self.milliseconds / 1_000

    def is_over(self) -> bool:
        """Whether the time is used up."""
        return time.perf_counter() > self._wall_end and self._clock() > self._end

    def __enter__(self) -> Self:
        gc.callbacks.append(self._on_collection)
        return self

    def __exit__(self, *raised: object) -> None:
        gc.callbacks.remove(self._on_collection)

    def _on_collection(self, phase: str, _: object) -> None:
        if get_ident() != self._thread:
            return  # another thread's time
        if phase == "start":
            self._collecting = self._clock()
        elif self._collecting is not None:
            self._end += self._clock() - self._collecting
            self._collecting = None


_NUMBERS = (
    "max_assertion_json_bytes",
    "max_test_result_details_bytes",
    "regex_max_source_len",
    "regex_max_test_str_len",
    "max_samples",
)
_SMALLEST = {"max_test_result_details_bytes": 1_024}
_SETTINGS = (*_NUMBERS[:4], "regex_allowed_flags")
_VARIABLES: dict[str, tuple[str, ...]] = {
    name: (f"GRICE_{name.upper()}", f"PK_{name.upper()}") for name in _SETTINGS
}
_VARIABLES["assertion_budget_ms"] = ("GRICE_ASSERTION_BUDGET_MS",)

DEFAULT_LIMITS = Limits()

_in_force: ContextVar[Limits | None] = ContextVar("grice_limits", default=None)


class limited:  # noqa: N801 - it is used like a function
    """Let these limits hold for whatever is made or judged in the block."""

    __slots__ = ("_limits", "_token")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def __enter__(self) -> None:
        self._token = _in_force.set(self._limits)

    def __exit__(self, *raised: object) -> None:
        _in_force.reset(self._token)


def limits_in_force() -> Limits:
    """The limits of the block around, else those of the environment, which is read once a session."""
    limits = _in_force.get()
    return limits if limits is not None else _of_process()


@lru_cache(maxsize=1)
def _of_process() -> Limits:
    return Limits.from_environment()


def read_limits_anew() -> None:
    """Let the environment be read again: a session begins."""
    _of_process.cache_clear()


def _read(variable: str, value: str, name: str) -> float | str:
    whole = name != "assertion_budget_ms"
    try:
        read: float | str = (
            value.strip() if name == "regex_allowed_flags" else int(value) if whole else float(value)
        )
        Limits(**{name: read})  # type: ignore[arg-type]
    except ValueError as error:
        why = str(error).removeprefix(f"{name}: ") if isinstance(error, LimitsError) else None
        kind = "a whole number" if whole else "a number"
        raise LimitsError(f"{variable}: {why or f'expected {kind}, found {value!r}'}") from None
    return read
