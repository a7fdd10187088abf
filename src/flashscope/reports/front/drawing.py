"""The drawing of the inside: what the host sees, and behind it the parts whose numbers were inferred, by kind of drive.

solid-state drive   host == link == [ controller: buffer, map, compression | dies; cache, space, spare ]
disk, hybrid        host == link == [ buffer, flash cache | platters ]
memory              host == link == [ cells ]
array               host == its limit == [ member ] [ member ] ...
file                host == file == file system == what lies below it, which is not seen
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from flashscope import units
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.drive_kind import DriveKind
from flashscope.reports.front.box import UNKNOWN, Box, box, boxes, number_of, with_picture
from flashscope.reports.front.pictures import cells, dies, platters

_MEMBERS_MOST = 8
_REAL_LEAST = 0.98
"""A drive that holds less than this share of what it says is drawn with what it holds."""


def draw_inside(dossier: Dossier) -> tuple[Box, ...]:
    """The parts in a row: the host's link, then what it leads to."""
    return _DRAWN[DriveKind(dossier.kind)](dossier)


def _link(dossier: Dossier, key: str = "link_rate", name: str = "Host link", value: str = "{} or more") -> Box:
    return box(dossier, key, name, value=value, shape="link") or Box(name, UNKNOWN, shape="link", is_known=False)


def _solid_state(dossier: Dossier) -> tuple[Box, ...]:
    controller = Box(
        "Controller",
        shape="room",
        inside=boxes(
            box(dossier, "write_buffer", "Write buffer"),
            box(dossier, "mapping_unit", "Map", value="units of {}"),
            box(dossier, "compression", "Compression"),
        ),
    )
    at_once = number_of(dossier, "parallelism")
    channels = box(dossier, "parallelism", "Channels and dies", value="{} at work at once")
    flash = Box(
        "Flash",
        shape="room",
        inside=boxes(with_picture(channels, dies(round(at_once) if at_once else None)), _space(dossier)),
    )
    return _link(dossier), Box(dossier.title, shape="case", inside=(controller, flash))


def _space(dossier: Dossier) -> Box:
    """The flash as a bar: what a fast cache takes, the user's space, the spare area; drawn to scale where known."""
    user_bytes = dossier.records[-1].drive_facts.user_bytes
    cache_bytes, spare = number_of(dossier, "cache_size"), number_of(dossier, "spare_area")
    cache_share = min(0.9, (cache_bytes or 0.0) / user_bytes) if user_bytes else 0.0
    cache = box(dossier, "cache_size", "Fast for", shape="cache")
    said, real_bytes = units.format_bytes(user_bytes), number_of(dossier, "real_capacity")
    space = Box("Your space", said, shape="space", share=1.0 - cache_share)
    if real_bytes is not None and real_bytes < _REAL_LEAST * user_bytes:
        real = units.format_bytes(real_bytes)
        space = replace(space, name="It holds", value=real, note=f"and says {said}", href="#property-real_capacity")
    reserve = box(dossier, "spare_area", "Spare", shape="spare")
    parts = (
        replace(cache, share=cache_share, note="", assumed="") if cache and cache_share else None,
        space,
        replace(reserve, share=spare or 0.08, note="", assumed="") if reserve else None,
    )
    return Box("", shape="bar", inside=boxes(*parts))


def _platters(dossier: Dossier) -> tuple[Box, ...]:
    electronics = Box(
        "Electronics",
        shape="room",
        inside=boxes(
            box(dossier, "write_buffer", "Buffer"),
            box(dossier, "hybrid_gain", "Flash cache for reads", value="{} as fast"),
            box(dossier, "hybrid_size", "Size of the flash cache"),
            box(dossier, "mapping_unit", "Sectors inside"),
        ),
    )
    mechanics = Box(
        "Platters",
        shape="room",
        picture=platters(),
        inside=boxes(
            box(dossier, "access_time", "A random access takes"),
            box(dossier, "sequential_read", "Reads in order"),
            box(dossier, "read_minimum", "Slowest part reads at"),
        ),
    )
    return _link(dossier), Box(dossier.title, shape="case", inside=(electronics, mechanics))


def _memory(dossier: Dossier) -> tuple[Box, ...]:
    inside = Box(
        "Memory",
        shape="room",
        picture=cells(),
        inside=boxes(
            box(dossier, "read_latency", "A 4 KiB read takes"),
            box(dossier, "parallelism", "At work at once", value="{} requests"),
            box(dossier, "write_buffer", "Write buffer"),
        ),
    )
    return _link(dossier), Box(dossier.title, shape="case", inside=(inside,))


def _array(dossier: Dossier) -> tuple[Box, ...]:
    names = dossier.records[-1].drive_facts.members
    shown = [Box(f"Member {index}", name, shape="member") for index, name in enumerate(names[:_MEMBERS_MOST], 1)]
    if len(names) > _MEMBERS_MOST:
        shown.append(Box("and", f"{len(names) - _MEMBERS_MOST} more", shape="member"))
    whole = Box(
        "Array",
        shape="room",
        inside=boxes(
            box(dossier, "useful_members", "Members that help", value=f"{{}} of {len(names)}" if names else "{}"),
            box(dossier, "write_buffer", "Write buffer"),
            box(dossier, "sequential_read", "Reads in order"),
        ),
    )
    members = Box("Members", shape="room members", inside=tuple(shown))
    limited = number_of(dossier, "host_limit") is not None
    link = _link(dossier, "host_limit", "Host", "{} at most") if limited else _link(dossier, name="Host")
    return link, Box(dossier.title, shape="case", inside=(whole, members))


def _file(dossier: Dossier) -> tuple[Box, ...]:
    facts = dossier.records[-1].drive_facts
    place, device = facts.place, facts.device
    system = f"{place.file_system} at {place.mount_point}" if place else (device.backing_file if device else "")
    below = ", ".join(place.drives) if place and place.drives else "some drive"
    layers = (
        Box("File", units.format_bytes(facts.user_bytes), "what was measured", shape="layer"),
        Box("File system", system or UNKNOWN, shape="layer", is_known=bool(system)),
        Box("Below it", below, "not seen from here: its flash, map and buffer", shape="layer", is_known=False),
    )
    return _link(dossier, name="Host"), Box("", shape="case layers", inside=layers)


_DRAWN: Mapping[DriveKind, Callable[[Dossier], tuple[Box, ...]]] = {
    DriveKind.FLASH: _solid_state,
    DriveKind.DISK: _platters,
    DriveKind.HYBRID: _platters,
    DriveKind.MEMORY: _memory,
    DriveKind.ARRAY: _array,
    DriveKind.FILE: _file,
}
