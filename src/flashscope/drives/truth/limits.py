"""What limits a virtual drive or an array, from its configuration alone: the truth of the findings about queues.

    host        one thread, if it costs time     1 / time of a request
    controller  one command after another        1 / command cost
    link        one transfer after another       rate / request
    channels    n, a transfer each               n / transfer
    banks       n, sense and transfer            n / (tR + transfer)

The lowest limit bends the curve of rates.

A key is left out where two limits are almost equal: then the curve is a mixture, and no single answer is true.
Not modelled here: reads from a buffer or from pSLC, collection beside the reads.
"""

from __future__ import annotations

from typing import Any

_REQUEST_BYTES = 4096
_CLEARLY = 0.8  # the lowest limit over the next
_FAR = 0.5  # a shared limit this far below the flash cuts the curve before it bends
_MEMBERS_BIND = 0.75  # members lose time to sensing; below this share of their buses the host is the limit
_SECOND_NS = 10**9


def truth_of_drive(configuration: dict[str, Any]) -> dict[str, Any]:
    """parallel_unit_count, gathering_wait_ns, gathered_command_count, interference_ratio: those that are certain."""
    kind = configuration.get("kind", "ssd")
    truth: dict[str, Any] = {}
    link = configuration.get("link")
    if kind in ("ssd", "memory"):
        gathers = link is not None and link.get("gather_ns", 0) > 0 and link["queue_depth"] > 1
        truth["gathering_wait_ns"] = link["gather_ns"] if link is not None and gathers else None
        if link is not None and gathers:
            truth["gathered_command_count"] = link["gather_requests"]
    if kind == "ssd":
        truth |= _units(configuration)
    if kind == "memory":
        truth |= _interference(configuration)
    return truth


def truth_of_stripe(configuration: dict[str, Any]) -> dict[str, Any]:
    """host_limit_bytes_per_second: the host's rate when the members together are certainly faster.

    None when they are certainly slower, because their links together carry less; left out in between.
    """
    rate = configuration["host"]["bytes_per_second"]
    links = [_member_bound(member) for member in configuration["members"]]
    if sum(links) < rate:
        return {"host_limit_bytes_per_second": None}
    return {"host_limit_bytes_per_second": rate} if rate < _MEMBERS_BIND * sum(links) else {}


def _member_bound(member: dict[str, Any]) -> float:
    """The highest rate of a member [bytes/s]: its link, or its flash buses together."""
    link = member.get("link")
    bounds = [float(link["bytes_per_second"])] if link else []
    if member.get("kind", "ssd") == "ssd":
        geometry = member["geometry"]
        bounds.append(geometry["channels"] * geometry["lockstep_packages"] * member["timing"]["bus_bytes_per_second"])
    return min(bounds, default=0.0)


def _units(configuration: dict[str, Any]) -> dict[str, Any]:
    geometry, timing, link = configuration["geometry"], configuration["timing"], configuration["link"]
    if link["queue_depth"] == 1:
        return {"parallel_unit_count": None}
    transfer_ns = _REQUEST_BYTES * _SECOND_NS / (timing["bus_bytes_per_second"] * geometry["lockstep_packages"])
    packages = geometry["channels"] * geometry["packages_per_channel"]
    banks = packages * geometry["dies_per_package"] // geometry["lockstep_packages"]
    flash = {
        "banks": banks / (timing["read_latency_ns"] + transfer_ns),
        "channels": geometry["channels"] / transfer_ns,
    }
    shared = min(1 / link["command_cost_ns"], link["bytes_per_second"] / _REQUEST_BYTES / _SECOND_NS)
    host = configuration.get("host", {})
    if thread_ns := host.get("submission_ns", 0) + host.get("page_ns", 0) + host.get("completion_ns", 0):
        shared = min(shared, 1 / thread_ns)
    if shared < _FAR * min(flash.values()):
        return {"parallel_unit_count": None}
    if flash["banks"] < _CLEARLY * min(flash["channels"], shared) and link["queue_depth"] >= 2 * banks:
        return {"parallel_unit_count": banks}
    return {}


def _interference(configuration: dict[str, Any]) -> dict[str, Any]:
    """1 where reads and writes share the limit: half duplex, or one server without a link."""
    link = configuration.get("link")
    if link is None:
        return {"interference_ratio": 1.0} if configuration["server_count"] == 1 else {}
    per_server = configuration["bytes_per_second"] / max(configuration["read_passes"], configuration["write_passes"])
    link_binds = link["bytes_per_second"] < _FAR * per_server * configuration["server_count"]
    if not link_binds:
        return {}
    return {"interference_ratio": 0.5 if link["full_duplex"] else 1.0}
