"""Reads a connected drive now, by smartctl; on NVMe drives nvme-cli also reads the OCP and Intel logs, and the name of
the first namespace where nothing else identifies the drive.

smartctl has to ignore its own drive database (`--presets=ignore`): flashscope finds the attributes' meaning itself, and
its presets print some numbers in another byte order. All commands only read.

Not read here: drives behind RAID controllers, which need an option of smartctl (`-d megaraid,N`); read its output from
a file instead.
"""

from __future__ import annotations

import logging
import os
import subprocess
import time
from dataclasses import replace

from flashscope.errors import DriveFailed, FlashscopeError, WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.intel_log import is_intel_page
from flashscope.smart.readers.json_text import document_of
from flashscope.smart.readers.merge import both
from flashscope.smart.readers.nvme_cli import read_nvme_document
from flashscope.smart.readers.ocp import is_ocp_page
from flashscope.smart.readers.raw_pages import read_raw_pages
from flashscope.smart.readers.smartctl_json import looks_like_smartctl, read_smartctl_json

SMARTCTL = ("smartctl", "--json", "--xall", "--presets=ignore")
TIME_LIMIT_SECONDS = 60.0
_LOG_BYTES = 512
_log = logging.getLogger("flashscope.smart")
_NO_SMARTCTL = "install the package smartmontools"


def read_device(path: str | os.PathLike[str], *, time_limit_s: float = TIME_LIMIT_SECONDS) -> Dump:
    """All that the drive at `path` (such as /dev/sda or /dev/nvme0) reports about itself, now.

    time_limit_s: for each command [s]. Raises WrongUse when there is no such drive, when it may not be opened, when
    smartctl is missing or too old, or when smartctl cannot reach it; DriveFailed when it does not answer in time.
    """
    name = os.fspath(path)
    document, command = smartctl_document(name, SMARTCTL, time_limit_s)
    dump = read_smartctl_json(document, command)
    if dump.taken_at_s is None:
        dump = replace(dump, taken_at_s=float(int(time.time())))
    if dump.protocol == "NVMe" or name.startswith("/dev/nvme"):
        dump = _with_nvme_logs(dump, name, time_limit_s)
    if not (dump.attributes or dump.statistics or dump.nvme_health or dump.vendor_logs):
        why = next((remark for remark in dump.remarks if remark.startswith("smartctl: ")), "it gave no reason")
        raise WrongUse(
            f"smartctl reads no SMART from {name}: {why.removeprefix('smartctl: ')}",
            accepted="a drive with SMART that is switched on",
            advice=_advice(why, name),
        )
    return dump


def smartctl_document(
    name: str, command: tuple[str, ...], time_limit_s: float = TIME_LIMIT_SECONDS
) -> tuple[dict[str, object], str]:
    """The JSON that a smartctl command prints of the drive `name`, and the command as it was given.

    Raises WrongUse when there is no such drive, or when smartctl is missing or prints no JSON; DriveFailed when it
    does not answer in time.
    """
    if not os.path.exists(name):
        raise WrongUse(f"there is no drive {name}", accepted="the path of a block device, such as /dev/sda")
    try:
        # smartctl's exit status is also in the JSON.
        printed = _run([*command, "--", name], time_limit_s)
    except FileNotFoundError:
        raise WrongUse(
            "SMART is read by smartctl, which is not installed",
            accepted="smartctl 7.0 or later on the PATH",
            advice=_NO_SMARTCTL,
        ) from None
    except PermissionError:
        raise WrongUse(
            "smartctl may not be run", accepted="smartctl on the PATH", advice="run as root, or with sudo"
        ) from None
    except subprocess.TimeoutExpired:
        raise DriveFailed(
            f"{name} did not answer smartctl within {time_limit_s:g} s",
            advice="a drive that hangs may be failing: copy what matters, then look at its cable and the kernel's log",
        ) from None
    text = printed.decode("utf-8", errors="replace")
    return checked_document(text), " ".join([*command, name])


def checked_document(text: str) -> dict[str, object]:
    """The JSON document that smartctl printed. Raises WrongUse when it printed something else."""
    found = document_of(text) if text.lstrip().startswith("{") else None
    if found is None or not found[1] or not isinstance(found[0], dict) or not looks_like_smartctl(found[0]):
        first = text.strip().splitlines()[0][:80] if text.strip() else "nothing"
        raise WrongUse(
            f"smartctl printed no JSON but: {first}",
            accepted="the output of smartctl --json --all",
            advice="smartctl 7.0 or later is needed (package smartmontools)",
        )
    document: dict[str, object] = found[0]
    return document


def _run(command: list[str], time_limit_s: float) -> bytes:
    began_s = time.monotonic()
    done = subprocess.run(command, capture_output=True, timeout=time_limit_s, check=False)
    said = (" ".join(command), len(done.stdout), done.returncode, time.monotonic() - began_s)
    _log.debug("%s: %d bytes, ended with code %d after %.3f s", *said)
    return done.stdout


def _with_nvme_logs(dump: Dump, name: str, time_limit_s: float) -> Dump:
    """The dump with the logs that smartctl does not read, where nvme-cli and the drive support them."""
    try:
        if not dump.nvme_health:
            found = document_of(
                _run(["nvme", "smart-log", name, "--output-format=json"], time_limit_s).decode(errors="replace")
            )
            if found and isinstance(found[0], dict):
                dump = both(dump, read_nvme_document(found[0], f"nvme smart-log {name}"))
        for log, is_page in ((0xC0, is_ocp_page), (0xCA, is_intel_page)):
            page = _run(
                ["nvme", "get-log", name, f"--log-id={log:#x}", f"--log-len={_LOG_BYTES}", "--raw-binary"], time_limit_s
            )
            if len(page) == _LOG_BYTES and is_page(page):
                dump = both(dump, read_raw_pages(page, f"nvme get-log {name}"))
        if not (dump.serial or dump.wwn):
            printed = _run(["nvme", "id-ns", name, "--namespace-id=1", "--output-format=json"], time_limit_s)
            found = document_of(printed.decode(errors="replace"))
            if found and isinstance(found[0], dict):
                dump = both(dump, read_nvme_document(found[0], f"nvme id-ns {name}"))
    except FileNotFoundError:
        remark = "nvme-cli is not installed, so the OCP and vendor logs were not asked for (package nvme-cli)"
        return replace(dump, remarks=(*dump.remarks, remark))
    except subprocess.TimeoutExpired:
        return replace(dump, remarks=(*dump.remarks, f"the drive did not answer nvme-cli within {time_limit_s:g} s"))
    except (OSError, FlashscopeError) as error:
        return replace(dump, remarks=(*dump.remarks, f"nvme-cli gave nothing that can be read: {error}"))
    return dump


def _advice(why: str, name: str) -> str:
    if "USB" in why:
        return f"try smartctl -x -d sat {name}, and read what it prints from a file"
    if "RAID" in why or "megaraid" in why:
        return f"smartctl --scan names the drives behind the controller; read smartctl -x -d ... {name} from a file"
    return f"see what smartctl -x {name} prints"
