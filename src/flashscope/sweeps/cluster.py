"""A Dask cluster: one of this machine's processes, or an existing one by its address. Only this file knows Dask.

    open_local(2)           a scheduler and two worker processes, reached by 127.0.0.1 alone, ended with the sweep
    open_existing(address)  tcp://HOST:PORT; its workers need the same version of flashscope

Whoever reaches a scheduler can run anything on its workers: that is Dask's way, and why ours listens on loopback only.
A local worker that dies is started again. Its tasks go to the others; one that lost ALLOWED_FAILURES + 1 workers comes
back as `died` (of an existing cluster, its own setting counts).
"""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import signal
import time
from collections.abc import Iterator, Mapping
from multiprocessing import resource_tracker
from typing import Any

import dask
import distributed

from flashscope.errors import FlashscopeError, WrongUse
from flashscope.runner.build import this_build
from flashscope.sweeps.exchange import Ended, check_versions
from flashscope.sweeps.work import perform, version_here

ALLOWED_FAILURES = 3

_CONNECT_TIMEOUT_S = 5
_WORKER_TIMEOUT_S = 10
_FETCH_TIMEOUT_S = 30
_LOOK_INTERVAL_S = 2.0
_NO_DASHBOARD = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # the port of its bare health page
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})")
_HOW_TO = "start one with `dask scheduler` and `dask worker ADDRESS`, or leave --scheduler out"


class ClusterLost(FlashscopeError):
    """The scheduler went away. What came until then is kept. Exit code 1."""


class DaskCluster:
    """A connected cluster."""

    def __init__(self, client: distributed.Client) -> None:
        self._client = client
        self._under_way: dict[str, distributed.Future[Any]] = {}
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._workers: dict[str, int] = dict(client.nthreads())
        self._lost = 0
        self._looked_s = time.monotonic()

    @property
    def worker_count(self) -> int:
        """Threads of all workers, at least 1."""
        return max(1, sum(self._workers.values()))

    @property
    def lost_workers(self) -> int:
        """Workers that were there and are not any more."""
        return self._lost

    @property
    def has_workers(self) -> bool:
        """False while nobody is there to work."""
        return bool(self._workers)

    def submit(self, key: str, task: Mapping[str, Any]) -> None:
        """Hand a task over."""
        task = {**task, "version": this_build().identity}
        future = self._client.submit(perform, task, key=key, pure=False, retries=0)
        self._under_way[key] = future
        self._tell_when_done(key, future)

    def _tell_when_done(self, key: str, future: distributed.Future[Any]) -> None:
        future.add_done_callback(lambda _: self._ended.put(key))

    def next(self, timeout_s: float) -> Ended | None:
        """A task that ended. Raises ClusterLost when the scheduler went away."""
        self._look()
        try:
            key = self._ended.get(timeout=timeout_s)
        except queue.Empty:
            return None
        future = self._under_way.get(key)
        if future is None:
            return None
        ended = self._read(key, future)
        if ended is not None:
            del self._under_way[key]
            future.release()
        return ended

    def _read(self, key: str, future: distributed.Future[Any]) -> Ended | None:
        """What became of a task; None when it is under way again, since the worker that held its answer is gone."""
        if future.status in ("cancelled", "lost"):
            raise ClusterLost(
                "the scheduler went away",
                advice="the points that were received are kept; the same command goes on from there",
            )
        if future.status == "error":
            error = future.exception()
            if isinstance(error, distributed.KilledWorker):
                return Ended(key, died=True)
            notes = getattr(error, "__notes__", ())
            return Ended(key, error="; ".join([f"{type(error).__name__}: {error}", *notes]))
        try:
            return Ended(key, answer=future.result(timeout=_FETCH_TIMEOUT_S))
        except TimeoutError:
            self._tell_when_done(key, future)
            return None

    def _look(self) -> None:
        """See who works, now and then."""
        if time.monotonic() - self._looked_s < _LOOK_INTERVAL_S:
            return
        self._looked_s = time.monotonic()
        with contextlib.suppress(OSError, TimeoutError):  # a scheduler that is gone shows in the futures
            now = dict(self._client.nthreads())
            self._lost += len(self._workers.keys() - now.keys())
            self._workers = now

    def drop_all(self) -> None:
        """Let go of all that is under way; what a worker has begun it ends in vain, when it is not ours to end."""
        futures = list(self._under_way.values())
        self._under_way.clear()
        with contextlib.suppress(Exception):  # the cluster may be gone
            self._client.cancel(futures)  # not by force: another client may wait for the same point


@contextlib.contextmanager
def open_local(workers: int) -> Iterator[DaskCluster]:
    """So many worker processes of one thread each on this machine, ended on leaving.

    Raises FlashscopeError when they cannot be started.
    """
    settings = {"distributed.scheduler.allowed-failures": ALLOWED_FAILURES, "distributed.admin.tick.limit": "1h"}
    with _quiet(), dask.config.set(settings), contextlib.ExitStack() as stack:
        try:
            with _children_deaf_to_ctrl_c():
                local = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    scheduler_kwargs=_NO_DASHBOARD,
                    memory_limit=0,  # how many fit into the memory was reckoned before (`runner/workers.py`)
                    silence_logs=logging.CRITICAL,
                )
            stack.enter_context(local)
            client = stack.enter_context(distributed.Client(local, set_as_default=False))
        except (OSError, RuntimeError, TimeoutError) as error:
            raise FlashscopeError(
                f"a cluster of {workers} processes could not be started: {error}", advice="try fewer with --workers"
            ) from error
        yield from _working(client)


@contextlib.contextmanager
def open_existing(address: str) -> Iterator[DaskCluster]:
    """The cluster of the scheduler at an address, left as it is on leaving.

    Raises WrongUse when nothing answers there, when it has no workers, or when one has another flashscope.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[4]) > 65535:
        raise WrongUse(f"--scheduler is {address!r}", accepted="tcp://HOST:PORT", advice=_HOW_TO)
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            client = stack.enter_context(distributed.Client(address, timeout=_CONNECT_TIMEOUT_S, set_as_default=False))
        except (OSError, TimeoutError, ValueError) as error:
            raise WrongUse(
                f"no Dask scheduler answers at {address}", accepted="the address of a running scheduler", advice=_HOW_TO
            ) from error
        try:
            client.wait_for_workers(1, timeout=_WORKER_TIMEOUT_S)
        except TimeoutError as error:
            raise WrongUse(f"the scheduler at {address} has no workers", advice=f"dask worker {address}") from error
        check_versions(client.run(version_here, on_error="return"))
        yield from _working(client)


def _working(client: distributed.Client) -> Iterator[DaskCluster]:
    cluster = DaskCluster(client)
    try:
        yield cluster
    finally:
        cluster.drop_all()


@contextlib.contextmanager
def _children_deaf_to_ctrl_c() -> Iterator[None]:
    """Threads begun in here, and the processes they start at any time, do not hear a person's Ctrl-C.

    It reaches all processes of a terminal, but the client alone is to hear it, and to end its workers. One that comes
    in here is heard on leaving.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # now, for it lets the signal through again in the thread that starts it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own messages left out: what matters is said by us."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [logger.level for logger in loggers]  # Dask sets some of them one by one
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
