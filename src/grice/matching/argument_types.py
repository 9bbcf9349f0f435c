"""Types that arguments of matchers often have: annotations that say in one word what is checked."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

AtLeastOne = Annotated[int, Meta(ge=1)]
AtLeastZero = Annotated[int, Meta(ge=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Share = Annotated[float, Meta(gt=0, le=1)]
Score = Annotated[float, Meta(ge=1, le=5)]
"""What judges give: 1 is the worst, 5 the best."""

Text = Annotated[str, Meta(min_length=1)]
"""A text that is not empty; white space is a text."""

SpokenText = Annotated[str, Meta(pattern=r"\S", description="a text that is not blank")]
Language = Annotated[
    str, Meta(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*$", description="a language code such as 'en'")
]
