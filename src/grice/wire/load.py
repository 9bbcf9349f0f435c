"""Find the object that a file, a setting or a command line names: the only way from a name to code."""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path, PurePath
from types import ModuleType

from grice.text import did_you_mean

_GROUPS = {"check": "grice.matchers", "module": "grice.matchers", "object": "grice.criteria"}
"""Groups of entry points that are not called `grice.<what>s`."""

_SITES = frozenset({"site-packages", "dist-packages"})
"""The folders into which packages are installed."""


def load_object(name: str, *, root: Path | None = None, what: str, error: type[Exception]) -> object:
    """The object that `module:attribute` names; `root` is put on the import path first.

    Only the project's own modules are imported: neither Python's nor those of installed packages, unless the
    package was installed from a folder, or offers this very name as an entry point in a group `grice.*`.

    Raises `error` that says which part is wrong, with the nearest right name; `what` is what it should be,
    "agent" or "LLM".
    """
    module, _, attribute = name.partition(":")
    if not all((*module.split("."), *attribute.split("."))):
        raise error(
            f"{'a' if what in ('check', 'state') else 'an'} {what} is named as 'module:attribute', "
            f"found {name!r}"
        )
    wanted = _ImportRequest(name, root, what)
    try:
        _refuse_private(module, attribute)
        return wanted.attribute(wanted.imported(module), attribute)
    except _Wrong as wrong:
        raise error(f"{what} {name!r}: {wrong}") from wrong.__cause__


def load_module(name: str, *, root: Path | None = None, error: type[Exception]) -> ModuleType:
    """The module of that name, by the rules of `load_object`. Raises `error` in the same way."""
    if name.endswith(".py") or not all(part.isidentifier() for part in name.split(".")):
        raise error(
            f"expected the name of a module, such as 'my_project.matchers'; found {name!r}"
            f"{_module_hint(name)}"
        )
    try:
        _refuse_private(name, "")
        return _ImportRequest(name, root, "module").imported(name)
    except _Wrong as wrong:
        raise error(f"module {name!r}: {wrong}") from wrong.__cause__


def _module_hint(name: str) -> str:
    """The hint for what names a file, or something in a module, instead of the module."""
    file = PurePath(name.partition(":")[0].replace("\\", "/"))
    module = ".".join(file.with_suffix("").parts if file.suffix == ".py" else file.parts)
    right = all(part.isidentifier() for part in module.split("."))
    return f" (did you mean {module!r}?)" if right else ""


class _Wrong(Exception):
    """What is wrong with a name."""


def _refuse_private(module: str, attribute: str) -> None:
    """Raise _Wrong for the name of a file, and for names that Python gives to what it keeps for itself."""
    if module.endswith(".py"):
        dotted = ".".join(Path(module).with_suffix("").parts)
        raise _Wrong(f"name the module, not its file: {dotted + ':' + attribute!r}")
    for part in (*module.split("."), *attribute.split(".")):
        if part.startswith("__"):
            raise _Wrong(f"{part!r} is a name of Python's own; expected one that your project gives")


def _imported(module: str, root: Path | None) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as cause:
        if cause.name is not None and (module == cause.name or module.startswith(cause.name + ".")):
            where = f" (looked in {root} and on sys.path)" if root is not None else ""
            raise _Wrong(f"there is no module {cause.name!r}{where}{_nearest(cause.name, root)}") from cause
        raise _Wrong(f"importing {module} failed: {cause}") from cause
    except (Exception, SystemExit) as cause:
        raise _Wrong(f"importing {module} raised {type(cause).__name__}: {cause}") from cause


def _nearest(module: str, root: Path | None) -> str:
    """The hint for a module that is not there: the one of the same folder whose name is nearest."""
    *parents, name = module.split(".")
    if root is None:
        return ""
    folder = root.joinpath(*parents)
    entries = folder.iterdir() if folder.is_dir() else ()
    found = [one.stem for one in entries if one.suffix == ".py" or (one.is_dir() and one.name.isidentifier())]
    hint = did_you_mean(name, found)
    return hint.replace("'", f"'{'.'.join(parents)}.", 1) if parents else hint


