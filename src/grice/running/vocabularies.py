"""The vocabulary that a project adds to the packs of languages."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.files.vocabulary_files import AddedVocabulary


_LOCK = threading.Lock()
_in_force: Path | None = None


def added_vocabulary(settings: Settings) -> AddedVocabulary:
    """The words that the setting `vocabulary` names; none where it names no file. Raises SettingsError."""
    if not settings.vocabulary:
        return {}
    from grice.files.vocabulary_files import VocabularyErrors, load_vocabulary

    try:
        return load_vocabulary(settings.root / settings.vocabulary)
    except VocabularyErrors as error:
        raise settings.problem_with("vocabulary", str(error)) from error


def bring_vocabulary_in_force(settings: Settings) -> None:
    """Have all rules of this process know the words of the project, read once. Raises SettingsError.

    A process has one vocabulary: settings that name another one than that in force are refused.
    """
    global _in_force
    if not settings.vocabulary:
        return
    file = settings.root / settings.vocabulary
    with _LOCK:
        if file == _in_force:
            return
        if _in_force is not None:
            problem = f"{_in_force} is in force, and a process has one vocabulary: run the two projects apart"
            raise settings.problem_with("vocabulary", problem)
        from grice.text.packs import use_vocabulary

        use_vocabulary(added_vocabulary(settings))
        _in_force = file
