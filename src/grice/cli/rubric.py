"""`grice rubric`: whether the assistant contradicts itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grice.cli.arguments import Given, argument, option
from grice.cli.options import PROFILES, OneOf

if TYPE_CHECKING:
    from grice.checks.profiles import Profile


class Command(Given):
    """Say of each conversation whether the assistant contradicts itself: one line, true or false, and why.

    Exit code 0: no contradiction. 1: a contradiction, or a result that is not the expectedResult of its file.
    2: a file cannot be read, or nothing could be compared in any conversation.
    """

    paths: tuple[Path, ...] = argument(
        required=True,
        metavar="FILE...",
        help="Conversations as JSON, JSON Lines or CSV: lists of messages, or objects with messages or "
        "conversation; .gz too, or folders of such files; - is stdin.",
    )
    profile: Profile = option(
        type=OneOf(PROFILES), default="robust", show_default=True, help="Which rule is applied."
    )

    def __call__(self) -> int:
        from grice.cli.rubric_work import rubric_files

        return rubric_files(self.paths, profile=self.profile)
