"""What tells contradictions for a project, where its settings name something."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grice.claims.entailment import Compared, Entailment, ModelEntailment
from grice.text import did_you_mean

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.judging.calibration_cards import CardShelf


BY_JUDGE = "judge"
_MADE: dict[Path, ModelEntailment] = {}
_LOCK = threading.Lock()


class _Carded:
    """A model with what the project's calibration cards say of it."""

    def __init__(self, model: ModelEntailment, cards: CardShelf) -> None:
        self._model = model
        self._cards = cards
        self.name = model.name
        self.threshold = model.threshold

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Compared:
        compared = self._model.compare(pairs)
        standing = self._cards.standing(compared.judgement.prompt, compared.judgement)
        return replace(compared, judgement=replace(compared.judgement, standing=standing))


def entailment_of(settings: Settings, find_judge: Callable[[], Any] | None = None) -> Entailment | None:
    """What the setting `entailment` names: a model in a folder, read once for all conversations, or the
    judge of the running test. None where it names nothing, and for a judge where there is none. Raises
    SettingsError.
    """
    if not settings.entailment:
        return None
    if settings.entailment == BY_JUDGE:
        from grice.judging.entailment import JudgeEntailment

        judge = find_judge() if find_judge is not None else None
        return JudgeEntailment(judge) if judge is not None else None
    folder = settings.root / settings.entailment
    if not folder.is_dir():
        hint = did_you_mean(settings.entailment, _names_near(settings))
        problem = f"expected the folder of a model, or {BY_JUDGE!r}: there is no folder {folder}{hint}"
        raise settings.problem_with("entailment", problem)
    with _LOCK:
        model = _MADE.setdefault(folder, ModelEntailment(folder))
    from grice.running.project_llms import cards_of

    return _Carded(model, cards_of(settings))


def _names_near(settings: Settings) -> list[str]:
    """What the setting could have named: the judge, and the folders beside the one that is not there."""
    beside = Path(settings.entailment).parent
    inside = settings.root / beside
    folders = [one.name for one in inside.iterdir() if one.is_dir()] if inside.is_dir() else []
    return [BY_JUDGE, *((beside / one).as_posix() for one in folders)]
