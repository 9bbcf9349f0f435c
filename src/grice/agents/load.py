"""Finding the agent that a configuration or command line names."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from grice.agents.errors import AgentLoadError
from grice.text import did_you_mean

__all__ = ["load_target"]


def load_target(name: str, *, root: Path | None = None) -> object:
    """The object that `module:attribute` names; `root` is put on the import path first.

    Raises AgentLoadError that says which part is wrong, with the nearest right name.
    """
    module_name, separator, attribute = name.partition(":")
    if not separator or not module_name or not attribute:
        raise AgentLoadError(f"an agent is named as 'module:attribute', found {name!r}")
    if module_name.endswith(".py"):
        dotted = ".".join(Path(module_name).with_suffix("").parts)
        raise AgentLoadError(f"agent {name!r}: name the module, not its file: {dotted + ':' + attribute!r}")
    if root is not None and str(root) not in sys.path:
        sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        target: object = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and (module_name == error.name or module_name.startswith(error.name + ".")):
            where = f" (looked in {root} and on sys.path)" if root is not None else ""
            raise AgentLoadError(f"agent {name!r}: there is no module {error.name!r}{where}") from error
        raise AgentLoadError(f"agent {name!r}: importing {module_name} failed: {error}") from error
    except (Exception, SystemExit) as error:
        message = f"agent {name!r}: importing {module_name} raised {type(error).__name__}: {error}"
        raise AgentLoadError(message) from error
    for part in attribute.split("."):
        if not hasattr(target, part):
            known = [one for one in dir(target) if not one.startswith("_")]
            hint = did_you_mean(part, known)
            raise AgentLoadError(f"agent {name!r}: {module_name} has no {part!r}{hint}")
        target = getattr(target, part)
    return target
