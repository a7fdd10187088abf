"""A Dask cluster: one of this machine's processes, or an existing one by its address. Only this file uses Dask.

    open_local(2)           a scheduler and two worker processes, reachable only by 127.0.0.1, ended with the sweep
    open_existing(address)  tcp://HOST:PORT; its workers need the same version of flashscope

Everybody who reaches a Dask scheduler can run anything on its workers, so ours listens only on the loopback interface.
A local worker that dies is started again. Its tasks go to the others; one that lost ALLOWED_FAILURES + 1 workers comes
back as `died` (of an existing cluster, its own setting counts).
"""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import signal
import socket
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
    """The scheduler is gone. Answers received until then are kept. Exit code 1."""


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
        """Number of workers that have gone."""
        return self._lost

    @property
    def has_workers(self) -> bool:
        """False while there are no workers."""
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
        """A task that ended. Raises ClusterLost when the scheduler is gone."""
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
        """How a task ended; None when it runs again, since the worker that held its answer is gone."""
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
        """Update the number of workers, now and then."""
        if time.monotonic() - self._looked_s < _LOOK_INTERVAL_S:
            return
        self._looked_s = time.monotonic()
        with contextlib.suppress(OSError, TimeoutError):  # a scheduler that is gone shows in the futures
            now = dict(self._client.nthreads())
            self._lost += len(self._workers.keys() - now.keys())
            self._workers = now

    def drop_all(self) -> None:
        """Cancel all tasks; a worker of an existing cluster finishes the task that it has begun, without use."""
        futures = list(self._under_way.values())
        self._under_way.clear()
        with contextlib.suppress(Exception):  # the cluster may be gone
            self._client.cancel(futures)  # not by force: another client may wait for the same point


@contextlib.contextmanager
def open_local(workers: int) -> Iterator[DaskCluster]:
    """This many worker processes of one thread each on this machine, ended on leaving the context.

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
                    memory_limit=0,  # how many fit into memory was computed before (`runner/workers.py`)
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
    """The cluster of the scheduler at an address; it keeps running after the context.

    Raises WrongUse when nothing answers there, when it has no workers, or when one has another flashscope.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[4]) > 65535:
        raise WrongUse(f"--scheduler is {address!r}", accepted="tcp://HOST:PORT", advice=_HOW_TO)
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            # Asked plainly first: Dask tries again and again where nothing listens.
            socket.create_connection((match[3].strip("[]"), int(match[4])), timeout=_CONNECT_TIMEOUT_S).close()
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
    """Threads that begin in this context, and processes that they start later, ignore Ctrl-C.

    Ctrl-C reaches all processes of a terminal, but only the client should react to it and end its workers. A Ctrl-C
    within this context takes effect at its end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # now, since it unblocks the signal again in the thread that starts it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's own messages: flashscope reports what matters."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [logger.level for logger in loggers]  # Dask sets some of them one by one
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
