"""`grice suite convert`: the expected outputs of a suite as checks."""

from __future__ import annotations

import sys
from pathlib import Path

from grice.cli.arguments import Given, argument, option
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.options import output

_JSON = ".json"


class Command(Given):
    """Write each expected_output as a toEqual in expect, and leave the rest of the file as it is.

    The new suite is printed unless an option says otherwise. Exit code 0: done, also when there was nothing
    to convert. 2: wrong usage, or a file that cannot be read or written. 141: nobody reads the output any
    more.
    """

    file: Path = argument(metavar="FILE", help="A suite file.")
    output: Path | None = output("the new suite")
    write: bool = option(help="Change the file itself.")

    def __call__(self) -> int:
        from grice.cli.output import write_output
        from grice.files.settings_files import SettingsError
        from grice.files.suite_convert import converted_suite
        from grice.files.suite_files import SuiteErrors
        from grice.files.writing import check_output
        from grice.reporting.console import print_problem, print_text, screen_for
        from grice.reporting.lines import Line
        from grice.running.projects import Projects
        from grice.user_files import replacing

        file, output, write = self.file, self.output, self.write
        console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
        if output is not None and write:
            print_problem(errors, "error: --output and --write exclude each other")
            return UNUSABLE
        if output is not None and (output.suffix.lower() == _JSON) != (file.suffix.lower() == _JSON):
            print_problem(errors, f"error: {output}: the syntax stays as it is: name a {file.suffix} file")
            return UNUSABLE
        try:
            if output is not None:
                check_output(output, [file])
            conversion = converted_suite(file, Projects(Path.cwd()).matcher_modules(file))
            if output is not None or (write and conversion.converted):
                with replacing(output or file) as stream:
                    stream.write(conversion.text.encode())
            elif not write:
                write_output(console, conversion.text.encode())
        except (SuiteErrors, SettingsError) as error:
            print_problem(errors, str(error))
            return UNUSABLE
        except OSError as error:
            reason = str(error) if error.strerror is None else f"{output or file}: {error.strerror}"
            print_problem(errors, f"error: the suite cannot be written: {reason}")
            return UNUSABLE
        if console.quiet:
            return NOBODY_READS
        for note in conversion.notes:
            print_text(errors, Line(), note)
        print_text(errors, Line(), f"{file}: {_told(conversion.converted)}")
        return PASSED


def _told(number: int) -> str:
    if not number:
        return "nothing to convert"
    return f"{number:,} expected output{'' if number == 1 else 's'} converted"
