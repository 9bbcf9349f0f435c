"""Prompts with placeholders, `{{name}}`, and the files in which they stand."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError, file_text
from grice.files.settings_files import SettingsError, find_settings_file
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.typed import Problem
from grice.user_files import real_path

MOST_CHARACTERS = 1_000_000
"""Of a prompt; once it is filled it may have ten times as many."""
_MOST_FILLED = 10 * MOST_CHARACTERS
_MOST_TOLD = 20
_SIGNS = re.compile(
    r"\{\{\{\{(?P<whole>[^{}\n]*)\}\}\}\}|(?P<braces>\{\{\{\{)"
    r"|\{\{(?P<name>[^{}\n]*)\}\}|(?P<open>\{\{)(?!\{)"
)


class PromptErrors(FileErrors):
    """Everything that is wrong with a prompt, one FileError each."""


class PromptFile(msgspec.Struct, frozen=True):
    """A prompt: where it stands, its text, and that text in pieces.

    Each piece is a text and the name of the placeholder behind it, "" behind the last. `lines` has the line
    of the first placeholder of each name.
    """

    path: str
    text: str
    pieces: tuple[tuple[str, str], ...]
    lines: dict[str, int]

    @property
    def fingerprint(self) -> str:
        """What tells this text from another one."""
        return prompt_fingerprint(self.text)

    def fill(self, inputs: Mapping[str, JsonValue]) -> str:
        """The text with each placeholder replaced by its input; no input is looked at for placeholders.

        An input that is no text is written as JSON. Raises KeyError for one that is missing; see
        `input_problems`.
        """
        values = {name: _value_text(inputs[name]) for name in self.lines}
        return "".join(text + (values[name] if name else "") for text, name in self.pieces)


def prompt_fingerprint(text: str) -> str:
    """The SHA-256 of the text in UTF-8, with `sha256:` before it."""
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def prompt_place(suite: str | os.PathLike[str], said: str) -> Path:
    """The file that a suite means. Raises FileError for one outside of the suite's project.

    A suite may come from somebody else: it sends no file to an LLM that is not the project's.
    """
    place = Path(os.path.normpath(Path(suite).parent / said))
    roots = [Path.cwd(), Path(suite).parent]
    with suppress(SettingsError):  # which is told where settings are used
        settings = find_settings_file(real_path(Path(suite)).parent)
        roots += [settings.path.parent] if settings is not None else []
    real = real_path(place)
    below = [real.relative_to(one).parts for one in map(real_path, roots) if real.is_relative_to(one)]
    if not below:
        raise WholeFileError(place, "a suite reads no file outside of its project")
    if all(any(part.startswith(".") for part in parts) for parts in below):
        raise WholeFileError(place, "a suite reads no hidden file, nor one in a hidden folder")
    return place


def prompt_name(path: str | os.PathLike[str], root: Path) -> str:
    """What a prompt is called: its path from the folder of the project, as on every machine."""
    return Path(os.path.relpath(real_path(Path(path)), real_path(root))).as_posix()


def prompt_text(path: Path) -> str:
    """The text of a prompt's file, without a byte order mark. Raises FileError."""
    text = file_text(path).removeprefix("\ufeff")
    if problem := _size_problem(text):
        raise WholeFileError(path, problem)
    return text


def load_prompt(path: Path) -> PromptFile:
    """The prompt of a file. Raises FileError for one that cannot be read, PromptErrors for what is in it."""
    return read_prompt(prompt_text(path), str(path))


def read_prompt(text: str, path: str = "prompt") -> PromptFile:
    """The prompt of a text; `path` is what errors call it. Raises PromptErrors with what is wrong in it."""
    if problem := _size_problem(text):
        raise PromptErrors([WholeFileError(path, problem)])
    wrong = list(islice(_wrong_signs(text, path), _MOST_TOLD))
    if wrong:
        raise PromptErrors(wrong)
    pieces: list[tuple[str, str]] = []
    lines: dict[str, int] = {}
    before, at, line = [], 0, 1
    for found in _SIGNS.finditer(text):
        before.append(text[at : found.start()])
        line += text.count("\n", at, found.start())
        at = found.end()
        if found["name"] is None:
            before.append("{{" if found["braces"] else f"{{{{{found['whole']}}}}}")
            continue
        name = found["name"].strip()
        lines.setdefault(name, line)
        pieces.append(("".join(before), name))
        before = []
    pieces.append(("".join([*before, text[at:]]), ""))
    return PromptFile(path, text, tuple(pieces), lines)


def input_problems(prompt: PromptFile, inputs: Mapping[str, JsonValue]) -> Iterator[Problem]:
    """What is wrong with the inputs of a prompt: places are those in the inputs."""
    missing = [name for name in prompt.lines if name not in inputs]
    unused = [name for name in inputs if name not in prompt.lines]
    for name in missing:
        place = f"{prompt.path}:{prompt.lines[name]}"
        hint = did_you_mean(name, unused)
        yield Problem((), f"missing input {value_text(name)}, for which {place} has a placeholder{hint}")
    for name in unused:
        known = f"; it has {_listed(prompt.lines)}" if prompt.lines else "; it has none"
        hint = did_you_mean(name, missing or prompt.lines) or known
        yield Problem((), f"{prompt.path} has no placeholder {{{{{name}}}}}{hint}", name)
    if missing or unused:
        return
    values = {name: len(_value_text(inputs[name])) for name in prompt.lines}
    size = sum(len(text) + values.get(name, 0) for text, name in prompt.pieces)
    if size > _MOST_FILLED:
        yield Problem((), f"the filled prompt has {size:,} characters, at most {_MOST_FILLED:,} are sent")
    elif not prompt.fill(inputs).strip():
        yield Problem((), f"{prompt.path}: the filled prompt says nothing")


def _value_text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _size_problem(text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        return f"a prompt has at most {MOST_CHARACTERS:,} characters, found {len(text):,}"
    return "" if text.strip() else "the prompt is empty"


def _wrong_signs(text: str, path: str) -> Iterator[FileError]:
    """What begins a placeholder and is none."""
    for found in _SIGNS.finditer(text):
        name = found["name"]
        if found["open"]:
            said = "{{ is not closed by }} on its line; write {{{{ where two braces are meant"
        elif name is not None and not name.strip():
            said = "a placeholder has a name, as in {{city}}; write {{{{ where two braces are meant"
        else:
            continue
        start = found.start()
        yield FileError(path, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), said)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in islice(names, 10))
