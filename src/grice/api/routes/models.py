"""The models that the project uses."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter

from grice.api.bodies import Body
from grice.api.errors import ERRORS
from grice.api.service import EDIT, READ, Asking, Served
from grice.files.settings import Settings
from grice.store.models import ModelRow, models_in, refresh_models

router = APIRouter(prefix="/api", tags=["models"], responses=ERRORS)


class ModelBody(Body):
    """A model, as `provider:model`. It is active while the settings name it or the last runs asked it."""

    id: str
    name: str
    is_active: bool


@router.get("/models", dependencies=[READ])
def list_models(service: Served) -> list[ModelBody]:
    """List the models that are known."""
    with service.reading() as connection:
        return _bodies(models_in(connection))


@router.post("/models/refresh", dependencies=[EDIT])
def refresh(service: Served, caller: Asking) -> list[ModelBody]:
    """Update the list with the models of the settings and of the last runs. No provider is asked."""
    with service.reading():
        pass  # what is new in journals
    with service.writing(caller, "refreshed the models") as connection:
        refresh_models(connection, service.project, _models_of_settings(service.settings))
        return _bodies(models_in(connection))


def _models_of_settings(settings: Settings) -> Iterator[str]:
    """The models of the settings; a module's attribute is code, and no name of a model."""
    for llm in (settings.judge_llm, settings.user_llm):
        if isinstance(llm, dict) and llm.get("provider") and llm.get("model"):
            yield f"{llm['provider']}:{llm['model']}"
        elif isinstance(llm, str) and llm.partition(":")[0] in ("openai", "anthropic"):
            yield llm


def _bodies(rows: list[ModelRow]) -> list[ModelBody]:
    return [ModelBody(**one._asdict()) for one in rows]
