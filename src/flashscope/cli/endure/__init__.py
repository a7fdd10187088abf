"""The command `flashscope endure`: a virtual drive worn out, many of them, or a real one."""

from flashscope.cli.endure.endure import command

__all__ = ["command"]
