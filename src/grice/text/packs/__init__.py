"""Language packs, imported when a text needs them."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from grice.text.packs.pack import LanguagePack

__all__ = ["LanguagePack", "known_packs", "pack_of"]

_MODULES = {"en": "english", "de": "german"}


def known_packs() -> tuple[str, ...]:
    """The ISO 639-1 codes of the languages that have a pack."""
    return tuple(_MODULES)


def pack_of(code: str) -> LanguagePack | None:
    """The pack of a language by its code (`en`, `EN`, `en-GB`), None where there is none."""
    bare = code.replace("_", "-").split("-", 1)[0].lower()
    return _load(bare) if bare in _MODULES else None


@cache
def _load(code: str) -> LanguagePack:
    pack: LanguagePack = import_module(f"grice.text.packs.{_MODULES[code]}").PACK
    return pack