@dataclass(frozen=True)
class _ImportRequest:
    """What is to be imported, and for which project."""

    name: str
    root: Path | None
    what: str

    def imported(self, module: str) -> ModuleType:
        """The module, with `root` on the import path. Raises _Wrong for one that is not to be imported."""
        if self.root is not None and str(self.root) not in sys.path:
            sys.path.insert(0, str(self.root))
        importlib.invalidate_caches()
        self.refuse_foreign(module)
        return _imported(module, self.root)

    def attribute(self, found: object, attribute: str) -> object:
        """The attribute of a module, by a path that leads into no foreign module."""
        module = self.name.partition(":")[0]
        for part in attribute.split("."):
            if isinstance(found, ModuleType):
                self.refuse_foreign(found.__name__)
            if not hasattr(found, part):
                hint = did_you_mean(part, [one for one in dir(found) if not one.startswith("_")])
                raise _Wrong(f"{module} has no {part!r}{hint}")
            found = getattr(found, part)
        return found

    def refuse_foreign(self, module: str) -> None:
        """Raise _Wrong when the module is not part of the project and no package offers the name."""
        top = module.partition(".")[0]
        owner = _owner(module, self.root)
        if not owner or (owner is not _PYTHON and _installed_from_folder(top)) or _is_offered(self.name):
            return
        offer = ""
        if owner is not _PYTHON:
            group = _GROUPS.get(self.what, f"grice.{self.what.lower()}s")
            offer = f', or have the package offer it as an entry point (group "{group}")'
        raise _Wrong(
            f"{top} {owner}, and a name imports only modules of your project and entry points; import it "
            f"in a module of yours and name that{offer}"
        )


_PYTHON = "belongs to Python"


def _owner(module: str, root: Path | None) -> str:
    """Whose a module is that is not the project's, in words; "" for the project's, and where there is none.

    Nothing is imported to find that out.
    """
    origin = _origin(module)
    if origin is None:
        return ""
    if origin in ("built-in", "frozen"):
        return _PYTHON
    path = Path(origin)
    whole = path.resolve()
    if root is not None and path.is_relative_to(root):
        own, parts = True, path.relative_to(root).parts
    else:
        own, parts = False, (*path.parts, *whole.parts)  # a file of a package may be a link out of its folder
    if not _SITES.isdisjoint(parts):
        return f"is an installed package ({path.parent if path.name == '__init__.py' else path})"
    library = Path(os.__file__).resolve().parent
    if whole.is_relative_to(library) and _SITES.isdisjoint(whole.relative_to(library).parts):
        return _PYTHON
    return _PYTHON if not own and module.partition(".")[0] in sys.stdlib_module_names else ""


def _origin(module: str) -> str | None:
    """The file that is run first when a module is imported: that of the outermost package that has one."""
    names = module.split(".")
    folders = None
    for name in names:
        try:
            # by its last name alone: a folder without __init__.py would ask for its imported parent
            spec = find_spec(name) if folders is None else PathFinder.find_spec(name, folders)
        except (ImportError, ValueError):  # a module without a spec was made by code
            return None
        if spec is None:
            return None
        if spec.origin is not None:
            return spec.origin
        folders = list(spec.submodule_search_locations or ())
    return None


def _installed_from_folder(top: str) -> bool:
    """Whether a package was installed from a folder of this machine, as `pip install .` does."""
    import json
    from importlib.metadata import distribution, packages_distributions

    for name in packages_distributions().get(top, ()):
        source = distribution(name).read_text("direct_url.json")
        if source is not None and "dir_info" in json.loads(source):
            return True
    return False


def _is_offered(name: str) -> bool:
    """Whether an installed package offers the name, or one in that module, as an entry point for Grice."""
    from importlib.metadata import entry_points

    offered = entry_points()
    return any(
        name in (f"{one.module}:{one.attr}", one.module)
        for group in offered.groups
        if group.startswith("grice.")
        for one in offered.select(group=group)
    )
