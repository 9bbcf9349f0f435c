"""What a scenario or test that is run outside of pytest has beside its agent."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.identity import stable_id
from grice.judging.criterion import CriterionLevel
from grice.wire.cassettes.errors import CassetteError

if TYPE_CHECKING:
    from grice.judging.judge import Judge
    from grice.matching.protocols import BoundLLM
    from grice.wire.cassettes import Cassette, Recorded


class Assistance:
    """The judge of the checks on one conversation, and the cassette of what is said in it.

    `file` and `name` say where the cassette lies, `test` for what it is recorded. `mode` and `update` are the
    command line's words on cassettes, see `open_cassette`. `find_judge_llm` finds the LLM that judges; with
    `watch`, `budget_spent` tells whether it was not asked for want of a budget.
    """

    def __init__(
        self,
        file: Path,
        name: str,
        settings: Settings,
        *,
        test: str = "",
        mode: str = "",
        marked: str = "",
        update: bool = False,
        find_judge_llm: Callable[[], object],
        find_criteria: Callable[[], CriterionLevel],
        watch: bool = False,
    ) -> None:
        self._file, self._name = file, name
        self._test = test or name
        self._settings = settings
        self._words = {"mode": mode, "marked": marked}
        self._update = update
        self._find_judge_llm = find_judge_llm
        self._find_criteria = find_criteria
        self._cassette: Cassette | None = None
        self._judge: Judge | None = None
        self._lock = threading.RLock()  # checks are made from threads too
        self._watch = watch
        self._ended = False
        self.budget_spent = False

    @cached_property
    def place(self) -> Path:
        """Where the cassette lies, if there is one."""
        return cassette_path(self._file, self._settings.cassettes, self._name)

    def _has_cassettes(self) -> bool:
        """Whether its file has a folder of cassettes: most have none, and asking for it is quick."""
        return os.path.isdir(cassette_folder(self._file, self._settings.cassettes))

    @property
    def cassette(self) -> Cassette:
        """The cassette, opened at first use. Raises CassetteError and SettingsError."""
        with self._lock:
            if self._cassette is None:
                self._cassette = open_cassette(
                    self.place, self._settings, test=self._test, update=self._update, **self._words
                )
                if self._ended:
                    self._cassette.discard()
            return self._cassette

    def find_cassette(self) -> Cassette:
        """The same, for who asks later."""
        return self.cassette

    def judge(self) -> Judge:
        """The judge, with the criteria that hold, made at first use. Raises CriterionError, SettingsError."""
        from grice.running.project_llms import WatchedLLM, make_judge  # with LLMs, which few tests need

        with self._lock:
            if self._judge is None:
                self._judge = make_judge(
                    self._find_judge_llm, self.find_cassette, self._find_criteria(), self._settings
                )
                if self._watch and self._judge.llm is not None:
                    self._judge.llm = WatchedLLM(self._judge.llm, self._note_spent)
            return self._judge

    def _note_spent(self) -> None:
        self.budget_spent = True

    @property
    def judge_llm(self) -> BoundLLM | None:
        """The LLM that judges, once a check has wanted it."""
        return self._judge.llm if self._judge is not None else None

    def end(self) -> None:
        """Write nothing of a cassette that is opened from now on: it was to end with the test."""
        self._ended = True

    def discard(self) -> None:
        """Write nothing: of a conversation that is not finished a part would be taken for the whole."""
        if self._cassette is not None:
            self._cassette.discard()

    def close(self, *, passed: bool) -> tuple[list[str], str]:
        """Write what was recorded: a note a line, and what is wrong with calls that nobody made any more.

        What passed has to have made all of them, also when it has not opened its cassette.
        """
        if self._cassette is None and not (passed and self._has_cassettes() and self.place.exists()):
            return [], ""
        try:
            recorded = self.cassette.finish(whole=passed)
        except (CassetteError, SettingsError) as error:
            return [], str(error)
        notes = recorded_lines(recorded) if recorded is not None else []
        findings = list(map(str, self.cassette.findings())) if passed else []
        if self.cassette.strict:
            return notes, "\n".join(findings)
        return [*notes, *findings], ""


_LONGEST = 80

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")  # devices on Windows, with any suffix

_MOST_LINES = 20


def cassette_path(file: Path, folder: str, name: str) -> Path:
    """The cassette of the test or scenario of that name in that file: `folder/<file>/<name>.jsonl` beside it.

    A name that no file could have is shortened and made unique by its stable id.
    """
    plain = re.sub(r"[^\w.=+-]+", "-", name, flags=re.ASCII).strip("-.")
    if plain != name or len(plain) > _LONGEST or plain.lower() != plain or _RESERVED.match(plain):
        plain = f"{plain[:_LONGEST].strip('-.')}-{stable_id(name).removeprefix('example:')[:8]}"
    return Path(cassette_folder(file, folder), f"{plain}.jsonl")


@lru_cache(maxsize=64)
def cassette_folder(file: Path, folder: str) -> str:
    """Where the cassettes of a file's tests and scenarios lie."""
    return str(file.parent.joinpath(folder, file.name.split(".")[0]))


def cassette_name(title: str, key: str = "", repeat: int = 1) -> str:
    """What the cassette of a test with a scenario is named by, in pytest and elsewhere.

    pytest escapes what is not ASCII in the ids of its tests; `title` has its class and its name.
    """
    escaped = key.encode("unicode_escape").decode("ascii")
    name = f"{title}[{escaped}]" if key else title
    return (name if repeat == 1 else f"{name}.{repeat}").replace("::", ".")


def open_cassette(
    path: Path, settings: Settings, *, test: str, mode: str = "", marked: str = "", update: bool = False
) -> Cassette:
    """The cassette at the path, in the command line's `mode`, or that which its test has, or the settings'.

    A test that leaves cassettes alone, `off`, does so whatever the command line says.

    With `update` one that exists is recorded anew, unless the command line says not to. Raises CassetteError,
    and SettingsError for scrub rules.
    """
    from grice.wire.cassettes import Cassette, ScrubError

    chosen = "off" if marked == "off" else mode or marked or settings.record
    if chosen != "off" and update and path.exists() and mode not in ("off", "none"):
        chosen = "all"
    try:
        return Cassette.open(path, chosen, scrub=settings.scrub, kinds=settings.record_kinds, test=test)
    except ScrubError as error:
        raise settings.problem_with("scrub", str(error)) from error


def recorded_lines(recorded: Recorded) -> list[str]:
    """What a summary says of a recording: its counts, and what is no longer as it was."""
    said, *lines = f"recorded {recorded}".split("\n")
    if not recorded.removed and not recorded.changed:
        return [said]  # what was added is in the file
    rest = len(lines) - _MOST_LINES
    return [said, *lines[:_MOST_LINES], *([f"  and {rest} more lines"] if rest > 0 else ())]
