"""Personas in files: JSON or YAML."""

from __future__ import annotations

from os import PathLike

import msgspec

from grice.files.document import FileErrors, load_file
from grice.files.typed import errors_in
from grice.users.persona import Persona, Personas, PersonasFile


class PersonaErrors(FileErrors):
    """Everything that is wrong with a file of personas, one FileError each."""

    __module__ = "grice"


def load_personas(path: str | PathLike[str]) -> dict[str, Persona]:
    """The personas of a file by name: a list of them, or an object with `personas`.

    Each has a name, a description and behaviours, and each of these a name, an instruction and a rule. Raises
    PersonaErrors with everything that is wrong, by line and column.
    """
    document = load_file(path, errors=PersonaErrors)
    value = document.value
    errors = errors_in(document, value, PersonasFile if isinstance(value, dict) else Personas)
    if errors:
        raise PersonaErrors(errors)
    listed = value["personas"] if isinstance(value, dict) else value
    return {one.name: one for one in msgspec.convert(listed, tuple[Persona, ...])}
