"""A question to a judge, and the messages that ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from grice.judging.answer_schemas import schema_of
from grice.judging.delimiting import Data, Piece, gaps_in, tag_for, written
from grice.judging.prompt import Prompt, load_prompt
from grice.records import JsonValue, LLMRequest, Purpose, clean_text

T = TypeVar("T")


class Question(msgspec.Struct, Generic[T], frozen=True):
    """One question: a prompt filled with Grice's words and the texts of others, and the kind of answer
    wanted.

    `values` fill the placeholders of the prompt; `tag` is filled in by itself. `subject` names what is
    judged. `choices` are the values that text fields of the answer may have, and `problem` says what is
    wrong with an answer of the right shape, "" when nothing is. `version` is the prompt's, None the latest.
    `fingerprint` is that of the criterion that is judged, "" without one.
    """

    prompt: str
    purpose: Purpose
    answer: type[T]
    values: Mapping[str, Sequence[Piece]]
    subject: str = ""
    choices: Mapping[str, Sequence[str]] = {}
    problem: Callable[[T], str] | None = None
    version: int | None = None
    fingerprint: str = ""

    @property
    def judge(self) -> str:
        """The name of its calibration card: the criterion's, else the prompt's."""
        return self.subject if self.fingerprint else self.prompt

    @property
    def file(self) -> Prompt:
        """The prompt file in Grice."""
        return load_prompt(self.prompt, self.version)

    @property
    def gaps(self) -> str:
        """What was left out because it is too long, in words; "" when nothing was."""
        return "; ".join(gap for pieces in self.values.values() for gap in gaps_in(pieces))

    @property
    def quoted(self) -> tuple[str, ...]:
        """The texts of others in the question."""
        pieces = (piece for some in self.values.values() for piece in some)
        return tuple(piece.text for piece in pieces if isinstance(piece, Data))

    def request(self, **parameters: Any) -> LLMRequest:
        """The request that asks it; `parameters` are further fields. The same question gives the same
        request.

        Raises ValueError when the prompt wants a value that is not there.
        """
        prompt = self.file
        tag = tag_for(piece for name in sorted(self.values) for piece in self.values[name])
        filled = {**self.values, "tag": [tag]}  # an older version of a prompt may want fewer
        values = {
            name: clean_text(written(filled[name], tag)) for name in prompt.placeholders & filled.keys()
        }
        messages: tuple[dict[str, JsonValue], ...] = (
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.fill(values)},
        )
        return LLMRequest(
            messages,
            self.purpose,
            self.subject,
            schema_of(self.answer, self.choices),
            prompt.name,
            **parameters,
        )
