"""A file system and a host for a virtual drive: from programs that work on files to requests for blocks.

    programs (file_work.py) --> FileSystem.lower --> Trace --> the core's FileRun on any virtual drive

clusters.py   which clusters are free
layout.py     where the file system's own files are
file_system.py  files, records, directories, journal
lowering.py   programs become operations
trace.py      the core's input, which can be kept in a file and replayed
host.py       the host's settings, in one place, with their sources
"""

from flashscope.workloads.file_system.file_system import FileSystem
from flashscope.workloads.file_system.host import HOSTS, WINDOWS_7, WINDOWS_XP, Host
from flashscope.workloads.file_system.lowering import lower
from flashscope.workloads.file_system.trace import Trace, load_trace, save_trace

__all__ = ["HOSTS", "WINDOWS_7", "WINDOWS_XP", "FileSystem", "Host", "Trace", "load_trace", "lower", "save_trace"]
