"""What bodies of requests and answers have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Body(BaseModel):
    """A JSON object: names as JavaScript has them, no field that is not known, nothing that changes."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, strict=True
    )
