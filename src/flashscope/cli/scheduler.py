"""What `--scheduler` names: a cluster of this machine's processes, or an existing one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flashscope.sweeps.cluster import DaskCluster
    from flashscope.sweeps.sweep import OpenCluster

LOCAL = "local"


def opener(scheduler: str, workers: int) -> OpenCluster:
    """Opens the cluster for so many points. scheduler: LOCAL or an address. workers: processes of a local one."""

    def open_cluster(count: int) -> AbstractContextManager[DaskCluster]:
        # Imported here: Dask takes a second, and a sweep of which all is there needs none.
        from flashscope.sweeps.cluster import open_existing, open_local

        return open_local(min(workers, count)) if scheduler == LOCAL else open_existing(scheduler)

    return open_cluster
