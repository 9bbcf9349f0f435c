"""Mappings of home-made logs in files: `home.map.yaml`, or JSON."""

from __future__ import annotations

from os import PathLike

import msgspec

from grice.files.document import FileErrors, load_file
from grice.files.typed import errors_in
from grice.formats.mapping import LogMapping

SUFFIXES = (".map.yaml", ".map.yml", ".map.json")
"""How the names of such files end."""


class LogMappingErrors(FileErrors):
    """Everything that is wrong with a mapping of logs, one FileError each."""


def is_log_mapping_file(name: str) -> bool:
    """Whether the name of a file says that it is a mapping of logs."""
    return name.lower().endswith(SUFFIXES)


def load_log_mapping(path: str | PathLike[str]) -> LogMapping:
    """The mapping in a file. Raises LogMappingErrors with everything that is wrong, by line and column."""
    document = load_file(path, errors=LogMappingErrors)
    if errors := errors_in(document, document.value, LogMapping):
        raise LogMappingErrors(errors)
    return msgspec.convert(document.value, LogMapping)


def log_mapping_text(mapping: LogMapping) -> str:
    """The mapping as the text of a YAML file."""
    return msgspec.yaml.encode(mapping).decode()
