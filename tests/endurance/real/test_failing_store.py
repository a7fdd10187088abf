"""The file system under store and ledger fails in the middle of a run: words, exit code 1, and it goes on after."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.endurance.real import opening
from flashscope.errors import FlashscopeError
from flashscope.records import Status
from flashscope.smart.dump import Dump

from .worn import MIB, PLAIN, Worn, dump_of

_SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN: every call fails with EIO from then on, as when the device has gone
_WITHOUT_FLUSH = b"\2\0\0\0"
_RUN = replace(PLAIN, budget_bytes=26 * MIB, checkpoint_bytes=4 * MIB, verify="sampled", workloads=("random",))
_AT_CHECKPOINT = 2


@contextlib.contextmanager
def mounted(image: Path, folder: Path) -> Iterator[None]:
    """A small ext4 of its own. Skips the test where that cannot be."""
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        pytest.skip("needs root and mkfs.ext4 to mount a file system")
    if not image.exists():
        with image.open("wb") as file:
            file.truncate(64 * MIB)
        subprocess.run(["mkfs.ext4", "-q", "-J", "size=4", image], check=True)
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-o", "loop", image, folder], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no loop device can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-R", "-i", folder], check=False, capture_output=True)
        subprocess.run(["umount", folder], check=True)


def make_immutable(folder: Path) -> None:
    subprocess.run(["chattr", "-R", "+i", folder], check=True)


def fail_and_turn_read_only(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,abort", folder], check=True)


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), (folder / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(1 << 20))
    with contextlib.suppress(OSError), (folder / "ballast2").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(512))


def take_the_device_away(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    fcntl.ioctl(handle, _SHUTDOWN, _WITHOUT_FLUSH)
    os.close(handle)


FAILURES = {
    "immutable": (make_immutable, ("protected from changes", "no permission to write")),
    "read-only": (fail_and_turn_read_only, ("read-only", "no permission to write")),
    "full": (fill, ("full",)),
    "gone": (take_the_device_away, ("reports an error",)),
}


def worn_in_a_child(worn: Worn, fails: Callable[[], None], *, at_checkpoint: bool) -> str:
    """One session, in whose middle the store fails. What it said: "CODE words", or the signal that ended it."""
    output, told = os.pipe()
    child = os.fork()
    if child == 0:
        passed = {"checkpoints": 0, "failed": 0}

        def fail_once() -> None:
            passed["failed"] += 1
            if passed["failed"] == 1:
                os.sync()
                fails()

        def acknowledged(batches: int, written_bytes: int) -> None:
            if written_bytes > 17 * MIB and not at_checkpoint:
                fail_once()

        def smart() -> Dump:
            passed["checkpoints"] += 1
            if at_checkpoint and passed["checkpoints"] == _AT_CHECKPOINT:
                fail_once()
            return dump_of()()

        try:
            says = f"0 {worn.begin(_RUN, on_acknowledged=acknowledged, read_smart=smart).status.value}"
        except FlashscopeError as error:
            says = f"{error.exit_code} {error}"
        except BaseException:
            says = f"70 {traceback.format_exc()}"
        os.write(told, says.encode())
        os._exit(0)
    os.close(told)
    with os.fdopen(output) as heard:
        says = heard.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return says if code == 0 else f"ended by signal {-code}"


@pytest.mark.parametrize(
    ("how", "at_checkpoint"),
    [
        *[("immutable", True), ("read-only", False), ("full", True), ("gone", False)],
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in [("immutable", False), ("read-only", True), ("full", False), ("gone", True)]
        ),
    ],
)
def test_a_store_that_fails_during_a_run_is_told_with_code_1_and_the_run_goes_on_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, at_checkpoint: bool
) -> None:
    monkeypatch.setattr(opening, "_SPARE_ROOM_BYTES", 1 * MIB)
    fails, words = FAILURES[how]
    worn = Worn(tmp_path)
    image, folder = tmp_path / "store.ext4", tmp_path / "store"
    worn.store_path = folder / "records.sqlite"
    with mounted(image, folder):
        says = worn_in_a_child(worn, lambda: fails(folder), at_checkpoint=at_checkpoint)
        assert says.startswith("1 "), says
        assert any(word in says for word in words), says
        assert "Error" not in says
        if how in ("immutable", "full"):
            subprocess.run(["chattr", "-R", "-i", folder], check=False, capture_output=True)
            for ballast in folder.glob("ballast*"):
                ballast.unlink()
            assert worn.resume().status is Status.DONE
            return
    # A copy: another mount namespace may keep the failed one, and then it would be given again.
    with mounted(Path(shutil.copy(image, tmp_path / "after.ext4")), folder):
        after = worn.resume()
        assert after.status is Status.DONE
        assert not any(doubt.kind == "DataLost" for doubt in after.doubts)
        ledger = worn.ledger()
        assert worn.verifier(ledger).everything().wrong_blocks == 0
        ledger.close()
