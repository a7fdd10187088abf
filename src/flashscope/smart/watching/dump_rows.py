"""A complete dump as bytes in the store and back: better tables can decode old samples again."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flashscope.records.plain import to_json
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic

_AS_IS = "surrogatepass"  # a name may hold bytes that are no text


def packed(dump: Dump) -> bytes:
    """The dump as compressed JSON."""
    return zlib.compress(_text(dump).encode("utf-8", _AS_IS))


def unpacked(data: bytes) -> Dump:
    """The dump behind the bytes of `packed`. A key this version does not know, written by a newer one, is left out."""
    told: dict[str, Any] = json.loads(zlib.decompress(data).decode("utf-8", _AS_IS))
    told["attributes"] = tuple(SmartAttribute(**one | {"raw": bytes.fromhex(one["raw"])}) for one in told["attributes"])
    told["printed"] = {int(id): PrintedAttribute(**one) for id, one in told["printed"].items()}
    told["statistics"] = tuple(Statistic(**one) for one in told["statistics"])
    told["pages"] = {name: bytes.fromhex(page) for name, page in told["pages"].items()}
    told["remarks"], told["unread"] = tuple(told["remarks"]), tuple(told["unread"])
    known = Dump.__dataclass_fields__
    return Dump(**{key: value for key, value in told.items() if key in known})


def fingerprint(dump: Dump) -> str:
    """Equal for two readings of the same unchanged file, at any path [64 hexadecimal digits]."""
    return hashlib.sha256(_text(replace(dump, source="")).encode("utf-8", _AS_IS)).hexdigest()


def _text(dump: Dump) -> str:
    told = {name: getattr(dump, name) for name in Dump.__dataclass_fields__}
    told["vendor_logs"] = {name: dict(log) for name, log in dump.vendor_logs.items()}
    return to_json({name: dict(one) if isinstance(one, Mapping) else one for name, one in told.items()})
