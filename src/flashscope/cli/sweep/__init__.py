"""The command `flashscope sweep`: one experiment over parts, parameters and seeds."""

from flashscope.cli.sweep.sweep import command

__all__ = ["command"]
