"""Which engine loads a drive: registered engines are asked first, then flashscope's own.

    what is loaded                        engine
    a file or a block device, held        fio
    a virtual drive                       the core, in virtual time; its hands make it, since they also look inside
    anything else                         a registered engine, e.g. the replay of a trace, a client of a server

A new engine is a class (`engine.py`) and one call of `register`; no other code has to know it. A new kind of drive that
has an engine is run by the hands of `runner/hands/by_engine.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flashscope.drives.held.held import Held
from flashscope.errors import WrongUse
from flashscope.runner.engines.engine import Engine

Maker = Callable[[object], Engine | None]
"""Makes the engine for a drive or a `Held`; returns None when another engine is responsible."""

_registered: list[Maker] = []


def register(maker: Maker) -> Maker:
    """From now on, ask this maker before all others."""
    _registered.insert(0, maker)
    return maker


@contextmanager
def registered(maker: Maker) -> Iterator[None]:
    """Ask a maker first for as long as the context lasts."""
    register(maker)
    try:
        yield
    finally:
        _registered.remove(maker)


def own_engine(target: object) -> Engine | None:
    """The engine that somebody has registered for this drive; None when nobody has."""
    return next((engine for maker in _registered if (engine := maker(target)) is not None), None)


def engine_for(target: object) -> Engine:
    """The engine for a held file or block device, or for a drive that an engine is registered for.

    Raises WrongUse when there is none, or the program that it needs is missing.
    """
    own = own_engine(target)
    if own is not None:
        return own
    if isinstance(target, Held):
        from flashscope.runner.engines.fio.engine import FioEngine

        return FioEngine(target)
    raise WrongUse(
        f"no engine loads a {type(target).__name__}",
        accepted="a file or a block device, or a drive whose engine is registered",
        advice="see runner/engines/choose.py",
    )
