"""What a scan has done so far, kept so that one that was killed goes on where it stood.

Findings are added to a file of lines; a manifest, which gets its name only when it is whole, says how much of
the logs is done, what was counted, and how many bytes of the findings belong to that. What was written behind
them by a scan that was killed is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from grice.formats.buckets import Address, open_bytes
from grice.formats.lines import STDIN
from grice.records.codec import encode
from grice.scanning.check_choice import Choice
from grice.scanning.chosen_lines import LineFilter
from grice.scanning.report import Finding, Tally
from grice.user_files import replacing

_VERSION = 1
_HEAD = 4096


class Place(NamedTuple):
    """Where a scan stands: the file by its number, the byte between two parts, the lines before it."""

    file: int
    at: int = 0
    lines: int = 0


class Manifest(msgspec.Struct, frozen=True):
    """What is done of a scan. `scan` is the digest of what it looks for and in which files."""

    version: int
    scan: str
    place: Place
    findings: int
    tally: Tally


class CannotResume(ValueError):
    """A scan that was not finished cannot go on; the text says why."""


class Unfinished:
    """The findings and the manifest of a scan that writes to `output`, in files beside it."""

    def __init__(self, output: Path, scan: str, *, resume: bool) -> None:
        self._findings = output.with_name(f"{output.name}.findings.part")
        self._manifest = output.with_name(f"{output.name}.manifest.part")
        self._scan = scan
        self._resume = resume
        self._file = self._findings.open("ab")

    def begin(self) -> Manifest:
        """What was done before, nothing for a scan that is new. Raises CannotResume."""
        kept = self._read() if self._resume else None
        if kept is None:
            self._manifest.unlink(missing_ok=True)
            kept = Manifest(_VERSION, self._scan, Place(0), 0, Tally())
        self._file.truncate(kept.findings)
        self._file.seek(kept.findings)
        return kept

    def _read(self) -> Manifest | None:
        try:
            manifest = msgspec.json.decode(self._manifest.read_bytes(), type=Manifest)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise CannotResume(f"{self._manifest} cannot be read: {error}; scan without --resume") from error
        if manifest.version != _VERSION or manifest.scan != self._scan:
            raise CannotResume(
                f"{self._manifest} is of a scan of other files or with other checks; scan without --resume"
            )
        if self._findings.stat().st_size < manifest.findings:
            raise CannotResume(f"{self._findings} was cut; scan without --resume")
        return manifest

    def write(self, finding: Finding) -> None:
        """Add a finding."""
        self._file.write(encode(finding) + b"\n")

    def keep(self, place: Place, tally: Tally) -> None:
        """Note that all before the place is done."""
        self._file.flush()
        kept = Manifest(_VERSION, self._scan, place, self._file.tell(), tally)
        with replacing(self._manifest) as stream:
            stream.write(encode(kept))

    def lines(self) -> Iterator[bytes]:
        """The findings so far, each as JSON."""
        self._file.flush()
        with self._findings.open("rb") as stream:
            yield from (line.rstrip(b"\n") for line in stream)

    def findings(self) -> Iterator[Finding]:
        """The findings so far."""
        return (msgspec.json.decode(line, type=Finding) for line in self.lines())

    def close(self, *, done: bool) -> None:
        """Close the files; of a scan that is done nothing is left."""
        self._file.close()
        if done:
            self._findings.unlink(missing_ok=True)
            self._manifest.unlink(missing_ok=True)


def scan_digest(
    files: Sequence[Path | str], choice: Choice, chosen: LineFilter | None, limit: int | None
) -> str:
    """What a scan looks for and in which files, as one digest.

    Of a file its beginning counts, of an object its size and tag.
    """
    told = [repr((one.label, one.check)) for one in choice.checks]
    heads = []
    for path in files:
        if str(path) == STDIN:
            raise CannotResume("standard input cannot be read again: name a file to use --resume")
        if isinstance(path, Address):
            heads.append(f"{path.size} {path.e_tag}")
            continue
        try:
            with open_bytes(path) as stream:
                heads.append(sha256(stream.read(_HEAD)).hexdigest())
        except (OSError, ValueError):
            heads.append("")
    return sha256(encode([list(map(str, files)), heads, told, repr(chosen), limit])).hexdigest()
