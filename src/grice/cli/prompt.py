"""`grice prompt`: the versions of prompts."""

from __future__ import annotations

from grice.cli.arguments import Given, Number, argument, option
from grice.cli.options import URL

_PROMPT = argument(metavar="FILE", help="The file of a prompt, or the name of one that has none.")


class History(Given):
    """List the versions of a prompt that the database keeps, the latest first, with the runs that used each.

    Exit code 0: done. 2: no version of it is kept, the database cannot be used, or wrong usage.
    """

    prompt: str = _PROMPT
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.prompt_work import list_versions

        return list_versions(self)


class Show(Given):
    """Print the text of a version of a prompt, as it is.

    Exit code 0: done. 2: there is no such version, the database cannot be used, or wrong usage.
    """

    prompt: str = _PROMPT
    version: int | None = option(type=Number(1), metavar="N", help="Which version (default: the latest).")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.prompt_work import show_version

        return show_version(self)


class Diff(Given):
    """Print what differs between two versions of a prompt, line by line.

    Exit code 0: done, also where nothing differs. 2: there is no such version, the database cannot be used,
    or wrong usage.
    """

    prompt: str = _PROMPT
    before: int = argument(type=Number(1), metavar="A", help="A version.")
    after: int | None = argument(
        type=Number(1), metavar="[B]", required=False, help="Another one (default: the latest)."
    )
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.prompt_work import show_difference

        return show_difference(self)


class Restore(Given):
    """Write an earlier version of a prompt to its file, and keep that as the latest version.

    A text in the file that no version has is kept first. Exit code 0: done. 2: there is no such version, the
    file or the database cannot be used, or wrong usage.
    """

    prompt: str = _PROMPT
    version: int = argument(type=Number(1), metavar="VERSION", help="The version to go back to.")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.prompt_work import restore_version

        return restore_version(self)
