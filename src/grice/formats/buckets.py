"""Logs in buckets: objects that an address names, as s3://logs/monday.jsonl, and files, opened alike."""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, TypeGuard

from grice.user_files import check_files_are_read, open_file

SCHEMES = ("s3://", "gs://", "az://", "abfs://", "abfss://")
_HEAD = 1 << 16
"""The bytes that tell what an object holds. They are fetched at once, and kept for who asks next."""
_MOST = 1 << 23
_RETRIES = 5
_SECRET = re.compile(r"://[^/@]*:[^/@]*@|[?&](sig|X-Amz-\w+|X-Goog-\w+)=", re.IGNORECASE)
_INSTANCE = re.compile(
    r"169\.254\.\d+\.\d+|metadata\.google\.internal|/metadata/identity|/computeMetadata/|/latest/api/token"
)
"""Where the machine of a cloud is asked for credentials, when there are no others."""
_NO_CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pip install boto3 for profiles and logins",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login",
}


class Address(str):
    """The address of an object as it was found: its bytes, and the tag that changes when its content does."""

    size: int
    e_tag: str

    def __new__(cls, text: str, size: int, e_tag: str) -> Self:
        """The address with what is known of its object."""
        made = super().__new__(cls, text)
        made.size, made.e_tag = size, e_tag
        return made

    def __getnewargs__(self) -> tuple[str, int, str]:  # type: ignore[override]
        return str(self), self.size, self.e_tag


def is_address(path: Path | str) -> TypeGuard[str]:
    """Whether it names an object in a bucket, and no file."""
    return isinstance(path, str) and path.startswith(SCHEMES)


def without_secret(address: str) -> str:
    """The address as it may be shown: one with a password or a signature in it is left out."""
    return f"{address.partition(':')[0]}://..." if _SECRET.search(address) else address


def open_bytes(path: Path | str, at_once: int = 0) -> io.BufferedReader:
    """The bytes of a file or an object. Raises OSError.

    `at_once` is how many bytes of an object are wanted where it is read from its middle: they are fetched
    with what a line goes on for behind them.
    """
    if not is_address(path):
        return open_file(path)
    check_files_are_read(path)
    return io.BufferedReader(ObjectBytes(find_object(path), at_once))


def find_object(address: str) -> Address:
    """The object that is there. Raises OSError."""
    if isinstance(address, Address):
        return address
    store, key = _store_and_key(address)
    with _in_words(address):
        return _address(address, _obstore().head(store, key))


def logs_at(address: str, is_log: Callable[[Path], bool]) -> list[str]:
    """The objects that the address names: itself, the logs below it, or those that it matches with * or **.

    They are in the order in which files would be. Raises OSError.
    """
    store, key = _store_and_key(address)
    if key:
        try:
            return [find_object(address)]
        except FileNotFoundError:
            pass
    names = key.strip("/").split("/") if key else []
    plain = next((n for n, name in enumerate(names) if set(name) & set("*?[")), len(names))
    root = address.removesuffix(key).rstrip("/")
    found: dict[tuple[str, ...], Address] = {}
    with _in_words(address):
        for some in _obstore().list(store, prefix="/".join(names[:plain]) or None, chunk_size=1000):
            for one in some:
                path = tuple(one["path"].split("/"))
                if is_log(Path(path[-1])) if plain == len(names) else _matches(path, names):
                    found[path] = _address(f"{root}/{one['path']}", one)
    if not found:
        if plain == len(names) and not address.endswith("/"):
            return [address]  # who opens it says that it is not there
        raise FileNotFoundError("there are no logs")
    return [found[path] for path in sorted(found)]


def _matches(path: tuple[str, ...], names: list[str]) -> bool:
    if not names or not path:
        return not path and all(one == "**" for one in names)
    hidden = path[0].startswith(".") and not names[0].startswith(".")
    if names[0] == "**":
        return _matches(path, names[1:]) or (not hidden and _matches(path[1:], names))
    return not hidden and fnmatchcase(path[0], names[0]) and _matches(path[1:], names[1:])


