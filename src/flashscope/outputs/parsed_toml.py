"""TOML files parsed once: a cache that is checked by content, so that a start does not parse eighty files again.

    files --SHA-256 of names and bytes--> the same as in the cache?  yes: its documents   no: parsed, and kept

The cache is one file in $XDG_CACHE_HOME/flashscope, by default below ~/.cache. It is believed only when it belongs to
this user, is whole (a checksum in its first line) and was made from exactly these files. Whatever is wrong with it,
or with its place, the files are parsed: no error comes from here but theirs. Deleting it costs one parse.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FORM = "flashscope parsed TOML 1"
_BYTES_AT_MOST = 64 << 20


def parsed_folder(folder: Path, name: str) -> dict[str, tuple[str, Any]]:
    """Every TOML file in a folder and below: path below the folder -> its text and its document, in order of paths.

    name: of the cache. The documents are shared by all who ask in this process: nobody changes them.
    Raises tomllib.TOMLDecodeError for a file that is no TOML, OSError for one that cannot be read.
    """
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.toml"))}
    key = _key_of(texts)
    place = cache_directory() / f"{name}.json"
    documents = _kept(place, key)
    if documents is None or documents.keys() != texts.keys():
        import tomllib

        documents = {path: tomllib.loads(text) for path, text in texts.items()}
        _keep(place, key, documents)
    return {path: (text, documents[path]) for path, text in texts.items()}


def cache_directory() -> Path:
    """$XDG_CACHE_HOME/flashscope, by default below ~/.cache."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(cache) if os.path.isabs(cache) else Path(os.path.expanduser("~")) / ".cache"
    return base / "flashscope"


def _key_of(texts: Mapping[str, str]) -> str:
    whole = hashlib.sha256(f"{_FORM} {sys.version_info[:2]}".encode())
    for path, text in texts.items():
        content = text.encode()
        whole.update(f"\0{path}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def _kept(place: Path, key: str) -> dict[str, Any] | None:
    """The documents in the cache; None when it is missing, of others, damaged, or made from other files."""
    try:
        with place.open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_size > _BYTES_AT_MOST:
                return None
            head, _, body = file.read().partition(b"\n")
        if head.decode("ascii").split(" ") != [key, hashlib.sha256(body).hexdigest()]:
            return None
        documents = json.loads(body)
    except (OSError, ValueError):
        return None
    return documents if isinstance(documents, dict) else None


def _keep(place: Path, key: str, documents: Mapping[str, Any]) -> None:
    """Write the cache, or leave it: a full disk, a home of somebody else or a date in a document are no errors."""
    fresh = place.with_name(f".{place.name}-{os.urandom(8).hex()}")
    with contextlib.suppress(OSError, TypeError):
        body = json.dumps(documents, ensure_ascii=False, separators=(",", ":")).encode()
        if json.loads(body) != documents:  # what JSON cannot say, such as a table with a number for a name
            return
        base = next((one for one in place.parents if one.exists()), place.parent)
        if base.stat().st_uid != os.geteuid():
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(f"{key} {hashlib.sha256(body).hexdigest()}\n".encode() + body)
            fresh.replace(place)
        finally:
            fresh.unlink(missing_ok=True)
