"""A run in a container, or under another name of the host: the lock of its ledger alone says whether it is at work."""

from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records import Status
from flashscope.store.store import Store
from tests.elsewhere import elsewhere

from .worn import Worn

_WEARS = """
import os, sys
from pathlib import Path
from tests.endurance.real.worn import MIB, Worn
def acknowledged(batches, written_bytes):
    if written_bytes > 5 * MIB:
        print("at work", flush=True)
        sys.stdin.readline()
        os.kill(os.getpid(), 9)
folder = Path(sys.argv[1])
Worn(folder, address=f"file:{folder}/drive.img").begin(on_acknowledged=acknowledged)
"""


def test_a_run_killed_in_another_namespace_under_another_host_name_is_gone_on_with(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    run = elsewhere(_WEARS, tmp_path)
    assert run.stdin is not None
    assert run.stdout is not None
    assert run.stdout.readline() == "at work\n"
    with pytest.raises(WrongUse, match="another process works"):
        worn.ledger()
    assert run.communicate("end\n")[0] == "code 137\n"
    assert worn.resume().status is Status.DONE
    with Store(worn.store_path) as store:
        assert [one.status for one in store.list()] == [Status.DONE]
