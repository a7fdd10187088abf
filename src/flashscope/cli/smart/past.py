"""Earlier readings of the drive that is shown, from what `flashscope smart watch` kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flashscope.cli.smart.source import dated_by_file, is_device, is_virtual
from flashscope.errors import FlashscopeError

if TYPE_CHECKING:
    from flashscope.smart.decoding.reading import Reading
    from flashscope.smart.dump import Dump
    from flashscope.smart.watching.past import Now, Past


def past_for(addresses: Sequence[str], dump: Dump, reading: Reading, store: Path | None) -> Past | None:
    """The earlier readings of the drive; None when no store is read, or when the usual store has no reading of it.

    addresses: as named on the command line. dump, reading: the newest of them. store: as named with --store. Without
    --store, the usual store is read for devices and virtual drives, but not for saved dumps; when it cannot be read,
    the remarks of the past say so. Raises FlashscopeError when a store that was named is missing, damaged or not one.
    """
    live = next((address for address in addresses if is_virtual(address) or is_device(address)), "")
    if store is None and not live:
        return None
    from flashscope.smart.watching.past import Past, past_of
    from flashscope.smart.watching.series_store import default_series_path

    path = store if store is not None else default_series_path()
    if store is None and not os.path.exists(path):
        return None
    try:
        past = past_of(path, _now(live or addresses[-1], dump, reading, is_saved=not live))
    except FlashscopeError as error:
        if store is not None:
            raise
        return Past(str(path), remarks=(f"no history: {error.what}",))
    return past if store is not None or past.readings or past.remarks else None


def _now(place: str, dump: Dump, reading: Reading, *, is_saved: bool) -> Now:
    from flashscope.moment import moment_of, now
    from flashscope.smart.identity import identify
    from flashscope.smart.watching.past import Now

    # `smart watch` knows a virtual drive by its address, which says how it was aged; the serial number does not say it.
    identity = identify(replace(dump, serial="") if is_virtual(place) else dump, place)
    dated = dated_by_file(dump, Path(place)) if is_saved and os.path.isfile(place) else dump
    return Now(dump, reading, identity, moment_of(dated.taken_at_s, now()), is_saved)
