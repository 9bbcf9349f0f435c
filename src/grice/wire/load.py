"""Finding the object that a configuration or command line names."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from grice.text import did_you_mean

__all__ = ["load_object"]


def load_object(name: str, *, root: Path | None = None, what: str, error: type[Exception]) -> object:
    """The object that `module:attribute` names; `root` is put on the import path first.

    Raises `error` that says which part is wrong, with the nearest right name; `what` is what it should be,
    "agent" or "LLM".
    """
    module_name, separator, attribute = name.partition(":")
    if not separator or not module_name or not attribute:
        raise error(
            f"{'a' if what == 'check' else 'an'} {what} is named as 'module:attribute', found {name!r}"
        )
    if module_name.endswith(".py"):
        dotted = ".".join(Path(module_name).with_suffix("").parts)
        raise error(f"{what} {name!r}: name the module, not its file: {dotted + ':' + attribute!r}")
    if root is not None and str(root) not in sys.path:
        sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        target: object = importlib.import_module(module_name)
    except ModuleNotFoundError as cause:
        if cause.name is not None and (module_name == cause.name or module_name.startswith(cause.name + ".")):
            where = f" (looked in {root} and on sys.path)" if root is not None else ""
            raise error(f"{what} {name!r}: there is no module {cause.name!r}{where}") from cause
        raise error(f"{what} {name!r}: importing {module_name} failed: {cause}") from cause
    except (Exception, SystemExit) as cause:
        message = f"{what} {name!r}: importing {module_name} raised {type(cause).__name__}: {cause}"
        raise error(message) from cause
    for part in attribute.split("."):
        if not hasattr(target, part):
            known = [one for one in dir(target) if not one.startswith("_")]
            hint = did_you_mean(part, known)
            raise error(f"{what} {name!r}: {module_name} has no {part!r}{hint}")
        target = getattr(target, part)
    return target
