"""What a command is: a class whose docstring is its help, whose fields are what it is given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import click

FILE = click.Path(path_type=Path)


def log_named(name: str) -> Path | str:
    """The file of that name, or its address as it stands."""
    return name if "://" in name else Path(name)


class LogFile(click.Path):
    """A log: a file, a folder, "-" or an address."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or the text of an address."""
        found = log_named(str(value))
        return found if isinstance(found, str) else super().convert(value, param, ctx)


class Number(click.ParamType[int]):
    """A whole number in a range, which an error says."""

    name = "integer"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises BadParameter for any other, and for what is none."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"expected a whole number, found {value!r}", param, ctx)
        if self.least is not None and number < self.least:
            self.fail(f"{number} is too small: at least {self.least}", param, ctx)
        if self.most is not None and number > self.most:
            self.fail(f"{number} is too large: at most {self.most}", param, ctx)
        return number


_OF_TYPE: dict[str, dict[str, Any]] = {
    "bool": {"is_flag": True, "default": False},
    "str": {"default": ""},
    "int": {"type": Number()},
    "int | None": {"type": Number(), "default": None},
    "Path": {"type": FILE},
    "Path | None": {"type": FILE, "default": None},
    "tuple[str, ...]": {"multiple": True, "default": ()},
    "tuple[Path, ...]": {"type": FILE, "multiple": True, "default": ()},
}
"""What the type of a field says of its option, where the declaration does not say otherwise."""


class _Declared(NamedTuple):
    kind: type[click.Parameter]
    names: tuple[str, ...]
    settings: dict[str, Any]

    def parameter(self, field: str, type_: str) -> click.Parameter:
        """The parameter of the field, whose type is `type_`."""
        of_type = _OF_TYPE.get(type_, {})
        if self.kind is click.Option:
            names = self.names or (f"--{field.replace('_', '-')}",)
            return click.Option([*names, field], **{**of_type, **self.settings})
        of_argument = {"type": of_type.get("type"), "nargs": -1 if "multiple" in of_type else 1}
        return click.Argument([field], **{**of_argument, **self.settings})


def option(*names: str, **settings: Any) -> Any:
    """A field that is an option: `--field-name` unless `names` are given; `settings` as click has them."""
    return _Declared(click.Option, names, settings)


def argument(**settings: Any) -> Any:
    """A field that is an argument; one that is a tuple takes any number."""
    return _Declared(click.Argument, (), settings)


class Given(ABC):
    """A command with what it was given: calling it does the work, and gives the exit code.

    The fields of a class below it are its arguments and options, in their order:

        class Command(Given):
            '''Show a run.'''

            run: str = argument(default="latest", metavar="[RUN]", help="Which run.")
            verbose: bool = option("--verbose", "-v", help="Show every result.")

            def __call__(self) -> int: ...

    The docstring is the help. The type of a field says what its option takes, and what it is when it is not
    given. Those of a class above it come behind its own.
    """

    parameters: ClassVar[list[click.Parameter]] = []

    def __init_subclass__(cls) -> None:
        inherited, cls.parameters = cls.parameters, []
        for field, type_ in cls.__annotations__.items():
            declared = cls.__dict__.get(field)
            if isinstance(declared, _Declared):
                cls.parameters.append(declared.parameter(field, type_))
                default = declared.settings.get("default", _OF_TYPE.get(type_, {}).get("default"))
                setattr(cls, field, default)
        cls.parameters += inherited

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    @abstractmethod
    def __call__(self) -> int:
        """Do the work; the exit code."""

    def but(self, **other: Any) -> Self:
        """The same with other values."""
        return type(self)(**{**vars(self), **other})