class ObjectBytes(io.RawIOBase):
    """The bytes of an object, fetched in ranges, which grow while it is read on."""

    def __init__(self, address: Address, at_once: int) -> None:
        self.size = address.size
        self._address = address
        self._ahead = at_once + _HEAD
        self._at = self._from = 0
        self._held = memoryview(b"")

    def readable(self) -> bool:
        """Whether it can be read: it can."""
        return True

    def seekable(self) -> bool:
        """Whether it can be read from its middle: it can."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a byte."""
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next; how many bytes."""
        if not 0 <= self._at - self._from < len(self._held) and self._at < self.size:
            self._fetch(len(buffer))
        data = self._held[max(0, self._at - self._from) :][: len(buffer)] if self._at < self.size else b""
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _fetch(self, wanted: int) -> None:
        if self._at < _HEAD:
            self._from, self._held = 0, memoryview(_head(self._address, self._address.e_tag))
            return
        end = min(self._at + max(wanted, self._ahead), self.size)
        self._from, self._held = self._at, _fetched(self._address, self._at, end)
        # behind what was wanted at once only the rest of a line is
        self._ahead = _HEAD if self._ahead > _MOST else min(4 * self._ahead, _MOST)


@lru_cache(maxsize=16)
def _head(address: Address, e_tag: str) -> bytes:  # noqa: ARG001 - addresses are equal where tags are not
    return bytes(_fetched(address, 0, min(_HEAD, address.size)))


def _fetched(address: Address, start: int, end: int) -> memoryview:
    store, key = _store_and_key(address)
    options = {"range": (start, end), **({"if_match": address.e_tag} if address.e_tag else {})}
    with _in_words(address):
        return memoryview(_obstore().get(store, key, options=options).bytes())


def _address(text: str, told: Any) -> Address:
    return Address(text, told["size"], told["e_tag"] or "")


def _store_and_key(address: str) -> tuple[Any, str]:
    """The bucket, and the name of the object in it. Raises OSError."""
    if _SECRET.search(address):
        raise OSError("addresses with a secret in them are not read: credentials come from the environment")
    scheme, _, rest = address.partition("://")
    bucket, _, key = rest.partition("/")
    with _in_words(address):
        return _store(scheme, bucket), key


@lru_cache(maxsize=64)
def _store(scheme: str, bucket: str) -> Any:
    _obstore()  # which says what to install
    return importlib.import_module("obstore.store").from_url(
        f"{scheme}://{bucket}",
        client_options={"allow_http": True},  # where the environment names an endpoint without TLS
        retry_config={"max_retries": _RETRIES},
        credential_provider=_credentials() if scheme == "s3" else None,
    )


def _credentials() -> Any:
    """Those that boto3 finds, where it is installed and the environment holds no key: it knows profiles."""
    if os.environ.keys() & {"AWS_ACCESS_KEY_ID", "AWS_SKIP_SIGNATURE"}:
        return None
    try:
        provider = importlib.import_module("obstore.auth.boto3").Boto3CredentialProvider
    except ImportError:
        return None
    try:
        return provider()
    except ValueError:
        raise OSError(f"no credentials: set {_NO_CREDENTIALS['s3']}") from None


def _obstore() -> Any:
    try:
        return importlib.import_module("obstore")
    except ImportError:
        raise OSError("addresses need a package: pip install 'grice[buckets]'") from None


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    """Raise what goes wrong with an object as an OSError of one line, in which no credentials are."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError("there is no such object") from None
    except OSError:
        raise
    except Exception as error:  # those of the store, of which some are a bare ValueError
        raise OSError(_reason(str(error), address.partition(":")[0])) from None


def _reason(said: str, scheme: str) -> str:
    """What went wrong, of an error that shows requests and answers whole."""
    if _INSTANCE.search(said):
        return f"no credentials: set {_NO_CREDENTIALS.get(scheme, 'AZURE_STORAGE_ACCOUNT_KEY')}"
    if "Account must be specified" in said:
        return "no account: set AZURE_STORAGE_ACCOUNT_NAME"
    if "Received redirect without" in said:
        return "the bucket is in another region: set AWS_REGION"
    code = re.search(r"<Code>([A-Za-z]\w+)</Code>", said)
    if code and code[1] in ("NoSuchBucket", "ContainerNotFound"):
        return "there is no such bucket"
    if status := re.search(r"status code: (\d+)([\w ]*)", said):
        if status[1] == "412":
            return "it was changed while it was read"
        return f"the store answers {status[1]}{status[2]}{f' ({code[1]})' if code else ''}"
    host = re.search(r"uri: Some\(\s*\w+://(?:[^/@\s]*@)?([^/\s?]+)", said)
    cause = re.search(r'(?:message|error): "([^"]+)"', said)
    if host and ("kind: Connect" in said or "kind: Timeout" in said):
        return f"{host[1]} cannot be reached{f': {cause[1]}' if cause else ''}"
    from grice.identity import redact_text

    told = re.sub(r"^Generic \w+ error: (Error performing .* in \S+ - )?", "", said.partition("\n")[0])
    return redact_text(re.sub(r"\?\S+", "", told))
