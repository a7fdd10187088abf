"""The commands about SMART: `flashscope smart`, one file for each of its verbs."""

from flashscope.cli.smart.group import command

__all__ = ["command"]
