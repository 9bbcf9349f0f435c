"""What judges the parts of logs, wherever it is sent, and what every engine is that sends them."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import msgspec

from grice.files.settings import find_settings
from grice.formats.buckets import is_address
from grice.formats.lines import Unreadable, open_log
from grice.matching.recording import EMBEDDER, ENTAILMENT
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.vocabularies import bring_vocabulary_in_force
from grice.scanning.batch import Part, ScanChecks, scan_batch
from grice.scanning.check_choice import Choice
from grice.scanning.chosen_lines import LineFilter
from grice.scanning.log_parts import LogPart, read_parts
from grice.scanning.report import Tally
from grice.scanning.whole_file import judge_file

Answer = list[Part | Exception]
"""What a part of a log gave, in order; an exception is the last, and says why there is no more."""


class EngineFailed(RuntimeError):
    """An engine cannot be used, or what it started ended before its work was done; the text says why."""


class Engine(Protocol):
    """Where parts of logs are judged.

    `far` says that it is more than this machine: then it is given every file, and not only large ones. `size`
    is how many bytes of a file it is given at once.
    """

    far: bool
    size: int

    def map(self, parts: Iterable[LogPart], judge: PartJudge) -> Generator[Answer]:
        """What the judge says of each part, in the order of the parts. Raises EngineFailed.

        When the generator is closed, what was started for it ends.
        """
        ...


class ScanSetup(msgspec.Struct, frozen=True):
    """All that a process needs to judge parts of a log. It can be pickled where its checks can.

    `project` is the folder whose settings hold, "" for none. With `only_counted` nobody takes the findings.
    """

    choice: Choice
    project: str = ""
    with_conversations: bool = False
    chosen: LineFilter | None = None
    only_counted: bool = False

    def ready(self) -> ScanChecks:
        """The checks, with the vocabulary, the embedder and the entailment of the project in force.

        Raises EngineFailed for a project that is not on this machine.
        """
        if self.project:
            settings = find_settings(Path(self.project))
            if settings is None:
                raise EngineFailed(f"the settings in {self.project} are not on every machine: mount them")
            bring_vocabulary_in_force(settings)
            EMBEDDER.set(embedder_of(settings))
            ENTAILMENT.set(entailment_of(settings))
        return ScanChecks(
            self.choice.checks,
            with_conversations=self.with_conversations,
            chosen=self.chosen,
            only_counted=self.only_counted,
        )


class PartJudge(msgspec.Struct, frozen=True):
    """Judges parts of logs, in any process. `setup` is a ScanSetup, pickled.

    `folder` is where relative names of files begin, and `modules` are the folders in which Python looks.
    """

    setup: bytes
    folder: str
    modules: tuple[str, ...]

    def __call__(self, part: LogPart) -> Answer:
        """What is found in the part."""
        return list(self._answered(part))

    def _answered(self, part: LogPart) -> Iterator[Part | Exception]:
        try:
            yield from self._judged(part)
        except (Unreadable, EngineFailed) as problem:
            yield problem
        except Exception as error:  # it has to reach the one who can tell of it
            yield EngineFailed(f"a process of the scan broke: {type(error).__name__}: {error}")

    def _judged(self, part: LogPart) -> Iterator[Part]:
        sys.path.extend(one for one in self.modules if one not in sys.path)
        checks = _ready(self.setup)
        path = part.path if is_address(part.path) else os.path.join(self.folder, part.path)
        name = str(part.path)
        if part.end is None:
            yield from judge_file(path, name, part.mapping, checks)
            return
        with open_log(path, at_once=part.end - part.start) as stream:
            if not part.start:
                yield Part(Tally(files=[name]))
            for data in read_parts(stream, part.start, part.end):
                yield scan_batch(data, checks, file=name)


@lru_cache(maxsize=1)
def _ready(setup: bytes) -> ScanChecks:
    made: ScanSetup = pickle.loads(setup)  # noqa: S301 - what the process made that sent it
    return made.ready()


def judge_of(setup: ScanSetup) -> PartJudge | None:
    """What judges parts in other processes; None where a check cannot be sent to one."""
    if not _can_be_sent(setup):
        return None
    return PartJudge(pickle.dumps(setup), os.getcwd(), tuple(one for one in sys.path if os.path.isabs(one)))


def unsendable(choice: Choice) -> list[str]:
    """The labels of the checks that cannot be sent to other processes."""
    return [one.label for one in choice.checks if not _can_be_sent(one)]


def _can_be_sent(value: object) -> bool:
    try:
        pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
    except Exception:  # somebody's objects: they stay here
        return False
    return True
