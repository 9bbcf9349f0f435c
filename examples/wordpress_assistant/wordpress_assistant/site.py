"""A WordPress site in memory, and the tools with which the assistant works on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .messages import JsonDict

TOOLS: list[JsonDict] = [
    {
        "name": "list_plugins",
        "description": "List the installed plugins with their versions and available updates.",
        "input_schema": {"type": "object", "properties": {}, "required": []},
    },
    {
        "name": "update_plugin",
        "description": "Update one plugin to its newest version.",
        "input_schema": {
            "type": "object",
            "properties": {"plugin": {"type": "string", "description": "Plugin path, slug/slug.php"}},
            "required": ["plugin"],
        },
    },
    {
        "name": "search_posts",
        "description": "Find the posts and pages whose title or text contains a text, in any letter case.",
        "input_schema": {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
        },
    },
    {
        "name": "replace_text",
        "description": "Replace every occurrence of a text in one post or page; letter case matters.",
        "input_schema": {
            "type": "object",
            "properties": {
                "post_id": {"type": "integer"},
                "search": {"type": "string"},
                "replacement": {"type": "string"},
            },
            "required": ["post_id", "search", "replacement"],
        },
    },
]

DESTRUCTIVE = frozenset({"update_plugin", "replace_text"})
REJECTED: JsonDict = {"success": False, "result": {"status": "rejected"}}
"""The result of a call that the user did not allow."""

_SCHEMAS: dict[str, JsonDict] = {tool["name"]: tool["input_schema"] for tool in TOOLS}
_JSON_TYPES: dict[str, type] = {"string": str, "integer": int}


class ToolFailure(Exception):
    """A tool cannot do what it was asked to."""


@dataclass
class Plugin:
    name: str
    version: str
    update: str | None = None


@dataclass
class Post:
    title: str
    text: str


@dataclass
class Site:
    """Plugins by path, posts by number. With `requires_confirmation` destructive tools wait for the user."""

    plugins: dict[str, Plugin] = field(default_factory=dict)
    posts: dict[int, Post] = field(default_factory=dict)
    requires_confirmation: bool = False

    def execute(self, name: str, input: Mapping[str, Any], *, confirmed: bool = False) -> JsonDict:  # noqa: A002
        """Run a tool: `{"success": True, "result": {...}}` or `{"success": False, "error": "..."}`.

        A call that has to wait changes nothing and has the result status `pending_confirmation`.
        """
        try:
            action = self._prepare(name, input)
        except ToolFailure as failure:
            return {"success": False, "error": str(failure)}
        if name in DESTRUCTIVE and self.requires_confirmation and not confirmed:
            message = f"{name} waits for the user's confirmation."
            return {"success": True, "result": {"status": "pending_confirmation", "message": message}}
        return {"success": True, "result": action()}

    def _prepare(self, name: str, arguments: Mapping[str, Any]) -> Callable[[], JsonDict]:
        """What the call will do, once it is known to be possible."""
        _check_arguments(name, arguments)
        match name:
            case "update_plugin":
                return self._update_plugin(**arguments)
            case "search_posts":
                return self._search_posts(**arguments)
            case "replace_text":
                return self._replace_text(**arguments)
            case _:
                return self._list_plugins

    def _list_plugins(self) -> JsonDict:
        return {
            "plugins": [
                {"plugin": path, "name": plugin.name, "version": plugin.version, "update": plugin.update}
                for path, plugin in self.plugins.items()
            ]
        }

    def _update_plugin(self, plugin: str) -> Callable[[], JsonDict]:
        installed = self.plugins.get(plugin)
        if installed is None:
            raise ToolFailure(f"no plugin {plugin!r} is installed")
        if installed.update is None:
            raise ToolFailure(f"{installed.name} v{installed.version} is the newest version")
        newest = installed.update

        def update() -> JsonDict:
            message = f"Plugin updated from v{installed.version} to v{newest}."
            installed.version, installed.update = newest, None
            return {"message": message}

        return update

    def _search_posts(self, query: str) -> Callable[[], JsonDict]:
        _require_text("query", query)
        wanted = query.casefold()

        def search() -> JsonDict:
            found = [
                {"post_id": number, "title": post.title, "text": post.text}
                for number, post in self.posts.items()
                if wanted in post.title.casefold() or wanted in post.text.casefold()
            ]
            return {"posts": found}

        return search

    def _replace_text(self, post_id: int, search: str, replacement: str) -> Callable[[], JsonDict]:
        _require_text("search", search)
        post = self.posts.get(post_id)
        if post is None:
            raise ToolFailure(f"there is no post {post_id}")
        count = post.text.count(search)
        if not count:
            raise ToolFailure(f"{post.title!r} does not contain {search!r}")

        def replace() -> JsonDict:
            post.text = post.text.replace(search, replacement)
            return {"message": f"Replaced {count} occurrence{'s'[: count != 1]} in {post.title}."}

        return replace


def demo_site(*, requires_confirmation: bool = False) -> Site:
    """The site of the examples: one plugin with an update, and a company that has changed its name."""
    return Site(
        plugins={
            "ajax-search-lite/ajax-search-lite.php": Plugin("Ajax Search Lite", "4.9.5", update="4.13.5"),
            "akismet/akismet.php": Plugin("Akismet", "5.4"),
        },
        posts={
            7: Post("About us", "Acme has made lamps since 1954. Visit Acme in Lyon."),
            9: Post("Opening hours", "Monday to Friday, nine to five."),
        },
        requires_confirmation=requires_confirmation,
    )


def _check_arguments(name: str, arguments: Mapping[str, Any]) -> None:
    schema = _SCHEMAS.get(name)
    if schema is None:
        raise ToolFailure(f"unknown tool {name!r}; the tools are {', '.join(_SCHEMAS)}")
    if missing := [key for key in schema["required"] if key not in arguments]:
        raise ToolFailure(f"{name} needs {', '.join(missing)}")
    for key, value in arguments.items():
        if key not in schema["properties"]:
            raise ToolFailure(f"{name} has no argument {key!r}")
        expected = schema["properties"][key]["type"]
        if not isinstance(value, _JSON_TYPES[expected]) or isinstance(value, bool):
            raise ToolFailure(f"{key} must be of type {expected}")


def _require_text(name: str, value: str) -> None:
    if not value.strip():
        raise ToolFailure(f"{name} is empty")
