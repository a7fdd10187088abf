"""Small pictures inside the drawing: dies on their channels, platters with an arm, cells of memory. Plain SVG."""

from __future__ import annotations

from flashscope.units import format_count

_ROW, _ROWS_MOST, _STEP = 8, 4, 22


def dies(count: int | None) -> str:
    """Squares on lines, eight to a line; of more than 32 the first, and how many they are. None: not known, grey."""
    shown = min(count or _ROW // 2, _ROW * _ROWS_MOST)
    rows = -(-shown // _ROW)
    parts = []
    for row in range(rows):
        here = min(_ROW, shown - row * _ROW)
        middle = row * _STEP + 9
        parts.append(f'<path class="wire" d="M0 {middle}H{here * _STEP - 4}"/>')
        parts += [
            f'<rect x="{8 + each * _STEP}" y="{middle - 7}" width="14" height="14" rx="2"/>' for each in range(here)
        ]
    shape = "dies" if count else "dies unknown"
    more = (
        f'<text x="0" y="{rows * _STEP + 12}">… {format_count(count)} in all</text>' if count and count > shown else ""
    )
    height = rows * _STEP + (16 if more else 0)
    return _svg(shape, _ROW * _STEP + 8, height, "".join(parts) + more)


def platters() -> str:
    """Two platters seen from above, with the arm."""
    return _svg(
        "platters",
        150,
        92,
        '<circle cx="46" cy="46" r="44"/><circle cx="46" cy="46" r="30"/><circle cx="46" cy="46" r="16"/>'
        '<circle class="hub" cx="46" cy="46" r="5"/><path class="arm" d="M140 84L82 52"/>'
        '<circle class="hub" cx="140" cy="84" r="5"/>',
    )


def cells() -> str:
    """An array of cells."""
    squares = "".join(
        f'<rect x="{column * 16}" y="{row * 16}" width="12" height="12" rx="1"/>'
        for row in range(4)
        for column in range(10)
    )
    return _svg("dies", 160, 64, squares)


def _svg(shape: str, width: int, height: int, parts: str) -> str:
    return (
        f'<svg class="picture {shape}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-hidden="true" focusable="false">{parts}</svg>'
    )
