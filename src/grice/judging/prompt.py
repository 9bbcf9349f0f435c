"""Prompts: versioned files in Grice that never change after their release."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from grice.text import did_you_mean

FOLDER = Path(__file__).parent / "prompts"
_FILE = re.compile(r"(?P<name>[a-z_]+)\.v(?P<version>[1-9][0-9]*)\.md")
_PARTS = re.compile(r"=== system ===\n(?P<system>.*)\n=== user ===\n(?P<user>.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}(\n*)")


class Prompt(msgspec.Struct, frozen=True):
    """One version of a prompt: the system message and the template of the user message.

    `hash` is the SHA-256 of the file in hex digits, with line feeds as line ends.
    """

    name: str
    version: int
    system: str
    user: str
    hash: str

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the template's placeholders."""
        return frozenset(_split(self.user)[1::3])

    def fill(self, values: Mapping[str, str]) -> str:
        """The user message. A value is never searched for placeholders; an empty one leaves no empty lines.

        Raises ValueError when a value is missing or none too many.
        """
        if values.keys() != self.placeholders:
            raise ValueError(
                f"the prompt {self.name} wants {sorted(self.placeholders)}, found {sorted(values)}"
            )
        parts = _split(self.user)
        filled = [parts[0]]
        for name, rest, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            filled += (values[name], rest, text) if values[name] else (text,)
        return "".join(filled).strip()


@lru_cache(maxsize=64)
def _split(template: str) -> list[str]:
    """A text, and for each placeholder its name, the line ends behind it and the text up to the next."""
    return _PLACEHOLDER.split(template)


@lru_cache(maxsize=64)
def load_prompt(name: str, version: int | None = None, folder: Path | None = None) -> Prompt:
    """The prompt of that name; the latest version unless one is given. Raises LookupError.

    `folder` is where the files are, the judges' own without one.
    """
    known = _files(folder)
    if name not in known:
        raise LookupError(f"there is no prompt {name!r}{did_you_mean(name, known)}: {', '.join(known)}")
    wanted = max(known[name]) if version is None else version
    if wanted not in known[name]:
        there = ", ".join(map(str, sorted(known[name])))
        raise LookupError(f"the prompt {name!r} has no version {wanted}: {there}")
    text = known[name][wanted].read_text("utf-8")
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise LookupError(f"{known[name][wanted]} has not the parts '=== system ===' and '=== user ==='")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(name, wanted, parts["system"].strip(), parts["user"].strip(), digest)


def prompt_names() -> list[str]:
    """The names of all prompts, sorted."""
    return sorted(_files())


@lru_cache(maxsize=64)
def prompt_versions(name: str, folder: Path | None = None) -> list[int]:
    """The versions of a prompt, the latest first. Raises LookupError."""
    return sorted(_files(folder)[load_prompt(name, folder=folder).name], reverse=True)


def _files(folder: Path | None = None) -> dict[str, dict[int, Path]]:
    files: dict[str, dict[int, Path]] = {}
    for path in sorted((folder or FOLDER).iterdir()):
        found = _FILE.fullmatch(path.name)
        if found is not None:
            files.setdefault(found["name"], {})[int(found["version"])] = path
    return files
