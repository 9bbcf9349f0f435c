"""The embedder that a project configures."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.text import did_you_mean, value_text

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.matching.protocols import Embedder


_OPENAI = "openai"
_MADE: dict[tuple[Path, str], Embedder] = {}
_LOCK = threading.Lock()


def embedder_of(settings: Settings) -> Embedder | None:
    """The embedder that the settings name, one for all conversations; None where they name none.

    It is `lexical`, `minilm`, `openai:MODEL`, or `module:attribute`: an embedder, or something that makes one
    without arguments. Raises SettingsError.
    """
    if not settings.embedder:
        return None
    key = settings.root, settings.embedder
    with _LOCK:
        if key not in _MADE:
            _MADE[key] = _made(settings)
        return _MADE[key]


def _made(settings: Settings) -> Embedder:
    from grice.checks.semantics.embedders import EMBEDDERS, check_embedder, embedder_named
    from grice.matching.matcher import ArgumentError

    name = settings.embedder
    if name in EMBEDDERS:
        return embedder_named(name)
    if ":" not in name:
        hint = did_you_mean(name, EMBEDDERS)
        expected = f"{', '.join(map(repr, EMBEDDERS))}, 'openai:MODEL' or 'module:attribute'"
        problem = f"expected {expected}, found {name!r}{hint}"
        raise settings.problem_with("embedder", problem)
    try:
        made = _loaded(name, settings.root)
        check_embedder(made)
    except (ArgumentError, ValueError, _NoEmbedder) as error:
        raise settings.problem_with("embedder", str(error)) from error
    found: Embedder = made
    return found


class _NoEmbedder(Exception):
    """The setting names nothing that makes an embedder."""


def _loaded(name: str, root: Path) -> Any:
    provider, _, model = name.partition(":")
    if provider == _OPENAI:
        from grice.llm.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(model)
    from grice.wire.load import load_object

    target: Any = load_object(name, root=root, what="embedder", error=_NoEmbedder)
    if not isinstance(target, type) and (callable(getattr(target, "embed", None)) or not callable(target)):
        return target
    try:
        return target()
    except Exception as error:  # somebody's factory
        raise _NoEmbedder(f"making {value_text(name)} raised {type(error).__name__}: {error}") from error
