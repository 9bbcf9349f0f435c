"""The projects of the files that are run: their settings, and the agents and matchers that they name.

Neither the settings nor another library is imported before a file needs them: every pytest session with a
data file in it asks here whether it is a golden.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grice.files.settings_files import SettingsFile, find_settings_file, matches
from grice.user_files import real_path

if TYPE_CHECKING:
    from grice.files.matcher_modules import MatcherModules
    from grice.files.settings import Settings


@lru_cache(maxsize=64)
def path_at(file: str) -> Path:
    """The path of a file in which many scenarios stand: each of them asks for it."""
    return Path(file)


class Projects:
    """The settings of every file, and the agents that command line, file or settings name.

    A file without a project of its own belongs to the one around `start`. `agent` is the command line's, a
    name or an address, where it is called `option`; `advice` is a better way to name one, which is told
    first. `strict` and `concurrency` are the command line's too, and hold for every project.
    """

    def __init__(
        self,
        start: Path,
        *,
        agent: str | None = None,
        option: str = "--agent",
        advice: str = "",
        strict: bool = False,
        concurrency: int | None = None,
    ) -> None:
        self._start = start.resolve()
        self._strict = strict
        self._concurrency = concurrency
        self._agent = agent
        self._option = option
        self._advice = f"{advice}, or " if advice else ""
        self._files: dict[Path, SettingsFile | None] = {}
        self._settings: dict[Path, Settings] = {}
        self._targets: dict[tuple[str, Path], object] = {}
        self._imported: set[Path] = set()
        self._matchers: set[Path] = set()

    def of(self, path: Path) -> Settings:
        """The settings for a file or folder, whose vocabulary is then in force. Raises SettingsError."""
        known = self._settings.get(path)
        if known is not None:
            return known
        folder = _folder_of(path)
        if folder not in self._settings:
            from grice.files.settings import Settings, settings_in
            from grice.running.vocabularies import bring_vocabulary_in_force

            file = self._file_of(folder)
            found = Settings(self._start) if file is None else settings_in(file)
            bring_vocabulary_in_force(found)
            self._settings[folder] = self._overruled(found)
        self._settings[path] = self._settings[folder]
        return self._settings[folder]

    def _file_of(self, folder: Path) -> SettingsFile | None:
        """The file with the settings that hold in a folder. Raises SettingsError for what cannot be read."""
        if folder not in self._files:
            self._files[folder] = find_settings_file(folder) or find_settings_file(self._start)
        return self._files[folder]

    def names_golden(self, path: Path) -> bool:
        """Whether a `goldens` pattern of its project names the file. Raises SettingsError.

        Settings that can be read and are wrong are told when they are used.
        """
        file = self._file_of(_folder_of(path))
        return file is not None and matches(real_path(path), file.path.parent, file.patterns)

    def _overruled(self, found: Settings) -> Settings:
        """The settings with what the command line says."""
        concurrency = self._concurrency or found.concurrency
        if not self._strict and concurrency == found.concurrency:
            return found
        import msgspec

        return msgspec.structs.replace(found, strict=found.strict or self._strict, concurrency=concurrency)

    def named_goldens(self, folder: Path) -> list[Path]:
        """The files below the folder that a `goldens` pattern of their project names.

        Hidden folders, environments and builds are left out. Raises SettingsError for a pattern of a project
        in the folder that names no file.
        """
        from grice.files.folders import files_below

        found = [file for file in files_below(folder) if file.suffix in (".json", ".yaml", ".yml")]
        places = [real_path(file) for file in found]
        whole = folder.resolve()
        for settings in dict.fromkeys([self._file_of(_folder_of(one)) for one in (folder, *found)]):
            if settings is not None and settings.path.is_relative_to(whole):
                settings.refuse_unmatched(places)
        return [file for file in found if self.names_golden(file)]

    def agent_for(self, path: Path, own: object = None) -> object:
        """The agent for a file: the command line's, else `own`, which the file gives, else its settings'.

        What is named is imported from the folder of the settings, then from `start`. Raises AgentLoadError.
        """
        from grice.agents import AgentLoadError

        settings = self.of(path)
        said = self._agent or own or settings.agent
        if said is None:
            raise AgentLoadError(
                f"no agent is configured: {self._advice}name it with {self._option} module:attribute or "
                f'{self._option} http://host/path, or in grice.toml as agent = "module:attribute" (in '
                "pyproject.toml under [tool.grice])"
            )
        if not isinstance(said, str):
            return said
        key = said, settings.root
        if key not in self._targets:
            self._targets[key] = self._named(said, settings.root)
        return self._targets[key]

    def _named(self, name: str, root: Path) -> object:
        """What the name or address of an agent stands for. Raises AgentLoadError."""
        from grice.agents import AgentLoadError
        from grice.wire.addresses import meant_as_address

        if not meant_as_address(name):
            if " " in name.strip():
                from grice.matching.json_text import json_text
                from grice.text import value_text

                raise AgentLoadError(
                    f"agent: expected module:attribute or http://host/path, found {value_text(name)}; Grice "
                    "starts a program that serves HTTP where grice.toml says so: [server] with command = "
                    f'{json_text(name)}, and [agent] with type = "http" and url = "${{server_url}}/chat"'
                )
            return self.load(name, root)
        from grice.agents.configured import agent_at

        try:
            return agent_at(name)
        except ValueError as error:
            raise AgentLoadError(str(error)) from None

    @property
    def names_agent(self) -> bool:
        """Whether the command line names the agent."""
        return self._agent is not None

    def load(self, name: str, root: Path, what: str = "agent") -> object:
        """What `module:attribute` names, imported from the folder, then from `start`.

        Raises AgentLoadError, which calls it `what`.
        """
        from grice.agents import load_target

        self._find_modules()
        target = load_target(name, root=root, what=what)
        self._refuse_namesake(name, root, what)
        return target

    def _find_modules(self) -> None:
        """Have modules found from `start`, behind the folder of the settings."""
        if str(self._start) not in sys.path:
            sys.path.insert(0, str(self._start))

    def import_matchers(self, path: Path) -> None:
        """Import the modules with matchers that the settings name for a file. Raises SettingsError."""
        settings = self.of(path)
        if not settings.matchers or settings.root in self._matchers:
            return
        from grice.agents import AgentLoadError

        for module in settings.matchers:
            try:
                self._load_matchers(module, settings.root)
            except AgentLoadError as error:
                raise settings.problem_with("matchers", str(error)) from error
        self._matchers.add(settings.root)

    def _load_matchers(self, module: str, root: Path) -> None:
        from grice.files.matcher_modules import load_matchers

        self._find_modules()
        load_matchers(module, root=root)
        self._refuse_namesake(module, root, "module")

    def matcher_modules(self, path: Path) -> MatcherModules:
        """Where a file's matchers come from, those of the settings imported already. Raises SettingsError."""
        from grice.files.matcher_modules import MatcherModules
        from grice.wire.addresses import meant_as_address

        self.import_matchers(path)
        settings = self.of(path)
        said = [one for one in (self._agent, settings.agent) if isinstance(one, str)]
        return MatcherModules(
            load_module=lambda name: self._load_matchers(name, settings.root),
            load_agent=lambda name: self.load(name, settings.root),
            agents=tuple(one for one in said if not meant_as_address(one)),
        )

    def _refuse_namesake(self, name: str, root: Path, what: str) -> None:
        """Raise AgentLoadError when the module found under the name is another project's, imported before."""
        from grice.agents import AgentLoadError

        module = name.partition(":")[0]
        file = getattr(sys.modules.get(module), "__file__", None)
        top = root / module.partition(".")[0]
        is_there = top.with_suffix(".py").is_file() or (top / "__init__.py").is_file()
        path = Path(file).resolve() if file is not None else root
        self._imported.add(root)
        others = self._imported - {root}
        if is_there and not path.is_relative_to(root) and any(map(path.is_relative_to, others)):
            raise AgentLoadError(
                f"{what} {name!r}: {root} has a module of this name, but {file} was imported under it "
                "before; rename one of them, or run the two projects apart"
            )


def _folder_of(path: Path) -> Path:
    folder = real_path(path)
    return folder if folder.is_dir() else folder.parent
