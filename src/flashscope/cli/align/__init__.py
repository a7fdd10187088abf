"""The command `flashscope align`: judged disks in words, and their repair."""

from flashscope.cli.align.align import command

__all__ = ["command"]
